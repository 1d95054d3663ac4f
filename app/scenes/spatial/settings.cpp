#include "app/scenes/spatial/settings.hpp"

#include "app/clouds/builtin.hpp"
#include "gpu/base/translation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

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
    {Stage::voxelise, "voxelise", translatable("voxelise")},
    {Stage::build, "build", translatable("build tables")},
    {Stage::intersect, "intersect", translatable("intersect")},
    {Stage::classify, "classify", translatable("flood fill")},
    {Stage::select, "select", translatable("select")},
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

using clouds::FileUnit;

constexpr EnumName<FileUnit> file_units[]{
    {FileUnit::as_is, "as_is", "as in the file"},
    {FileUnit::metre, "m", "metres (m)"},
    {FileUnit::centimetre, "cm", "centimetres (cm)"},
    {FileUnit::millimetre, "mm", "millimetres (mm)"},
    {FileUnit::foot, "ft", "feet (ft)"},
    {FileUnit::survey_foot, "us_survey_ft", "US survey feet"},
    {FileUnit::inch, "in", "inches (in)"},
};

}  // namespace

bool SpatialSceneSettings::shows_files() const
{
  return std::ranges::any_of(models.of, [](ModelSettings const& model) { return !clouds::is_builtin(model.source); });
}

namespace {

struct NamedParts {
  std::string name;
  std::uint8_t parts;
};

/// For A and B, all parts. For changes, only combinations that can occur: B has no voxels with the status "only in A".
std::uint8_t possible_parts(bool changes)
{
  std::uint8_t const impossible =
      ShownParts::bit_of(Model::a, VoxelStatus::outside) | ShownParts::bit_of(Model::b, VoxelStatus::inside);
  return changes ? static_cast<std::uint8_t>(~impossible) : std::uint8_t{0xff};
}

/// Lists combinations of several statuses first.
std::vector<NamedParts> make_named_parts(bool changes)
{
  std::vector<NamedParts> named;
  auto const add = [&](std::string name, auto const& is_part) {
    std::uint8_t parts = 0;
    for (Model const model : {Model::a, Model::b}) {
      for (EnumName<VoxelStatus> const& status : statuses) {
        if (is_part(model, status.value)) { parts |= ShownParts::bit_of(model, status.value); }
      }
    }
    named.push_back({std::move(name), parts});
  };
  constexpr std::array<std::pair<Model, std::string_view>, 2> models{{{Model::a, "a"}, {Model::b, "b"}}};
  for (auto const& [of, name] : models) {
    add(std::string(name), [only = of](Model model, VoxelStatus) { return model == only; });
  }
  for (EnumName<VoxelStatus> const& status : statuses) {
    add(std::string(name_of_status(status.value, changes)),
        [&](Model, VoxelStatus one) { return one == status.value; });
  }
  for (auto const& [of, model_name] : models) {
    for (EnumName<VoxelStatus> const& status : statuses) {
      bool const tells_model = changes && (status.value == VoxelStatus::inside || status.value == VoxelStatus::outside);
      if (tells_model) { continue; }
      std::string_view const name = name_of_status(status.value, changes);
      add(changes ? fmt::format("{}_of_{}", name, model_name) : fmt::format("{}_{}", model_name, name),
          [&, only = of](Model model, VoxelStatus one) { return model == only && one == status.value; });
    }
  }
  return named;
}

std::vector<NamedParts> const& named_parts(bool changes)
{
  static std::array const lists{make_named_parts(false), make_named_parts(true)};
  return lists[changes ? 1 : 0];
}

}  // namespace

std::string_view name_of_status(spatial::VoxelStatus status, bool changes)
{
  constexpr std::array<std::string_view, status_count> of_changes{"too_few_points", "only_a", "only_b", "a_and_b"};
  return changes ? of_changes[static_cast<std::size_t>(status)] : to_text(status);
}

void hide_or_show(SpatialSceneSettings& settings, std::uint8_t parts)
{
  bool const hides = (settings.hidden & parts) != parts;
  settings.hidden = static_cast<std::uint8_t>(hides ? settings.hidden | parts : settings.hidden & ~parts);
}

std::uint8_t parts_of_status(spatial::VoxelStatus status)
{
  return static_cast<std::uint8_t>(ShownParts::bit_of(Model::a, status) | ShownParts::bit_of(Model::b, status));
}

std::vector<std::string> names_of_parts(std::uint8_t parts, bool changes)
{
  std::vector<std::string> names;
  for (NamedParts const& named : named_parts(changes)) {
    auto const counted = static_cast<std::uint8_t>(named.parts & possible_parts(changes));
    if ((parts & counted) != counted) { continue; }
    names.push_back(named.name);
    parts = static_cast<std::uint8_t>(parts & ~named.parts);
  }
  return names;
}

std::optional<std::uint8_t> parts_of_name(std::string_view name, bool changes)
{
  auto const found = std::ranges::find(named_parts(changes), name, &NamedParts::name);
  return found == named_parts(changes).end() ? std::nullopt : std::optional(found->parts);
}

std::vector<std::string_view> names_of_all_parts(bool changes)
{
  std::vector<std::string_view> names;
  for (NamedParts const& named : named_parts(changes)) { names.push_back(named.name); }
  return names;
}

void show_boolean(SpatialSceneSettings& settings, spatial::Boolean boolean)
{
  settings.boolean = boolean;
  show_changes(settings, false);
}

void show_changes(SpatialSceneSettings& settings, bool shown)
{
  if (std::exchange(settings.hashing.changes.shown, shown) == shown) { return; }
  std::uint8_t whole = 0;
  for (std::string_view const model : {"a", "b"}) {
    std::uint8_t const parts = *parts_of_name(model);
    if ((settings.hidden & parts) == parts) { whole |= parts; }
  }
  settings.hidden = whole;
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

void rewind(SpatialSetup& set_up, double seconds)
{
  AnimationSettings& animation = set_up.settings.animation;
  if (animation.moves()) { animation.time -= seconds * animation.speed; }
  if (set_up.settings.turntable && set_up.camera) { set_up.camera->yaw -= seconds * turntable_speed; }
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
template <>
std::span<EnumName<FileUnit> const> enum_names()
{
  return file_units;
}

}  // namespace slotscape
