#pragma once

#include "app/clouds/point_cloud.hpp"
#include "app/clouds/progress.hpp"

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace slotscape::clouds {

struct UnitSquarePoint {
  double u = 0.0;
  double v = 0.0;
};

/// Points that fill the unit square evenly, however many are taken: the additive recurrence R2 (Roberts 2018, 'The
/// unreasonable effectiveness of quasirandom sequences'), begun where the seed says.
class EvenSequence {
public:
  explicit EvenSequence(std::uint64_t seed);
  UnitSquarePoint operator()(std::uint64_t index) const;
  /// Where the sequence begins: a number of the seed's own, from 0 to less than 1.
  double phase() const { return start_.u; }

private:
  UnitSquarePoint start_;
};

/// Whole numbers that add up to `total`, in proportion to `weights`; none is off by 1 or more.
std::vector<std::uint64_t> shares_of(std::uint64_t total, std::span<double const> weights);

/// A place on a triangle: its corner 0 + u (corner 1 - corner 0) + v (corner 2 - corner 0).
struct TrianglePoint {
  std::uint32_t triangle = 0;
  double u = 0.0;
  double v = 0.0;
};
/// Places spread evenly over the area of triangles: each has its share, rounded up or down.
std::vector<TrianglePoint> sample_triangles(std::span<double const> areas, std::uint64_t points, std::uint64_t seed,
                                            Progress& progress);

/// A point of a surface with parameters u and v in the unit square.
struct SurfacePoint {
  Position position;
  Position normal;       ///< outwards, of length 1
  double stretch = 1.0;  ///< area of the surface for each area of parameters
};
using Patch = std::function<SurfacePoint(double u, double v)>;

/// Adds exactly `points` points to the cloud, spread evenly over the area of all patches.
void sample_patches(PointCloud& cloud, std::span<Patch const> patches, std::uint64_t points, std::uint64_t seed,
                    Progress& progress);

/// The indices of `kept` of `count` things: one, chosen by the seed, out of each of `kept` runs of the same length.
/// `kept` is at most `count`.
std::vector<std::uint64_t> thinned(std::uint64_t count, std::uint64_t kept, std::uint64_t seed);

}  // namespace slotscape::clouds
