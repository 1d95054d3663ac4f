#include "app/scenes/spatial/export.hpp"

#include "app/scenes/spatial/coordinates.hpp"
#include "app/scenes/spatial/placing.hpp"
#include "app/scenes/spatial/settings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <unordered_map>

namespace slotscape {
namespace {

using clouds::Attribute;
using clouds::NumberType;
using clouds::PlyPoints;
using clouds::PointCloud;
using spatial::Model;
using spatial::Vector;
using spatial::VoxelStatus;

clouds::Color status_color_of(SpatialState const& state, VoxelStatus status)
{
  Color const color = color_of(status_colors(state.settings.view)[status].rgb(Background::dark));
  auto const byte = [](float channel) { return static_cast<std::uint8_t>(std::lround(channel * 255.0f)); };
  return {byte(color.red), byte(color.green), byte(color.blue)};
}

/// A direction of the scene, seen from a model that stands in this pose.
Vector direction_in(spatial::Pose const& pose, Vector of)
{
  auto const& [x, y, z] = pose.rotation.rows;
  return of.x * x + of.y * y + of.z * z;
}

/// Adds a point where the scene shows it, carried over to the coordinates of `home`'s file.
class Rows {
public:
  Rows(PlyPoints& ply, SpatialState const& state, Model model)
      : ply_(ply), state_(state), model_(model), home_(home_of(state, model))
  {
    if (home_) { to_file_ = file_of_scene(state.clouds[*home_].frame, state.poses[*home_]); }
  }

  bool at_home() const { return home_ == model_; }

  void add(Vector position, Vector normal, VoxelStatus status)
  {
    Vector const in_file = home_ ? direction_in(state_.poses[*home_], normal) : normal;
    add(to_file_(clouds::to_position(position)), in_file, status);
    if (home_) { ply_.scene.push_back(position); }
  }
  /// A point of the model's file as it is there.
  void add_original(std::size_t point, Vector scene, VoxelStatus status)
  {
    PointCloud const& cloud = state_.clouds[model_];
    add(cloud.frame.original(cloud.positions[point]), cloud.normals[point], status);
    ply_.scene.push_back(scene);
  }

private:
  void add(clouds::Position position, Vector normal, VoxelStatus status)
  {
    ply_.positions.push_back(position);
    ply_.normals.push_back(normal);
    ply_.colors.push_back(status_color_of(state_, status));
    ply_.model.push_back(static_cast<std::uint8_t>(model_));
    ply_.status.push_back(static_cast<std::uint8_t>(status));
  }

  PlyPoints& ply_;
  SpatialState const& state_;
  Model model_;
  std::optional<Model> home_;
  Similarity to_file_;
};

std::string text_of(Similarity const& similarity)
{
  std::string text;
  std::array<double, 3> const offset{similarity.offset.x, similarity.offset.y, similarity.offset.z};
  for (std::size_t row = 0; row < 3; ++row) {
    clouds::Position const& turn = similarity.rows[row];
    text += fmt::format("{}{} {} {} {}", row == 0 ? "" : ", ", turn.x, turn.y, turn.z, offset[row]);
  }
  return text;
}

/// In which coordinates a model's points are, and how they come to be where the scene shows them.
void describe_coordinates(SpatialState const& state, Model model, std::vector<std::string>& comments)
{
  auto const home = home_of(state, model);
  if (!home) {
    comments.push_back(fmt::format("x y z of {} are in the coordinates of the scene", letter_of(model)));
    return;
  }
  clouds::Frame const& file = state.clouds[*home].frame;
  spatial::Pose const& pose = state.poses[*home];
  if (*home != model) {
    comments.push_back(fmt::format("{} is a built-in shape: x y z are in the coordinates of the file of {}",
                                   letter_of(model), letter_of(*home)));
    return;
  }
  double const voxel =
      static_cast<double>(state.settings.hashing.grid.voxel()) / (static_cast<double>(pose.scale) * file.scale);
  comments.push_back(
      fmt::format("x y z of {} are in the coordinates of its file, where a voxel is {} wide", letter_of(model), voxel));
  comments.push_back(fmt::format("scene_x scene_y scene_z of {} are these rows times (x y z 1): {}", letter_of(model),
                                 text_of(scene_of_file(file, pose))));
}

std::vector<std::string> comments_of(SpatialState const& state, std::string const& what)
{
  spatial::VoxelGrid const& grid = state.settings.hashing.grid;
  std::vector<std::string> comments{"Slotscape: " + what, fmt::format("A: {}", state.clouds[Model::a].name),
                                    fmt::format("B: {}", state.clouds[Model::b].name)};
  for (Model const model : both_models) { describe_coordinates(state, model, comments); }
  if (auto const common = common_coordinates(state)) {
    comments.emplace_back(*common ? "A and B keep the coordinates of their files"
                                  : "A and B are scaled and placed each by itself: where they meet in the scene, they "
                                    "do not meet in the coordinates of their files");
  }
  comments.push_back(fmt::format("grid: {} voxels per axis, extent {}, voxel {}, in units of the scene", grid.side,
                                 grid.extent, grid.voxel()));
  comments.emplace_back("model: 0 is A, 1 is B; status: 0 unknown, 1 inside, 2 outside, 3 intersection");
  return comments;
}

/// The attributes of the exported points of one model, in the order in which they were exported.
struct ExportedAttributes {
  std::size_t points = 0;
  std::vector<Attribute> attributes;

  Attribute const* find(std::string const& name) const
  {
    auto const found = std::ranges::find(attributes, name, &Attribute::name);
    return found == attributes.end() ? nullptr : &*found;
  }
};

bool is_bytes(Attribute const* part)
{
  return part != nullptr && part->type() == NumberType::uint8;
}

/// From 0 to 1 instead of 255. Where a part of a colour is 0 or 1 in all points, it may look like bytes.
bool is_share(Attribute const* part)
{
  if (part == nullptr) { return false; }
  for (std::size_t i = 0; i < part->count(); ++i) {
    if (!((*part)[i] >= 0.0 && (*part)[i] <= 1.0)) { return false; }
  }
  return true;
}

/// Puts the file's colours in place of those of the status. Returns whether that is all that its attributes of these
/// names say: bytes do not hold colours from 0 to 1 exactly.
bool use_colors(ExportedAttributes const& of, std::size_t first, PlyPoints& ply)
{
  std::array<Attribute const*, 3> const parts{of.find("red"), of.find("green"), of.find("blue")};
  bool const bytes = std::ranges::all_of(parts, is_bytes);
  if (!bytes && !std::ranges::all_of(parts, is_share)) { return false; }
  double const scale = bytes ? 1.0 : 255.0;
  for (std::size_t i = 0; i < of.points; ++i) {
    auto const part = [&](std::size_t which) {
      return static_cast<std::uint8_t>(std::lround(scale * (*parts[which])[i]));
    };
    ply.colors[first + i] = {part(0), part(1), part(2)};
  }
  return bytes;
}

/// Adds what both models' files have as columns. Where one of them lacks an attribute, it is no number, or 0.
void add_attributes(spatial::PerModel<ExportedAttributes> exported, PlyPoints& ply)
{
  static std::set<std::string> const taken{"x",     "y",    "z",     "nx",     "ny",      "nz",      "red",
                                           "green", "blue", "model", "status", "scene_x", "scene_y", "scene_z"};
  std::set<std::string> done;
  std::size_t first = 0;
  for (Model const model : both_models) {
    if (use_colors(exported[model], first, ply)) {
      std::erase_if(exported[model].attributes, [](Attribute const& attribute) {
        return attribute.name() == "red" || attribute.name() == "green" || attribute.name() == "blue";
      });
    }
    first += exported[model].points;
  }
  for (Model const model : both_models) {
    for (Attribute const& attribute : exported[model].attributes) {
      if (!done.insert(attribute.name()).second) { continue; }
      std::string const name = taken.contains(attribute.name()) ? "file_" + attribute.name() : attribute.name();
      Attribute const* const others = exported[spatial::other(model)].find(attribute.name());
      bool const same_type = others == nullptr || others->type() == attribute.type();
      Attribute column(name, same_type ? attribute.type() : NumberType::float64);
      for (Model const from : both_models) {
        Attribute const* const values = exported[from].find(attribute.name());
        for (std::size_t i = 0; i < exported[from].points; ++i) {
          column.add(values != nullptr ? (*values)[i] : std::numeric_limits<double>::quiet_NaN());
        }
      }
      ply.attributes.push_back(std::move(column));
    }
  }
}

/// The status of a model's voxels by their keys.
std::unordered_map<Key, VoxelStatus> statuses_of(spatial::SpatialEngine& engine, Model model)
{
  std::unordered_map<Key, VoxelStatus> statuses;
  for (spatial::VoxelInfo const& voxel : engine.voxels(model)) { statuses.emplace(voxel.key, voxel.status); }
  return statuses;
}

ExportedAttributes add_result_of(spatial::SpatialEngine& engine, SpatialState const& state, Model model, PlyPoints& ply)
{
  spatial::VoxelGrid const& grid = state.settings.hashing.grid;
  auto const statuses = statuses_of(engine, model);
  PointCloud const& cloud = state.clouds[model];
  spatial::Pose const& pose = state.poses[model];
  Rows rows(ply, state, model);
  std::vector<std::uint64_t> added;
  for (std::size_t i = 0; i < cloud.positions.size(); ++i) {
    Vector const position = pose.point(cloud.positions[i]);
    Vector const place = grid.to_grid(position);
    if (!grid.contains(place)) { continue; }
    auto const voxel = statuses.find(key_of(grid, spatial::VoxelGrid::cell_of(place)));
    VoxelStatus const status = voxel != statuses.end() ? voxel->second : VoxelStatus::unknown;
    if (!belongs(state.settings.boolean, model, status)) { continue; }
    if (rows.at_home()) {
      rows.add_original(i, position, status);
    } else {
      rows.add(position, pose.direction(cloud.normals[i]), status);
    }
    added.push_back(i);
  }
  ExportedAttributes exported{added.size(), {}};
  for (Attribute const& attribute : cloud.attributes) { exported.attributes.push_back(attribute.at(added)); }
  return exported;
}

}  // namespace

PlyPoints result_points(spatial::SpatialEngine& engine, SpatialState const& state)
{
  PlyPoints ply;
  ply.comments =
      comments_of(state, fmt::format("points of the result of the Boolean '{}'", to_text(state.settings.boolean)));
  spatial::PerModel<ExportedAttributes> exported;
  for (Model const model : both_models) { exported[model] = add_result_of(engine, state, model, ply); }
  add_attributes(std::move(exported), ply);
  return ply;
}

PlyPoints all_voxels(spatial::SpatialEngine& engine, SpatialState const& state)
{
  PlyPoints ply;
  ply.comments = comments_of(state, "voxels: the mean position and normal of the points in each");
  for (Model const model : both_models) {
    Rows rows(ply, state, model);
    for (spatial::VoxelInfo const& voxel : engine.voxels(model)) {
      rows.add(voxel.position, voxel.normal, voxel.status);
      ply.points.push_back(voxel.points);
    }
  }
  return ply;
}

}  // namespace slotscape
