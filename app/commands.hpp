#pragma once

#include "app/gui.hpp"

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace slotscape {

/// What can be asked for with a key, and with a menu.
enum class UserCommand : std::uint8_t {
  pause,
  single_batch,
  insert,
  find,
  erase,
  slower,
  faster,
  load_down,
  load_up,
  rehash_double,
  rehash_half,
  purge,
  clear,
  restart,
  step_mode,
  cancel,
  color_state,
  color_probe,
  color_cluster,
  color_recent,
  toggle_layout,
  toggle_reduce,
  toggle_scale,
  zoom_in,
  zoom_out,
  pan_left,
  pan_right,
  pan_up,
  pan_down,
  fit,
  go_to_start,
  go_to_end,
  find_key,
  toggle_panels,
  slots_scene,
  compare_scene,
  open,
  save_picture,
  save_statistics,
  save_scenario,
  help,
  full_screen,
  quit,
};

/// A key that gives a command: its name for people, what it does, and under which heading the list shows it.
struct Shortcut {
  UserCommand command;
  std::string_view keys;
  std::string_view what;
  std::string_view group;
};

/// Every command that has keys, in the order of the list.
std::span<Shortcut const> shortcuts();
/// The keys of a command for a menu; empty where it has none.
std::string_view keys_of(UserCommand command);

/// The commands of these keys, and of the characters that ImGui got with this frame. While text is typed only keys that
/// type nothing count.
std::vector<UserCommand> pressed_commands(std::span<KeyPress const> keys);

}  // namespace slotscape
