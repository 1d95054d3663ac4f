#include "app/scenes/spatial/state.hpp"

#include "app/scenes/spatial/loader.hpp"
#include "gpu/base/translation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace slotscape {

using spatial::Model;

void StageTimes::add(Seconds const& seconds)
{
  if (frames_.size() == frames_kept) { frames_.erase(frames_.begin()); }
  frames_.push_back(seconds);
}

StageTimes::Seconds StageTimes::medians() const
{
  Seconds medians{};
  if (frames_.empty()) { return medians; }
  for (std::size_t stage = 0; stage < medians.size(); ++stage) {
    std::vector<double> times;
    for (Seconds const& frame : frames_) { times.push_back(frame[stage]); }
    auto const middle = times.begin() + static_cast<std::ptrdiff_t>(times.size() / 2);
    std::ranges::nth_element(times, middle);
    medians[stage] = *middle;
  }
  return medians;
}

double total_of(StageTimes::Seconds const& seconds)
{
  return std::accumulate(seconds.begin(), seconds.end(), 0.0);
}

std::string title_of(SpatialState const& state, Model model)
{
  return fmt::format("{} · {}", letter_of(model), translated(label_of_source(state.settings.models[model].source)));
}

std::string_view label_of_status(SpatialState const& state, Model model, spatial::VoxelStatus status)
{
  using spatial::VoxelStatus;
  if (state.settings.hashing.changes.shown) {
    switch (status) {
      case VoxelStatus::inside: return translatable("only A");
      case VoxelStatus::outside: return translatable("only B");
      case VoxelStatus::intersection: return translatable("A and B");
      case VoxelStatus::unknown: return translatable("too few points");
    }
  }
  if (state.clouds[spatial::other(model)].open) {
    if (status == spatial::VoxelStatus::inside) { return translatable("behind"); }
    if (status == spatial::VoxelStatus::outside) { return translatable("in front"); }
  }
  return to_label(status);
}

std::string label_of_both(SpatialState const& state, spatial::VoxelStatus status)
{
  std::string_view const of_a = label_of_status(state, Model::a, status);
  std::string_view const of_b = label_of_status(state, Model::b, status);
  if (of_a == of_b) { return translated(of_a); }
  std::string_view const usual = to_label(status);
  return fmt::format("{} / {}", translated(usual), translated(of_a == usual ? of_b : of_a));
}

Key key_of(spatial::VoxelGrid const& grid, spatial::Cell cell)
{
  bool const wide = grid.side > spatial::max_narrow_grid_side;
  return wide ? spatial::key_of_cell<std::uint64_t>(cell) : spatial::key_of_cell<std::uint32_t>(cell);
}

spatial::Vector middle_of(spatial::Cell const& cell)
{
  return {static_cast<float>(cell.x) + 0.5f, static_cast<float>(cell.y) + 0.5f, static_cast<float>(cell.z) + 0.5f};
}

WatchedVoxel watched_voxel(spatial::SpatialEngine& engine, Model model, Key key)
{
  ProbePath const path = engine.table(model).probe_path(key);
  if (!path.value) { return {model, key, std::nullopt, 0}; }
  return watch_index(engine, model, static_cast<std::uint32_t>(*path.value));
}

WatchedVoxel watch_index(spatial::SpatialEngine& engine, Model model, std::uint32_t index)
{
  spatial::VoxelInfo const info = engine.voxel(model, index);
  return {model, info.key, info, engine.table(model).slot(info.slot).probe_length};
}

}  // namespace slotscape
