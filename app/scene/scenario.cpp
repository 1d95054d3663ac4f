#include "app/scene/scenario.hpp"

#include "app/base/files.hpp"

#include <fmt/format.h>

namespace slotscape {

namespace fs = std::filesystem;

namespace {

constexpr int scenario_version = 1;

void check_version(JsonNode const& root)
{
  JsonNode const version = root.at("version");
  if (version.whole_number(0, 1'000'000) != scenario_version) {
    version.fail(fmt::format("unknown version; this Slotscape reads version {}", scenario_version));
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

}  // namespace

Scenario parse_scenario(SceneList scenes, std::string const& text, std::string const& name, fs::path const& folder)
{
  Json document = parse_json(text, name);
  JsonNode const root(document, name, folder);
  if (!root.is_object()) { root.expect_fields({}); }
  if (SceneEntry const* const scene = named_scene(scenes, root)) {
    root.expect_fields({"version", scene->name});
    check_version(root);
    return {scene, scene->read(root.at(scene->name))};
  }
  SceneEntry const& scene = claiming_scene(scenes, root);
  if (document.contains("version")) { check_version(root); }
  bool const versioned = document.erase("version") != 0;
  SceneSetup set_up = scene.read(root);
  if (!versioned) { root.at("version"); }
  return {&scene, std::move(set_up)};
}

Scenario read_scenario(SceneList scenes, fs::path const& file)
{
  return parse_scenario(scenes, read_text_file(file), file.string(), file.parent_path());
}

std::string format_scenario(Scenario const& scenario, fs::path const& folder)
{
  Json root;
  root["version"] = scenario_version;
  Json fields = scenario.scene->write(scenario.set_up, folder);
  if (scenario.scene->claims) {
    root.update(fields);
  } else {
    root[std::string(scenario.scene->name)] = std::move(fields);
  }
  return format_json(root);
}

Paths write_scenario(fs::path const& file, Scenario scenario)
{
  Paths written{file};
  if (scenario.scene->write_beside) {
    Paths const beside = scenario.scene->write_beside(scenario.set_up, file);
    written.insert(written.end(), beside.begin(), beside.end());
  }
  write_text_file(file, format_scenario(scenario, fs::absolute(file).parent_path()));
  return written;
}

}  // namespace slotscape
