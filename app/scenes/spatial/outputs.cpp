#include "app/scenes/spatial/outputs.hpp"

#include "app/base/json.hpp"
#include "app/base/text.hpp"
#include "app/clouds/coordinate_steps.hpp"
#include "app/scenes/spatial/settings.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace slotscape {
namespace {

using spatial::Model;
using spatial::Stage;
using spatial::VoxelStatus;

Json status_json(spatial::ModelSnapshot const& snapshot)
{
  Json json;
  for (VoxelStatus const status :
       {VoxelStatus::inside, VoxelStatus::outside, VoxelStatus::intersection, VoxelStatus::unknown}) {
    json[std::string(to_text(status))] = snapshot.status[static_cast<std::size_t>(status)];
  }
  return json;
}

Json number_json(std::optional<double> const& number)
{
  return number ? Json(*number) : Json();
}

Json position_json(clouds::Position const& at)
{
  return {at.x, at.y, at.z};
}

/// A voxel's extent is single precision: digits beyond that would say nothing.
double seven_digits(double number)
{
  return parse_number<double>(fmt::format("{:.7g}", number)).value_or(number);
}

Json cells_json(CellsInFile const& cells)
{
  Json steps = Json::array();
  for (clouds::Position const& step : cells.steps) { steps.push_back(position_json(step)); }
  return {{"origin", position_json(cells.origin)}, {"steps", std::move(steps)}};
}

Json model_json(SpatialReport const& report, Model model)
{
  spatial::ModelSnapshot const& snapshot = report.snapshot.models[model];
  Json json;
  json["source"] = report.sources[model];
  json["points"] = snapshot.points;
  json["outside_grid"] = snapshot.outside_grid;
  json["voxels"] = snapshot.voxels;
  json["shown"] = snapshot.shown;
  ModelScale const& scale = report.scales[model];
  json["scene_units_per_file_unit"] = number_json(scale.scene_units_per_unit);
  json["voxel_in_file_units"] = scale.voxel_in_file ? Json(seven_digits(*scale.voxel_in_file)) : Json();
  json["cells_in_file"] = scale.cells ? cells_json(*scale.cells) : Json();
  clouds::add_units(json, scale.system);
  if (scale.outliers != 0 || scale.ignores_outliers) {
    json["outliers"] = scale.outliers;
    json["outliers_left_out"] = scale.without_outliers;
  }
  if (std::string const name = name_of(scale.system); !name.empty()) { json["coordinate_system"] = name; }
  json["open_surface"] = scale.open;
  return json;
}

/// Mean and maximum over both tables.
Json summary_json(Distribution const& a, Distribution const& b)
{
  auto const count = static_cast<double>(std::max<std::uint64_t>(a.count + b.count, 1));
  Json json;
  json["mean"] = (a.mean * static_cast<double>(a.count) + b.mean * static_cast<double>(b.count)) / count;
  json["max"] = std::max(a.max, b.max);
  return json;
}

Json summary_json(Distribution const& of)
{
  return summary_json(of, {});
}

Json table_of_model_json(Statistics const& statistics)
{
  Json json;
  json["slots"] = statistics.slots;
  json["load_factor"] = statistics.load_factor();
  json["probe_length"] = summary_json(statistics.probe_length);
  json["hit_accesses"] = summary_json(statistics.hit_accesses);
  return json;
}

Json table_json(SpatialReport const& report)
{
  Statistics const& a = report.tables[Model::a];
  Statistics const& b = report.tables[Model::b];
  FamilyInfo const& family = family_info(report.hashing.family);
  std::uint64_t const slots = a.slots + b.slots;
  Json json;
  json["family"] = report.hashing.family;
  json["hash"] = to_text(report.hashing.hash);
  json["slots"] = slots;
  json["load_factor"] = slots == 0 ? 0.0 : static_cast<double>(a.live + b.live) / static_cast<double>(slots);
  json["probe_length"] = summary_json(a.probe_length, b.probe_length);
  json["probe_length"]["name"] = family.measure.name;
  json["probe_length"]["unit"] = family.measure.unit;
  json["a"] = table_of_model_json(a);
  json["b"] = table_of_model_json(b);
  return json;
}

Json stages_json(StageTimes::Seconds const& medians)
{
  Json json;
  for (EnumName<Stage> const& stage : enum_names<Stage>()) {
    json[std::string(stage.text)] = 1e3 * medians[static_cast<std::size_t>(stage.value)];
  }
  json["total"] = 1e3 * total_of(medians);
  return json;
}

std::string models_csv(SpatialReport const& report)
{
  std::string csv =
      "model,points,outside_grid,voxels,inside,outside,intersection,unknown,shown,slots,load_factor,"
      "probe_length_mean,probe_length_max,voxel_in_scene_units,voxel_in_file_units,file_unit,left_out,"
      "cell_origin_x,cell_origin_y,cell_origin_z,file_unit_of_z\n";
  for (Model const model : both_models) {
    spatial::ModelSnapshot const& snapshot = report.snapshot.models[model];
    Statistics const& table = report.tables[model];
    std::optional<double> const& in_file = report.scales[model].voxel_in_file;
    auto const count = [&](VoxelStatus status) { return snapshot.status[static_cast<std::size_t>(status)]; };
    ModelScale const& scale = report.scales[model];
    std::string const origin =
        scale.cells ? fmt::format("{},{},{}", scale.cells->origin.x, scale.cells->origin.y, scale.cells->origin.z)
                    : ",,";
    csv += fmt::format("{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{}\n", letter_of(model), snapshot.points,
                       snapshot.outside_grid, snapshot.voxels, count(VoxelStatus::inside), count(VoxelStatus::outside),
                       count(VoxelStatus::intersection), count(VoxelStatus::unknown), snapshot.shown, table.slots,
                       table.load_factor(), table.probe_length.mean, table.probe_length.max,
                       report.hashing.grid.voxel(), in_file ? fmt::format("{:.7g}", *in_file) : "", scale.system.unit,
                       scale.without_outliers ? scale.outliers : 0, origin, scale.system.unit_of_z);
  }
  return csv;
}

std::string stages_csv(StageTimes const& stages)
{
  std::string csv = "update";
  for (EnumName<Stage> const& stage : enum_names<Stage>()) { csv += fmt::format(",{}_ms", stage.text); }
  csv += ",total_ms\n";
  std::size_t number = 0;
  for (StageTimes::Seconds const& seconds : stages.frames()) {
    csv += fmt::format("{}", number++);
    for (EnumName<Stage> const& stage : enum_names<Stage>()) {
      csv += fmt::format(",{}", 1e3 * seconds[static_cast<std::size_t>(stage.value)]);
    }
    csv += fmt::format(",{}\n", 1e3 * total_of(seconds));
  }
  return csv;
}

}  // namespace

SceneStatistics statistics_of(SpatialReport const& report)
{
  spatial::SpatialSnapshot const& snapshot = report.snapshot;
  Json json;
  json["backend"] = report.backend;
  json["device"] = report.device;
  json["present"] = report.present;
  spatial::VoxelGrid const& grid = report.hashing.grid;
  json["grid"] = {{"side", grid.side}, {"extent", grid.extent}, {"voxel", grid.voxel()}, {"unit", "scene"}};
  json["common_coordinates"] = report.placement ? Json(*report.placement == PlacedAs::same_coordinates) : Json();
  json["placement"] = report.placement ? Json(to_text(*report.placement)) : Json();
  json["boolean"] = to_text(report.parts.boolean);
  json["hidden"] = names_of_parts(report.parts.hidden);
  json["a"] = model_json(report, Model::a);
  json["b"] = model_json(report, Model::b);
  json["table"] = table_json(report);
  json["status"] = {{"a", status_json(snapshot.models[Model::a])}, {"b", status_json(snapshot.models[Model::b])}};
  json["flood_fill"] = {{"rounds", snapshot.rounds},
                        {"restarts", snapshot.restarts},
                        {"cleared_seeds", snapshot.cleared}};
  json["stages_ms"] = stages_json(report.stages.medians());
  json["updates"] = report.stages.frames().size();
  json["frames"] = times_json(report.frames.frame_seconds);
  json["present_cpu"] = times_json(report.frames.present_seconds);
  return {std::move(json), {{"models.csv", models_csv(report)}, {"stages.csv", stages_csv(report.stages)}}};
}

}  // namespace slotscape
