#include "app/clouds/sampling.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace slotscape::clouds {

namespace {

/// SplitMix64 (Steele, Lea, Flood 2014): a number in [0, 1).
double unit_random(std::uint64_t seed, std::uint64_t index)
{
  std::uint64_t bits = seed * 0xbf58476d1ce4e5b9u + (index + 1) * 0x9e3779b97f4a7c15u;
  bits = (bits ^ (bits >> 30)) * 0xbf58476d1ce4e5b9u;
  bits = (bits ^ (bits >> 27)) * 0x94d049bb133111ebu;
  return static_cast<double>((bits ^ (bits >> 31)) >> 11) * 0x1p-53;
}

double fraction(double x)
{
  return x - std::floor(x);
}

/// Warps the unit square so that equal areas map to equal areas of a patch.
class AreaMap {
public:
  explicit AreaMap(Patch const& patch) : rows_(columns * (rows + 1), 0.0), columns_(columns + 1, 0.0)
  {
    for (std::size_t column = 0; column < columns; ++column) {
      double* const sums = rows_.data() + column * (rows + 1);
      for (std::size_t row = 0; row < rows; ++row) {
        double const u = (static_cast<double>(column) + 0.5) / columns;
        double const v = (static_cast<double>(row) + 0.5) / rows;
        sums[row + 1] = sums[row] + patch(u, v).stretch;
      }
      columns_[column + 1] = columns_[column] + sums[rows];
    }
  }

  double area() const { return columns_.back() / (columns * rows); }

  UnitSquarePoint operator()(UnitSquarePoint even) const
  {
    Place const column = find(columns_, even.u);
    std::span<double const> const sums(rows_.data() + column.cell * (rows + 1), rows + 1);
    Place const row = find(sums, even.v);
    return {(static_cast<double>(column.cell) + column.within) / columns,
            (static_cast<double>(row.cell) + row.within) / rows};
  }

private:
  static constexpr std::size_t columns = 128;
  static constexpr std::size_t rows = 128;
  struct Place {
    std::size_t cell;
    double within;
  };

  static Place find(std::span<double const> sums, double share)
  {
    double const target = share * sums.back();
    auto const above = std::upper_bound(sums.begin() + 1, sums.end() - 1, target);
    auto const cell = static_cast<std::size_t>(above - sums.begin()) - 1;
    double const size = sums[cell + 1] - sums[cell];
    return {cell, size > 0.0 ? std::clamp((target - sums[cell]) / size, 0.0, 1.0) : 0.5};
  }

  std::vector<double> rows_;     ///< per column, the cumulative stretch up to each row
  std::vector<double> columns_;  ///< the cumulative stretch up to each column
};

}  // namespace

EvenSequence::EvenSequence(std::uint64_t seed) : start_{unit_random(seed, 0), unit_random(seed, 1)} {}

UnitSquarePoint EvenSequence::operator()(std::uint64_t index) const
{
  constexpr double plastic = 1.32471795724474602596;
  auto const i = static_cast<double>(index);
  return {fraction(start_.u + i / plastic), fraction(start_.v + i / (plastic * plastic))};
}

std::vector<std::uint64_t> shares_of(std::uint64_t total, std::span<double const> weights)
{
  double const sum = std::accumulate(weights.begin(), weights.end(), 0.0);
  std::vector<std::uint64_t> shares;
  shares.reserve(weights.size());
  double so_far = 0.0;
  std::uint64_t given = 0;
  for (double const weight : weights) {
    so_far += weight;
    auto const until = static_cast<std::uint64_t>(std::llround(so_far / sum * static_cast<double>(total)));
    shares.push_back(until - given);
    given = until;
  }
  return shares;
}

std::vector<TrianglePoint> sample_triangles(std::span<double const> areas, std::uint64_t points, std::uint64_t seed,
                                            Progress const& progress)
{
  EvenSequence const sequence(seed);
  double const step = std::accumulate(areas.begin(), areas.end(), 0.0) / static_cast<double>(points);
  std::vector<TrianglePoint> places;
  places.reserve(points);
  std::uint32_t triangle = 0;
  double below = 0.0;
  for (std::uint64_t i = 0; i < points; ++i) {
    if (i % 65536 == 0) { progress.require(); }
    double const target = (static_cast<double>(i) + sequence.phase()) * step;
    while (triangle + 1 < areas.size() && below + areas[triangle] <= target) { below += areas[triangle++]; }
    UnitSquarePoint const even = sequence(i);
    bool const beyond_diagonal = even.u + even.v > 1.0;
    places.push_back(beyond_diagonal ? TrianglePoint{triangle, 1.0 - even.u, 1.0 - even.v}
                                     : TrianglePoint{triangle, even.u, even.v});
  }
  return places;
}

void sample_patches(PointCloud& cloud, std::span<Patch const> patches, std::uint64_t points, std::uint64_t seed,
                    Progress const& progress)
{
  std::vector<AreaMap> maps;
  std::vector<double> areas;
  for (Patch const& patch : patches) {
    progress.require();
    areas.push_back(maps.emplace_back(patch).area());
  }
  std::vector<std::uint64_t> const shares = shares_of(points, areas);
  EvenSequence const sequence(seed);
  std::uint64_t index = 0;
  for (std::size_t patch = 0; patch < patches.size(); ++patch) {
    for (std::uint64_t i = 0; i < shares[patch]; ++i, ++index) {
      if (index % 65536 == 0) { progress.require(static_cast<double>(index) / static_cast<double>(points)); }
      UnitSquarePoint const parameters = maps[patch](sequence(index));
      SurfacePoint const point = patches[patch](parameters.u, parameters.v);
      cloud.positions.push_back(to_vector(point.position));
      cloud.normals.push_back(to_vector(point.normal));
    }
  }
}

std::uint64_t thinned_index(std::uint64_t i, std::uint64_t count, std::uint64_t kept, std::uint64_t seed)
{
  std::uint64_t const first = i * count / kept;
  std::uint64_t const width = (i + 1) * count / kept - first;
  return first + static_cast<std::uint64_t>(unit_random(seed, i) * static_cast<double>(width));
}

std::vector<std::uint64_t> thinned(std::uint64_t count, std::uint64_t kept, std::uint64_t seed)
{
  std::vector<std::uint64_t> indices;
  indices.reserve(kept);
  for (std::uint64_t i = 0; i < kept; ++i) { indices.push_back(thinned_index(i, count, kept, seed)); }
  return indices;
}

}  // namespace slotscape::clouds
