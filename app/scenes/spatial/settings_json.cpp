#include "app/scenes/spatial/settings_json.hpp"

#include "app/clouds/builtin.hpp"
#include "app/files/relative_name.hpp"
#include "app/scenario/json_fields.hpp"
#include "app/scenario/settings_json.hpp"
#include "app/scenes/spatial/names.hpp"
#include "app/scenes/spatial/view3d/pose_drag.hpp"
#include "gpu/error.hpp"

#include <glm/gtc/quaternion.hpp>
#include <glm/trigonometric.hpp>

#include <array>
#include <limits>

namespace slotscape {

namespace fs = std::filesystem;

namespace {

using spatial::Model;
using spatial::Vector;

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

auto vector_in(double low, double high)
{
  return [=](JsonNode const& node) { return from_glm(read_numbers(node, low, high)); };
}

/// Of rotations about the x, the y and the z axis, done in this order.
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

std::string read_source(JsonNode const& node, fs::path const& folder)
{
  std::string const source = node.text();
  if (source.empty()) { node.fail("it must be the name of a built-in shape or a file"); }
  if (clouds::is_builtin(source)) { return source; }
  return fs::absolute(folder / source).lexically_normal().string();
}

ModelSettings read_model(JsonNode const& node, ModelSettings model, fs::path const& folder)
{
  node.expect_fields({"source", "points", "position", "turned", "scale"});
  read_field(node, "source", model.source, [&](JsonNode const& source) { return read_source(source, folder); });
  read_field(node, "points", model.points, whole_number_in(1, spatial::max_points));
  read_field(node, "position", model.place.translation, vector_in(-farthest, farthest));
  read_field(node, "turned", model.place.rotation,
             [](JsonNode const& turned) { return rotation_of(read_numbers(turned, -360.0, 360.0)); });
  read_field(node, "scale", model.place.scale, number_in(smallest_model_scale, largest_model_scale));
  return model;
}

Json model_json(ModelSettings const& model, fs::path const& folder)
{
  bool const builtin = clouds::is_builtin(model.source);
  Json json;
  json["source"] = builtin ? model.source : relative_name(model.source, folder);
  json["points"] = model.points;
  json["position"] = numbers_json(to_glm(model.place.translation));
  json["turned"] = numbers_json(degrees_of(model.place.rotation));
  json["scale"] = model.place.scale;
  return json;
}

void read_grid(JsonNode const& node, spatial::VoxelGrid& grid)
{
  node.expect_fields({"side", "extent"});
  read_field(node, "side", grid.side, whole_number_in(spatial::min_grid_side, spatial::max_grid_side));
  read_field(node, "extent", grid.extent, number_in(0.01, farthest));
}

void read_table(JsonNode const& node, spatial::SpatialSettings& hashing)
{
  node.expect_fields({"family", "hash", "load_factor"});
  read_field(node, "family", hashing.family,
             [](JsonNode const& family) { return families[family.one_of(families, "family for voxels")]; });
  read_field(node, "hash", hashing.hash, name_of_a<HashKind>("hash"));
  read_field(node, "load_factor", hashing.load_factor, number_in(0.05, 0.95));
}

void read_flood_fill(JsonNode const& node, spatial::SpatialSettings& hashing)
{
  node.expect_fields({"inside_below", "outside_above", "max_restarts"});
  read_field(node, "inside_below", hashing.inside_below, number_in(-100.0, 100.0));
  read_field(node, "outside_above", hashing.outside_above, number_in(-100.0, 100.0));
  read_field(node, "max_restarts", hashing.max_restarts, whole_number_in(0, 1000));
}

spatial::SpatialSettings read_hashing(JsonNode const& node)
{
  spatial::SpatialSettings hashing = SpatialSceneSettings{}.hashing;
  if (auto const grid = node.find("grid")) { read_grid(*grid, hashing.grid); }
  if (auto const table = node.find("table")) { read_table(*table, hashing); }
  if (auto const flood_fill = node.find("flood_fill")) { read_flood_fill(*flood_fill, hashing); }
  try {
    spatial::validate(hashing);
  } catch (Error const& error) {
    node.fail(error.what());
  }
  return hashing;
}

AnimationSettings read_animation(JsonNode const& node)
{
  node.expect_fields({"motion", "running", "speed", "time"});
  AnimationSettings animation;
  read_field(node, "motion", animation.motion, name_of_a<Motion>("motion"));
  read_field(node, "running", animation.running, flag());
  read_field(node, "speed", animation.speed, number_in(slowest_animation, fastest_animation));
  read_field(node, "time", animation.time, number_in(-1e9, 1e9));
  return animation;
}

ModelsViewSettings read_models_view(JsonNode const& node)
{
  node.expect_fields(
      {"show", "color_by", "color_blind", "palette", "log_scale", "point_size", "ghosts", "box", "smooth_edges"});
  ModelsViewSettings view;
  read_field(node, "show", view.kind, name_of_a<spatial::InstanceKind>("kind of picture"));
  read_field(node, "color_by", view.paint_by, name_of_a<spatial::PaintBy>("way to colour"));
  read_field(node, "color_blind", view.color_blind, flag());
  read_field(node, "palette", view.palette, name_of_a<Palette>("palette"));
  read_field(node, "log_scale", view.log_scale, flag());
  read_field(node, "point_size", view.point_size, number_in(0.1, 20.0));
  read_field(node, "ghosts", view.ghosts, flag());
  read_field(node, "box", view.show_box, flag());
  read_field(node, "smooth_edges", view.smooth_edges, flag());
  return view;
}

OrbitPlace read_camera(JsonNode const& node)
{
  node.expect_fields({"target", "yaw", "pitch", "distance"});
  OrbitPlace place = OrbitCamera(spatial::VoxelGrid{}.extent).home();
  read_field(node, "target", place.target,
             [](JsonNode const& target) { return read_numbers(target, -farthest, farthest); });
  auto const angle = [](JsonNode const& degrees) { return glm::radians(degrees.number(-36000.0, 36000.0)); };
  read_field(node, "yaw", place.yaw, angle);
  read_field(node, "pitch", place.pitch, angle);
  read_field(node, "distance", place.distance, number_in(1e-3, 1e4));
  return place;
}

Json hashing_json(spatial::SpatialSettings const& hashing)
{
  Json json;
  json["grid"] = {{"side", hashing.grid.side}, {"extent", hashing.grid.extent}};
  json["table"] = {{"family", hashing.family}, {"hash", to_text(hashing.hash)}, {"load_factor", hashing.load_factor}};
  json["flood_fill"] = {{"inside_below", hashing.inside_below},
                        {"outside_above", hashing.outside_above},
                        {"max_restarts", hashing.max_restarts}};
  return json;
}

Json models_view_json(ModelsViewSettings const& view)
{
  Json json;
  json["show"] = to_text(view.kind);
  json["color_by"] = to_text(view.paint_by);
  json["color_blind"] = view.color_blind;
  json["palette"] = to_text(view.palette);
  json["log_scale"] = view.log_scale;
  json["point_size"] = view.point_size;
  json["ghosts"] = view.ghosts;
  json["box"] = view.show_box;
  json["smooth_edges"] = view.smooth_edges;
  return json;
}

Json camera_json(OrbitPlace const& place)
{
  return {{"target", numbers_json(place.target)},
          {"yaw", glm::degrees(place.yaw)},
          {"pitch", glm::degrees(place.pitch)},
          {"distance", place.distance}};
}

}  // namespace

SpatialSceneSettings read_spatial_settings(JsonNode const& node, fs::path const& folder)
{
  node.expect_fields({"a", "b", "seed", "grid", "table", "flood_fill", "boolean", "animation", "view", "maps",
                      "show_maps", "turntable", "camera"});
  SpatialSceneSettings settings;
  for (Model const model : {Model::a, Model::b}) {
    ModelSettings& of_model = settings.models[model];
    read_field(node, model == Model::a ? "a" : "b", of_model,
               [&](JsonNode const& read) { return read_model(read, of_model, folder); });
  }
  read_field(node, "seed", settings.seed, whole_number_in(0, std::numeric_limits<std::uint64_t>::max()));
  settings.hashing = read_hashing(node);
  read_field(node, "boolean", settings.boolean, name_of_a<spatial::Boolean>("Boolean"));
  read_field(node, "animation", settings.animation, read_animation);
  read_field(node, "view", settings.view, read_models_view);
  read_field(node, "maps", settings.maps, read_view_settings);
  read_field(node, "show_maps", settings.show_maps, flag());
  read_field(node, "turntable", settings.turntable, flag());
  if (auto const camera = node.find("camera")) { settings.camera = read_camera(*camera); }
  return settings;
}

Json spatial_settings_json(SpatialSceneSettings const& settings, fs::path const& folder)
{
  AnimationSettings const& animation = settings.animation;
  Json json;
  json["a"] = model_json(settings.models[Model::a], folder);
  json["b"] = model_json(settings.models[Model::b], folder);
  json["seed"] = settings.seed;
  json.update(hashing_json(settings.hashing));
  json["boolean"] = to_text(settings.boolean);
  json["animation"] = {{"motion", to_text(animation.motion)},
                       {"running", animation.running},
                       {"speed", animation.speed},
                       {"time", animation.time}};
  json["view"] = models_view_json(settings.view);
  json["maps"] = view_settings_json(settings.maps);
  json["show_maps"] = settings.show_maps;
  json["turntable"] = settings.turntable;
  if (settings.camera) { json["camera"] = camera_json(*settings.camera); }
  return json;
}

}  // namespace slotscape
