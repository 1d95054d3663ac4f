#include "app/base/base64.hpp"

#include <algorithm>
#include <cstdint>

namespace slotscape {
namespace {

constexpr std::string_view digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
constexpr std::string_view digits_of_address = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/// Writes six bits per digit, without padding.
std::string written(std::string_view bytes, std::string_view with)
{
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t at = 0; at < bytes.size(); at += 3) {
    std::size_t const here = std::min<std::size_t>(3, bytes.size() - at);
    std::uint32_t word = 0;
    for (std::size_t i = 0; i < 3; ++i) {
      word = word << 8 | (i < here ? static_cast<unsigned char>(bytes[at + i]) : 0u);
    }
    for (std::size_t i = 0; i <= here; ++i) { text += with[word >> (18 - 6 * i) & 63u]; }
  }
  return text;
}

}  // namespace

std::string base64(std::string_view bytes)
{
  std::string text = written(bytes, digits);
  text.resize((text.size() + 3) / 4 * 4, '=');
  return text;
}

std::string base64_url(std::string_view bytes)
{
  return written(bytes, digits_of_address);
}

std::optional<std::string> decode_base64_url(std::string_view text)
{
  std::string bytes;
  bytes.reserve(text.size() / 4 * 3 + 2);
  std::uint32_t word = 0;
  int bits = 0;
  for (char const each : text) {
    std::size_t const digit = digits_of_address.find(each);
    if (digit == std::string_view::npos) { return std::nullopt; }
    word = word << 6 | static_cast<std::uint32_t>(digit);
    bits += 6;
    if (bits >= 8) {
      bits -= 8;
      bytes += static_cast<char>(word >> bits & 255u);
    }
  }
  bool const ends_right = text.size() % 4 != 1 && (word & ((1u << bits) - 1u)) == 0;
  return ends_right ? std::optional(bytes) : std::nullopt;
}

}  // namespace slotscape
