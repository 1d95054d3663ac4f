#include "app/scene/scenario.hpp"

#include "app/base/catalogue.hpp"
#include "app/base/encoding.hpp"
#include "app/base/files.hpp"
#include "app/base/json_edit.hpp"
#include "app/base/scenario_files.hpp"
#include "app/base/temporary_file.hpp"
#include "gpu/base/error.hpp"
#include "gpu/base/translation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>

namespace slotscape {

namespace fs = std::filesystem;

namespace {

void check_version(JsonNode const& root)
{
  JsonNode const version = root.at("version");
  if (version.whole_number(0, 1'000'000) != scenario_version) {
    version.fail(tr("unknown version; this Slotscape reads version {}", scenario_version));
  }
}

/// The scene whose name is a field of the document; null if there is none.
SceneEntry const* named_scene(SceneList scenes, JsonNode const& root)
{
  for (SceneEntry const& scene : scenes) {
    if (!scene.claims && root.find(scene.name)) { return &scene; }
  }
  return nullptr;
}

SceneEntry const& claiming_scene(SceneList scenes, JsonNode const& root)
{
  for (SceneEntry const& scene : scenes) {
    if (scene.claims && scene.claims(root)) { return scene; }
  }
  root.fail("these fields do not belong to any scene");
}

void translate(ScenarioWords& words)
{
  for (std::string* const text : {&words.title, &words.caption, &words.notes}) {
    *text = translated(*text, lesson_context);
  }
}

/// Calls f(text) for each text in a document, at any depth.
template <class Node, class Function>
void for_each_text(Node& node, Function const& f)
{
  for (Node& each : node) {
    if (each.is_string()) { f(each); }
    if (each.is_structured()) { for_each_text(each, f); }
  }
}

/// The endings of the files that a scenario has written beside itself.
std::set<std::string> endings_of(Paths const& files, fs::path const& scenario)
{
  std::set<std::string> endings;
  for (fs::path const& file : files) { endings.insert(ending_beside(scenario, file.filename().string())); }
  return endings;
}

/// The files with one of these endings that a scenario "table.json" names beside itself: "table.pairs" or
/// "table-2.pairs". Empty if the scenario is missing or cannot be read.
std::set<fs::path> files_beside(fs::path const& scenario, std::set<std::string> const& endings)
{
  std::set<fs::path> files;
  try {
    Json const document = parse_json(read_text_file(scenario), path_text(scenario));
    if (!document.is_structured()) { return {}; }
    for_each_text(document, [&](Json const& text) {
      fs::path const name = path_of_text(text.get<std::string>());
      bool const is_beside = !name.has_parent_path() && endings.contains(ending_beside(scenario, name.string()));
      if (is_beside) { files.insert(scenario.parent_path() / name); }
    });
  } catch (Error const&) {
    return {};
  }
  return files;
}

/// The temporary file that a text of a document in `folder` names; nothing if it names none.
std::optional<fs::path> temporary_file_of(Json const& text, fs::path const& folder)
{
  fs::path const file = folder / path_of_text(text.get<std::string>());
  return is_temporary(file) ? std::optional(file) : std::nullopt;
}

void make_copy(fs::path const& from, fs::path const& to)
{
  std::error_code failure;
  fs::copy_file(from, to, failure);
  if (!failure) { return; }
  remove_quietly(to);
  throw Error(tr("Could not copy {} to {}: {}.", path_text(from), path_text(to), failure.message()));
}

/// Copies the temporary files that a document names to "table.copy.ply" and so on, and puts these names into the
/// document. `copies`: receives the copies made, even if an error is thrown.
void keep_temporary_files(Json& document, fs::path const& scenario, Paths& copies)
{
  fs::path const folder = fs::absolute(scenario).parent_path();
  std::map<fs::path, std::string> names;
  for_each_text(document, [&](Json& text) {
    auto const file = temporary_file_of(text, folder);
    if (!file) { return; }
    std::string& name = names[*file];
    if (name.empty()) {
      fs::path const copy = free_file_beside(scenario, ".copy" + file->extension().string());
      make_copy(*file, copy);
      copies.push_back(copy);
      name = path_text(copy.filename());
    }
    text = name;
  });
}

Json json_of(Scenario const& scenario, fs::path const& folder)
{
  Json root;
  root["version"] = scenario_version;
  write_fields(root, folder, fields_of<ScenarioWords>(), scenario.words);
  Json fields = scenario.scene->write(scenario.set_up, folder);
  if (scenario.scene->claims) {
    root.update(fields);
  } else {
    root[std::string(scenario.scene->name)] = std::move(fields);
  }
  erase_not_finite(root);
  return root;
}

}  // namespace

template <>
std::span<Setting<ScenarioWords> const> settings_of()
{
  using Words = ScenarioWords;
  static auto const settings = std::to_array<Setting<Words>>({
      text_setting({.name = "title", .what = "what the scenario is called, in one line below the scene"},
                   &Words::title),
      text_setting({.name = "caption", .what = "what is said of it, below its title"}, &Words::caption),
      text_setting({.name = "notes", .what = "words for a [lecturer](writing-a-lesson.md#tours-and-lectures) alone"},
                   &Words::notes),
  });
  return settings;
}

std::vector<SettingRow> scenario_rows(SceneList scenes)
{
  std::vector<SettingRow> rows{
      {"version", fmt::format("the version of the format: {}", scenario_version), "must be there"}};
  std::ranges::move(rows_of<ScenarioWords>(), std::back_inserter(rows));
  for (SceneEntry const& scene : scenes) {
    if (scene.claims && scene.reference) { std::ranges::move(scene.reference(), std::back_inserter(rows)); }
  }
  for (SceneEntry const& scene : scenes) {
    if (scene.claims || !scene.reference) { continue; }
    rows.push_back({std::string(scene.name),
                    fmt::format("the scene [{}](#{}), instead of everything else but `version`, `title`, `caption` and "
                                "`notes`",
                                scene.title, scene.name),
                    ""});
  }
  return rows;
}

Scenario scenario_of(SceneList scenes, Json document, std::shared_ptr<JsonSource> const& source,
                     std::string const& path, Versioned versioned)
{
  JsonNode const root(document, source, path);
  if (!root.is_object()) { root.expect_fields({}); }
  Scenario scenario;
  for (SceneEntry const& scene : scenes) {
    auto adopted = scene.adopt ? scene.adopt(root) : std::nullopt;
    if (!adopted) { continue; }
    scenario.scene = &scene;
    scenario.set_up = *std::move(adopted);
    return scenario;
  }
  read_known_fields(root, fields_of<ScenarioWords>(), scenario.words);
  translate(scenario.words);
  for (Field<ScenarioWords> const& field : fields_of<ScenarioWords>()) { document.erase(std::string(field.name)); }
  bool const has_version = document.contains("version");
  if (SceneEntry const* const scene = named_scene(scenes, root)) {
    root.expect_fields({"version", scene->name});
    if (has_version || versioned == Versioned::yes) { check_version(root); }
    scenario.scene = scene;
    scenario.set_up = scene->read(root.at(scene->name));
    return scenario;
  }
  scenario.scene = &claiming_scene(scenes, root);
  if (has_version) { check_version(root); }
  document.erase("version");
  scenario.set_up = scenario.scene->read(root);
  if (!has_version && versioned == Versioned::yes) { root.at("version"); }
  return scenario;
}

Scenario parse_scenario(SceneList scenes, std::string const& text, std::string const& name, fs::path const& folder,
                        Reach reach)
{
  auto const source = std::make_shared<JsonSource>(JsonSource{.name = name, .folder = folder, .reach = reach});
  return scenario_of(scenes, parse_json(text, name), source, "", Versioned::yes);
}

Scenario read_scenario(SceneList scenes, fs::path const& file, Reach reach)
{
  return parse_scenario(scenes, read_input_file(file), path_text(file), file.parent_path(), reach);
}

std::string format_scenario(Scenario const& scenario, fs::path const& folder)
{
  return format_json(json_of(scenario, folder));
}

bool names_temporary_file(Scenario const& scenario)
{
  Json const document = json_of(scenario, {});
  bool found = false;
  for_each_text(document, [&](Json const& text) { found = found || temporary_file_of(text, {}).has_value(); });
  return found;
}

Paths write_scenario(fs::path const& file, Scenario scenario)
{
  Paths beside;
  std::set<fs::path> outdated;
  std::set<std::string> endings;
  try {
    if (scenario.scene->write_beside) { beside = scenario.scene->write_beside(scenario.set_up, file); }
    Json document = json_of(scenario, fs::absolute(file).parent_path());
    keep_temporary_files(document, file, beside);
    endings = endings_of(beside, file);
    outdated = files_beside(file, endings);
    write_text_file(file, format_json(document));
  } catch (...) {
    std::ranges::for_each(beside, remove_quietly);
    throw;
  }
  for (fs::path const& needed : files_beside(file, endings)) { outdated.erase(needed); }
  std::ranges::for_each(outdated, remove_quietly);
  beside.insert(beside.begin(), file);
  return beside;
}

}  // namespace slotscape
