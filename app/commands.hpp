#pragma once

#include "app/gui.hpp"
#include "app/scenes/kind.hpp"

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
  next_motion,
  boolean_both,
  boolean_unite,
  boolean_intersect,
  boolean_a_minus_b,
  boolean_b_minus_a,
  choose_a,
  choose_b,
  reset_model,
  finer_grid,
  coarser_grid,
  other_table,
  next_color,
  toggle_points,
  toggle_ghosts,
  toggle_maps,
  toggle_turntable,
  focus,
  slots_scene,
  compare_scene,
  spatial_scene,
  open,
  save_picture,
  save_statistics,
  save_scenario,
  help,
  full_screen,
  quit,
};

/// In which scenes a key gives its command.
enum class Scenes : std::uint8_t { all, of_tables, spatial };
constexpr bool is_in(Scenes scenes, SceneKind scene)
{
  return scenes == Scenes::all || (scenes == Scenes::of_tables) == shows_driven_tables(scene);
}

/// A key that gives a command: its name for people, what it does, under which heading the list shows it, and where.
struct Shortcut {
  UserCommand command;
  std::string_view keys;
  std::string_view what;
  std::string_view group;
  Scenes scenes = Scenes::all;
};

/// Every command that has keys, in the order of the list; one that has others in other scenes more than once.
std::span<Shortcut const> shortcuts();
/// The keys of a command for a menu; empty where it has none.
std::string_view keys_of(UserCommand command);

/// The commands that these keys give in a scene, and the characters that ImGui got with this frame. While text is typed
/// only keys that type nothing count.
std::vector<UserCommand> pressed_commands(std::span<KeyPress const> keys, SceneKind scene);

}  // namespace slotscape
