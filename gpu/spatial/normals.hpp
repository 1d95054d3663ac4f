#pragma once

#include "gpu/spatial/orient.hpp"
#include "gpu/spatial/passes.hpp"
#include "gpu/spatial/voxel_arrays.hpp"
#include "gpu/spatial/voxel_table.hpp"
#include "gpu/tables/linear_probing.hpp"

#include <algorithm>
#include <cmath>

/// Estimates surface normals from points alone, using a voxel hash to find neighbours.
namespace slotscape::spatial {

/// Moments of a voxel's points, in 1/256 of its side from its corner: the count, the sums of x y z, and the sums of the
/// products xx xy xz yy yz zz.
struct Moments {
  static constexpr int sum_count = 10;
  std::uint64_t sums[sum_count] = {};
};

/// Moments over several voxels, relative to the corner of one of them.
struct Spread {
  double count = 0.0;
  double first[3] = {};
  double second[6] = {};

  /// Adds the moments of a voxel that lies `step` cells from the reference voxel.
  SLOTSCAPE_HOST_DEVICE void add(Moments const& voxel, Cell step)
  {
    auto const n = static_cast<double>(voxel.sums[0]);
    double const shift[3] = {256.0 * step.x, 256.0 * step.y, 256.0 * step.z};
    int product = 0;
    for (int i = 0; i < 3; ++i) {
      auto const si = static_cast<double>(voxel.sums[1 + i]);
      first[i] += si + n * shift[i];
      for (int j = i; j < 3; ++j, ++product) {
        auto const sj = static_cast<double>(voxel.sums[1 + j]);
        second[product] +=
            static_cast<double>(voxel.sums[4 + product]) + si * shift[j] + sj * shift[i] + n * shift[i] * shift[j];
      }
    }
    count += n;
  }

  /// The direction in which the points vary least; zero if there are fewer than three points, or if all coincide.
  /// roughness: the variance in that direction divided by the variance in the middle one; 1 if there is no plane.
  SLOTSCAPE_HOST_DEVICE Vector thinnest(float& roughness) const
  {
    roughness = 1.0f;
    if (count < 3.0) { return {}; }
    double a[3][3];
    int product = 0;
    for (int i = 0; i < 3; ++i) {
      for (int j = i; j < 3; ++j, ++product) {
        a[i][j] = a[j][i] = second[product] / count - first[i] / count * (first[j] / count);
      }
    }
    if (a[0][0] + a[1][1] + a[2][2] <= 0.0) { return {}; }
    return smallest_eigenvector(a, roughness);
  }

private:
  /// Uses Jacobi rotations; the matrix must be symmetric.
  SLOTSCAPE_HOST_DEVICE static Vector smallest_eigenvector(double (&a)[3][3], float& roughness)
  {
    double v[3][3] = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}};
    for (int sweep = 0; sweep < 12; ++sweep) {
      for (int p = 0; p < 2; ++p) {
        for (int q = p + 1; q < 3; ++q) { rotate(a, v, p, q); }
      }
    }
    int least = 0;
    for (int i = 1; i < 3; ++i) {
      if (a[i][i] < a[least][least]) { least = i; }
    }
    double const one = a[(least + 1) % 3][(least + 1) % 3];
    double const other = a[(least + 2) % 3][(least + 2) % 3];
    double const middle = one < other ? one : other;
    if (middle > 0.0) { roughness = static_cast<float>(fabs(a[least][least]) / middle); }
    return normalized(
        {static_cast<float>(v[0][least]), static_cast<float>(v[1][least]), static_cast<float>(v[2][least])});
  }
  SLOTSCAPE_HOST_DEVICE static void rotate(double (&a)[3][3], double (&v)[3][3], int p, int q)
  {
    if (a[p][q] == 0.0) { return; }
    double const theta = (a[q][q] - a[p][p]) / (2.0 * a[p][q]);
    double const t = (theta >= 0.0 ? 1.0 : -1.0) / (fabs(theta) + sqrt(theta * theta + 1.0));
    double const c = 1.0 / sqrt(t * t + 1.0);
    double const s = t * c;
    for (int k = 0; k < 3; ++k) {
      double const akp = a[k][p];
      a[k][p] = c * akp - s * a[k][q];
      a[k][q] = s * akp + c * a[k][q];
    }
    for (int k = 0; k < 3; ++k) {
      double const apk = a[p][k];
      a[p][k] = c * apk - s * a[q][k];
      a[q][k] = s * apk + c * a[q][k];
      double const vkp = v[k][p];
      v[k][p] = c * vkp - s * v[k][q];
      v[k][q] = s * vkp + c * v[k][q];
    }
  }
};

namespace passes {

/// Finds each point's voxel and adds the point to the voxel's moments.
template <TableFamily Family, class View>
struct GatherMoments {
  VoxelSet<Family, View> set;
  VoxelGrid grid;
  Vector const* positions;
  typename View::Key const* keys;
  Moments* moments;
  std::uint32_t* point_voxels;

  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t i) const
  {
    std::uint32_t const voxel = keys[i] == View::Format::empty_key ? no_voxel : set.index_of(keys[i]);
    point_voxels[i] = voxel;
    if (voxel == no_voxel) { return; }
    Vector const place = grid.to_grid(positions[i]);
    Cell const cell = VoxelGrid::cell_of(place);
    std::uint64_t const o[3] = {part(place.x, cell.x), part(place.y, cell.y), part(place.z, cell.z)};
    std::uint64_t* const sums = moments[voxel].sums;
    exec::fetch_add(sums[0], std::uint64_t{1});
    int product = 4;
    for (int a = 0; a < 3; ++a) {
      exec::fetch_add(sums[1 + a], o[a]);
      for (int b = a; b < 3; ++b, ++product) { exec::fetch_add(sums[product], o[a] * o[b]); }
    }
  }

private:
  SLOTSCAPE_HOST_DEVICE static std::uint64_t part(float place, std::int32_t cell)
  {
    return static_cast<std::uint64_t>((place - static_cast<float>(cell)) * 256.0f);
  }
};

/// Fits a plane to the points of each voxel and its 26 neighbours.
template <TableFamily Family, class View>
struct FitPlanes {
  VoxelSets<Family, View> sets;
  Moments const* moments;
  Patch* patches;

  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t i) const
  {
    Cell const cell = cell_of_key(sets.of[0].voxels.keys[i]);
    Spread spread;
    for (int number = 0; number < stencil_size; ++number) {
      Cell const step = stencil_step(number);
      std::uint32_t const voxel = sets.voxel_at(0, cell + step);
      if (voxel != no_voxel) { spread.add(moments[voxel], step); }
    }
    Moments const& own = moments[i];
    float const scale = 1.0f / (256.0f * static_cast<float>(own.sums[0]));
    Vector const place{static_cast<float>(cell.x) + scale * static_cast<float>(own.sums[1]),
                       static_cast<float>(cell.y) + scale * static_cast<float>(own.sums[2]),
                       static_cast<float>(cell.z) + scale * static_cast<float>(own.sums[3])};
    patches[i] = {cell, {}, place, 1.0f};
    patches[i].normal = spread.thinnest(patches[i].roughness);
  }
};

}  // namespace passes

/// Builds the voxel hash of one cloud, fits planes, and orients them: see `orient`. Where noise makes the surface
/// thicker than the voxels, the planes are meaningless, and larger voxels are used.
template <exec::Executor Exec>
class NormalEstimate {
  using Format = Narrow;
  using Table = VoxelTable<LinearProbing, Exec, Format>;
  using View = typename Table::View;
  template <class T>
  using Buffer = typename Exec::template Buffer<T>;

public:
  NormalEstimate(Exec& exec, std::span<Vector const> positions)
      : exec_(exec),
        count_(positions.size()),
        positions_(exec, count_),
        keys_(exec, count_),
        point_voxels_(exec, count_),
        counts_(exec, 1),
        moments_(exec, count_),
        table_(exec, {.slots = 2 * count_ + 64})
  {
    center(positions);
    arrays_.reserve(exec, count_);
  }

  std::vector<Vector> run()
  {
    std::vector<Patch> patches = best_patches();
    orient(patches);
    std::vector<std::uint32_t> voxels(count_);
    exec_.download(std::span(voxels), static_cast<std::uint32_t const*>(point_voxels_.data()));
    std::vector<Vector> normals(count_);
    for (std::uint64_t i = 0; i < count_; ++i) {
      Vector const fitted = voxels[i] == no_voxel ? Vector{} : patches[voxels[i]].normal;
      Vector const outwards = length(centered_[i]) > 0.0f ? normalized(centered_[i]) : Vector{0.0f, 0.0f, 1.0f};
      normals[i] = fitted == Vector{} ? outwards : fitted;
    }
    return normals;
  }

private:
  static constexpr double points_per_voxel = 6.0;
  static constexpr double surface_ratio = 3.0;  ///< voxels of a typical surface / voxels on a face of its bounding cube

  /// The patches of the finest grid in which most are flat; if no grid qualifies, of the grid in which they are
  /// flattest.
  std::vector<Patch> best_patches()
  {
    constexpr double enough = 0.8;
    constexpr std::uint32_t coarsest = 5;
    std::uint32_t const finest = grid_side(count_);
    std::uint32_t best = finest;
    double least_rough = 2.0;
    for (std::uint32_t side = finest; side == finest || side >= coarsest; side /= 2) {
      std::vector<Patch> patches = patches_of(side);
      auto const count = static_cast<double>(std::max<std::size_t>(patches.size(), 1));
      auto const flat =
          std::ranges::count_if(patches, [](Patch const& patch) { return patch.roughness < max_flat_roughness; });
      if (static_cast<double>(flat) >= enough * count) { return patches; }
      double rough = 0.0;
      for (Patch const& patch : patches) { rough += static_cast<double>(patch.roughness) / count; }
      if (rough < least_rough) {
        least_rough = rough;
        best = side;
      }
    }
    return patches_of(best);
  }
  std::vector<Patch> patches_of(std::uint32_t side)
  {
    grid_.side = side;
    build();
    return fit();
  }

  static std::uint32_t grid_side(std::uint64_t points)
  {
    double const side = std::sqrt(static_cast<double>(points) / (points_per_voxel * surface_ratio));
    return static_cast<std::uint32_t>(std::clamp(side, 4.0, double{max_narrow_grid_side}));
  }

  /// Sizes the grid to hold all points, and centres the points in it.
  void center(std::span<Vector const> positions)
  {
    Vector low = positions.front();
    Vector high = low;
    for (Vector const& p : positions) {
      low = {std::min(low.x, p.x), std::min(low.y, p.y), std::min(low.z, p.z)};
      high = {std::max(high.x, p.x), std::max(high.y, p.y), std::max(high.z, p.z)};
    }
    Vector const middle = 0.5f * (low + high);
    Vector const size = high - low;
    float const largest = std::max({size.x, size.y, size.z});
    grid_.extent = largest > 0.0f ? 1.01f * largest : 1.0f;
    centered_.reserve(count_);
    for (Vector const& p : positions) { centered_.push_back(p - middle); }
    exec_.upload(positions_.data(), std::span<Vector const>(centered_));
  }

  VoxelSets<LinearProbing, View> sets()
  {
    auto const voxels = arrays_.view(counts_.data()->voxels);
    return {{{voxels, table_.view()}, {voxels, table_.view()}}, grid_};
  }

  void build()
  {
    exec_.fill(counts_.data(), 1, passes::Counts{});
    exec_.fill(moments_.data(), count_, Moments{});
    passes::Points const points{{{positions_.data(), nullptr, count_, Pose{}}, {}}};
    exec_.for_each(count_, passes::FindKeys<Format>{points, grid_, keys_.data(), counts_.data()});
    table_.fill(keys_.data(), count_, counts_.data()->failed);
    passes::BothWords<Format> const words{{table_.slot_words(), nullptr}, {table_.settings().slots, 0}};
    Buffer<std::uint32_t> sums(exec_, words.items() + 1);
    exec_.for_each(words.items() + 1, passes::FlagSlots<Format>{words, sums.data()});
    exec_.prefix_sums(sums.data(), words.items() + 1);
    auto const voxels = sets().of[0].voxels;
    exec_.for_each(words.items(),
                   passes::AssignIndices<Format>{
                       words, sums.data(), {voxels, voxels}, {arrays_.sums(), arrays_.sums()}, counts_.data()});
    exec_.for_each(count_,
                   passes::GatherMoments<LinearProbing, View>{sets().of[0], grid_, positions_.data(), keys_.data(),
                                                              moments_.data(), point_voxels_.data()});
  }

  std::vector<Patch> fit()
  {
    passes::Counts counts{};
    exec_.download(std::span(&counts, 1), static_cast<passes::Counts const*>(counts_.data()));
    Buffer<Patch> fitted(exec_, counts.voxels[0]);
    exec_.for_each(counts.voxels[0], passes::FitPlanes<LinearProbing, View>{sets(), moments_.data(), fitted.data()});
    std::vector<Patch> patches(counts.voxels[0]);
    exec_.download(std::span(patches), static_cast<Patch const*>(fitted.data()));
    return patches;
  }

  Exec& exec_;
  std::uint64_t count_;
  VoxelGrid grid_;
  std::vector<Vector> centered_;
  Buffer<Vector> positions_;
  Buffer<std::uint32_t> keys_;
  Buffer<std::uint32_t> point_voxels_;
  Buffer<passes::Counts> counts_;
  Buffer<Moments> moments_;
  Table table_;
  VoxelArrays<Exec, Format> arrays_;
};

}  // namespace slotscape::spatial
