#include "app/table_scene/table_scene.hpp"
#include "gpu/base/error.hpp"
#include "gpu/base/translation.hpp"

#include <utility>

namespace slotscape {
namespace {

/// Whether they differ in what the user sets. The table follows the tables, and pausing is nothing to undo.
bool differ(TableSceneSettings settings, TableSceneSettings const& from)
{
  settings.table = from.table;
  if (!settings.drive.running) { settings.drive.running = from.drive.running; }
  return settings != from;
}

/// "the setting 'Palette'"; without its name where that says too little.
std::string what_differs(TableSceneSettings const& from, TableSceneSettings const& to)
{
  int const parts = (from.drive != to.drive) + (from.view != to.view) + (from.keys != to.keys) + (from.seed != to.seed);
  std::string_view label = changed_setting(from.drive, to.drive);
  if (label.empty()) { label = changed_setting(from.view, to.view); }
  if (label.empty()) { label = changed_setting(from.keys, to.keys); }
  return parts == 1 && !label.empty() ? tr("the setting '{}'", translated(label)) : translatable("the setting");
}

}  // namespace

void TableScene::settle()
{
  settled_ = state().settings;
  resting_camera_.settle(camera());
}

void TableScene::remember_tables(std::string what, std::uint64_t max_bytes)
{
  std::uint64_t const bytes = simulation().memory_bytes();
  if (std::exchange(remembered_tables_, true)) { return; }
  is_lost_ = bytes > max_bytes && max_bytes == large_image && simulation().live() != 0;
  if (is_lost_) { answer_ = with_loss({}); }
  if (bytes > max_bytes) { return; }
  try {
    undo_.record({settled_, resting_camera_.settled(), simulation_, simulation().save(), asked(), handed_over_},
                 std::move(what), bytes);
  } catch (Error const&) {  // a rehash is under way, or memory ran out
    return;
  }
  settle();
}

std::string TableScene::with_loss(std::string text) const
{
  if (!is_lost_) { return text; }
  return text + (text.empty() ? "" : " ") + tr("What was there took more than 1 GiB, which undo does not keep.");
}

void TableScene::note_settings()
{
  bool const in_hand = ImGui::GetCurrentContext() != nullptr && ImGui::IsAnyItemActive();
  if (drives_itself()) { return settle(); }
  if (state().edits.load_dragged) { remember_tables(translatable("the load"), small_image); }
  if (in_hand || !differ(state().settings, settled_)) { return; }
  bool const starts = state().settings.drive.running && !settled_.drive.running;
  if (starts) { return remember_tables(translatable("the mix"), small_image); }
  if (!remembered_tables_) {
    undo_.record({settled_, resting_camera_.settled()}, what_differs(settled_, state().settings));
  }
  settle();
}

void TableScene::note_camera(double elapsed_seconds)
{
  Framing const now = camera();
  if (state().steps.on) {
    resting_camera_.settle(now);
  } else if (resting_camera_.has_moved_to(now, elapsed_seconds)) {
    undo_.record({settled_, resting_camera_.settled()}, translatable("the move of the camera"));
    resting_camera_.settle(now);
  }
}

TableScene::Moment TableScene::exchange(Moment const& moment)
{
  leave_steps();
  Moment present{state().settings, camera()};
  if (moment.simulation) {
    present.simulation = simulation_;
    present.asked = asked();
    present.handed_over = std::exchange(handed_over_, moment.handed_over);
    simulation().cancel();
    if (moment.image) { present.image = simulation().exchange(*moment.image); }
    if (moment.simulation != simulation_) { use(moment.simulation, moment.asked); }
  }
  TableSettings const table = state().settings.table;
  state().settings = moment.settings;
  state().settings.table = table;
  state().settings.drive.running = false;
  move_camera([&](MapView& map) { map.look(moment.camera); });
  update_from_simulation();
  answer_.clear();  // it was about what is undone
  keys_come_ = false;
  settle();
  return present;
}

void TableScene::undo()
{
  if (working()) { return state().ask(Undo{}); }
  undo_.undo([this](Moment const& moment) { return exchange(moment); });
}

void TableScene::redo()
{
  if (working()) { return state().ask(Redo{}); }
  undo_.redo([this](Moment const& moment) { return exchange(moment); });
}

}  // namespace slotscape
