#include "app/base/deflate.hpp"

#define STB_IMAGE_STATIC
#define STB_IMAGE_IMPLEMENTATION
#define STBI_NO_STDIO
#define STBI_ONLY_PNG
#define STBI_NO_FAILURE_STRINGS
#include <stb_image.h>
#define STB_IMAGE_WRITE_STATIC
#define STB_IMAGE_WRITE_IMPLEMENTATION
#define STBI_WRITE_NO_STDIO
#include <stb_image_write.h>

#include <cstdint>
#include <cstdlib>
#include <limits>
#include <memory>

namespace slotscape {
namespace {

constexpr auto most_of_stb = static_cast<std::size_t>(std::numeric_limits<int>::max());

/// zlib's checksum, which stb does not verify.
std::uint32_t adler32(std::string_view content)
{
  std::uint32_t a = 1;
  std::uint32_t b = 0;
  for (char const each : content) {
    a = (a + static_cast<unsigned char>(each)) % 65521u;
    b = (b + a) % 65521u;
  }
  return b << 16 | a;
}

std::uint32_t last_word(std::string_view bytes)
{
  std::uint32_t word = 0;
  for (char const each : bytes.substr(bytes.size() - 4)) { word = word << 8 | static_cast<unsigned char>(each); }
  return word;
}

}  // namespace

std::string compressed(std::string_view content)
{
  constexpr int quality = 32;
  struct Free {
    void operator()(unsigned char* block) const { std::free(block); }
  };
  std::string copy(content);  // stb takes a non-const pointer
  int bytes = 0;
  std::unique_ptr<unsigned char, Free> const block(stbi_zlib_compress(reinterpret_cast<unsigned char*>(copy.data()),
                                                                      static_cast<int>(copy.size()), &bytes, quality));
  return {reinterpret_cast<char const*>(block.get()), static_cast<std::size_t>(bytes)};
}

std::optional<std::string> uncompressed(std::string_view content, std::size_t most)
{
  constexpr std::size_t least = 6;  // header and checksum
  if (content.size() < least || content.size() > most_of_stb || most > most_of_stb) { return std::nullopt; }
  std::string text(most, '\0');
  int const bytes =
      stbi_zlib_decode_buffer(text.data(), static_cast<int>(most), content.data(), static_cast<int>(content.size()));
  if (bytes < 0) { return std::nullopt; }
  text.resize(static_cast<std::size_t>(bytes));
  return adler32(text) == last_word(content) ? std::optional(std::move(text)) : std::nullopt;
}

std::optional<std::vector<std::byte>> inflated(std::span<std::byte const> content, std::size_t bytes)
{
  if (content.size() > most_of_stb || bytes > most_of_stb) { return std::nullopt; }
  std::vector<std::byte> whole(bytes);
  int const got =
      stbi_zlib_decode_noheader_buffer(reinterpret_cast<char*>(whole.data()), static_cast<int>(bytes),
                                       reinterpret_cast<char const*>(content.data()), static_cast<int>(content.size()));
  return got == static_cast<int>(bytes) ? std::optional(std::move(whole)) : std::nullopt;
}

}  // namespace slotscape
