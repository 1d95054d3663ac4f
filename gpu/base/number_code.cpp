#include "gpu/base/number_code.hpp"

#include <fmt/format.h>

#include <bit>

namespace slotscape {

std::string number_text(NumberCode const& code, std::uint64_t word)
{
  std::uint64_t const number = code.number(word);
  if (code.is_float && code.bits == 32) {
    return fmt::format("{}", std::bit_cast<float>(static_cast<std::uint32_t>(number)));
  }
  if (code.is_float) { return fmt::format("{}", std::bit_cast<double>(number)); }
  return code.is_signed ? fmt::format("{}", static_cast<std::int64_t>(number)) : fmt::format("{}", number);
}

}  // namespace slotscape
