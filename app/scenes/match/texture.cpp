#include "app/scenes/match/texture.hpp"

#include <algorithm>
#include <cmath>

namespace slotscape {
namespace {

constexpr std::uint32_t largest_texture = 4096;

/// The crests of the gradients that reach the threshold: thin lines, as smoothed edges are wide.
std::vector<std::uint8_t> crests(matching::Picture const& edges, double threshold, bool wide)
{
  std::vector<std::uint8_t> lines(edges.pixels.size(), 0);
  double const least = std::max(threshold * 255.0, 1.0);
  std::size_t const width = edges.width;
  for (std::size_t y = 1; y + 1 < edges.height; ++y) {
    for (std::size_t x = 1; x + 1 < width; ++x) {
      std::size_t const i = y * width + x;
      auto const tops = [&](std::size_t step) {
        return edges.pixels[i] > edges.pixels[i - step] && edges.pixels[i] >= edges.pixels[i + step];
      };
      if (edges.pixels[i] < least || (!tops(1) && !tops(width))) { continue; }
      lines[i] = 255;
      if (wide) { lines[i + 1] = lines[i + width] = 255; }
    }
  }
  return lines;
}

}  // namespace

matching::Picture shrunk(matching::Picture const& picture, std::uint32_t factor, Shrink how)
{
  if (factor <= 1) { return picture; }
  auto const blocks = [&](std::uint32_t length) { return (length + factor - 1) / factor; };
  matching::Picture small{blocks(picture.width), blocks(picture.height), {}};
  small.pixels.reserve(std::size_t{small.width} * small.height);
  for (std::uint32_t row = 0; row < small.height; ++row) {
    std::uint32_t const bottom = std::min(picture.height, (row + 1) * factor);
    for (std::uint32_t column = 0; column < small.width; ++column) {
      std::uint32_t const right = std::min(picture.width, (column + 1) * factor);
      std::uint64_t sum = 0;
      std::uint8_t largest = 0;
      for (std::uint32_t y = row * factor; y < bottom; ++y) {
        for (std::uint32_t x = column * factor; x < right; ++x) {
          std::uint8_t const pixel = picture.pixels[std::size_t{y} * picture.width + x];
          sum += pixel;
          largest = std::max(largest, pixel);
        }
      }
      std::uint64_t const count = std::uint64_t{bottom - row * factor} * (right - column * factor);
      small.pixels.push_back(how == Shrink::mean ? static_cast<std::uint8_t>(sum / count) : largest);
    }
  }
  return small;
}

void PictureTexture::show(SharedPicture const& picture, double scale, double threshold)
{
  std::uint32_t const longest = std::max(picture->width, picture->height);
  double const seen = std::clamp(std::floor(1.0 / std::max(scale, 1e-6)), 1.0, static_cast<double>(longest));
  std::uint32_t const factor =
      std::max(static_cast<std::uint32_t>(seen), (longest + largest_texture - 1) / largest_texture);
  Shown wanted{picture, factor, factor == 1 && scale < 1.0, threshold};
  if (wanted == shown_) { return; }
  bool const is_edges = content_ == Content::edges;
  matching::Picture small = shrunk(*picture, factor, is_edges ? Shrink::largest : Shrink::mean);
  if (is_edges) { small.pixels = crests(small, threshold, wanted.wide); }
  texture_.upload(is_edges ? Texture::Kind::mask : Texture::Kind::grey, static_cast<int>(small.width),
                  static_cast<int>(small.height), small.pixels);
  auto const share = [&](std::uint32_t all, std::uint32_t blocks) {
    return static_cast<float>(all) / static_cast<float>(blocks * factor);
  };
  end_ = {share(picture->width, small.width), share(picture->height, small.height)};
  shown_ = std::move(wanted);
}

}  // namespace slotscape
