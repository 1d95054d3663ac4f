#include "app/families/slot_counts.hpp"

#include "app/files/number.hpp"
#include "app/widgets/format.hpp"
#include "gpu/engine/engine.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

namespace slotscape {
namespace {

std::optional<std::uint64_t> next_below(SlotCounts counts, std::uint64_t wanted)
{
  for (std::uint64_t slots = std::min(wanted, max_slots); slots >= min_slots; --slots) {
    if (counts == SlotCounts::power_of_two) { return std::bit_floor(slots); }
    if (suits(counts, slots)) { return slots; }
  }
  return std::nullopt;
}

std::optional<std::uint64_t> next_above(SlotCounts counts, std::uint64_t wanted)
{
  for (std::uint64_t slots = std::max(wanted, min_slots); slots <= max_slots; ++slots) {
    if (counts == SlotCounts::power_of_two) { return std::bit_ceil(slots); }
    if (suits(counts, slots)) { return slots; }
  }
  return std::nullopt;
}

}  // namespace

std::string_view kind_of(SlotCounts counts)
{
  switch (counts) {
    case SlotCounts::any: return "a whole number";
    case SlotCounts::power_of_two: return "a power of two";
    case SlotCounts::power_of_two_or_prime: break;
  }
  return "a power of two or a prime number";
}

std::optional<std::uint64_t> parse_slots(std::string_view text)
{
  std::string digits(text.substr(0, text.find('=')));
  std::erase_if(digits, [](char letter) { return letter == ',' || letter == ' '; });
  if (!digits.starts_with("2^")) { return parse_number<std::uint64_t>(digits); }
  auto const power = parse_number<std::uint32_t>(std::string_view(digits).substr(2));
  return power && *power < 64 ? std::optional(std::uint64_t{1} << *power) : std::nullopt;
}

std::string what_suits(SlotCounts counts, std::uint64_t wanted)
{
  std::string text = fmt::format("{} from {} to {}", kind_of(counts), min_slots, max_slots);
  auto const below = next_below(counts, wanted);
  auto const above = next_above(counts, wanted);
  if (below && above) { text += fmt::format(": {} or {}", *below, *above); }
  return text;
}

std::uint64_t suitable_slots(SlotCounts counts, std::uint64_t wanted)
{
  if (wanted < min_slots || wanted > max_slots || suits(counts, wanted)) { return wanted; }
  auto const above = next_above(counts, wanted);
  return above ? *above : next_below(counts, wanted).value_or(wanted);
}

std::string slots_text(std::uint64_t slots)
{
  std::string const number = grouped(slots);
  return std::has_single_bit(slots) ? fmt::format("2^{} = {}", std::bit_width(slots) - 1, number) : number;
}

std::uint64_t bytes_of_pairs(TableSettings const& table, std::uint64_t slots)
{
  return slots * 2 * static_cast<std::uint64_t>(table.key_bits) / 8;
}

}  // namespace slotscape
