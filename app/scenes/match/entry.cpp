#include "app/scene/entry.hpp"

#include "app/scenes/match/command_line.hpp"
#include "app/scenes/match/scene.hpp"
#include "gpu/base/error.hpp"

namespace slotscape {
namespace {

MatchSetup read_match(JsonNode const& node)
{
  MatchSetup set_up;
  read_fields(node, set_up);
  try {
    matching::validate(set_up.settings.matching);
  } catch (Error const& error) {
    node.fail(error.what());
  }
  return set_up;
}

Json write_match(MatchSetup const& set_up, std::filesystem::path const& folder)
{
  return object_of_fields(folder, set_up);
}

/// Files may no longer exist at the next start.
SceneSetup replace_match(SceneSetup remembered)
{
  auto& settings = std::any_cast<MatchSetup&>(remembered).settings;
  MatchSceneSettings const plain = first_match().settings;
  settings.sources = plain.sources;
  settings.pose = plain.pose;
  settings.frame = 0;
  return remembered;
}

}  // namespace

SceneEntry match_scene()
{
  return entry_of<MatchScene, MatchSetup>(
      {.name = "match",
       .title = "Image matching",
       .what = "Image matching by geometric hashing",
       .keys = "F7",
       .about = "Find one picture in another by geometric hashing.",
       .mouse = "Drag the query to move it, with the right button to turn it, at a corner to turn and scale it; the "
                "wheel scales it. In the reference, scroll to zoom and drag to move. Click a slot or a vote to see its "
                "bases. Drop a picture on the one to replace.",
       .panels = {.plots = "Stages", .slot_card = ""},
       .files = {pictures_kind()},
       .max_files = 2,
       .opens_folders = true,
       .first = [] { return SceneSetup(first_match()); },
       .reference = [] { return rows_of<MatchSetup>(); },
       .replace = replace_match,
       .set_seed = [](SceneSetup& set_up,
                      std::uint64_t seed) { std::any_cast<MatchSetup&>(set_up).settings.matching.seed = seed; },
       .subcommand = "look for a picture in another one, by geometric hashing",
       .add_subcommand = [](CLI::App& command) { return std::make_unique<MatchSubcommand>(command); }},
      read_match, write_match);
}

}  // namespace slotscape
