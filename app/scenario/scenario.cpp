#include "app/scenario/scenario.hpp"

#include "app/files/text_file.hpp"
#include "app/scenario/steps_json.hpp"
#include "app/scenes/spatial/settings_json.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace slotscape {

namespace fs = std::filesystem;

namespace {

constexpr int scenario_version = 1;

void check_version(JsonNode const& root)
{
  JsonNode const version = root.at("version");
  if (version.whole_number(0, 1'000'000) != scenario_version) {
    version.fail(fmt::format("this version is not known; this Slotscape reads version {}", scenario_version));
  }
}

/// Of the tables, the fewest.
int key_bits_of(Scenario const& scenario)
{
  int bits = scenario.settings.table.key_bits;
  for (TableSettings const& table : scenario.tables) { bits = std::min(bits, table.key_bits); }
  return bits;
}

Scenario read_spatial_scenario(JsonNode const& root, fs::path const& folder)
{
  root.expect_fields({"version", "spatial"});
  check_version(root);
  Scenario scenario;
  scenario.spatial = read_spatial_settings(root.at("spatial"), folder);
  return scenario;
}

std::string format_in(Scenario const& scenario, fs::path const& folder)
{
  Json root;
  root["version"] = scenario_version;
  if (scenario.spatial) {
    root["spatial"] = spatial_settings_json(*scenario.spatial, folder);
    return format_json(root);
  }
  if (!scenario.tables.empty()) { write_tables(root, scenario.tables); }
  write_slots_settings(root, scenario.settings, folder);
  if (!scenario.tables.empty()) { root.erase("table"); }
  root["steps"] = steps_json(scenario, folder);
  return format_json(root);
}

}  // namespace

SceneKind kind_of(Scenario const& scenario)
{
  if (scenario.spatial) { return SceneKind::spatial; }
  return scenario.tables.empty() ? SceneKind::slots : SceneKind::compare;
}

Scenario parse_scenario(std::string const& text, std::string const& name, fs::path const& folder)
{
  Json const document = parse_json(text, name);
  JsonNode const root(document, name);
  if (root.is_object() && root.find("spatial")) { return read_spatial_scenario(root, folder); }
  std::vector<std::string_view> fields(std::begin(slots_settings_fields), std::end(slots_settings_fields));
  fields.insert(fields.begin(), {"version", "steps"});
  fields.insert(fields.end(), {"tables", "spatial"});
  root.expect_fields(fields);
  check_version(root);

  KeyFiles files(folder);
  Scenario scenario;
  scenario.settings = read_slots_settings(root, files);
  scenario.tables = read_tables(root);
  if (!scenario.tables.empty()) { scenario.settings.table = scenario.tables.front(); }
  KeySettings const base = scenario.settings.keys;
  if (auto const steps = root.find("steps")) {
    if (!root.find("keys")) { scenario.settings.keys = first_insert_keys(*steps, files).value_or(base); }
    scenario.steps = read_steps(*steps, scenario.settings, base, key_bits_of(scenario), files);
    scenario.step_mode = read_step_mode(*steps, key_bits_of(scenario));
  }
  return scenario;
}

Scenario read_scenario(fs::path const& file)
{
  return parse_scenario(read_text_file(file), file.string(), file.parent_path());
}

std::string format_scenario(Scenario const& scenario)
{
  return format_in(scenario, {});
}

void write_scenario(fs::path const& file, Scenario const& scenario)
{
  write_text_file(file, format_in(scenario, fs::absolute(file).parent_path()));
}

}  // namespace slotscape
