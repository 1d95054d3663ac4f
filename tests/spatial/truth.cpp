#include "tests/spatial/truth.hpp"

#include <algorithm>

namespace slotscape::spatial {
namespace {

constexpr float band_ends[] = {0.5f, 1.0f};

/// Voxels of `wrong` that are connected, corners included.
std::uint64_t largest_region(HostVoxels const& voxels, VoxelGrid const& grid, std::vector<bool> wrong)
{
  std::uint64_t largest = 0;
  std::vector<std::uint32_t> open;
  for (std::uint32_t start = 0; start < wrong.size(); ++start) {
    if (!wrong[start]) { continue; }
    std::uint64_t size = 0;
    open.push_back(start);
    wrong[start] = false;
    while (!open.empty()) {
      Cell const cell = cell_of_key(voxels.keys[open.back()]);
      open.pop_back();
      ++size;
      for (int number = 0; number < stencil_size; ++number) {
        Cell const next = cell + stencil_step(number);
        std::uint32_t const index = grid.contains(next) ? voxels.index_of(key_of_cell<std::uint32_t>(next)) : no_voxel;
        if (index == no_voxel || !wrong[index]) { continue; }
        wrong[index] = false;
        open.push_back(index);
      }
    }
    largest = std::max(largest, size);
  }
  return largest;
}

}  // namespace

double Errors::share(int band) const
{
  return voxels[band] == 0 ? 0.0 : static_cast<double>(wrong[band]) / static_cast<double>(voxels[band]);
}

Errors& Errors::operator+=(Errors const& other)
{
  for (int band = 0; band < bands; ++band) {
    voxels[band] += other.voxels[band];
    wrong[band] += other.wrong[band];
  }
  largest_region = std::max(largest_region, other.largest_region);
  largest_share = std::max(largest_share, other.largest_share);
  return *this;
}

Errors errors(VoxelScene const& scene, Classified const& found, Placed const& a, Placed const& b)
{
  Errors result;
  for (int m = 0; m < model_count; ++m) {
    HostVoxels const& voxels = scene.of[m];
    std::vector<bool> wrong(voxels.keys.size());
    for (std::size_t i = 0; i < voxels.keys.size(); ++i) {
      if (voxels.status[i] == VoxelStatus::intersection) { continue; }
      Vector const world = scene.grid.to_world(voxels.surfels[i].position);
      float const distance = (m == 0 ? b : a).distance(world) / scene.grid.voxel();
      VoxelStatus const truth = distance < 0.0f ? VoxelStatus::inside : VoxelStatus::outside;
      int band = 0;
      while (band < Errors::bands - 1 && std::abs(distance) > band_ends[band]) { ++band; }
      VoxelStatus const status = found.of[m].status[i];
      bool const is_wrong = status != truth && status != VoxelStatus::unknown;
      ++result.voxels[band];
      result.wrong[band] += is_wrong;
      wrong[i] = is_wrong && band == Errors::bands - 1;
    }
    std::uint64_t const region = largest_region(voxels, scene.grid, std::move(wrong));
    result.largest_region = std::max(result.largest_region, region);
    double const all = static_cast<double>(std::max<std::size_t>(voxels.keys.size(), 1));
    result.largest_share = std::max(result.largest_share, static_cast<double>(region) / all);
  }
  return result;
}

}  // namespace slotscape::spatial
