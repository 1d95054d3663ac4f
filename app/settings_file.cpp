#include "app/settings_file.hpp"

#include "app/files/key_file.hpp"
#include "app/files/text_file.hpp"
#include "app/scenario/settings_json.hpp"
#include "app/scenes/spatial/settings_json.hpp"
#include "gpu/error.hpp"

#include <fmt/format.h>

#include <cstdlib>
#include <system_error>
#include <utility>

namespace slotscape {

namespace fs = std::filesystem;

namespace {

constexpr int settings_version = 1;
constexpr double largest_ui_scale = 8.0;

using Panel = std::pair<std::string_view, bool UserSettings::*>;
constexpr Panel panels[]{{"controls", &UserSettings::show_controls},
                         {"statistics", &UserSettings::show_statistics},
                         {"plots", &UserSettings::show_plots},
                         {"inspector", &UserSettings::show_inspector},
                         {"keys_help", &UserSettings::show_keys_help}};

void read_window(JsonNode const& node, UserSettings& settings)
{
  node.expect_fields({"width", "height"});
  if (auto const width = node.find("width")) {
    settings.window_width = static_cast<int>(width->whole_number(320, 16384));
  }
  if (auto const height = node.find("height")) {
    settings.window_height = static_cast<int>(height->whole_number(240, 16384));
  }
}

void read_panels(JsonNode const& node, UserSettings& settings)
{
  std::vector<std::string_view> names;
  for (auto const& [name, shown] : panels) { names.push_back(name); }
  node.expect_fields(names);
  for (auto const& [name, shown] : panels) {
    if (auto const panel = node.find(name)) { settings.*shown = panel->flag(); }
  }
}

/// A key file can be gone by the next start. The other settings are then still good: leaves the stream at its default
/// distribution and returns what to tell the user.
std::string drop_lost_key_file(Json& document)
{
  if (!document.is_object() || !document.contains("keys") || !document["keys"].is_object()) { return {}; }
  Json& keys = document["keys"];
  if (!keys.contains("file") || !keys["file"].is_string()) { return {}; }
  try {
    read_key_file(keys["file"].get<std::string>());
    return {};
  } catch (Error const& error) {
    keys.erase("file");
    if (keys.contains("distribution") && keys["distribution"] == to_text(KeyDistribution::file)) {
      keys.erase("distribution");
    }
    return fmt::format("The key file of the last time is not used: {}", error.what());
  }
}

/// The same of all scenes.
std::string drop_lost_key_files(Json& document)
{
  std::string const message = drop_lost_key_files(document);
  if (!document.is_object() || !document.contains("compare")) { return message; }
  std::string const of_compare = drop_lost_key_file(document["compare"]);
  return message.empty() ? of_compare : message;
}

CompareSettings read_compare(JsonNode const& node, KeyFiles& files)
{
  std::vector<std::string_view> fields(std::begin(slots_settings_fields), std::end(slots_settings_fields));
  fields.push_back("tables");
  node.expect_fields(fields);
  CompareSettings compare{read_tables(node), read_slots_settings(node, files)};
  if (!compare.tables.empty()) { compare.shared.table = compare.tables.front(); }
  return compare;
}

Json compare_json(CompareSettings const& compare)
{
  Json json;
  write_tables(json, compare.tables);
  write_slots_settings(json, compare.shared, {});
  json.erase("table");
  return json;
}

UserSettings read_settings(Json const& document, fs::path const& file)
{
  JsonNode const root(document, file.string());
  std::vector<std::string_view> fields(std::begin(slots_settings_fields), std::end(slots_settings_fields));
  fields.insert(fields.end(), {"version", "ui_scale", "window", "panels", "scene", "compare", "spatial"});
  root.expect_fields(fields);
  root.at("version").whole_number(settings_version, settings_version);

  KeyFiles files(file.parent_path());
  UserSettings settings;
  settings.slots = read_slots_settings(root, files);
  if (auto const scene = root.find("scene")) { settings.scene = scene->one_of<SceneKind>("scene"); }
  if (auto const compare = root.find("compare")) { settings.compare = read_compare(*compare, files); }
  if (auto const spatial = root.find("spatial")) {
    settings.spatial = read_spatial_settings(*spatial, file.parent_path());
  }
  if (auto const scale = root.find("ui_scale")) {
    settings.ui_scale = static_cast<float>(scale->number(0.0, largest_ui_scale));
  }
  if (auto const window = root.find("window")) { read_window(*window, settings); }
  if (auto const shown = root.find("panels")) { read_panels(*shown, settings); }
  return settings;
}

std::string set_aside(fs::path const& file, std::string const& why)
{
  std::error_code failure;
  fs::path aside = file;
  aside += ".broken";
  for (int number = 2; fs::exists(aside, failure); ++number) {
    aside = file;
    aside += fmt::format(".broken-{}", number);
  }
  failure.clear();
  if (fs::is_regular_file(file, failure)) { fs::rename(file, aside, failure); }
  bool const moved = !failure && fs::exists(aside, failure);
  std::string const where = moved ? fmt::format("it is now {}", aside.string()) : "it could not be set aside";
  return fmt::format("The settings file was not understood; {}, and the defaults are used. ({})", where, why);
}

}  // namespace

fs::path settings_path(fs::path const& given)
{
  if (!given.empty()) { return given; }
  char const* const config = std::getenv("XDG_CONFIG_HOME");
  if (config != nullptr && fs::path(config).is_absolute()) { return fs::path(config) / "slotscape" / "settings.json"; }
  char const* const home = std::getenv("HOME");
  return fs::path(home != nullptr ? home : ".") / ".config" / "slotscape" / "settings.json";
}

void set_scene(UserSettings& settings, Scenario const& scenario)
{
  settings.scene = kind_of(scenario);
  switch (settings.scene) {
    case SceneKind::slots: settings.slots = scenario.settings; break;
    case SceneKind::compare: settings.compare = {scenario.tables, scenario.settings}; break;
    case SceneKind::spatial: settings.spatial = scenario.spatial.value(); break;
  }
}

LoadedSettings load_settings(fs::path const& file)
{
  std::error_code failure;
  if (fs::status(file, failure).type() == fs::file_type::not_found) { return {}; }
  try {
    Json document = parse_json(read_text_file(file), file.string());
    std::string message = drop_lost_key_file(document);
    return {read_settings(document, file), std::move(message)};
  } catch (Error const& error) {
    return {UserSettings{}, set_aside(file, error.what())};
  }
}

void save_settings(fs::path const& file, UserSettings const& settings)
{
  Json root;
  root["version"] = settings_version;
  root["ui_scale"] = settings.ui_scale;
  root["window"] = {{"width", settings.window_width}, {"height", settings.window_height}};
  for (auto const& [name, shown] : panels) { root["panels"][std::string(name)] = settings.*shown; }
  root["scene"] = to_text(settings.scene);
  write_slots_settings(root, settings.slots, {});
  if (!settings.compare.tables.empty()) { root["compare"] = compare_json(settings.compare); }
  root["spatial"] = spatial_settings_json(settings.spatial, {});
  std::error_code failure;
  if (file.has_parent_path()) { fs::create_directories(file.parent_path(), failure); }
  write_text_file(file, format_json(root));
}

}  // namespace slotscape
