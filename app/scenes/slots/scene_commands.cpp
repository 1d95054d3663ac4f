#include "app/scenes/shared/commands.hpp"
#include "app/scenes/slots/scene.hpp"

#include <algorithm>

namespace slotscape {
namespace {

constexpr double load_step = 0.05;
constexpr double most_rate = 1e9;

void change_speed(DriveSettings& drive, double factor)
{
  if (factor < 1.0 && drive.full_speed) {
    drive.full_speed = false;
    return;
  }
  drive.rate = std::max(drive.rate * factor, 1.0);
  if (drive.rate > most_rate) {
    drive.rate = most_rate;
    drive.full_speed = true;
  }
}

void change_load(SlotsState& state, double step)
{
  DriveSettings& drive = state.settings.drive;
  double const base = drive.hold_load ? drive.target_load : state.statistics.load_factor();
  drive.target_load = std::clamp(base + step, 0.0, 1.0);
  drive.hold_load = true;
  if (!drive.running) { state.act(FillTo{drive.target_load}); }
}

template <class Enum>
void toggle(Enum& value, Enum first, Enum second)
{
  value = value == first ? second : first;
}

}  // namespace

bool perform_on_table(UserCommand command, SlotsState& state)
{
  DriveSettings& drive = state.settings.drive;
  std::uint64_t const slots = state.settings.table.slots;
  switch (command) {
    case UserCommand::pause: drive.running = !drive.running; return true;
    case UserCommand::single_batch: state.act(single_batch(drive)); return true;
    case UserCommand::insert: state.act(press_of(Operation::insert, drive)); return true;
    case UserCommand::find: state.act(press_of(Operation::find, drive)); return true;
    case UserCommand::erase: state.act(press_of(Operation::erase, drive)); return true;
    case UserCommand::slower: change_speed(drive, 0.5); return true;
    case UserCommand::faster: change_speed(drive, 2.0); return true;
    case UserCommand::load_down: change_load(state, -load_step); return true;
    case UserCommand::load_up: change_load(state, load_step); return true;
    case UserCommand::rehash_double: state.act(rehash_to(state, slots * 2)); return true;
    case UserCommand::rehash_half: state.act(rehash_to(state, slots / 2)); return true;
    case UserCommand::purge: state.act(Rehash{slots}); return true;
    case UserCommand::clear: state.act(Clear{}); return true;
    case UserCommand::restart: state.ask(Restart{}); return true;
    default: return false;
  }
}

bool perform_on_view(UserCommand command, SlotsState& state)
{
  ViewSettings& view = state.settings.view;
  switch (command) {
    case UserCommand::color_state: view.color_by = ColorBy::state; return true;
    case UserCommand::color_probe: view.color_by = ColorBy::probe_length; return true;
    case UserCommand::color_cluster: view.color_by = ColorBy::cluster_length; return true;
    case UserCommand::color_recent: view.color_by = ColorBy::recent; return true;
    case UserCommand::toggle_layout: toggle(view.layout, Layout::rows, Layout::hilbert); return true;
    case UserCommand::toggle_reduce: toggle(view.reduce, Reduce::max, Reduce::mean); return true;
    case UserCommand::toggle_scale: view.log_scale = !view.log_scale; return true;
    case UserCommand::find_key: state.selection.focus_key_field = true; return true;
    default: return false;
  }
}

bool SlotsScene::move_camera(UserCommand command)
{
  switch (command) {
    case UserCommand::zoom_in: view_.zoom_by(state_, key_zoom); return true;
    case UserCommand::zoom_out: view_.zoom_by(state_, 1.0 / key_zoom); return true;
    case UserCommand::pan_left: view_.pan_by(state_, -key_pan, 0.0); return true;
    case UserCommand::pan_right: view_.pan_by(state_, key_pan, 0.0); return true;
    case UserCommand::pan_up: view_.pan_by(state_, 0.0, -key_pan); return true;
    case UserCommand::pan_down: view_.pan_by(state_, 0.0, key_pan); return true;
    case UserCommand::fit:
    case UserCommand::go_to_start: view_.fit(); return true;
    default: return false;
  }
}

void SlotsScene::let_go()
{
  state_.selection.pinned.reset();
  state_.selection.lookup.reset();
}

}  // namespace slotscape
