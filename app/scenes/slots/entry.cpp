#include "app/scene/entry.hpp"

#include "app/scenes/slots/scene.hpp"

namespace slotscape {
namespace {

/// A table that can run the mix forever: with `Deletion::empty_value` it would fill up with tombstones in seconds.
TableSetup first_setup()
{
  TableSetup set_up;
  set_up.settings.table.deletion = Deletion::tombstone_reuse;
  set_up.settings.drive.rate = 5000.0;
  set_up.settings.drive.hold_load = true;
  set_up.settings.drive.target_load = 0.85;
  return set_up;
}

/// The whole table. If it holds a load, it is filled to that: gradually at the start of the program.
SceneSetup recall(SceneSetup remembered, Arrival arrival)
{
  auto& set_up = std::any_cast<TableSetup&>(remembered);
  set_up.camera = {};
  DriveSettings const& drive = set_up.settings.drive;
  set_up.opening = drive.hold_load && arrival == Arrival::start;
  if (drive.hold_load && arrival == Arrival::later) { set_up.steps = {FillTo{drive.target_load}}; }
  return remembered;
}

/// A table saved on a larger machine may not fit here.
SceneSetup replace(SceneSetup remembered)
{
  std::any_cast<TableSetup&>(remembered).settings.table = first_setup().settings.table;
  return remembered;
}

/// The first of the tables that have been compared since, with their keys and settings.
SceneSetup enter(SceneSetup const&, OtherSetups const& others)
{
  for (SceneSetup const& other : others.shown) {
    if (auto const* compared = std::any_cast<CompareSetup>(&other)) { return compared->shared; }
  }
  return {};
}

}  // namespace

SceneEntry slots_scene()
{
  return entry_of<SlotsScene, TableSetup>(
      {.name = "slots",
       .title = "Slots of one table",
       .what = "One table, slot by slot",
       .keys = "F2",
       .mouse = table_scene_mouse,
       .files = {key_file_kind()},
       .takes = has_keys,
       .first = first_setup,
       .check_steps =
           [](JsonNode const& steps, SceneSetup const& set_up) {
             check_steps_of_lesson(steps, std::any_cast<TableSetup const&>(set_up).settings);
           },
       .write_beside =
           [](SceneSetup& set_up, std::filesystem::path const& scenario) {
             return write_pairs_beside(std::any_cast<TableSetup&>(set_up), scenario);
           },
       .claims = [](JsonNode const& root) { return !root.find("tables"); },
       .settings_at_root = true,
       .recall = recall,
       .replace = replace,
       .enter = enter,
       .set_seed = [](SceneSetup& set_up,
                      std::uint64_t seed) { std::any_cast<TableSetup&>(set_up).settings.seed = seed; }},
      [](JsonNode const& node) { return read_table_setup(node); }, table_setup_json);
}

}  // namespace slotscape
