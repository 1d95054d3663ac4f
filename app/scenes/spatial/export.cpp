#include "app/scenes/spatial/export.hpp"

#include "app/base/text.hpp"
#include "app/languages/languages.hpp"
#include "app/scenes/spatial/coordinates.hpp"
#include "app/scenes/spatial/export_attributes.hpp"
#include "app/scenes/spatial/placement.hpp"
#include "app/scenes/spatial/settings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <tuple>
#include <unordered_map>
#include <utility>

namespace slotscape {
namespace {

using clouds::PlyPoints;
using clouds::PointCloud;
using clouds::Position;
using spatial::Model;
using spatial::Vector;
using spatial::VoxelStatus;

clouds::Color status_color_of(SpatialState const& state, VoxelStatus status)
{
  Color const color = color_of(status_colors(state.settings)[status].rgb(Background::dark));
  auto const byte = [](float channel) { return static_cast<std::uint8_t>(std::lround(channel * 255.0f)); };
  return {byte(color.red), byte(color.green), byte(color.blue)};
}

/// Transforms a direction from the scene to the coordinates of a model in this pose.
Vector direction_in(spatial::Pose const& pose, Vector of)
{
  auto const& [x, y, z] = pose.rotation.rows;
  return of.x * x + of.y * y + of.z * z;
}

/// Adds points of a model, or means of points. They are in the coordinates of the model's file. Those of a built-in
/// shape are transformed from the scene to the coordinates of the other model's file.
class Rows {
public:
  Rows(PlyPoints& ply, SpatialState const& state, Model model)
      : ply_(ply), state_(state), model_(model), home_(home_of(state, model)), to_scene_(scene_of_file(state, model))
  {
    if (home_) { to_file_ = file_of_scene(state, *home_); }
  }

  /// `original`, `normal`: in the model's file.
  void add(Position const& original, Vector normal, spatial::VoxelInfo const& voxel)
  {
    bool const at_home = home_ == model_;
    Position const scene = to_scene_(original);
    ply_.positions.push_back(at_home ? original : to_file_(scene));
    ply_.normals.push_back(at_home ? normal : turned(normal));
    ply_.colors.push_back(status_color_of(state_, voxel.status));
    ply_.model.push_back(static_cast<std::uint8_t>(model_));
    ply_.status.push_back(static_cast<std::uint8_t>(voxel.status));
    ply_.cells.push_back(voxel.cell);
    if (home_) { ply_.scene.push_back(clouds::to_vector(scene)); }
  }

private:
  Vector turned(Vector normal) const
  {
    Vector const in_scene = state_.poses[model_].direction(normal);
    return home_ ? direction_in(state_.poses[*home_], in_scene) : in_scene;
  }

  PlyPoints& ply_;
  SpatialState const& state_;
  Model model_;
  std::optional<Model> home_;
  Similarity to_scene_;
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

std::string text_of(Position const& position)
{
  return fmt::format("({} {} {})", position.x, position.y, position.z);
}

/// The formula for the lower corners of cells.
std::string text_of(CellsInFile const& cells)
{
  return fmt::format("{} + cell_x * {} + cell_y * {} + cell_z * {}", text_of(cells.origin), text_of(cells.steps[0]),
                     text_of(cells.steps[1]), text_of(cells.steps[2]));
}

std::string text_of(spatial::Section const& section)
{
  auto const& [low, high, normal] = std::tuple(section.low, section.high, section.normal);
  std::string text = fmt::format("section: only what is between ({} {} {}) and ({} {} {}) of the scene", low.x, low.y,
                                 low.z, high.x, high.y, high.z);
  if (section.cuts) {
    text += fmt::format(", where {} * x + {} * y + {} * z <= {}", normal.x, normal.y, normal.z, section.offset);
  }
  return text + "; voxels by their middles";
}

/// Explains the numbers of the statuses, with the names used in the window.
std::string legend_of_status(SpatialState const& state)
{
  auto const words = [&](Model model) {
    std::string text;
    for (VoxelStatus const status :
         {VoxelStatus::unknown, VoxelStatus::inside, VoxelStatus::outside, VoxelStatus::intersection}) {
      text += fmt::format("{}{} {}", text.empty() ? "" : ", ", static_cast<int>(status),
                          state.settings.hashing.changes.shown ? name_of_status(status, true)
                                                               : label_of_status(state, model, status));
    }
    return text;
  };
  std::string const of_a = words(Model::a);
  std::string const of_b = words(Model::b);
  return of_a == of_b ? "status: " + of_a : fmt::format("status of A: {}; of B: {}", of_a, of_b);
}

/// Describes the source of a model's normals, the coordinates of its points, and their transformation to the scene.
void describe_coordinates(SpatialState const& state, Model model, std::vector<std::string>& comments)
{
  comments.push_back(
      fmt::format("normals of {}: {}", letter_of(model), clouds::origin_of_normals(state.clouds[model])));
  auto const home = home_of(state, model);
  if (!home) {
    comments.push_back(fmt::format("x y z of {} are in the coordinates of the scene", letter_of(model)));
    return;
  }
  if (*home != model) {
    comments.push_back(fmt::format("{} is a built-in shape: x y z are in the coordinates of the file of {}",
                                   letter_of(model), letter_of(*home)));
    return;
  }
  std::string const width = fmt::format("{:.7g}", *voxel_in_file(state, model));
  comments.push_back(fmt::format("x y z of {} are in the coordinates of its file, where a voxel is {} wide",
                                 letter_of(model), with_units(width, state.clouds[model].system)));
  if (clouds::FileUnit const unit = state.settings.models[model].unit; unit != clouds::FileUnit::as_is) {
    comments.push_back(fmt::format("the file of {} is in {}; its coordinates are converted to metres", letter_of(model),
                                   clouds::short_name_of(unit)));
  }
  comments.push_back(fmt::format("cells of {} begin at {}", letter_of(model), text_of(*cells_in_file(state, model))));
  clouds::PointCloud const& cloud = state.clouds[model];
  if (cloud.without_outliers) {
    comments.push_back(
        fmt::format("{} points of {} are left out: they lie far outside all others", cloud.outliers, letter_of(model)));
  }
  comments.push_back(fmt::format("scene_x scene_y scene_z of {} are these rows times (x y z 1): {}", letter_of(model),
                                 text_of(scene_of_file(state, model))));
}

std::vector<std::string> comments_of(SpatialState const& state, std::string const& what)
{
  InLanguage const english(source_language);  // programs parse the comments of the file
  spatial::VoxelGrid const& grid = state.settings.hashing.grid;
  std::vector<std::string> comments{"Slotscape: " + what, fmt::format("A: {}", state.clouds[Model::a].name),
                                    fmt::format("B: {}", state.clouds[Model::b].name)};
  for (Model const model : both_models) { describe_coordinates(state, model, comments); }
  if (auto const placement = placement_of(state)) {
    bool const same = *placement == PlacedAs::same_coordinates;
    comments.push_back(fmt::format("{} {}{}", sentence_of(*placement), why_placed_so(state, *placement),
                                   same ? ""
                                        : " Where they meet in the scene, they do not meet in the coordinates of their "
                                          "files."));
  }
  comments.push_back(
      fmt::format("grid: {0} voxels per axis, extent {1}, voxel {2}, in units of the scene; cell "
                  "(0 0 0) begins at ({3} {3} {3})",
                  grid.side, grid.extent, grid.voxel(), -grid.extent / 2.0f));
  comments.push_back("model: 0 is A, 1 is B; " + legend_of_status(state));
  if (state.settings.section.shown) { comments.push_back(text_of(state.settings.section)); }
  return comments;
}

/// A subset of a model's voxels, looked up by points.
class VoxelsByPoint {
public:
  VoxelsByPoint(std::vector<spatial::VoxelInfo> voxels, SpatialState const& state, Model model)
      : voxels_(std::move(voxels)), grid_(state.settings.hashing.grid), state_(state), model_(model)
  {
    for (std::size_t i = 0; i < voxels_.size(); ++i) { numbers_.emplace(voxels_[i].key, i); }
  }

  std::vector<spatial::VoxelInfo> const& voxels() const { return voxels_; }
  /// The index of the voxel that contains a point of the cloud; nothing if it is outside the grid.
  std::optional<std::size_t> at(std::size_t point) const
  {
    Vector const place = grid_.to_grid(in_scene(point));
    if (!grid_.contains(place)) { return std::nullopt; }
    auto const found = numbers_.find(key_of(grid_, spatial::VoxelGrid::cell_of(place)));
    return found == numbers_.end() ? std::nullopt : std::optional(found->second);
  }
  /// The position of a cloud's point in the engine.
  Vector in_scene(std::size_t point) const
  {
    return state_.engine_poses[model_].point(engine_point(state_.clouds[model_], state_.frames[model_], point));
  }

private:
  std::vector<spatial::VoxelInfo> voxels_;
  spatial::VoxelGrid const& grid_;
  SpatialState const& state_;
  Model model_;
  std::unordered_map<Key, std::size_t> numbers_;
};

/// The number of a point in its file; -1 for a sample of a surface, or if the reader thinned the file.
std::int32_t row_of(PointCloud const& cloud, std::size_t point)
{
  return cloud.numbers.empty() ? -1 : static_cast<std::int32_t>(cloud.numbers[point]);
}

ExportedAttributes add_result_of(spatial::SpatialEngine& engine, SpatialState const& state, Model model, PlyPoints& ply)
{
  VoxelsByPoint const voxels(engine.voxels(model), state, model);
  PointCloud const& cloud = state.clouds[model];
  spatial::ShownParts const parts = shown_parts(state.settings);
  Rows rows(ply, state, model);
  std::vector<std::uint64_t> added;
  for (std::size_t i = 0; i < cloud.positions.size(); ++i) {
    auto const number = voxels.at(i);
    if (!number) { continue; }
    spatial::VoxelInfo const& voxel = voxels.voxels()[*number];
    if (!belongs(parts, model, voxel.status, voxels.in_scene(i))) { continue; }
    rows.add(cloud.original(i), cloud.normals[i], voxel);
    ply.rows.push_back(row_of(cloud, i));
    added.push_back(i);
  }
  return attributes_of_points(cloud, added, ply);
}

/// Accumulates a voxel's points and then holds their means. The engine's own means are coarser: it sums units of 1/256
/// voxel.
struct VoxelMean {
  double points = 0.0;
  Position original;  ///< mean position in the model's file
  Position normal;

  void add(PointCloud const& cloud, std::size_t point)
  {
    points += 1.0;
    original = original + cloud.original(point);
    normal = normal + clouds::to_position(cloud.normals[point]);
  }
};

/// The voxel of each point; `in_no_voxel` outside the grid.
std::vector<std::size_t> voxels_of_points(VoxelsByPoint const& voxels, PointCloud const& cloud)
{
  std::vector<std::size_t> numbers(cloud.positions.size());
  for (std::size_t i = 0; i < numbers.size(); ++i) { numbers[i] = voxels.at(i).value_or(in_no_voxel); }
  return numbers;
}

std::vector<VoxelMean> means_of(std::vector<std::size_t> const& voxel_of_point, std::size_t voxels,
                                PointCloud const& cloud)
{
  std::vector<VoxelMean> means(voxels);
  for (std::size_t i = 0; i < voxel_of_point.size(); ++i) {
    if (voxel_of_point[i] != in_no_voxel) { means[voxel_of_point[i]].add(cloud, i); }
  }
  for (VoxelMean& mean : means) { mean.original = (1.0 / std::max(mean.points, 1.0)) * mean.original; }
  return means;
}

std::vector<spatial::VoxelInfo> voxels_in_section(spatial::SpatialEngine& engine, SpatialState const& state,
                                                  Model model)
{
  std::vector<spatial::VoxelInfo> voxels = engine.voxels(model);
  spatial::VoxelGrid const& grid = state.settings.hashing.grid;
  std::erase_if(voxels, [&](spatial::VoxelInfo const& voxel) {
    return !state.settings.section.contains(grid.middle(voxel.cell));
  });
  return voxels;
}

ExportedAttributes add_voxels_of(spatial::SpatialEngine& engine, SpatialState const& state, Model model, PlyPoints& ply)
{
  VoxelsByPoint const voxels(voxels_in_section(engine, state, model), state, model);
  PointCloud const& cloud = state.clouds[model];
  std::vector<std::size_t> const voxel_of_point = voxels_of_points(voxels, cloud);
  std::vector<VoxelMean> const means = means_of(voxel_of_point, voxels.voxels().size(), cloud);
  Rows rows(ply, state, model);
  for (std::size_t i = 0; i < means.size(); ++i) {
    spatial::VoxelInfo const& voxel = voxels.voxels()[i];
    bool const cancels_out = voxel.normal == Vector{};
    rows.add(means[i].original, cancels_out ? Vector{} : normalized(clouds::to_vector(means[i].normal)), voxel);
    ply.points.push_back(voxel.points);
  }
  return attributes_of_voxels(cloud, voxel_of_point, means.size(), ply);
}

}  // namespace

PlyPoints result_points(spatial::SpatialEngine& engine, SpatialState const& state)
{
  PlyPoints ply;
  bool const changes = state.settings.hashing.changes.shown;
  std::vector<std::string> const hidden = names_of_parts(state.settings.hidden, changes);
  std::string const of = changes
                             ? "points of the changes between A and B"
                             : fmt::format("points of the result of the Boolean '{}'", to_text(state.settings.boolean));
  ply.comments = comments_of(state, of + (hidden.empty() ? "" : ", without what is hidden: " + listed(hidden)));
  spatial::PerModel<ExportedAttributes> exported;
  for (Model const model : both_models) { exported[model] = add_result_of(engine, state, model, ply); }
  add_attributes(exported, ply);
  return ply;
}

PlyPoints all_voxels(spatial::SpatialEngine& engine, SpatialState const& state)
{
  PlyPoints ply;
  ply.comments = comments_of(state, "voxels: the means of the points in each, and the class of the first of them");
  spatial::PerModel<ExportedAttributes> exported;
  for (Model const model : both_models) { exported[model] = add_voxels_of(engine, state, model, ply); }
  add_attributes(exported, ply);
  return ply;
}

}  // namespace slotscape
