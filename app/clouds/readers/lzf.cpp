#include "app/clouds/readers/lzf.hpp"

namespace slotscape::clouds {

namespace {

/// Three bytes say the longest copy of all.
constexpr std::size_t longest_copy = 264;

}  // namespace

std::optional<std::string> unpacked_lzf(std::string_view packed, std::size_t size)
{
  if (size / longest_copy > packed.size()) { return std::nullopt; }
  std::string content;
  std::size_t at = 0;
  auto const more = [&](std::size_t count) { return count <= packed.size() - at; };
  auto const byte = [&] { return static_cast<std::size_t>(static_cast<unsigned char>(packed[at++])); };
  while (at < packed.size()) {
    std::size_t const control = byte();
    if (control < 32) {
      std::size_t const plain = control + 1;
      if (!more(plain) || plain > size - content.size()) { return std::nullopt; }
      content += packed.substr(at, plain);
      at += plain;
      continue;
    }
    std::size_t length = control >> 5;
    if (!more(length == 7 ? 2 : 1)) { return std::nullopt; }
    if (length == 7) { length += byte(); }
    std::size_t const back = ((control & 31) << 8) + byte() + 1;
    length += 2;
    if (back > content.size() || length > size - content.size()) { return std::nullopt; }
    for (std::size_t i = 0; i < length; ++i) { content += content[content.size() - back]; }
  }
  return content.size() == size ? std::optional(std::move(content)) : std::nullopt;
}

}  // namespace slotscape::clouds
