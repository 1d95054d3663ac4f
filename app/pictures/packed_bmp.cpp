#include "app/pictures/packed_bmp.hpp"

#include "app/pictures/bytes.hpp"

namespace slotscape::pictures {
namespace {

constexpr std::size_t header_at = 14;  ///< and its size, first of all
constexpr std::size_t bits_at = 28;
constexpr std::size_t compression_at = 30;
constexpr std::uint64_t runs_of_bytes = 1;
constexpr std::uint64_t runs_of_nibbles = 2;

/// Pairs of bytes: a run and its colour; or 0 and the end of a row (0), of the picture (1), a step (2), or the number
/// of single colours that follow.
class Unpacker {
public:
  Unpacker(std::string const& content, std::uint64_t width, std::uint64_t height)
      : content_(content),
        at_(little_endian(content, 10, 4)),
        in_nibbles_(little_endian(content, compression_at, 4) == runs_of_nibbles),
        width_(width),
        height_(height),
        row_bytes_((width + 3) / 4 * 4),
        pixels_(row_bytes_ * height, '\0')
  {
  }

  /// Returns false if the end of the picture is missing.
  bool run()
  {
    while (at_ + 2 <= content_.size()) {
      std::uint64_t const count = byte_at(content_, at_);
      std::uint64_t const what = byte_at(content_, at_ + 1);
      at_ += 2;
      if (count != 0) {
        for (std::uint64_t i = 0; i < count; ++i) { put(in_nibbles_ ? nibble(what, i) : what); }
      } else if (what == 0) {
        x_ = 0;
        ++y_;
      } else if (what == 1) {
        return true;
      } else if (what == 2) {
        x_ += byte_at(content_, at_);
        y_ += byte_at(content_, at_ + 1);
        at_ += 2;
      } else if (!take_single(what)) {
        return false;
      }
    }
    return false;
  }
  std::string const& pixels() const { return pixels_; }

private:
  static std::uint64_t nibble(std::uint64_t byte, std::uint64_t i) { return i % 2 == 0 ? byte >> 4 : byte & 15u; }

  bool take_single(std::uint64_t count)
  {
    std::uint64_t const bytes = in_nibbles_ ? (count + 1) / 2 : count;
    if (at_ + bytes > content_.size()) { return false; }
    for (std::uint64_t i = 0; i < count; ++i) {
      put(in_nibbles_ ? nibble(byte_at(content_, at_ + i / 2), i) : byte_at(content_, at_ + i));
    }
    at_ += (bytes + 1) / 2 * 2;
    return true;
  }
  void put(std::uint64_t color)
  {
    if (x_ < width_ && y_ < height_) { pixels_[y_ * row_bytes_ + x_] = static_cast<char>(color); }
    ++x_;
  }

  std::string const& content_;
  std::size_t at_;
  bool in_nibbles_;
  std::uint64_t width_;
  std::uint64_t height_;
  std::uint64_t row_bytes_;
  std::string pixels_;
  std::uint64_t x_ = 0;
  std::uint64_t y_ = 0;  ///< from below
};

}  // namespace

bool is_packed_bmp(std::string const& content)
{
  if (!content.starts_with("BM") || little_endian(content, header_at, 4) < 40) { return false; }
  std::uint64_t const compression = little_endian(content, compression_at, 4);
  std::uint64_t const bits = little_endian(content, bits_at, 2);
  return (compression == runs_of_bytes && bits == 8) || (compression == runs_of_nibbles && bits == 4);
}

std::optional<std::string> unpacked_bmp(std::string const& content)
{
  std::uint64_t const first_row = little_endian(content, 10, 4);
  if (first_row < header_at + little_endian(content, header_at, 4) || first_row > content.size()) {
    return std::nullopt;
  }
  Unpacker unpacker(content, little_endian(content, 18, 4), little_endian(content, 22, 4));
  if (!unpacker.run()) { return std::nullopt; }
  std::string plain = content.substr(0, first_row);
  plain[bits_at] = 8;
  plain.replace(compression_at, 4, 4, '\0');
  return plain + unpacker.pixels();
}

}  // namespace slotscape::pictures
