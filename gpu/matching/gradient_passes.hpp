#pragma once

#include "gpu/execution/atomics.hpp"
#include "gpu/matching/settings.hpp"

#include <cmath>

/// The parallel loops from grey values to gradients, with one item per pixel.
namespace slotscape::matching::gradient_passes {

/// The middle and one half of a Gaussian; both halves and the middle add up to 1.
struct Gaussian {
  static constexpr int most = 24;
  int radius = 0;
  float weights[most + 1] = {1.0f};

  static Gaussian of(double deviation)
  {
    Gaussian gaussian;
    gaussian.radius = std::min(most, static_cast<int>(std::ceil(3.0 * deviation)));
    double sum = 0.0;
    auto const weight = [&](int i) { return std::exp(-0.5 * i * i / (deviation * deviation)); };
    for (int i = -gaussian.radius; i <= gaussian.radius; ++i) { sum += weight(i); }
    for (int i = 0; i <= gaussian.radius; ++i) { gaussian.weights[i] = static_cast<float>(weight(i) / sum); }
    return gaussian;
  }
};

SLOTSCAPE_HOST_DEVICE inline int clamped(int i, int size)
{
  return i < 0 ? 0 : i < size ? i : size - 1;
}

/// Smooths along rows or along columns: `step` is 1 or the width.
template <class Grey>
struct Smooth {
  Grey const* from;
  Gaussian gaussian;
  int width;
  int height;
  bool is_down;
  float* to;

  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t i) const
  {
    auto const pixel = static_cast<int>(i);
    int const x = pixel % width;
    int const at = is_down ? pixel / width : x;
    int const size = is_down ? height : width;
    std::ptrdiff_t const step = is_down ? width : 1;
    Grey const* const line = from + (is_down ? x : pixel - x);
    float sum = gaussian.weights[0] * static_cast<float>(line[at * step]);
    if (at >= gaussian.radius && at + gaussian.radius < size) {
      Grey const* const middle = line + at * step;
      for (int k = 1; k <= gaussian.radius; ++k) {
        sum += gaussian.weights[k] * (static_cast<float>(middle[-k * step]) + static_cast<float>(middle[k * step]));
      }
    } else {
      for (int k = 1; k <= gaussian.radius; ++k) {
        sum += gaussian.weights[k] * (static_cast<float>(line[clamped(at - k, size) * step]) +
                                      static_cast<float>(line[clamped(at + k, size) * step]));
      }
    }
    to[i] = sum;
  }
};

/// The gradient of each pixel, in grey levels per pixel.
struct Gradients {
  float* x;
  float* y;
  float* magnitude;
};

/// The gradient by Sobel's masks; 0 at the border of the picture.
struct Sobel {
  float const* greys;
  int width;
  int height;
  Gradients to;

  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t i) const
  {
    auto const pixel = static_cast<int>(i);
    int const x = pixel % width;
    int const y = pixel / width;
    float across = 0.0f;
    float down = 0.0f;
    if (x > 0 && y > 0 && x + 1 < width && y + 1 < height) {
      float const* const above = greys + i - width;
      float const* const here = greys + i;
      float const* const below = greys + i + width;
      across = 0.125f * ((above[1] - above[-1]) + 2.0f * (here[1] - here[-1]) + (below[1] - below[-1]));
      down = 0.125f * ((below[-1] - above[-1]) + 2.0f * (below[0] - above[0]) + (below[1] - above[1]));
    }
    to.x[i] = across;
    to.y[i] = down;
    to.magnitude[i] = std::sqrt(across * across + down * down);
  }
};

/// Decodes the largest of some non-negative numbers, stored as the complement of its bits so that `atomic_min` finds
/// it.
SLOTSCAPE_HOST_DEVICE inline float largest_of(std::uint64_t found)
{
  auto const bits = static_cast<std::uint32_t>(~found);
  float number = 0.0f;
  __builtin_memcpy(&number, &bits, sizeof(number));
  return number;
}
inline constexpr std::uint64_t none_found = ~std::uint64_t{0};

struct FindLargest {
  static constexpr std::uint64_t per_item = 2048;

  float const* numbers;
  std::uint64_t count;
  std::uint64_t* found;

  template <class Tile>
  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t item, Tile tile) const
  {
    float mine = 0.0f;
    std::uint64_t const end = (item + 1) * per_item < count ? (item + 1) * per_item : count;
    for (std::uint64_t i = item * per_item + static_cast<std::uint64_t>(tile.rank()); i < end; i += Tile::size) {
      mine = numbers[i] > mine ? numbers[i] : mine;
    }
    mine = tile.max(mine);
    if (tile.rank() != 0) { return; }
    std::uint32_t bits = 0;
    __builtin_memcpy(&bits, &mine, sizeof(bits));
    exec::atomic_min(*found, ~std::uint64_t{bits});
  }
};

/// Magnitudes as grey values, scaled so that the largest is 255.
struct ShowMagnitudes {
  float const* magnitudes;
  std::uint64_t const* largest;
  std::uint8_t* greys;

  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t i) const
  {
    float const most = largest_of(*largest);
    greys[i] = most > 0.0f ? static_cast<std::uint8_t>(std::lround(255.0f * magnitudes[i] / most)) : std::uint8_t{0};
  }
};

}  // namespace slotscape::matching::gradient_passes
