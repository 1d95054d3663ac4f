#include "app/pictures/orientation.hpp"

#include "app/pictures/bytes.hpp"

#include <utility>

namespace slotscape::pictures {
namespace {

using matching::Picture;

constexpr std::string_view png_begin = "\x89PNG\r\n\x1a\n";
constexpr int as_stored = 1;

/// The orientation in the first directory of a TIFF header, as used by EXIF.
int orientation_in_tiff(std::string_view tiff)
{
  constexpr std::uint64_t orientation_tag = 0x0112;
  constexpr std::size_t entry_bytes = 12;
  bool const is_big = tiff.starts_with("MM");
  if (!is_big && !tiff.starts_with("II")) { return as_stored; }
  auto const number = [&](std::size_t at, std::size_t bytes) {
    return is_big ? big_endian(tiff, at, bytes) : little_endian(tiff, at, bytes);
  };
  std::size_t const directory = number(4, 4);
  std::uint64_t const entries = number(directory, 2);
  for (std::uint64_t i = 0; i < entries; ++i) {
    std::size_t const entry = directory + 2 + i * entry_bytes;
    if (entry + entry_bytes > tiff.size()) { break; }
    if (number(entry, 2) != orientation_tag) { continue; }
    std::uint64_t const found = number(entry + 8, 2);
    return found >= 1 && found <= 8 ? static_cast<int>(found) : as_stored;
  }
  return as_stored;
}

int orientation_in_jpeg(std::string_view content)
{
  constexpr std::string_view name("Exif\0\0", 6);
  std::size_t at = 2;
  while (at + 4 <= content.size() && byte_at(content, at) == 0xff) {
    std::uint64_t const marker = byte_at(content, at + 1);
    if (marker == 0xff) {
      ++at;  // padding
      continue;
    }
    if (marker == 0xda) { break; }  // the picture
    std::size_t const length = big_endian(content, at + 2, 2);
    std::string_view const segment = content.substr(at + 4, length < 2 ? 0 : length - 2);
    if (marker == 0xe1 && segment.starts_with(name)) { return orientation_in_tiff(segment.substr(name.size())); }
    at += 2 + length;
  }
  return as_stored;
}

}  // namespace

std::string_view png_chunk(std::string_view content, std::string_view name)
{
  std::size_t at = png_begin.size();
  while (at + 12 <= content.size()) {
    std::size_t const length = big_endian(content, at, 4);
    if (content.substr(at + 4, 4) == name) { return content.substr(at + 8, length); }
    at += 12 + length;
  }
  return {};
}

int orientation_in(std::string_view content)
{
  if (content.starts_with("\xff\xd8")) { return orientation_in_jpeg(content); }
  if (content.starts_with(png_begin)) { return orientation_in_tiff(png_chunk(content, "eXIf")); }
  return as_stored;
}

Picture upright(Picture picture, int orientation)
{
  if (orientation == as_stored) { return picture; }
  bool const transposes = orientation >= 5;
  std::uint32_t const width = transposes ? picture.height : picture.width;
  std::uint32_t const height = transposes ? picture.width : picture.height;
  bool const from_right = orientation == 2 || orientation == 3 || orientation == 7 || orientation == 8;
  bool const from_below = orientation == 3 || orientation == 4 || orientation == 6 || orientation == 7;
  Picture shown{width, height, {}};
  shown.pixels.reserve(picture.pixels.size());
  for (std::uint32_t y = 0; y < height; ++y) {
    for (std::uint32_t x = 0; x < width; ++x) {
      std::uint32_t const across = transposes ? y : x;
      std::uint32_t const down = transposes ? x : y;
      std::uint32_t const column = from_right ? picture.width - 1 - across : across;
      std::uint32_t const row = from_below ? picture.height - 1 - down : down;
      shown.pixels.push_back(picture.pixels[std::size_t{row} * picture.width + column]);
    }
  }
  return shown;
}

}  // namespace slotscape::pictures
