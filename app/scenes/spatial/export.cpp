#include "app/scenes/spatial/export.hpp"

#include "app/clouds/colors.hpp"
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
using clouds::Position;
using spatial::Model;
using spatial::Vector;
using spatial::VoxelStatus;
using namespace std::string_literals;

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

  void add(Position const& scene, Vector normal, VoxelStatus status)
  {
    Vector const in_file = home_ ? direction_in(state_.poses[*home_], normal) : normal;
    write(to_file_(scene), in_file, status);
    if (home_) { ply_.scene.push_back(clouds::to_vector(scene)); }
  }
  /// What the model's file has there.
  void add_original(Position const& original, Vector normal, Position const& scene, VoxelStatus status)
  {
    write(original, normal, status);
    ply_.scene.push_back(clouds::to_vector(scene));
  }

private:
  void write(Position const& position, Vector normal, VoxelStatus status)
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
    Position const& turn = similarity.rows[row];
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
  std::string const& unit = state.clouds[model].unit;
  double const voxel =
      static_cast<double>(state.settings.hashing.grid.voxel()) / (static_cast<double>(pose.scale) * file.scale);
  comments.push_back(fmt::format("x y z of {} are in the coordinates of its file, where a voxel is {}{}{} wide",
                                 letter_of(model), voxel, unit.empty() ? "" : " ", unit));
  clouds::PointCloud const& cloud = state.clouds[model];
  if (cloud.without_outliers) {
    comments.push_back(
        fmt::format("{} points of {} are left out: they lie far outside all others", cloud.outliers, letter_of(model)));
  }
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
    comments.push_back(*common ? "A and B keep the coordinates of their files"
                               : (have_common_scale(state) ? "A and B have one scale, but are not placed"s
                                                           : "A and B are not scaled and placed"s) +
                                     " as in their files: where they meet in the scene, they do not meet in the "
                                     "coordinates of their files");
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

/// Puts the file's colours in place of those of the status, for the points `added`, the last ones.
void use_colors(clouds::OwnColors const& own, std::vector<std::uint64_t> const& added, PlyPoints& ply)
{
  std::size_t const first = ply.colors.size() - added.size();
  for (std::size_t i = 0; i < added.size(); ++i) {
    std::uint32_t const color = own.values[added[i]];
    if (color == spatial::AttributeView::missing) { continue; }
    ply.colors[first + i] = {static_cast<std::uint8_t>(color >> 16), static_cast<std::uint8_t>(color >> 8),
                             static_cast<std::uint8_t>(color)};
  }
}

/// Of the points `added`, the last ones. The colours need no columns of their own if they are bytes.
ExportedAttributes attributes_of(PointCloud const& cloud, std::vector<std::uint64_t> const& added, PlyPoints& ply)
{
  ExportedAttributes exported{added.size(), {}};
  auto const own = clouds::own_colors_of(cloud);
  if (own) { use_colors(*own, added, ply); }
  bool const said = own && own->are_exact();
  for (Attribute const& attribute : cloud.attributes) {
    bool const is_part = said && std::ranges::find(own->parts, &attribute) != own->parts.end();
    if (!is_part) { exported.attributes.push_back(attribute.at(added)); }
  }
  return exported;
}

/// Adds what both models' files have as columns. Where one of them lacks an attribute, it is no number, or 0.
void add_attributes(spatial::PerModel<ExportedAttributes> exported, PlyPoints& ply)
{
  static std::set<std::string> const taken{"x",     "y",    "z",     "nx",     "ny",      "nz",      "red",
                                           "green", "blue", "model", "status", "scene_x", "scene_y", "scene_z"};
  std::set<std::string> done;
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

/// A model's voxels, found by the points in them.
class VoxelsByPoint {
public:
  VoxelsByPoint(spatial::SpatialEngine& engine, SpatialState const& state, Model model)
      : voxels_(engine.voxels(model)),
        grid_(state.settings.hashing.grid),
        cloud_(state.clouds[model]),
        pose_(state.poses[model])
  {
    for (std::size_t i = 0; i < voxels_.size(); ++i) { numbers_.emplace(voxels_[i].key, i); }
  }

  std::vector<spatial::VoxelInfo> const& voxels() const { return voxels_; }
  /// The number of the voxel that a point of the cloud is in; nothing outside the grid.
  std::optional<std::size_t> at(std::size_t point) const
  {
    Vector const place = grid_.to_grid(pose_.point(cloud_.positions[point]));
    if (!grid_.contains(place)) { return std::nullopt; }
    auto const found = numbers_.find(key_of(grid_, spatial::VoxelGrid::cell_of(place)));
    return found == numbers_.end() ? std::nullopt : std::optional(found->second);
  }

private:
  std::vector<spatial::VoxelInfo> voxels_;
  spatial::VoxelGrid const& grid_;
  PointCloud const& cloud_;
  spatial::Pose const& pose_;
  std::unordered_map<Key, std::size_t> numbers_;
};

ExportedAttributes add_result_of(spatial::SpatialEngine& engine, SpatialState const& state, Model model, PlyPoints& ply)
{
  VoxelsByPoint const voxels(engine, state, model);
  PointCloud const& cloud = state.clouds[model];
  spatial::Pose const& pose = state.poses[model];
  Rows rows(ply, state, model);
  std::vector<std::uint64_t> added;
  for (std::size_t i = 0; i < cloud.positions.size(); ++i) {
    auto const voxel = voxels.at(i);
    if (!voxel) { continue; }
    VoxelStatus const status = voxels.voxels()[*voxel].status;
    if (!belongs(state.settings.boolean, model, status)) { continue; }
    Position const scene = clouds::to_position(pose.point(cloud.positions[i]));
    if (rows.at_home()) {
      rows.add_original(cloud.frame.original(cloud.positions[i]), cloud.normals[i], scene, status);
    } else {
      rows.add(scene, pose.direction(cloud.normals[i]), status);
    }
    added.push_back(i);
  }
  return attributes_of(cloud, added, ply);
}

/// Sums over a voxel's points, and then means. The engine's own are coarser: it adds up 1/256 of a voxel.
struct VoxelMean {
  double points = 0.0;
  Position original;  ///< in the model's file
  Position scene;
  Position normal;  ///< in the file

  void add(PointCloud const& cloud, spatial::Pose const& pose, std::size_t point)
  {
    points += 1.0;
    original = original + cloud.frame.original(cloud.positions[point]);
    scene = scene + clouds::to_position(pose.point(cloud.positions[point]));
    normal = normal + clouds::to_position(cloud.normals[point]);
  }
};

std::vector<VoxelMean> means_of(VoxelsByPoint const& voxels, PointCloud const& cloud, spatial::Pose const& pose)
{
  std::vector<VoxelMean> means(voxels.voxels().size());
  for (std::size_t i = 0; i < cloud.positions.size(); ++i) {
    if (auto const voxel = voxels.at(i)) { means[*voxel].add(cloud, pose, i); }
  }
  for (VoxelMean& mean : means) {
    double const share = 1.0 / std::max(mean.points, 1.0);
    mean.original = share * mean.original;
    mean.scene = share * mean.scene;
  }
  return means;
}

void add_voxels_of(spatial::SpatialEngine& engine, SpatialState const& state, Model model, PlyPoints& ply)
{
  VoxelsByPoint const voxels(engine, state, model);
  spatial::Pose const& pose = state.poses[model];
  std::vector<VoxelMean> const means = means_of(voxels, state.clouds[model], pose);
  Rows rows(ply, state, model);
  for (std::size_t i = 0; i < means.size(); ++i) {
    spatial::VoxelInfo const& voxel = voxels.voxels()[i];
    bool const cancels_out = voxel.normal == Vector{};
    Vector const normal = cancels_out ? Vector{} : normalized(clouds::to_vector(means[i].normal));
    if (rows.at_home()) {
      rows.add_original(means[i].original, normal, means[i].scene, voxel.status);
    } else {
      rows.add(means[i].scene, pose.direction(normal), voxel.status);
    }
    ply.points.push_back(voxel.points);
  }
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
  for (Model const model : both_models) { add_voxels_of(engine, state, model, ply); }
  return ply;
}

}  // namespace slotscape
