#include "app/table_scene/table_scene.hpp"
#include "gpu/base/error.hpp"

#include <utility>

namespace slotscape {
namespace {

constexpr double camera_rests_seconds = 0.5;  ///< moves of the camera without a rest between them are one

/// Whether they differ in what the user sets. The table follows the tables, and pausing is nothing to undo.
bool differ(TableSceneSettings settings, TableSceneSettings const& from)
{
  settings.table = from.table;
  if (!settings.drive.running) { settings.drive.running = from.drive.running; }
  return settings != from;
}

}  // namespace

void TableScene::settle()
{
  settled_ = state().settings;
  settled_camera_ = latest_camera_ = camera();
}

void TableScene::remember_tables(std::string what, std::uint64_t most_bytes)
{
  std::uint64_t const bytes = simulation().memory_bytes();
  if (std::exchange(remembered_tables_, true) || bytes > most_bytes) { return; }
  try {
    undo_.record({settled_, settled_camera_, simulation_, simulation().save()}, std::move(what), bytes);
  } catch (Error const&) {  // a rehash is under way, or memory ran out
    return;
  }
  settle();
}

void TableScene::note_settings()
{
  bool const in_hand = ImGui::GetCurrentContext() != nullptr && ImGui::IsAnyItemActive();
  if (drives_itself()) { return settle(); }
  if (state().load_dragged) { remember_tables("the load", small_image); }
  if (in_hand || !differ(state().settings, settled_)) { return; }
  bool const starts = state().settings.drive.running && !settled_.drive.running;
  if (starts) { return remember_tables("the mix", small_image); }
  if (!remembered_tables_) { undo_.record({settled_, settled_camera_}, "the setting"); }
  settle();
}

void TableScene::note_camera()
{
  Framing const now = camera();
  if (state().steps.on) {
    settled_camera_ = latest_camera_ = now;
  } else if (now != latest_camera_) {
    latest_camera_ = now;
    camera_since_ = state().now;
  } else if (now != settled_camera_ && state().now - camera_since_ >= camera_rests_seconds) {
    undo_.record({settled_, settled_camera_}, "the move of the camera");
    settled_camera_ = now;
  }
}

TableScene::Moment TableScene::exchange(Moment const& moment)
{
  leave_steps();
  Moment present{state().settings, camera()};
  if (moment.simulation) {
    present.simulation = simulation_;
    simulation().cancel();
    if (moment.image) { present.image = simulation().exchange(*moment.image); }
    if (moment.simulation != simulation_) { use(moment.simulation); }
  }
  TableSettings const table = state().settings.table;
  state().settings = moment.settings;
  state().settings.table = table;
  state().settings.drive.running = false;
  move_camera([&](MapView& map) { map.look(moment.camera); });
  update_from_simulation();
  settle();
  return present;
}

void TableScene::undo()
{
  undo_.undo([this](Moment const& moment) { return exchange(moment); });
}

void TableScene::redo()
{
  undo_.redo([this](Moment const& moment) { return exchange(moment); });
}

}  // namespace slotscape
