#include "app/scene/entry.hpp"

#include "app/keys/file_keys.hpp"
#include "app/scenes/compare/scene.hpp"
#include "app/table_scene/formats.hpp"

namespace slotscape {
namespace {

CompareSetup first_comparison()
{
  CompareSetup set_up;
  set_up.shared.settings.table = usual_table();
  set_up.shared.settings.drive.hold_load = true;
  set_up.tables = compared_with(set_up.shared.settings.table, {});
  return set_up;
}

/// Keeps the tables if the first one is unchanged; each may have its own number of slots.
void compare_with(CompareSetup& set_up)
{
  TableSettings const& first = set_up.shared.settings.table;
  bool const changed = set_up.tables.size() < min_compared || set_up.tables.front() != first;
  if (changed) { set_up.tables = compared_with(first, set_up.tables); }
}

/// Recalls paused tables, filled to the load factor that is held; empty if none is held.
SceneSetup recall_comparison(SceneSetup remembered, Arrival)
{
  auto& set_up = std::any_cast<CompareSetup&>(remembered);
  TableSetup& shared = set_up.shared;
  compare_with(set_up);
  shared.camera = {};
  shared.settings.drive.running = false;
  DriveSettings const& drive = shared.settings.drive;
  if (drive.hold_load) { shared.steps = {FillTo{drive.target_load}}; }
  return remembered;
}

TableSetup const* first_table(std::vector<SceneSetup> const& others)
{
  for (SceneSetup const& other : others) {
    if (auto const* table = std::any_cast<TableSetup>(&other)) { return table; }
  }
  return nullptr;
}

/// Makes a table that another scene has shown since the first table, with its keys and settings.
SceneSetup enter_comparison(SceneSetup own, OtherSetups const& others)
{
  auto& set_up = std::any_cast<CompareSetup&>(own);
  TableSetup const* table = first_table(others.shown);
  if (table == nullptr) { table = first_table(others.saved); }
  if (table == nullptr) { return {}; }
  set_up.shared = *table;
  set_up.shared.opening = false;
  compare_with(set_up);
  return own;
}

bool come_to_the_same(SceneSetup const& any, SceneSetup const& left)
{
  auto const* const set_up = std::any_cast<CompareSetup>(&any);
  auto const& other = std::any_cast<CompareSetup const&>(left);
  return set_up != nullptr && set_up->tables == other.tables && alike(set_up->shared, other.shared);
}

}  // namespace

SceneEntry compare_scene()
{
  SceneEntry entry = compared_format();
  entry.title = "Compare tables";
  entry.what = "Compare tables side by side";
  entry.keys = "F3";
  entry.purpose = Purpose::measure;
  entry.about = "Two to four tables with the same keys, side by side.";
  entry.mouse = table_scene_mouse;
  entry.files = {key_file_kind()};
  entry.takes = has_keys;
  entry.first = first_comparison;
  entry.recall = recall_comparison;
  entry.enter = enter_comparison;
  entry.alike = come_to_the_same;
  return with_scene<CompareScene, CompareSetup>(std::move(entry));
}

}  // namespace slotscape
