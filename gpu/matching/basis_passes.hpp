#pragma once

#include "gpu/base/random.hpp"
#include "gpu/matching/geometry.hpp"
#include "gpu/matching/gradient_passes.hpp"

/// The parallel loops over bases, and over the coordinates of features relative to them.
namespace slotscape::matching::basis_passes {

inline constexpr std::uint32_t no_basis = 0xffffffffu;

/// The n-th pair of corners in random order, if it is a basis. Only one of a pair's two orders is a basis, by a
/// property that both pictures share: towards the other point, brightness increases more at the first point than at the
/// second.
struct FindBases {
  EdgePoint const* points;
  std::uint32_t corners;
  float shortest;  ///< in pixels
  float longest;
  Shuffle shuffle;

  SLOTSCAPE_HOST_DEVICE std::uint32_t operator()(std::uint64_t n) const
  {
    std::uint32_t const pair = shuffle(static_cast<std::uint32_t>(n));
    std::uint32_t const first = pair / corners;
    std::uint32_t const second = pair % corners;
    EdgePoint const a = points[first];
    EdgePoint const b = points[second];
    float const x = b.x - a.x;
    float const y = b.y - a.y;
    float const length = std::sqrt(x * x + y * y);
    if (first == second || length < shortest || length > longest) { return no_basis; }
    float const rise = a.normal_x * x + a.normal_y * y;
    float const fall = b.normal_x * x + b.normal_y * y;
    return rise + fall > 0.0f || (rise + fall == 0.0f && first < second) ? pair : no_basis;
  }
};

/// Writes the bases and their frames, indexed by the number of the basis.
struct WriteBases {
  std::uint32_t const* pairs;
  EdgePoint const* points;
  std::uint32_t corners;
  float quantum;
  float pixels;  ///< of the picture
  Basis* bases;
  BasisFrame* frames;

  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t i) const
  {
    Basis const basis{pairs[i] / corners, pairs[i] % corners};
    bases[i] = basis;
    frames[i] = BasisFrame::of(points[basis.first], points[basis.second], quantum, pixels);
  }
};

/// Writes the cell of each feature relative to each basis, except for the features of the basis itself.
struct WriteItems {
  EdgePoint const* points;
  Basis const* bases;
  BasisFrame const* frames;
  std::uint32_t features;
  std::uint32_t* keys;
  std::uint32_t* values;  ///< the numbers of the bases, or null

  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t i) const
  {
    auto const basis = static_cast<std::uint32_t>(i / features);
    auto const feature = static_cast<std::uint32_t>(i % features);
    bool const is_own = feature == bases[basis].first || feature == bases[basis].second;
    keys[i] = is_own ? Narrow::empty_key : key_of_point(frames[basis], points[feature]);
    if (values != nullptr) { values[i] = basis; }
  }
};

/// The largest number of values that a key has, found like `gradient_passes::FindLargest`.
struct FindMostValues {
  static constexpr std::uint64_t per_item = 2048;

  std::uint32_t const* offsets;
  std::uint64_t keys;
  std::uint64_t* found;

  template <class Tile>
  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t item, Tile tile) const
  {
    std::uint32_t mine = 0;
    std::uint64_t const end = (item + 1) * per_item < keys ? (item + 1) * per_item : keys;
    for (std::uint64_t i = item * per_item + static_cast<std::uint64_t>(tile.rank()); i < end; i += Tile::size) {
      std::uint32_t const values = offsets[i + 1] - offsets[i];
      mine = values > mine ? values : mine;
    }
    mine = tile.max(mine);
    if (tile.rank() == 0) { exec::atomic_min(*found, ~std::uint64_t{mine}); }
  }
};

}  // namespace slotscape::matching::basis_passes
