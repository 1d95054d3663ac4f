#include "tests/spatial/voxel_scene.hpp"

#include <algorithm>
#include <unordered_map>

namespace slotscape::spatial {
namespace {

using HostView = View<HostVoxels::Layout, HostMachine<Narrow>>;

HostView view(HostVoxels const& voxels)
{
  return {{const_cast<Narrow::Word*>(voxels.words.data()), nullptr}, voxels.layout};
}

/// Sums of the points of each voxel.
struct Gathered {
  Vector position;
  Vector normal;
  float count = 0.0f;
};

HostVoxels voxels_of(VoxelGrid const& grid, std::vector<Sample> const& samples, std::uint32_t order)
{
  std::unordered_map<std::uint32_t, Gathered> cells;
  cells.reserve(samples.size());
  for (Sample const& sample : samples) {
    Vector const place = grid.to_grid(sample.position);
    if (!grid.contains(place)) { continue; }
    Gathered& cell = cells[key_of_cell<std::uint32_t>(VoxelGrid::cell_of(place))];
    cell.position = cell.position + place;
    cell.normal = cell.normal + sample.normal;
    ++cell.count;
  }
  HostVoxels voxels;
  for (auto const& [key, cell] : cells) { voxels.keys.push_back(key); }
  std::ranges::sort(voxels.keys);
  std::ranges::shuffle(voxels.keys, std::mt19937(order));
  for (std::uint32_t const key : voxels.keys) {
    Gathered const& cell = cells[key];
    bool const cancels = length(cell.normal) < 0.5f * cell.count;  // as in `passes::MakeSurfels`
    voxels.surfels.push_back({(1.0f / cell.count) * cell.position, cancels ? Vector{} : normalized(cell.normal)});
  }
  TableSettings const settings{.slots = 2 * voxels.keys.size() + 2};
  voxels.layout = LinearProbing::layout<Narrow>(settings);
  voxels.words.assign(settings.slots, Narrow::empty_word);
  for (std::uint32_t i = 0; i < voxels.keys.size(); ++i) { LinearProbing::insert(view(voxels), voxels.keys[i], i); }
  return voxels;
}

std::uint64_t points_in(VoxelGrid const& grid, std::vector<Sample> const& samples)
{
  auto const is_in_grid = [&](Sample const& sample) { return grid.contains(grid.to_grid(sample.position)); };
  return static_cast<std::uint64_t>(std::ranges::count_if(samples, is_in_grid));
}

}  // namespace

std::uint32_t HostVoxels::index_of(std::uint32_t key) const
{
  auto const found = LinearProbing::find(view(*this), key);
  return found.outcome == Outcome::found ? found.value : no_voxel;
}

VoxelScene::VoxelScene(VoxelGrid g, std::vector<Sample> const& a, std::vector<Sample> const& b, std::uint32_t order)
    : grid(g), of{voxels_of(g, a, order), voxels_of(g, b, order + 1)}, points{points_in(g, a), points_in(g, b)}
{
  for (int m = 0; m < model_count; ++m) {
    HostVoxels& voxels = of[m];
    for (std::uint32_t const key : voxels.keys) {
      for (int face = 0; face < face_count; ++face) {
        Cell const cell = cell_of_key(key) + face_step(face);
        voxels.faces.push_back(grid.contains(cell) ? voxels.index_of(key_of_cell<std::uint32_t>(cell)) : no_voxel);
      }
      bool const meets = of[1 - m].index_of(key) != no_voxel;
      voxels.status.push_back(meets ? VoxelStatus::intersection : VoxelStatus::unknown);
    }
  }
}

}  // namespace slotscape::spatial
