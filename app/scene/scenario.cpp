#include "app/scene/scenario.hpp"

#include "app/base/catalogue.hpp"
#include "app/base/encoding.hpp"
#include "app/base/files.hpp"
#include "app/base/json_edit.hpp"
#include "app/base/scenario_files.hpp"
#include "gpu/base/error.hpp"
#include "gpu/base/translation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
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

void collect_texts(Json const& node, std::set<std::string>& texts)
{
  for (Json const& each : node) {
    if (each.is_string()) { texts.insert(each.get<std::string>()); }
    if (each.is_structured()) { collect_texts(each, texts); }
  }
}

/// The files that a scenario "table.json" names which are beside it as `example` is: like "table-3.pairs", they are
/// "table.pairs" or "table-2.pairs". None if there is no scenario that can be read.
std::set<fs::path> files_like(fs::path const& example, fs::path const& scenario)
{
  std::set<std::string> texts;
  try {
    Json const document = parse_json(read_text_file(scenario), path_text(scenario));
    if (document.is_structured()) { collect_texts(document, texts); }
  } catch (Error const&) {
    return {};
  }
  std::string const own = scenario_stem(scenario);
  auto const is_own = [&](std::string const& stem) {
    if (!stem.starts_with(own)) { return false; }
    std::string_view const rest = std::string_view(stem).substr(own.size());
    bool const has_digits = rest.size() > 1 && rest.find_first_not_of("0123456789", 1) == std::string_view::npos;
    return rest.empty() || (rest.front() == '-' && has_digits);
  };
  std::set<fs::path> files;
  for (std::string const& text : texts) {
    fs::path const name = path_of_text(text);
    bool const is_like = !name.has_parent_path() && name.extension() == example.extension();
    if (is_like && is_own(name.stem().string())) { files.insert(scenario.parent_path() / name); }
  }
  return files;
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
  return format_json(root);
}

Paths write_scenario(fs::path const& file, Scenario scenario)
{
  Paths beside;
  if (scenario.scene->write_beside) { beside = scenario.scene->write_beside(scenario.set_up, file); }
  std::set<fs::path> outdated;
  if (!beside.empty()) { outdated = files_like(beside.front(), file); }
  try {
    write_text_file(file, format_scenario(scenario, fs::absolute(file).parent_path()));
  } catch (...) {
    std::ranges::for_each(beside, remove_quietly);
    throw;
  }
  if (!beside.empty()) {
    for (fs::path const& needed : files_like(beside.front(), file)) { outdated.erase(needed); }
  }
  std::ranges::for_each(outdated, remove_quietly);
  beside.insert(beside.begin(), file);
  return beside;
}

}  // namespace slotscape
