#include "app/scenes/spatial/settings.hpp"

#include "app/base/encoding.hpp"
#include "app/base/files.hpp"
#include "app/clouds/builtin.hpp"
#include "app/view3d/pose_drag.hpp"

#include <glm/gtc/quaternion.hpp>
#include <glm/trigonometric.hpp>

#include <array>
#include <limits>

namespace slotscape {

namespace fs = std::filesystem;

namespace {

using spatial::Model;

constexpr double farthest = 1000.0;  ///< from the origin, of a model or the camera's target
constexpr std::array<std::string_view, 2> families{"two_level_cuckoo", "linear_probing"};

glm::dvec3 read_numbers(JsonNode const& node, double low, double high)
{
  std::vector<JsonNode> const numbers = node.elements();
  if (numbers.size() != 3) { node.fail("it must be a list of three numbers: [x, y, z]"); }
  return {numbers[0].number(low, high), numbers[1].number(low, high), numbers[2].number(low, high)};
}

Json numbers_json(glm::dvec3 const& v)
{
  return {v.x, v.y, v.z};
}

/// Rotates about the x, y and z axes, in this order.
spatial::Rotation rotation_of(glm::dvec3 const& degrees)
{
  glm::dmat3 const rows = glm::transpose(glm::mat3_cast(glm::dquat(glm::radians(degrees))));
  return {{from_glm(rows[0]), from_glm(rows[1]), from_glm(rows[2])}};
}

glm::dvec3 degrees_of(spatial::Rotation const& rotation)
{
  glm::dmat3 const rows{to_glm(rotation.rows[0]), to_glm(rotation.rows[1]), to_glm(rotation.rows[2])};
  return glm::degrees(glm::eulerAngles(glm::quat_cast(glm::transpose(rows))));
}

std::string read_source(JsonNode const& node)
{
  std::string source = node.text();
  if (source.empty()) { node.fail("it must be the name of a built-in shape or a file"); }
  if (clouds::is_builtin(source)) { return source; }
  return fs::absolute(node.source().folder / path_of_text(source)).lexically_normal().string();
}

Json source_json(ModelSettings const& model, fs::path const& folder)
{
  return clouds::is_builtin(model.source) ? model.source : relative_name(model.source, folder);
}

std::span<Field<ModelSettings> const> model_fields()
{
  static auto const fields = std::to_array<Field<ModelSettings>>({
      {"source", [](JsonNode const& node, ModelSettings& model) { model.source = read_source(node); }, source_json},
      whole_number("points", &ModelSettings::points, 1, spatial::max_points),
      {"position",
       [](JsonNode const& node, ModelSettings& model) {
         model.place.translation = from_glm(read_numbers(node, -farthest, farthest));
       },
       [](ModelSettings const& model, fs::path const&) { return numbers_json(to_glm(model.place.translation)); }},
      {"turned",
       [](JsonNode const& node, ModelSettings& model) {
         model.place.rotation = rotation_of(read_numbers(node, -360.0, 360.0));
         model.turned = true;
       },
       [](ModelSettings const& model, fs::path const&) {
         bool const as_opened = !model.turned && model.place.rotation == spatial::Rotation{};
         return as_opened ? Json() : numbers_json(degrees_of(model.place.rotation));
       }},
      {"up", [](JsonNode const& node, ModelSettings& model) { model.up = node.one_of<clouds::UpAxis>("axis"); },
       [](ModelSettings const& model, fs::path const&) { return model.up ? Json(to_text(*model.up)) : Json(); }},
      {"scale",
       [](JsonNode const& node, ModelSettings& model) {
         model.place.scale = static_cast<float>(node.number(smallest_model_scale, largest_model_scale));
       },
       [](ModelSettings const& model, fs::path const&) -> Json { return model.place.scale; }},
      {"ignore_outliers", [](JsonNode const& node, ModelSettings& model) { model.ignore_outliers = node.flag(); },
       [](ModelSettings const& model, fs::path const&) { return model.ignore_outliers ? Json(true) : Json(); }},
  });
  return fields;
}

std::string read_family(JsonNode const& node)
{
  return std::string(families[node.one_of(families, "table family for voxels")]);
}

Json same(auto const& value)
{
  return value;
}

Json optional_text(std::string const& text)
{
  return text.empty() ? Json() : Json(text);
}

std::span<Field<spatial::SpatialSettings> const> table_fields()
{
  using Settings = spatial::SpatialSettings;
  static auto const fields = std::to_array<Field<Settings>>({
      field("family", &Settings::family, read_family, same<std::string>),
      choice("hash", &Settings::hash, "hash"),
      number("load_factor", &Settings::load_factor, 0.05, 0.95),
  });
  return fields;
}

std::span<Field<spatial::SpatialSettings> const> flood_fill_fields()
{
  using Settings = spatial::SpatialSettings;
  static auto const fields = std::to_array<Field<Settings>>({
      number("inside_below", &Settings::inside_below, -100.0, 100.0),
      number("outside_above", &Settings::outside_above, -100.0, 100.0),
      whole_number("max_restarts", &Settings::max_restarts, 0, 1000),
  });
  return fields;
}

double read_angle(JsonNode const& node)
{
  return glm::radians(node.number(-36000.0, 36000.0));
}

Json degrees_json(double radians)
{
  return glm::degrees(radians);
}

/// A field of the set-up that is an object with the fields of one of its parts.
template <class Part>
Field<SpatialSetup> part(std::string_view name, std::span<Field<Part> const> (*fields)(), auto part_of)
{
  return {name, [=](JsonNode const& node, SpatialSetup& set_up) { read_object(node, fields(), part_of(set_up)); },
          [=](SpatialSetup const& set_up, fs::path const& folder) {
            Json json;
            write_fields(json, folder, fields(), part_of(set_up));
            return json;
          }};
}

/// A field of the settings as a field of the set-up.
Field<SpatialSetup> setting(Field<SpatialSceneSettings> field)
{
  return {field.name,
          [read = std::move(field.read)](JsonNode const& node, SpatialSetup& set_up) { read(node, set_up.settings); },
          [write = std::move(field.write)](SpatialSetup const& set_up, fs::path const& folder) {
            return write(set_up.settings, folder);
          }};
}

Field<SpatialSetup> camera_field()
{
  return {"camera",
          [](JsonNode const& node, SpatialSetup& set_up) {
            OrbitPlace place = OrbitCamera(spatial::VoxelGrid{}.extent).home();
            read_fields(node, place);
            set_up.camera = place;
          },
          [](SpatialSetup const& set_up, fs::path const& folder) {
            return set_up.camera ? object_of_fields(folder, *set_up.camera) : Json();
          }};
}

Field<SpatialSetup> same_coordinates_field()
{
  return {"same_coordinates",
          [](JsonNode const& node, SpatialSetup& set_up) { set_up.settings.same_coordinates = node.flag(); },
          [](SpatialSetup const& set_up, fs::path const&) {
            std::optional<bool> const& same = set_up.settings.same_coordinates;
            return same ? Json(*same) : Json();
          }};
}

/// Read only: what it came to is the grid.
Field<SpatialSetup> voxel_field()
{
  return {"voxel",
          [](JsonNode const& node, SpatialSetup& set_up) { set_up.voxel = node.number(smallest_voxel, largest_voxel); },
          [](SpatialSetup const&, fs::path const&) { return Json(); }};
}

/// The view settings of the slot maps. Their cameras, found in older files, are ignored.
Field<SpatialSetup> maps_field()
{
  return {"maps",
          [](JsonNode const& node, SpatialSetup& set_up) {
            Framing unused;
            read_fields(node, set_up.settings.maps, unused);
          },
          [](SpatialSetup const& set_up, fs::path const& folder) {
            return object_of_fields(folder, set_up.settings.maps);
          }};
}

}  // namespace

template <>
std::span<Field<spatial::VoxelGrid> const> fields_of()
{
  using Grid = spatial::VoxelGrid;
  static auto const fields = std::to_array<Field<Grid>>({
      whole_number("side", &Grid::side, spatial::min_grid_side, spatial::max_grid_side),
      number("extent", &Grid::extent, 0.01, farthest),
  });
  return fields;
}

template <>
std::span<Field<AnimationSettings> const> fields_of()
{
  using Animation = AnimationSettings;
  static auto const fields = std::to_array<Field<Animation>>({
      choice("motion", &Animation::motion, "motion"),
      flag("running", &Animation::running),
      number("speed", &Animation::speed, slowest_animation, fastest_animation),
      number("time", &Animation::time, -1e9, 1e9),
  });
  return fields;
}

template <>
std::span<Field<ModelsViewSettings> const> fields_of()
{
  using View = ModelsViewSettings;
  static auto const fields = std::to_array<Field<View>>({
      choice("show", &View::kind, "representation"),
      choice("color_by", &View::paint_by, "colouring"),
      field(
          "attribute", &View::attribute, [](JsonNode const& node) { return node.text(); }, optional_text),
      flag("color_blind", &View::color_blind),
      choice("palette", &View::palette, "palette"),
      flag("log_scale", &View::log_scale),
      number("point_size", &View::point_size, 0.1, 20.0),
      flag("ghosts", &View::ghosts),
      flag("box", &View::show_box),
      flag("smooth_edges", &View::smooth_edges),
  });
  return fields;
}

template <>
std::span<Field<OrbitPlace> const> fields_of()
{
  using Place = OrbitPlace;
  static auto const fields = std::to_array<Field<Place>>({
      field(
          "target", &Place::target, [](JsonNode const& node) { return read_numbers(node, -farthest, farthest); },
          numbers_json),
      field("yaw", &Place::yaw, read_angle, degrees_json),
      field("pitch", &Place::pitch, read_angle, degrees_json),
      number("distance", &Place::distance, 1e-3, 1e4),
  });
  return fields;
}

template <>
std::span<Field<SpatialSetup> const> fields_of()
{
  using Settings = SpatialSceneSettings;
  auto const model = [](Model which) {
    return [=](auto& set_up) -> auto&
    {
      return set_up.settings.models[which];
    };
  };
  auto const hashing = [](auto& set_up) -> auto&
  {
    return set_up.settings.hashing;
  };
  static auto const fields = std::to_array<Field<SpatialSetup>>({
      part("a", model_fields, model(Model::a)),
      part("b", model_fields, model(Model::b)),
      same_coordinates_field(),
      voxel_field(),
      setting(whole_number("seed", &Settings::seed)),
      part(
          "grid", fields_of<spatial::VoxelGrid>, [](auto& set_up) -> auto& { return set_up.settings.hashing.grid; }),
      part("table", table_fields, hashing),
      part("flood_fill", flood_fill_fields, hashing),
      setting(choice("boolean", &Settings::boolean, "Boolean")),
      setting(object("animation", &Settings::animation)),
      setting(object("view", &Settings::view)),
      maps_field(),
      setting(flag("show_maps", &Settings::show_maps)),
      setting(flag("turntable", &Settings::turntable)),
      camera_field(),
  });
  return fields;
}

}  // namespace slotscape
