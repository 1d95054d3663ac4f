#include "app/table_scene/undo.hpp"

#include "gpu/base/error.hpp"
#include "gpu/base/translation.hpp"

#include <utility>

namespace slotscape {
namespace {

/// Whether the user's settings differ. Table settings follow the tables, and pausing is not recorded.
bool differ(TableSceneSettings settings, TableSceneSettings const& from)
{
  settings.table = from.table;
  if (!settings.drive.running) { settings.drive.running = from.drive.running; }
  return settings != from;
}

/// "the setting 'Palette'"; without a name if several settings differ.
std::string what_differs(TableSceneSettings const& from, TableSceneSettings const& to)
{
  int const parts = (from.drive != to.drive) + (from.view != to.view) + (from.keys != to.keys) + (from.seed != to.seed);
  std::string_view label = changed_setting(from.drive, to.drive);
  if (label.empty()) { label = changed_setting(from.view, to.view); }
  if (label.empty()) { label = changed_setting(from.keys, to.keys); }
  return parts == 1 && !label.empty() ? tr("the setting '{}'", translated(label)) : translatable("changing a setting");
}

}  // namespace

void TableUndo::use(std::shared_ptr<Simulation> simulation, std::vector<TableSettings> const& asked)
{
  work_.use(std::move(simulation));
  answers_.restart();
  tables_.leave_steps();
  tables_.tables_replaced();
  note_asked(tables_.table_states(), asked);
}

void TableUndo::settle()
{
  settled_ = tables_.state().settings;
  resting_camera_.settle(tables_.camera());
}

bool TableUndo::remember_tables(std::string what, std::uint64_t max_bytes)
{
  std::uint64_t const bytes = work_.simulation().memory_bytes();
  if (std::exchange(remembered_tables_, true)) { return are_kept_; }
  are_kept_ = false;
  bool const is_lost = bytes > max_bytes && max_bytes == large_image && work_.simulation().live() != 0;
  answers_.note_loss(is_lost);
  if (is_lost) { answers_.say_with_loss({}); }
  if (bytes > max_bytes) { return false; }
  try {
    undo_.record({settled_, resting_camera_.settled(), work_.shared(), work_.simulation().save(),
                  asked_of(tables_.table_states()), answers_.handed_over()},
                 std::move(what), bytes);
  } catch (Error const&) {  // a rehash is under way, or memory ran out
    return false;
  }
  settle();
  are_kept_ = true;
  return true;
}

void TableUndo::remember_replaced()
{
  std::uint64_t const bytes = work_.simulation().memory_bytes();
  answers_.note_loss(bytes > large_image && work_.simulation().live() != 0);
  if (bytes <= large_image) {
    work_.simulation().cancel();
    undo_.record({settled_,
                  resting_camera_.settled(),
                  work_.shared(),
                  {},
                  asked_of(tables_.table_states()),
                  answers_.handed_over()},
                 translatable("the new table"), bytes);
  } else {
    undo_.clear();
  }
  are_kept_ = bytes <= large_image;
  remembered_tables_ = true;
}

void TableUndo::note_changes(double elapsed_seconds)
{
  note_settings();
  note_camera(elapsed_seconds);
}

bool TableUndo::make_room()
{
  if (undo_.undoes().empty()) { return false; }
  undo_.clear();
  return true;
}

void TableUndo::note_settings()
{
  bool const in_hand = ImGui::GetCurrentContext() != nullptr && ImGui::IsAnyItemActive();
  if (tables_.drives_itself()) { return settle(); }
  if (tables_.state().edits.load_dragged) { remember_tables(translatable("the load"), small_image); }
  if (in_hand || !differ(tables_.state().settings, settled_)) { return; }
  bool const starts = tables_.state().settings.drive.running && !settled_.drive.running;
  if (starts) {
    remember_tables(translatable("the mix"), small_image);
    return;
  }
  if (!remembered_tables_) {
    undo_.record({settled_, resting_camera_.settled()}, what_differs(settled_, tables_.state().settings));
  }
  settle();
}

void TableUndo::note_camera(double elapsed_seconds)
{
  Framing const now = tables_.camera();
  if (tables_.state().steps.on) {
    resting_camera_.settle(now);
  } else if (resting_camera_.has_moved_to(now, elapsed_seconds)) {
    undo_.record({settled_, resting_camera_.settled()}, translatable("moving the camera"));
    resting_camera_.settle(now);
  }
}

TableUndo::Moment TableUndo::exchange(Moment const& moment)
{
  tables_.leave_steps();
  Moment present{tables_.state().settings, tables_.camera()};
  if (moment.simulation) {
    present.simulation = work_.shared();
    present.asked = asked_of(tables_.table_states());
    present.handed_over = std::exchange(answers_.handed_over(), moment.handed_over);
    work_.simulation().cancel();
    if (moment.image) { present.image = work_.simulation().exchange(*moment.image); }
    if (moment.simulation != work_.shared()) { use(moment.simulation, moment.asked); }
  }
  TableSettings const table = tables_.state().settings.table;
  tables_.state().settings = moment.settings;
  tables_.state().settings.table = table;
  tables_.state().settings.drive.running = false;
  tables_.move_camera([&](MapView& map) { map.look(moment.camera); });
  tables_.update_from_simulation();
  answers_.forget();  // the answer was about the undone operation
  settle();
  return present;
}

void TableUndo::undo()
{
  undo_.undo([this](Moment const& moment) { return exchange(moment); });
}

void TableUndo::redo()
{
  undo_.redo([this](Moment const& moment) { return exchange(moment); });
}

std::size_t TableUndo::settings_since(std::string_view what) const
{
  return undo_.changes_since(what, [](Moment const& moment) { return moment.simulation == nullptr; });
}

}  // namespace slotscape
