#pragma once

#include "gpu/spatial/open_surface.hpp"

/// Determines on which side of a closed surface voxels lie, if seeds cannot, by the generalized winding number, as for
/// open surfaces. The number is 1 inside and 0 outside. Walls thinner than a voxel cancel out, and a few wrong normals
/// change the number little.
namespace slotscape::spatial::classify {

/// The share of the surface's cells that contain a voxel, if points lie on it at random: the mean of a Poisson
/// distribution without its zeros.
SLOTSCAPE_HOST_DEVICE inline float sampled_share(std::uint64_t points, std::uint32_t voxels)
{
  constexpr float least = 0.25f;  // below this, a single surfel would count too much
  constexpr int steps = 16;
  if (voxels == 0 || points <= voxels) { return points == 0 ? 1.0f : least; }
  float const mean = static_cast<float>(points) / static_cast<float>(voxels);
  float share = 1.0f;
  for (int step = 0; step < steps; ++step) {
    float const x = mean * share;
    share =
        1.0f - 1.0f / (1.0f + x * (1.0f + x * (0.5f + x * (1.0f / 6.0f + x / 24.0f))));  // about e^-x, on any device
  }
  return share > least ? share : least;
}

/// A voxel's status relative to the other model, which is closed; `unknown` if it cannot be determined.
template <class Frame>
SLOTSCAPE_HOST_DEVICE VoxelStatus side_of_closed(Frame const& frame, int model, std::uint32_t index)
{
  constexpr float surely_inside = 0.6f;
  constexpr float surely_outside = 0.4f;
  auto const& voxels = frame.sets.of[model].voxels;
  int const other = 1 - model;
  auto const& others = frame.sets.of[other].voxels;
  WindingNumber<false> winding(voxels.surfels[index].position);
  Sight const sight(winding, frame.dipoles[other], others.surfels, others.keys);
  sight.from(cell_of_key(voxels.keys[index]));
  float const turns = winding.turns() / sampled_share(frame.sets.points_in_voxels(other), *others.count);
  if (turns > surely_inside) { return VoxelStatus::inside; }
  return turns < surely_outside ? VoxelStatus::outside : VoxelStatus::unknown;
}

/// Whether the seeds of an item's component may all be wrong: if few points of the other surface are known, and the
/// seeds are few or disagree.
template <class Frame>
SLOTSCAPE_HOST_DEVICE bool are_doubtful(Frame const& frame, Component const& component, std::uint32_t item)
{
  constexpr std::uint32_t few = 4;
  constexpr float nearly_all = 0.95f;
  std::uint32_t const seeds = component.inside_seeds + component.outside_seeds;
  if (seeds == 0 || (seeds >= few && verdict(component) != Verdict::disputed)) { return false; }
  int const other = 1 - frame.sets.locate(item).model;
  return sampled_share(frame.sets.points_in_voxels(other), *frame.sets.of[other].voxels.count) < nearly_all;
}

/// Finds out whether any winding numbers are needed.
template <class Frame>
struct FindUnsettled {
  Frame frame;

  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t i) const
  {
    auto const found = frame.sets.locate(i);
    if (!found.exists || frame.sets.open[1 - found.model]) { return; }
    std::uint32_t& unsettled = frame.counts->unsettled[1 - found.model];
    if (exec::load_relaxed(unsettled) == 0 && is_unsettled(static_cast<std::uint32_t>(i))) {
      exec::store_relaxed(unsettled, 1u);
    }
  }

private:
  SLOTSCAPE_HOST_DEVICE bool is_unsettled(std::uint32_t item) const
  {
    VoxelRole const role = frame.roles[item];
    if (!is_passable(role)) { return role != VoxelRole::intersection && !frame.has_passable_neighbour(item); }
    Component const& component = frame.components[frame.forest.root(item)];
    return verdict(component) == Verdict::no_seeds || are_doubtful(frame, component, item);
  }
};

/// Removes seeds of doubtful components that are certainly wrong.
template <class Frame>
struct CheckSeeds {
  Frame frame;

  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t i) const
  {
    auto const item = static_cast<std::uint32_t>(i);
    if (!frame.is_passable(item) || !is_seed(frame.roles[item])) { return; }
    Component& component = frame.components[frame.forest.root(item)];
    if (!are_doubtful(frame, component, item)) { return; }
    auto const found = frame.sets.locate(item);
    VoxelStatus const claimed = frame.status_of(frame.roles[item]);
    VoxelStatus const side = side_of_closed(frame, found.model, found.index);
    if (side == VoxelStatus::unknown || side == claimed) { return; }
    frame.roles[item] = VoxelRole::refuted_seed;
    bool const inside = claimed == VoxelStatus::inside;
    exec::fetch_add(inside ? component.wrong_inside : component.wrong_outside, 1);
    exec::fetch_add(frame.counts->cleared, 1);
  }
};

/// Classifies components without seeds: all voxels of a component are on the side of the voxel with the smallest key.
/// That voxel is not found if the table had no room for all keys, for example because a model has grown since its table
/// was made: the frame is then discarded and repeated.
template <class Frame>
struct SettleSeedless {
  Frame frame;

  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t i) const
  {
    using Key = typename decltype(frame.sets)::Key;
    auto const item = static_cast<std::uint32_t>(i);
    if (!frame.is_passable(item) || frame.forest.parents[item] != item) { return; }
    Component& component = frame.components[item];
    if (verdict_of_checked(component) != Verdict::no_seeds) { return; }
    int const model = frame.sets.locate(item).model;
    std::uint32_t const first = frame.sets.of[model].index_of(static_cast<Key>(component.first));
    if (first != no_voxel) { component.by_winding = side_of_closed(frame, model, first); }
  }
};

}  // namespace slotscape::spatial::classify
