#include "app/scenes/spatial/outputs.hpp"

#include "app/base/json.hpp"
#include "app/base/text.hpp"
#include "app/clouds/coordinate_steps.hpp"
#include "app/scenes/spatial/settings.hpp"
#include "app/simulation/hash_choice.hpp"
#include "app/table_map/known_numbers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace slotscape {
namespace {

using spatial::Model;
using spatial::Stage;
using spatial::VoxelStatus;

constexpr std::array written_statuses{VoxelStatus::inside, VoxelStatus::outside, VoxelStatus::intersection,
                                      VoxelStatus::unknown};

std::string status_name(SpatialReport const& report, VoxelStatus status)
{
  return std::string(name_of_status(status, report.hashing.changes.shown));
}

Json status_json(SpatialReport const& report, Model model)
{
  Json json;
  for (VoxelStatus const status : written_statuses) {
    json[status_name(report, status)] = report.snapshot.models[model].status[static_cast<std::size_t>(status)];
  }
  return json;
}

Json position_json(clouds::Position const& at)
{
  return {at.x, at.y, at.z};
}

/// A voxel's extent is in single precision, so further digits are meaningless.
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

Json size_json(ShownVoxels const& body)
{
  return {{"volume", seven_digits(body.volume())},
          {"surface", seven_digits(body.surface())},
          {"footprint", seven_digits(body.footprint())},
          {"unit", body.unit}};
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
  json["shown_size"] = report.shown[model] ? size_json(*report.shown[model]) : Json();
  if (report.parts.section.shown) {
    json["points_in_section"] = snapshot.points_in_section;
    json["voxels_in_section"] = snapshot.voxels_in_section();
  }
  ModelScale const& scale = report.scales[model];
  json["scene_units_per_file_unit"] = json_or_null(scale.scene_units_per_unit);
  json["voxel_in_file_units"] = scale.voxel_in_file ? Json(seven_digits(*scale.voxel_in_file)) : Json();
  json["cells_in_file"] = scale.cells ? cells_json(*scale.cells) : Json();
  clouds::add_units(json, scale.system);
  if (scale.unit != clouds::FileUnit::as_is) { json["converted_from"] = clouds::short_name_of(scale.unit); }
  if (scale.outliers != 0 || scale.ignores_outliers) {
    json["outliers"] = scale.outliers;
    json["outliers_left_out"] = scale.without_outliers;
  }
  if (std::string const name = name_of(scale.system); !name.empty()) { json["coordinate_system"] = name; }
  json["open_surface"] = scale.open;
  json["normals"] = scale.normals;
  return json;
}

Json section_json(spatial::Section const& section)
{
  if (!section.shown) { return {}; }
  auto const vector_json = [](spatial::Vector const& v) { return Json{v.x, v.y, v.z}; };
  Json json{{"low", vector_json(section.low)}, {"high", vector_json(section.high)}};
  if (section.cuts) { json["plane"] = {{"normal", vector_json(section.normal)}, {"offset", section.offset}}; }
  return json;
}

/// Mean and maximum over both tables.
Json summary_json(Distribution const& a, Distribution const& b)
{
  Distribution both{a.count + b.count, 0.0, std::max(a.max, b.max), {}};
  double const sum = a.mean * static_cast<double>(a.count) + b.mean * static_cast<double>(b.count);
  both.mean = sum / static_cast<double>(std::max<std::uint64_t>(both.count, 1));
  return summary_json(both);
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
  json["hash"] = hash_json(report.hashing.hash);
  json["slots"] = slots;
  json["load_factor"] = slots == 0 ? 0.0 : static_cast<double>(a.live + b.live) / static_cast<double>(slots);
  json["probe_length"] = summary_json(a.probe_length, b.probe_length);
  json["probe_length"]["name"] = family.measure.name;
  json["probe_length"]["unit"] = family.measure.unit;
  json["a"] = table_of_model_json(a);
  json["b"] = table_of_model_json(b);
  return json;
}

/// Medians; null before the first update.
Json stages_json(StageTimes const& stages)
{
  StageTimes::Seconds const medians = stages.medians();
  auto const milliseconds = [&](double seconds) { return stages.frames().empty() ? Json() : Json(1e3 * seconds); };
  Json json;
  for (EnumName<Stage> const& stage : enum_names<Stage>()) {
    json[std::string(stage.text)] = milliseconds(medians[static_cast<std::size_t>(stage.value)]);
  }
  json["total"] = milliseconds(total_of(medians));
  return json;
}

/// The increments of a voxel's key for one step along each axis.
Json key_steps_json(spatial::VoxelGrid const& grid)
{
  Json steps = Json::array();
  for (spatial::Cell const& step : {spatial::Cell{1, 0, 0}, spatial::Cell{0, 1, 0}, spatial::Cell{0, 0, 1}}) {
    steps.push_back(grid.side > spatial::max_narrow_grid_side ? spatial::key_of_cell<std::uint64_t>(step)
                                                              : spatial::key_of_cell<std::uint32_t>(step));
  }
  return steps;
}

std::string size_csv(std::optional<ShownVoxels> const& body)
{
  if (!body) { return ",,,"; }
  return fmt::format("{:.7g},{:.7g},{:.7g},{}", body->volume(), body->surface(), body->footprint(), in_csv(body->unit));
}

std::string models_csv(SpatialReport const& report)
{
  std::string csv = "model,points,outside_grid,voxels,";
  for (VoxelStatus const status : written_statuses) { csv += status_name(report, status) + ","; }
  csv +=
      "shown,slots,load_factor,"
      "probe_length_mean,probe_length_max,voxel_in_scene_units,voxel_in_file_units,file_unit,left_out,"
      "cell_origin_x,cell_origin_y,cell_origin_z,file_unit_of_z,points_in_section,voxels_in_section,"
      "shown_volume,shown_surface,shown_footprint,shown_unit\n";
  for (Model const model : both_models) {
    spatial::ModelSnapshot const& snapshot = report.snapshot.models[model];
    Statistics const& table = report.tables[model];
    std::optional<double> const& in_file = report.scales[model].voxel_in_file;
    auto const count = [&](VoxelStatus status) { return snapshot.status[static_cast<std::size_t>(status)]; };
    ModelScale const& scale = report.scales[model];
    std::string const origin =
        scale.cells ? fmt::format("{},{},{}", scale.cells->origin.x, scale.cells->origin.y, scale.cells->origin.z)
                    : ",,";
    Distribution const& probes = table.probe_length;
    std::string const mean = probes.count == 0 ? "" : fmt::format("{}", probes.mean);
    std::string const longest = probes.count == 0 ? "" : fmt::format("{}", probes.max);
    csv += fmt::format("{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{}\n", letter_of(model),
                       snapshot.points, snapshot.outside_grid, snapshot.voxels, count(VoxelStatus::inside),
                       count(VoxelStatus::outside), count(VoxelStatus::intersection), count(VoxelStatus::unknown),
                       snapshot.shown, table.slots, table.load_factor(), mean, longest, report.hashing.grid.voxel(),
                       in_file ? fmt::format("{:.7g}", *in_file) : "", scale.system.unit,
                       scale.without_outliers ? scale.outliers : 0, origin, scale.system.unit_of_z,
                       snapshot.points_in_section, snapshot.voxels_in_section(), size_csv(report.shown[model]));
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

Json distances_json(SpatialReport const& report)
{
  if (!report.distances) { return {}; }
  DistanceFacts const& facts = *report.distances;
  Json json{{"unit", facts.unit.name}, {"signed", facts.is_signed}, {"threshold", report.threshold}};
  for (Model const model : both_models) {
    DistanceSummary const& summary = facts.of[model];
    json[model == Model::a ? "a_to_b" : "b_to_a"] = {{"points", summary.points},
                                                     {"mean", summary.mean},
                                                     {"rms", summary.rms},
                                                     {"median", summary.median},
                                                     {"percentile_95", summary.percentile_95},
                                                     {"max", summary.max},
                                                     {"share_beyond", facts.share_beyond(model, report.threshold)}};
  }
  return json;
}

/// A histogram of the whole range, in bins of equal width.
std::string distances_csv(DistanceFacts const& facts)
{
  constexpr std::size_t bins = 100;
  double low = 0.0;
  double high = 0.0;
  for (Model const model : both_models) {
    if (facts.ascending[model].empty()) { continue; }
    low = std::min(low, static_cast<double>(facts.ascending[model].front()));
    high = std::max(high, static_cast<double>(facts.ascending[model].back()));
  }
  std::string csv = "from,to,unit,share_a_to_b,share_b_to_a\n";
  std::vector<double> const a = histogram_of(facts.ascending[Model::a], low, high, bins);
  std::vector<double> const b = histogram_of(facts.ascending[Model::b], low, high, bins);
  double const width = (high - low) / static_cast<double>(bins);
  for (std::size_t bin = 0; bin < bins; ++bin) {
    double const from = low + width * static_cast<double>(bin);
    csv += fmt::format("{:.7g},{:.7g},{},{:.7g},{:.7g}\n", from, from + width, in_csv(facts.unit.name), a[bin], b[bin]);
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
  json["grid"]["key_steps"] = key_steps_json(grid);
  json["grid"]["rounding_in_voxels"] = rounding_in_voxels(grid);
  json["common_coordinates"] = report.placement ? Json(*report.placement == PlacedAs::same_coordinates) : Json();
  json["placement"] = report.placement ? Json(to_text(*report.placement)) : Json();
  json["boolean"] = to_text(report.parts.boolean);
  json["hidden"] = names_of_parts(report.parts.hidden, report.hashing.changes.shown);
  json["section"] = section_json(report.parts.section);
  json["distances"] = distances_json(report);
  json["a"] = model_json(report, Model::a);
  json["b"] = model_json(report, Model::b);
  json["table"] = table_json(report);
  json["status"] = {{"a", status_json(report, Model::a)}, {"b", status_json(report, Model::b)}};
  json["flood_fill"] = {{"rounds", snapshot.rounds},
                        {"restarts", snapshot.restarts},
                        {"cleared_seeds", snapshot.cleared}};
  json["stages_ms"] = stages_json(report.stages);
  json["updates"] = report.stages.frames().size();
  json["frames"] = times_json(report.frames.frame_seconds);
  json["present_cpu"] = times_json(report.frames.present_seconds);
  SceneStatistics statistics{std::move(json),
                             {{"models.csv", models_csv(report)}, {"stages.csv", stages_csv(report.stages)}}};
  if (report.distances) { statistics.tables.emplace_back("distances.csv", distances_csv(*report.distances)); }
  return statistics;
}

}  // namespace slotscape
