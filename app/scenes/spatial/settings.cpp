#include "app/scenes/spatial/settings.hpp"

#include "app/clouds/builtin.hpp"

#include <algorithm>

namespace slotscape {
namespace {

using namespace spatial;

constexpr EnumName<VoxelStatus> statuses[]{
    {VoxelStatus::inside, "inside", "inside"},
    {VoxelStatus::intersection, "intersection", "intersection"},
    {VoxelStatus::outside, "outside", "outside"},
    {VoxelStatus::unknown, "unknown", "unknown"},
};

constexpr EnumName<Boolean> booleans[]{
    {Boolean::both, "both", "Both"},
    {Boolean::unite, "union", "Union"},
    {Boolean::intersect, "intersection", "Intersection"},
    {Boolean::a_minus_b, "a_minus_b", "A − B"},
    {Boolean::b_minus_a, "b_minus_a", "B − A"},
};

constexpr EnumName<PaintBy> paints[]{
    {PaintBy::status, "status", "status"},
    {PaintBy::model, "model", "model"},
    {PaintBy::points, "points", "points in the voxel"},
    {PaintBy::probe_length, "probe_length", "probe length"},
    {PaintBy::slot, "slot", "slot"},
    {PaintBy::attribute, "attribute", "attribute of the points"},
};

constexpr EnumName<InstanceKind> kinds[]{
    {InstanceKind::voxels, "voxels", "voxels"},
    {InstanceKind::points, "points", "points"},
};

constexpr EnumName<Stage> stages[]{
    {Stage::voxelise, "voxelise", "voxelise"},    {Stage::build, "build", "build tables"},
    {Stage::intersect, "intersect", "intersect"}, {Stage::classify, "classify", "flood fill"},
    {Stage::select, "select", "select"},
};

constexpr EnumName<Motion> motions[]{
    {Motion::still, "still", "none"},
    {Motion::spin, "spin", "spin"},
    {Motion::orbit, "orbit", "orbit through each other"},
    {Motion::wobble, "wobble", "wobble"},
};

constexpr EnumName<clouds::UpAxis> up_axes[]{
    {clouds::UpAxis::y, "y", "y"},
    {clouds::UpAxis::z, "z", "z"},
};

}  // namespace

bool SpatialSceneSettings::shows_files() const
{
  return std::ranges::any_of(models.of, [](ModelSettings const& model) { return !clouds::is_builtin(model.source); });
}

char const* letter_of(spatial::Model model)
{
  return model == spatial::Model::a ? "A" : "B";
}

void AnimationSettings::toggle()
{
  running = !moves();
  if (motion != Motion::still) { return; }
  motion = AnimationSettings{}.motion;
  time = 0.0;
}

void exchange_table(spatial::SpatialSettings& hashing)
{
  bool const to_linear = hashing.family != "linear_probing";
  hashing.family = to_linear ? "linear_probing" : "two_level_cuckoo";
  if (to_linear) { return; }
  hashing.grid.side = std::min(hashing.grid.side, spatial::max_narrow_grid_side);
  hashing.load_factor = std::min(hashing.load_factor, spatial::max_two_level_load);
}

void set_grid_side(spatial::SpatialSettings& hashing, std::uint32_t side)
{
  hashing.grid.side = side;
  if (side > spatial::max_narrow_grid_side) { hashing.family = "linear_probing"; }
}

template <>
std::span<EnumName<spatial::VoxelStatus> const> enum_names()
{
  return statuses;
}
template <>
std::span<EnumName<spatial::Boolean> const> enum_names()
{
  return booleans;
}
template <>
std::span<EnumName<spatial::PaintBy> const> enum_names()
{
  return paints;
}
template <>
std::span<EnumName<spatial::InstanceKind> const> enum_names()
{
  return kinds;
}
template <>
std::span<EnumName<spatial::Stage> const> enum_names()
{
  return stages;
}
template <>
std::span<EnumName<Motion> const> enum_names()
{
  return motions;
}
template <>
std::span<EnumName<clouds::UpAxis> const> enum_names()
{
  return up_axes;
}

}  // namespace slotscape
