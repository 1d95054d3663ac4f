#pragma once

#include "gpu/spatial/vector.hpp"

#include <cstdint>

namespace slotscape::spatial {

/// Whether an open surface covers a place from above or below, or has a hole there. From a place in a hole, the rim is
/// seen edge-on and on all sides; the winding number, which is the same for any surface with that rim, is then
/// inconclusive.
///
/// Patches are weighted by area / distance^4, so that the nearest decide. Their sums are integers, so the order of
/// additions does not matter.
class Coverage {
public:
  /// to: vector from the place, with length 1 / sqrt(`inverse_square`).
  SLOTSCAPE_HOST_DEVICE void add(Vector area, Vector to, float inverse_square, float inverse_distance)
  {
    float const size = length(area);
    if (size == 0.0f) { return; }
    float const nearness = units * inverse_square * inverse_square;
    float const facing = dot(area, to);
    weight_ += static_cast<std::int64_t>(nearness * size);
    facing_ += static_cast<std::int64_t>(nearness * inverse_square * facing * facing / size);
    towards_.add(nearness * size * inverse_distance * to);
    normal_.add(nearness * area);
  }

  /// Covered if the patches face the place, like walls and slopes beside it, or if they are all on one side of it, like
  /// rough ground far below.
  SLOTSCAPE_HOST_DEVICE bool is_covered() const
  {
    auto const weight = static_cast<float>(weight_);
    float const one_side = fabsf(dot(towards_.vector(), normalized(normal_.vector())));
    return static_cast<float>(facing_) > min_facing * weight || one_side > min_one_side * weight;
  }

private:
  /// Above a plane, at height h, the values are 1/2 and 2/3. Above the middle of a hole of radius r, they are lower by
  /// the factors h^2 / (h^2 + r^2) and its square root.
  static constexpr float min_facing = 0.25f;
  static constexpr float min_one_side = 0.5f;
  static constexpr float units = 1099511627776.0f;  ///< 2^40

  struct Sum {
    std::int64_t x = 0;
    std::int64_t y = 0;
    std::int64_t z = 0;

    SLOTSCAPE_HOST_DEVICE void add(Vector v)
    {
      x += static_cast<std::int64_t>(v.x);
      y += static_cast<std::int64_t>(v.y);
      z += static_cast<std::int64_t>(v.z);
    }
    SLOTSCAPE_HOST_DEVICE Vector vector() const
    {
      return {static_cast<float>(x), static_cast<float>(y), static_cast<float>(z)};
    }
  };

  std::int64_t weight_ = 0;
  std::int64_t facing_ = 0;  ///< weighted by the squared cosine between normal and direction
  Sum towards_;              ///< directions from the place
  Sum normal_;
};

}  // namespace slotscape::spatial
