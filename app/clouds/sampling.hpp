#pragma once

#include "app/clouds/point_cloud.hpp"
#include "gpu/base/progress.hpp"

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace slotscape::clouds {

struct UnitSquarePoint {
  double u = 0.0;
  double v = 0.0;
};

/// A sequence that fills the unit square evenly at any length: the additive recurrence R2 (Roberts 2018, 'The
/// unreasonable effectiveness of quasirandom sequences'), with an offset that depends on the seed.
class EvenSequence {
public:
  explicit EvenSequence(std::uint64_t seed);
  UnitSquarePoint operator()(std::uint64_t index) const;
  /// The sequence's offset along u, in [0, 1).
  double phase() const { return start_.u; }

private:
  UnitSquarePoint start_;
};

/// Integers that sum to `total` in proportion to `weights`, each off by less than 1.
std::vector<std::uint64_t> shares_of(std::uint64_t total, std::span<double const> weights);

/// A point on a triangle: corner 0 + u (corner 1 - corner 0) + v (corner 2 - corner 0).
struct TrianglePoint {
  std::uint32_t triangle = 0;
  double u = 0.0;
  double v = 0.0;
};
/// Points spread evenly over the area of triangles: each triangle gets its share, rounded up or down.
std::vector<TrianglePoint> sample_triangles(std::span<double const> areas, std::uint64_t points, std::uint64_t seed,
                                            Progress const& progress);

/// A point on a surface parametrised by u and v in the unit square.
struct SurfacePoint {
  Position position;
  Position normal;       ///< outwards, unit length
  double stretch = 1.0;  ///< surface area per unit of parameter area
};
using Patch = std::function<SurfacePoint(double u, double v)>;

/// Adds exactly `points` points to the cloud, spread evenly over the area of all patches.
void sample_patches(PointCloud& cloud, std::span<Patch const> patches, std::uint64_t points, std::uint64_t seed,
                    Progress const& progress);

/// The index that represents run `i` when `count` indices are divided into `kept` runs of equal length; the seed
/// chooses it.
std::uint64_t thinned_index(std::uint64_t i, std::uint64_t count, std::uint64_t kept, std::uint64_t seed);
/// Picks `kept` of `count` indices: one, chosen by the seed, from each of `kept` runs of equal length. `kept` is at
/// most `count`.
std::vector<std::uint64_t> thinned(std::uint64_t count, std::uint64_t kept, std::uint64_t seed);

}  // namespace slotscape::clouds
