#include "app/pictures/whole_file.hpp"

#include "app/pictures/bytes.hpp"

#include <cstddef>

namespace slotscape::pictures {
namespace {

/// Whether the Huffman tables of a JPEG file (a DHT segment without its length) end with the segment, and none has more
/// codes than there are symbols: stb_image's buffers have this size, but it writes as many codes as the file declares.
bool huffman_tables_fit(std::string_view segment)
{
  constexpr std::size_t lengths = 16;
  constexpr std::size_t symbols = 256;
  std::size_t at = 0;
  while (at < segment.size()) {
    std::size_t codes = 0;
    for (std::size_t i = 1; i <= lengths; ++i) { codes += byte_at(segment, at + i); }
    if (codes > symbols) { return false; }
    at += 1 + lengths + codes;
  }
  return at == segment.size();
}

/// The position of the next marker after a scan. Within its codes, 0xff is followed only by zeros and restarts.
std::size_t end_of_scan(std::string_view content, std::size_t at)
{
  for (at = content.find('\xff', at); at != content.npos; at = content.find('\xff', at + 1)) {
    std::uint64_t const next = byte_at(content, at + 1);
    bool const is_code = next == 0 || next == 0xff || (next >= 0xd0 && next <= 0xd7);
    if (!is_code) { return at; }
  }
  return content.size();
}

}  // namespace

bool is_whole_jpeg(std::string_view content)
{
  constexpr std::uint64_t huffman = 0xc4;
  constexpr std::uint64_t end = 0xd9;
  constexpr std::uint64_t scan = 0xda;
  bool any_scan = false;
  std::size_t at = 2;
  while (at + 2 <= content.size() && byte_at(content, at) == 0xff) {
    std::uint64_t const marker = byte_at(content, at + 1);
    if (marker == end) { return any_scan; }
    if (marker == 0xff) {
      ++at;  // padding
      continue;
    }
    std::size_t const length = big_endian(content, at + 2, 2);
    if (length < 2 || at + 2 + length > content.size()) { return false; }
    if (marker == huffman && !huffman_tables_fit(content.substr(at + 4, length - 2))) { return false; }
    at += 2 + length;
    if (marker == scan) {
      any_scan = true;
      at = end_of_scan(content, at);
    }
  }
  return false;
}

bool is_whole_bmp(std::string_view content, std::uint64_t width, std::uint64_t height)
{
  std::uint64_t const first_row = little_endian(content, 10, 4);
  bool const is_old = little_endian(content, 14, 4) == 12;  // OS/2, whose fields are shorter
  std::uint64_t const bits = little_endian(content, is_old ? 24 : 28, 2);
  std::uint64_t const row = (width * bits + 31) / 32 * 4;
  return first_row + row * height <= content.size();
}

}  // namespace slotscape::pictures
