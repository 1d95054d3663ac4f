#include "app/pictures/picture_file.hpp"

#include "app/base/files.hpp"
#include "app/base/text.hpp"
#include "app/pictures/bytes.hpp"
#include "app/pictures/depth.hpp"
#include "app/pictures/orientation.hpp"
#include "app/pictures/whole_file.hpp"
#include "gpu/base/error.hpp"
#include "gpu/base/translation.hpp"

#include <fmt/format.h>

#include <cstdlib>

namespace slotscape::pictures {
namespace {

/// The limit for a single allocation by stb_image, twice the need of the largest picture. A few bytes in a PNG file can
/// claim to unpack to any size.
constexpr std::size_t largest_block = 16 * matching::max_pixels;

void* allocate(std::size_t bytes)
{
  return bytes <= largest_block ? std::malloc(bytes) : nullptr;
}
void* allocate_again(void* block, std::size_t bytes)
{
  return bytes <= largest_block ? std::realloc(block, bytes) : nullptr;
}

}  // namespace
}  // namespace slotscape::pictures

#define STBI_MALLOC(bytes) slotscape::pictures::allocate(bytes)
#define STBI_REALLOC(block, bytes) slotscape::pictures::allocate_again(block, bytes)
#define STBI_FREE(block) std::free(block)
#define STB_IMAGE_STATIC
#define STB_IMAGE_IMPLEMENTATION
#define STBI_NO_STDIO
#define STBI_ONLY_PNG
#define STBI_ONLY_JPEG
#define STBI_ONLY_BMP
#define STBI_NO_FAILURE_STRINGS
#include <stb_image.h>

#include <algorithm>
#include <array>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <system_error>

namespace slotscape::pictures {
namespace {

namespace fs = std::filesystem;

using matching::Picture;

constexpr std::array<std::string_view, 7> extensions{".png", ".jpg", ".jpeg", ".bmp", ".pgm", ".ppm", ".pnm"};
constexpr std::uintmax_t max_bytes = std::uintmax_t{1} << 30;
constexpr int grey_and_alpha = 2;

[[noreturn]] void fail(fs::path const& file, std::string const& why)
{
  throw Error(fmt::format("{}: {}", file.filename().string(), why));
}

std::string read_bounded(fs::path const& file)
{
  std::error_code failure;
  fs::file_status const status = fs::status(file, failure);
  if (!fs::exists(status)) { throw Error(tr("There is no file {}.", file.string())); }
  if (!fs::is_regular_file(status)) { fail(file, tr("it is not a file; choose a picture")); }
  std::uintmax_t const bytes = fs::file_size(file, failure);
  if (failure) { return read_input_file(file); }  // if opening failed, reads the file for its error message
  if (bytes == 0) { fail(file, tr("it is empty; choose another picture")); }
  if (bytes > max_bytes) {
    fail(file, tr("it has {}; pictures have at most {}. Save a smaller one", bytes_text(bytes), bytes_text(max_bytes)));
  }
  return read_input_file(file);
}

void check_size(fs::path const& file, std::uint64_t width, std::uint64_t height)
{
  if (width < matching::smallest_side || height < matching::smallest_side) {
    fail(file, tr("it is {} × {} pixels; at least {} × {} are needed", width, height, matching::smallest_side,
                  matching::smallest_side));
  }
  if (width > matching::max_pixels / height) {
    fail(file, tr("it is {} × {} pixels, more than {}; scale it down", grouped(width), grouped(height),
                  grouped(matching::max_pixels)));
  }
}

[[noreturn]] void fail_incomplete(fs::path const& file)
{
  fail(file, tr("it is damaged or incomplete; open it in another program and save it again"));
}

/// Rejects common formats that are not supported, by their first bytes.
void refuse_other_formats(fs::path const& file, std::string const& content)
{
  std::string_view const start(content);
  std::string_view const brand = start.substr(0, 12).substr(std::min<std::size_t>(start.size(), 4));
  std::string format;
  if (start.starts_with(std::string_view("II*\0", 4)) || start.starts_with(std::string_view("MM\0*", 4))) {
    format = tr("a TIFF or raw file");
  } else if (start.starts_with("GIF8")) {
    format = tr("a GIF");
  } else if (start.starts_with("RIFF") && start.substr(0, 12).ends_with("WEBP")) {
    format = tr("a WebP");
  } else if (brand.starts_with("ftyp")) {
    format = tr("a HEIC, AVIF or video file");
  } else if (start.starts_with("8BPS")) {
    format = tr("a Photoshop file");
  } else if (start.starts_with("P1") || start.starts_with("P4")) {
    format = tr("a 1-bit bitmap");
  } else if (start.starts_with("%PDF")) {
    format = tr("a PDF");
  }
  if (!format.empty()) { fail(file, tr("it is {}, which cannot be read; save the picture as PNG", format)); }
}

/// Explains unsupported kinds of files, for which stb_image only reports failure.
void refuse_kinds(fs::path const& file, std::string const& content)
{
  if (content.starts_with("BM") && little_endian(content, 14, 4) >= 40) {
    std::uint64_t const compression = little_endian(content, 30, 4);
    if (compression != 0 && compression != 3) {
      fail(file, tr("it is a compressed BMP, which cannot be read; save it as PNG"));
    }
  }
  if (content.starts_with("\xff\xd8")) {
    fail(file, tr("it is damaged, or a 12-bit, lossless or arithmetic-coded JPEG; save it as PNG"));
  }
}

struct FreePixels {
  void operator()(void* pixels) const { stbi_image_free(pixels); }
};

/// The grey of a pixel blended over white; both arguments range from 0 to 255.
std::uint8_t over_white(std::uint64_t grey, std::uint64_t alpha)
{
  return static_cast<std::uint8_t>((grey * alpha + 255u * (255u - alpha) + 127u) / 255u);
}

/// The largest number of significant bits per sample that a PNG file declares; 0 if it declares none.
int significant_bits(std::string const& content)
{
  std::string_view const told = png_chunk(content, "sBIT");
  bool const has_alpha = told.size() == 2 || told.size() == 4;
  int most = 0;
  for (char const bits : told.substr(0, told.size() - (has_alpha ? 1 : 0))) { most = std::max(most, int{bits}); }
  return most;
}

/// `samples`: 16-bit grey and alpha, alternating.
void take_deep(std::span<stbi_us const> samples, std::string const& content, OpenedPicture& opened)
{
  std::uint64_t largest = 0;
  std::uint64_t largest_alpha = 0;
  for (std::size_t i = 0; i < samples.size(); i += 2) {
    largest = std::max<std::uint64_t>(largest, samples[i]);
    largest_alpha = std::max<std::uint64_t>(largest_alpha, samples[i + 1]);
  }
  Depth const depth(largest, significant_bits(content));
  Depth const alpha(std::max(largest_alpha, largest), 0);
  for (std::size_t i = 0; i < samples.size(); i += 2) {
    opened.picture.pixels.push_back(over_white(depth.grey(samples[i]), alpha.grey(samples[i + 1])));
  }
  if (depth.is_less()) { opened.findings.push_back(depth.text()); }
}

OpenedPicture decode(fs::path const& file, std::string const& content)
{
  auto const* const bytes = reinterpret_cast<stbi_uc const*>(content.data());
  int const size = static_cast<int>(content.size());
  int width = 0;
  int height = 0;
  int channels = 0;
  // Checks the size first, as stb_image only reports failure for a very large picture.
  if (content.starts_with("\x89PNG\r\n") && content.size() > 24) {
    check_size(file, big_endian(content, 16, 4), big_endian(content, 20, 4));
  }
  if (content.starts_with("\xff\xd8") && !is_whole_jpeg(content)) { fail_incomplete(file); }
  bool const known = stbi_info_from_memory(bytes, size, &width, &height, &channels) != 0;
  if (!known || width <= 0 || height == 0 || height == std::numeric_limits<int>::min()) {
    refuse_kinds(file, content);
    fail(file, tr("it is not a readable picture, or it is damaged; choose a PNG, JPEG, BMP or PGM file"));
  }
  // A BMP file with rows stored from the top down has a negative height.
  OpenedPicture opened{{static_cast<std::uint32_t>(width), static_cast<std::uint32_t>(std::abs(height)), {}}, {}};
  Picture& picture = opened.picture;
  check_size(file, picture.width, picture.height);
  if (content.starts_with("BM") && !is_whole_bmp(content, picture.width, picture.height)) { fail_incomplete(file); }
  bool const is_deep = stbi_is_16_bit_from_memory(bytes, size) != 0;
  std::unique_ptr<void, FreePixels> const pixels(
      is_deep ? static_cast<void*>(stbi_load_16_from_memory(bytes, size, &width, &height, &channels, grey_and_alpha))
              : stbi_load_from_memory(bytes, size, &width, &height, &channels, grey_and_alpha));
  bool const as_announced = static_cast<std::uint32_t>(width) == picture.width &&
                            static_cast<std::uint32_t>(std::abs(height)) == picture.height;
  if (!pixels || !as_announced) { fail_incomplete(file); }
  std::size_t const samples = grey_and_alpha * std::size_t{picture.width} * picture.height;
  picture.pixels.reserve(samples / grey_and_alpha);
  if (is_deep) {
    take_deep({static_cast<stbi_us const*>(pixels.get()), samples}, content, opened);
  } else {
    auto const* const greys = static_cast<stbi_uc const*>(pixels.get());
    for (std::size_t i = 0; i < samples; i += 2) { picture.pixels.push_back(over_white(greys[i], greys[i + 1])); }
  }
  if (int const orientation = orientation_in(content); orientation != 1) {
    picture = upright(std::move(picture), orientation);
    opened.findings.push_back(tr("Turned upright, according to its EXIF orientation ({}).", orientation));
  }
  return opened;
}

/// Reads Netpbm files: grey ("P2", "P5") or coloured ("P3", "P6"), with numbers as text or as bytes.
class Netpbm {
public:
  Netpbm(fs::path const& file, std::string const& content) : file_(file), content_(content), kind_(content[1]) {}

  static bool is(std::string const& content)
  {
    return content.size() > 2 && content[0] == 'P' &&
           (content[1] == '2' || content[1] == '3' || content[1] == '5' || content[1] == '6');
  }

  OpenedPicture read()
  {
    std::uint64_t const width = number();
    std::uint64_t const height = number();
    white_ = number();
    if (white_ == 0 || white_ > 65535) { fail_incomplete(file_); }
    check_size(file_, width, height);
    bool const in_text = kind_ == '2' || kind_ == '3';
    bool const is_colored = kind_ == '3' || kind_ == '6';
    std::uint64_t const samples = width * height * (is_colored ? 3 : 1);
    if (!in_text) { ++at_; }  // skips one blank
    std::uint64_t const left = at_ < content_.size() ? content_.size() - at_ : 0;
    std::uint64_t const least = in_text ? 2 * samples - 1 : samples * (white_ > 255 ? 2 : 1);
    if (left < least) { fail_incomplete(file_); }
    std::vector<std::uint16_t> greys;
    greys.reserve(width * height);
    auto const next = [&] { return in_text ? number() : sample(); };
    for (std::uint64_t i = 0; i < width * height; ++i) {
      std::uint64_t const red = next();
      std::uint64_t grey = red;
      if (is_colored) {
        std::uint64_t const green = next();
        grey = (77 * red + 150 * green + 29 * next()) / 256;  // with stb_image's weights
      }
      if (grey > white_) { fail_incomplete(file_); }
      greys.push_back(static_cast<std::uint16_t>(grey));
    }
    OpenedPicture opened{{static_cast<std::uint32_t>(width), static_cast<std::uint32_t>(height), {}}, {}};
    opened.picture.pixels.resize(greys.size());
    if (white_ == Depth::widest) {
      Depth const depth(*std::ranges::max_element(greys), 0);
      std::ranges::transform(greys, opened.picture.pixels.begin(),
                             [&](std::uint64_t grey) { return depth.grey(grey); });
      if (depth.is_less()) { opened.findings.push_back(depth.text()); }
    } else {
      std::ranges::transform(greys, opened.picture.pixels.begin(), [&](std::uint64_t grey) {
        return static_cast<std::uint8_t>((grey * 255 + white_ / 2) / white_);
      });
    }
    return opened;
  }

private:
  static bool is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

  std::uint64_t number()
  {
    while (at_ < content_.size() && (is_space(content_[at_]) || content_[at_] == '#')) {
      at_ = content_[at_] == '#' ? std::min(content_.find('\n', at_), content_.size()) : at_ + 1;
    }
    std::size_t const from = at_;
    while (at_ < content_.size() && !is_space(content_[at_]) && content_[at_] != '#') { ++at_; }
    auto const found = parse_number<std::uint64_t>(std::string_view(content_).substr(from, at_ - from));
    if (!found || *found > std::numeric_limits<std::uint32_t>::max()) { fail_incomplete(file_); }
    return *found;
  }
  std::uint64_t sample()
  {
    std::uint64_t const high = byte_at(content_, at_++);
    return white_ > 255 ? high << 8 | byte_at(content_, at_++) : high;
  }

  fs::path const& file_;
  std::string const& content_;
  char kind_;
  std::uint64_t white_ = 0;
  std::size_t at_ = 2;  ///< position, at first after "P2"
};

bool is_digit(char c)
{
  return c >= '0' && c <= '9';
}

/// Removes and returns the digits at the start of `text`, without leading zeros.
std::string_view take_number(std::string_view& text)
{
  auto const end = static_cast<std::size_t>(std::ranges::find_if_not(text, is_digit) - text.begin());
  std::string_view number = text.substr(0, end);
  text.remove_prefix(end);
  number.remove_prefix(std::min(number.find_first_not_of('0'), number.size()));
  return number;
}

/// Removes empty pixel chunks of a PNG file, for which stb_image would copy from and to null pointers.
std::string without_empty_parts(std::string content)
{
  constexpr std::string_view empty("\0\0\0\0IDAT", 8);
  constexpr std::size_t rest_of_chunk = 12;  // length, name and checksum
  constexpr std::size_t signature = 8;
  if (!content.starts_with("\x89PNG\r\n") || content.find(empty) == std::string::npos) { return content; }
  std::string kept = content.substr(0, signature);
  std::string_view left = std::string_view(content).substr(kept.size());
  while (left.size() >= rest_of_chunk) {
    std::uint64_t const size = rest_of_chunk + big_endian(std::string(left.substr(0, 4)), 0, 4);
    std::string_view const chunk = left.substr(0, size);
    if (!left.starts_with(empty)) { kept += chunk; }
    left.remove_prefix(chunk.size());
  }
  return kept += left;
}

}  // namespace

std::vector<std::string_view> picture_file_extensions()
{
  return {extensions.begin(), extensions.end()};
}

OpenedPicture read_picture(fs::path const& file)
{
  std::string const content = without_empty_parts(read_bounded(file));
  refuse_other_formats(file, content);
  if (Netpbm::is(content)) { return Netpbm(file, content).read(); }
  return decode(file, content);
}

bool naturally_before(std::string_view a, std::string_view b)
{
  std::string_view const whole_a = a;
  std::string_view const whole_b = b;
  while (!a.empty() && !b.empty()) {
    if (is_digit(a.front()) && is_digit(b.front())) {
      std::string_view const in_a = take_number(a);
      std::string_view const in_b = take_number(b);
      if (in_a.size() != in_b.size()) { return in_a.size() < in_b.size(); }
      if (in_a != in_b) { return in_a < in_b; }
    } else {
      if (a.front() != b.front()) { return a.front() < b.front(); }
      a.remove_prefix(1);
      b.remove_prefix(1);
    }
  }
  return a.empty() != b.empty() ? a.empty() : whole_a < whole_b;
}

std::vector<fs::path> frames_in(fs::path const& folder)
{
  std::vector<fs::path> frames;
  std::error_code failure;
  for (fs::directory_iterator entry(folder, failure), end; !failure && entry != end; entry.increment(failure)) {
    std::error_code unreadable;
    bool const is_picture = std::ranges::find(extensions, extension_of(entry->path())) != extensions.end();
    if (is_picture && entry->is_regular_file(unreadable)) { frames.push_back(entry->path()); }
  }
  if (failure) { throw Error(tr("Could not read the folder {}: {}", folder.string(), failure.message())); }
  if (frames.empty()) {
    throw Error(
        tr("There are no pictures in the folder {}; the frames of a video are PNG, JPEG, BMP or PGM "
           "files.",
           folder.string()));
  }
  std::ranges::sort(frames, [](fs::path const& a, fs::path const& b) {
    return naturally_before(a.filename().string(), b.filename().string());
  });
  return frames;
}

}  // namespace slotscape::pictures
