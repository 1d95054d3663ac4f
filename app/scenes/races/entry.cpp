#include "app/scene/entry.hpp"

#include "app/scenes/races/command_line.hpp"
#include "app/scenes/races/scene.hpp"
#include "gpu/base/error.hpp"

namespace slotscape {
namespace {

RacesSettings read_races(JsonNode const& node)
{
  RacesSettings settings;
  read_fields(node, settings);
  try {
    races::make_race(settings.race);
  } catch (Error const& error) {
    node.fail(error.what());
  }
  reconcile(settings);
  return settings;
}

Json write_races(RacesSettings const& settings, std::filesystem::path const& folder)
{
  return object_of_fields(folder, settings);
}

}  // namespace

SceneEntry races_scene()
{
  return entry_of<RacesScene, RacesSettings>(
      {.name = "races",
       .title = "Races in slow motion",
       .what = "Races: threads take turns, access by access",
       .keys = "F9",
       .about = "Threads take turns on a small table, access by access.",
       .mouse = "Click a thread's next access to run it, or a past turn to go back to it.",
       .purpose = Purpose::learn,
       .panels = {.numbers = "Search", .plots = "", .slot_card = ""},
       .reference = [] { return rows_of<RacesSettings>(); },
       .set_seed = [](SceneSetup& set_up, std::uint64_t seed) { std::any_cast<RacesSettings&>(set_up).seed = seed; },
       .subcommand = "a few threads on a small table, turn by turn, or in every order",
       .add_subcommand = [](CLI::App& command) { return std::make_unique<RacesSubcommand>(command); }},
      read_races, write_races);
}

}  // namespace slotscape
