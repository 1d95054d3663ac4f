#include "app/scene/entry.hpp"

#include "app/keys/file_keys.hpp"
#include "app/scenes/slots/scene.hpp"
#include "app/table_scene/formats.hpp"

namespace slotscape {
namespace {

TableSetup first_slots()
{
  TableSetup set_up;
  set_up.settings.table = usual_table();
  set_up.settings.drive.rate = 5000.0;
  set_up.settings.drive.hold_load = true;
  set_up.settings.drive.target_load = 0.85;
  return set_up;
}

/// Restores the view of the whole table. A table that holds a load is filled again: gradually when the program starts,
/// else at once.
SceneSetup recall_slots(SceneSetup remembered, Arrival arrival)
{
  auto& set_up = std::any_cast<TableSetup&>(remembered);
  set_up.camera = {};
  DriveSettings const& drive = set_up.settings.drive;
  set_up.opening = drive.hold_load && arrival == Arrival::start;
  if (drive.hold_load && arrival == Arrival::later) { set_up.steps = {FillTo{drive.target_load}}; }
  return remembered;
}

/// A table saved on a larger machine may not fit here.
SceneSetup replace_slots(SceneSetup remembered)
{
  std::any_cast<TableSetup&>(remembered).settings.table = first_slots().settings.table;
  return remembered;
}

/// If *Compare* was shown in between, takes over its first table, with its keys and settings.
SceneSetup enter_slots(SceneSetup const&, OtherSetups const& others)
{
  for (SceneSetup const& other : others.shown) {
    if (auto const* compared = std::any_cast<CompareSetup>(&other)) { return compared->shared; }
  }
  return {};
}

}  // namespace

SceneEntry slots_scene()
{
  SceneEntry entry = table_format();
  entry.title = "Slots of one table";
  entry.what = "One table, slot by slot";
  entry.keys = "F2";
  entry.purpose = Purpose::learn;
  entry.about = "Insert, look up and erase keys, and watch every slot.";
  entry.mouse = table_scene_mouse;
  entry.files = {key_file_kind()};
  entry.takes = has_keys;
  entry.first = first_slots;
  entry.recall = recall_slots;
  entry.replace = replace_slots;
  entry.enter = enter_slots;
  entry.alike = [](SceneSetup const& left, SceneSetup const& right) {
    auto const* const table = std::any_cast<TableSetup>(&left);
    return table != nullptr && alike(*table, std::any_cast<TableSetup const&>(right));
  };
  return with_scene<SlotsScene, TableSetup>(std::move(entry));
}

}  // namespace slotscape
