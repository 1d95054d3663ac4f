#pragma once

#include "gpu/base/random.hpp"
#include "gpu/matching/geometry.hpp"
#include "gpu/matching/gradient_passes.hpp"

/// The parallel loops from gradients to edges, and to the chosen points on edges.
namespace slotscape::matching::edge_passes {

using gradient_passes::Gradients;
using gradient_passes::largest_of;

inline constexpr std::uint32_t no_edge = 0xffffffffu;
inline constexpr std::uint64_t no_point = ~std::uint64_t{0};

/// The edges of a picture, in device memory.
struct EdgesView {
  int width;
  int height;
  EdgePoint const* points;
  float const* corners;          ///< by edge: how corner-like it is, independent of contrast, 0 to 0.5
  std::uint32_t const* nearest;  ///< by pixel: an edge at most `reach` pixels away, or `no_edge`

  static constexpr int reach = 12;

  SLOTSCAPE_HOST_DEVICE bool contains(float x, float y, float margin) const
  {
    return x >= margin && y >= margin && x < static_cast<float>(width) - margin &&
           y < static_cast<float>(height) - margin;
  }
  /// The edge nearest to a point of the picture.
  SLOTSCAPE_HOST_DEVICE std::uint32_t nearest_to(float x, float y) const
  {
    return nearest[static_cast<std::uint64_t>(y) * static_cast<std::uint64_t>(width) + static_cast<std::uint64_t>(x)];
  }
};

/// A ridge of the magnitude: the profile across an edge, which gives the edge's position to a fraction of a pixel.
struct Ridge {
  Gradients gradients;
  int width;
  int height;

  struct Profile {
    float before;
    float here;
    float after;
    float normal_x;
    float normal_y;
    SLOTSCAPE_HOST_DEVICE bool is_ridge() const { return here > before && here >= after; }
  };

  SLOTSCAPE_HOST_DEVICE Profile operator()(std::uint32_t pixel) const
  {
    float const here = gradients.magnitude[pixel];
    float const x = gradients.x[pixel] / here;
    float const y = gradients.y[pixel] / here;
    int const above = static_cast<int>(pixel) / width;
    auto const row = static_cast<float>(above);
    auto const column = static_cast<float>(static_cast<int>(pixel) - above * width);
    return {magnitude(column - x, row - y), here, magnitude(column + x, row + y), x, y};
  }

private:
  /// The magnitude between pixels; `x` and `y` are at least 0.
  SLOTSCAPE_HOST_DEVICE float magnitude(float x, float y) const
  {
    auto const left = static_cast<int>(x);
    auto const top = static_cast<int>(y);
    float const across = x - static_cast<float>(left);
    float const down = y - static_cast<float>(top);
    int const right = left + 1 < width ? left + 1 : left;
    int const bottom = top + 1 < height ? top + 1 : top;
    float const* const above = gradients.magnitude + static_cast<std::int64_t>(top) * width;
    float const* const below = gradients.magnitude + static_cast<std::int64_t>(bottom) * width;
    return (1.0f - down) * ((1.0f - across) * above[left] + across * above[right]) +
           down * ((1.0f - across) * below[left] + across * below[right]);
  }
};

/// The pixel's number if it is on an edge: its magnitude is above the threshold, and the largest across the edge.
struct FindEdges {
  Ridge ridge;
  float threshold;  ///< share of the largest magnitude
  std::uint64_t const* largest;

  static constexpr float least = 0.5f;  ///< grey levels per pixel: a weaker gradient is not an edge in any picture

  SLOTSCAPE_HOST_DEVICE std::uint32_t operator()(std::uint64_t i) const
  {
    auto const pixel = static_cast<std::uint32_t>(i);
    float const here = ridge.gradients.magnitude[i];
    if (here < least || here < threshold * largest_of(*largest)) { return no_edge; }
    return ridge(pixel).is_ridge() ? pixel : no_edge;
  }
};

struct WriteEdges {
  Ridge ridge;
  std::uint32_t const* pixels;
  EdgePoint* points;
  std::uint32_t* edge_at;  ///< by pixel

  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t edge) const
  {
    std::uint32_t const pixel = pixels[edge];
    Ridge::Profile const profile = ridge(pixel);
    float const bend = profile.before - 2.0f * profile.here + profile.after;
    float const aside = bend < 0.0f ? 0.5f * (profile.before - profile.after) / bend : 0.0f;
    int const above = static_cast<int>(pixel) / ridge.width;
    auto const row = static_cast<float>(above);
    auto const column = static_cast<float>(static_cast<int>(pixel) - above * ridge.width);
    points[edge] = {column + 0.5f + aside * profile.normal_x, row + 0.5f + aside * profile.normal_y, profile.normal_x,
                    profile.normal_y};
    edge_at[pixel] = static_cast<std::uint32_t>(edge);
  }
};

/// How corner-like a place is: the smaller eigenvalue of the structure tensor around it (Shi and Tomasi 1994). It grows
/// with the square of the contrast, so it ranks places of one picture; its share of both eigenvalues compares places in
/// pictures with different exposures.
struct MeasureCorners {
  Gradients gradients;
  int width;
  int height;
  std::uint32_t const* pixels;
  float* strengths;  ///< by edge
  float* shares;     ///< by edge: 0 to 0.5

  static constexpr int reach = 5;

  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t edge) const
  {
    int const x = static_cast<int>(pixels[edge]) % width;
    int const y = static_cast<int>(pixels[edge]) / width;
    float xx = 0.0f;
    float xy = 0.0f;
    float yy = 0.0f;
    for (int v = y - reach; v <= y + reach; ++v) {
      for (int u = x - reach; u <= x + reach; ++u) {
        int const square = (u - x) * (u - x) + (v - y) * (v - y);
        if (u < 0 || v < 0 || u >= width || v >= height || square > reach * reach) { continue; }
        std::int64_t const pixel = static_cast<std::int64_t>(v) * width + u;
        float const weight = static_cast<float>(reach * reach + 1 - square);
        xx += weight * gradients.x[pixel] * gradients.x[pixel];
        xy += weight * gradients.x[pixel] * gradients.y[pixel];
        yy += weight * gradients.y[pixel] * gradients.y[pixel];
      }
    }
    float const apart = std::sqrt((xx - yy) * (xx - yy) + 4.0f * xy * xy);
    float const smaller = 0.5f * (xx + yy - apart);
    strengths[edge] = smaller > 0.0f ? smaller : 0.0f;
    shares[edge] = smaller > 0.0f ? smaller / (xx + yy) : 0.0f;
  }
};

/// The edges that are the best corners in their surroundings, as numbers that sort the best one first.
struct FindCorners {
  int width;
  int height;
  std::uint32_t const* pixels;
  std::uint32_t const* edge_at;
  float const* strengths;

  static constexpr int reach = 6;

  SLOTSCAPE_HOST_DEVICE std::uint64_t operator()(std::uint64_t edge) const
  {
    int const x = static_cast<int>(pixels[edge]) % width;
    int const y = static_cast<int>(pixels[edge]) / width;
    float const mine = strengths[edge];
    if (!(mine > 0.0f)) { return no_point; }
    for (int v = y - reach; v <= y + reach; ++v) {
      for (int u = x - reach; u <= x + reach; ++u) {
        if (u < 0 || v < 0 || u >= width || v >= height) { continue; }
        std::uint32_t const other = edge_at[static_cast<std::int64_t>(v) * width + u];
        if (other == no_edge || other == edge) { continue; }
        if (strengths[other] > mine || (other < edge && strengths[other] == mine)) { return no_point; }
      }
    }
    std::uint32_t bits = 0;
    __builtin_memcpy(&bits, &mine, sizeof(bits));
    return (std::uint64_t{~bits} << 32) | edge;
  }
};

/// Marks a chosen corner, so that it is not chosen again, by making its strength negative. Writes its share.
struct MarkChosen {
  std::uint64_t const* order;
  float* strengths;
  float const* shares;
  float* chosen_shares;

  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t i) const
  {
    std::uint64_t const edge = order[i] & 0xffffffffu;
    strengths[edge] = -strengths[edge];
    chosen_shares[i] = shares[edge];
  }
};

/// The other edges, as numbers that sort in random order.
struct RankEdges {
  float const* strengths;
  std::uint64_t seed;

  SLOTSCAPE_HOST_DEVICE std::uint64_t operator()(std::uint64_t edge) const
  {
    if (strengths[edge] < 0.0f) { return no_point; }
    return (random64(seed, edge) >> 33 << 32) | edge;
  }
};

struct GatherPoints {
  EdgePoint const* points;
  std::uint64_t const* order;
  EdgePoint* to;

  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t i) const { to[i] = points[order[i] & 0xffffffffu]; }
};

/// Distance of the nearest edge in a pixel's row, or `too_far`.
struct NearestInRow {
  int width;
  std::uint32_t const* edge_at;
  std::int16_t* away;

  static constexpr std::int16_t too_far = 127;

  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t i) const
  {
    auto const pixel = static_cast<int>(i);
    int const x = pixel % width;
    std::int16_t found = too_far;
    for (int step = 0; step <= EdgesView::reach && found == too_far; ++step) {
      if (x >= step && edge_at[pixel - step] != no_edge) {
        found = static_cast<std::int16_t>(-step);
      } else if (x + step < width && edge_at[pixel + step] != no_edge) {
        found = static_cast<std::int16_t>(step);
      }
    }
    away[i] = found;
  }
};

/// The nearest edge of each pixel, computed from the nearest edges in rows.
struct NearestEdges {
  int width;
  int height;
  std::uint32_t const* edge_at;
  std::int16_t const* away;
  std::uint32_t* nearest;

  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t i) const
  {
    auto const pixel = static_cast<int>(i);
    int const y = pixel / width;
    int best = EdgesView::reach * EdgesView::reach + 1;
    int found = -1;
    for (int step = 0; step <= EdgesView::reach && step * step < best; ++step) {
      for (int row : {y - step, y + step}) {
        if (row < 0 || row >= height) { continue; }
        int const there = pixel + (row - y) * width;
        int const across = away[there];
        if (across == NearestInRow::too_far || step * step + across * across >= best) { continue; }
        best = step * step + across * across;
        found = there + across;
      }
    }
    nearest[i] = found < 0 ? no_edge : edge_at[found];
  }
};

}  // namespace slotscape::matching::edge_passes
