#include "app/commands.hpp"

#include <imgui.h>

#include <GLFW/glfw3.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <optional>

namespace slotscape {
namespace {

/// One way to give a command: a character, as it is typed on any keyboard layout, or a key that types none.
struct Press {
  char character = 0;
  int key = 0;
  bool control = false;
};

constexpr Press typed(char character)
{
  return {.character = character};
}

constexpr Press key(int code)
{
  return {.key = code};
}

constexpr Press control(int code)
{
  return {.key = code, .control = true};
}

struct Binding {
  Shortcut shortcut;
  std::array<Press, 3> presses;
};

constexpr std::array bindings{
    Binding{{UserCommand::pause, "Space", "Run or pause the mix", "DRIVE", Scenes::of_tables}, {key(GLFW_KEY_SPACE)}},
    Binding{{UserCommand::single_batch, "S", "A single batch of the mix", "DRIVE", Scenes::of_tables}, {typed('s')}},
    Binding{{UserCommand::insert, "I", "Insert a batch of new keys", "DRIVE", Scenes::of_tables}, {typed('i')}},
    Binding{{UserCommand::find, "F", "Find a batch of keys", "DRIVE", Scenes::of_tables}, {typed('f')}},
    Binding{{UserCommand::erase, "E", "Erase a batch of live keys", "DRIVE", Scenes::of_tables}, {typed('e')}},
    Binding{{UserCommand::slower, "[", "Half as many operations a second", "DRIVE", Scenes::of_tables}, {typed('[')}},
    Binding{{UserCommand::faster, "]", "Twice as many operations a second", "DRIVE", Scenes::of_tables}, {typed(']')}},
    Binding{{UserCommand::load_down, "Comma", "Hold a load factor lower by 0.05", "DRIVE", Scenes::of_tables},
            {typed(','), typed('<')}},
    Binding{{UserCommand::load_up, "Period", "Hold a load factor higher by 0.05", "DRIVE", Scenes::of_tables},
            {typed('.'), typed('>')}},

    Binding{{UserCommand::rehash_double, "R", "Rehash into twice the slots", "TABLE", Scenes::of_tables}, {typed('r')}},
    Binding{{UserCommand::rehash_half, "D", "Rehash into half the slots", "TABLE", Scenes::of_tables}, {typed('d')}},
    Binding{{UserCommand::purge, "P", "Purge the tombstones", "TABLE", Scenes::of_tables}, {typed('p')}},
    Binding{{UserCommand::clear, "C", "Clear the table", "TABLE", Scenes::of_tables}, {typed('c')}},
    Binding{{UserCommand::restart, "Backspace, Ctrl+R", "Restart from the same seed", "TABLE", Scenes::of_tables},
            {key(GLFW_KEY_BACKSPACE), control(GLFW_KEY_R)}},

    Binding{{UserCommand::step_mode, "T", "Step through one operation", "STEP MODE", Scenes::of_tables}, {typed('t')}},
    Binding{{UserCommand::pan_right, "Right, Left", "To the next memory access, and back", "STEP MODE",
             Scenes::of_tables},
            {}},
    Binding{{UserCommand::go_to_end, "Home, End", "To the start, to the end", "STEP MODE", Scenes::of_tables}, {}},
    Binding{{UserCommand::pause, "Space", "Play or pause", "STEP MODE", Scenes::of_tables}, {}},
    Binding{{UserCommand::cancel, "Esc", "Leave: the table goes on", "STEP MODE", Scenes::of_tables}, {}},

    Binding{{UserCommand::color_state, "1", "Colour by state", "VIEW", Scenes::of_tables}, {typed('1')}},
    Binding{{UserCommand::color_probe, "2", "Colour by probe length", "VIEW", Scenes::of_tables}, {typed('2')}},
    Binding{{UserCommand::color_cluster, "3", "Colour by cluster length", "VIEW", Scenes::of_tables}, {typed('3')}},
    Binding{{UserCommand::color_recent, "4", "Colour by recent change", "VIEW", Scenes::of_tables}, {typed('4')}},
    Binding{{UserCommand::toggle_layout, "L", "Rows or Hilbert curve", "VIEW", Scenes::of_tables}, {typed('l')}},
    Binding{{UserCommand::toggle_reduce, "M", "Maximum or mean of a cell", "VIEW", Scenes::of_tables}, {typed('m')}},
    Binding{{UserCommand::toggle_scale, "G", "Logarithmic or linear colours", "VIEW", Scenes::of_tables}, {typed('g')}},
    Binding{{UserCommand::zoom_in, "+", "Zoom in", "VIEW", Scenes::of_tables}, {typed('+'), typed('=')}},
    Binding{{UserCommand::zoom_out, "-", "Zoom out", "VIEW", Scenes::of_tables}, {typed('-')}},
    Binding{{UserCommand::pan_left, "Arrows", "Pan", "VIEW", Scenes::of_tables}, {key(GLFW_KEY_LEFT)}},
    Binding{{UserCommand::pan_right, "", "", "VIEW", Scenes::of_tables}, {key(GLFW_KEY_RIGHT)}},
    Binding{{UserCommand::pan_up, "", "", "VIEW", Scenes::of_tables}, {key(GLFW_KEY_UP)}},
    Binding{{UserCommand::pan_down, "", "", "VIEW", Scenes::of_tables}, {key(GLFW_KEY_DOWN)}},
    Binding{{UserCommand::fit, "0, Home", "Show the whole table", "VIEW", Scenes::of_tables}, {typed('0')}},
    Binding{{UserCommand::go_to_start, "", "", "VIEW", Scenes::of_tables}, {key(GLFW_KEY_HOME)}},
    Binding{{UserCommand::go_to_end, "", "", "VIEW", Scenes::of_tables}, {key(GLFW_KEY_END)}},
    Binding{{UserCommand::find_key, "K, Ctrl+F", "Type a key and fly to it", "VIEW", Scenes::of_tables},
            {typed('k'), control(GLFW_KEY_F)}},
    Binding{{UserCommand::pause, "Space", "Run or pause the animation", "MODELS", Scenes::spatial},
            {key(GLFW_KEY_SPACE)}},
    Binding{{UserCommand::slower, "[", "Half as fast", "MODELS", Scenes::spatial}, {typed('[')}},
    Binding{{UserCommand::faster, "]", "Twice as fast", "MODELS", Scenes::spatial}, {typed(']')}},
    Binding{{UserCommand::next_motion, "N", "The next motion", "MODELS", Scenes::spatial}, {typed('n')}},
    Binding{{UserCommand::restart, "Backspace, Ctrl+R", "The animation from its start", "MODELS", Scenes::spatial},
            {key(GLFW_KEY_BACKSPACE), control(GLFW_KEY_R)}},
    Binding{{UserCommand::choose_a, "A", "Choose A", "MODELS", Scenes::spatial}, {typed('a')}},
    Binding{{UserCommand::choose_b, "B", "Choose B", "MODELS", Scenes::spatial}, {typed('b')}},
    Binding{{UserCommand::reset_model, "R", "Put the chosen one back", "MODELS", Scenes::spatial}, {typed('r')}},

    Binding{{UserCommand::boolean_both, "1", "Both surfaces, whole", "BOOLEAN", Scenes::spatial}, {typed('1')}},
    Binding{{UserCommand::boolean_unite, "2, U", "Union", "BOOLEAN", Scenes::spatial}, {typed('2'), typed('u')}},
    Binding{{UserCommand::boolean_intersect, "3, I", "Intersection", "BOOLEAN", Scenes::spatial},
            {typed('3'), typed('i')}},
    Binding{{UserCommand::boolean_a_minus_b, "4", "A without B", "BOOLEAN", Scenes::spatial}, {typed('4')}},
    Binding{{UserCommand::boolean_b_minus_a, "5", "B without A", "BOOLEAN", Scenes::spatial}, {typed('5')}},

    Binding{{UserCommand::coarser_grid, "Comma", "Half as many voxels an axis", "HASHING", Scenes::spatial},
            {typed(','), typed('<')}},
    Binding{{UserCommand::finer_grid, "Period", "Twice as many voxels an axis", "HASHING", Scenes::spatial},
            {typed('.'), typed('>')}},
    Binding{{UserCommand::other_table, "X", "The other table", "HASHING", Scenes::spatial}, {typed('x')}},

    Binding{{UserCommand::next_color, "C", "Colour by something else", "VIEW", Scenes::spatial}, {typed('c')}},
    Binding{{UserCommand::toggle_points, "V", "Voxels or points", "VIEW", Scenes::spatial}, {typed('v')}},
    Binding{{UserCommand::toggle_ghosts, "O", "Hidden parts as ghosts", "VIEW", Scenes::spatial}, {typed('o')}},
    Binding{{UserCommand::toggle_scale, "G", "Logarithmic or linear colours", "VIEW", Scenes::spatial}, {typed('g')}},
    Binding{{UserCommand::toggle_maps, "M", "Hide or show the slot maps", "VIEW", Scenes::spatial}, {typed('m')}},
    Binding{{UserCommand::toggle_turntable, "T", "Turntable", "VIEW", Scenes::spatial}, {typed('t')}},
    Binding{{UserCommand::focus, "F", "Fly to the selected voxel or model", "VIEW", Scenes::spatial},
            {typed('f')}},
    Binding{{UserCommand::zoom_in, "+", "Zoom in", "VIEW", Scenes::spatial}, {typed('+'), typed('=')}},
    Binding{{UserCommand::zoom_out, "-", "Zoom out", "VIEW", Scenes::spatial}, {typed('-')}},
    Binding{{UserCommand::pan_left, "Arrows", "Turn the view", "VIEW", Scenes::spatial}, {key(GLFW_KEY_LEFT)}},
    Binding{{UserCommand::pan_right, "", "", "VIEW", Scenes::spatial}, {key(GLFW_KEY_RIGHT)}},
    Binding{{UserCommand::pan_up, "", "", "VIEW", Scenes::spatial}, {key(GLFW_KEY_UP)}},
    Binding{{UserCommand::pan_down, "", "", "VIEW", Scenes::spatial}, {key(GLFW_KEY_DOWN)}},
    Binding{{UserCommand::fit, "0, Home", "Show all of the grid", "VIEW", Scenes::spatial}, {typed('0')}},
    Binding{{UserCommand::go_to_start, "", "", "VIEW", Scenes::spatial}, {key(GLFW_KEY_HOME)}},

    Binding{{UserCommand::toggle_panels, "Tab", "Hide or show the panels", "VIEW"}, {key(GLFW_KEY_TAB)}},
    Binding{{UserCommand::full_screen, "F11", "Full screen", "VIEW"}, {key(GLFW_KEY_F11)}},

    Binding{{UserCommand::slots_scene, "F2", "One table, slot by slot", "PROGRAM"}, {key(GLFW_KEY_F2)}},
    Binding{{UserCommand::compare_scene, "F3", "Compare tables side by side", "PROGRAM"}, {key(GLFW_KEY_F3)}},
    Binding{{UserCommand::spatial_scene, "F4", "Spatial hashing of two models", "PROGRAM"}, {key(GLFW_KEY_F4)}},
    Binding{{UserCommand::open, "Ctrl+O", "Open a file", "PROGRAM"}, {control(GLFW_KEY_O)}},
    Binding{{UserCommand::save_picture, "Ctrl+S", "Save the picture", "PROGRAM"}, {control(GLFW_KEY_S)}},
    Binding{{UserCommand::save_statistics, "Ctrl+E", "Save the statistics", "PROGRAM"}, {control(GLFW_KEY_E)}},
    Binding{{UserCommand::save_scenario, "Ctrl+D", "Save the set-up as a scenario", "PROGRAM"}, {control(GLFW_KEY_D)}},
    Binding{{UserCommand::cancel, "Esc", "Cancel; let go of what is selected", "PROGRAM"},
            {key(GLFW_KEY_ESCAPE)}},
    Binding{{UserCommand::help, "H, ?, F1", "This list", "PROGRAM"}, {typed('h'), typed('?'), key(GLFW_KEY_F1)}},
    Binding{{UserCommand::quit, "Ctrl+Q", "Quit", "PROGRAM"}, {control(GLFW_KEY_Q)}},
};

constexpr auto all_shortcuts = [] {
  std::array<Shortcut, bindings.size()> result{};
  for (std::size_t i = 0; i < bindings.size(); ++i) { result[i] = bindings[i].shortcut; }
  return result;
}();

std::optional<UserCommand> command_of(SceneKind scene, auto const& matches)
{
  for (Binding const& binding : bindings) {
    if (is_in(binding.shortcut.scenes, scene) && std::ranges::any_of(binding.presses, matches)) {
      return binding.shortcut.command;
    }
  }
  return std::nullopt;
}

std::optional<UserCommand> command_of_character(ImWchar typed, SceneKind scene)
{
  if (typed >= 128) { return std::nullopt; }
  auto const character = static_cast<char>(std::tolower(typed));
  return command_of(scene, [&](Press const& press) { return press.character == character; });
}

std::optional<UserCommand> command_of_key(KeyPress const& got, SceneKind scene, bool typing)
{
  bool const edits_text = !got.control && got.key < GLFW_KEY_F1;
  if (typing && edits_text) { return std::nullopt; }
  return command_of(scene, [&](Press const& press) { return press.key == got.key && press.control == got.control; });
}

}  // namespace

std::span<Shortcut const> shortcuts()
{
  return all_shortcuts;
}

std::string_view keys_of(UserCommand command)
{
  for (Shortcut const& shortcut : all_shortcuts) {
    if (shortcut.command == command) { return shortcut.keys; }
  }
  return {};
}

std::vector<UserCommand> pressed_commands(std::span<KeyPress const> keys, SceneKind scene)
{
  std::vector<UserCommand> commands;
  auto const add = [&](std::optional<UserCommand> command) {
    if (command) { commands.push_back(*command); }
  };
  bool const typing = ImGui::GetIO().WantTextInput;
  for (KeyPress const& key : keys) { add(command_of_key(key, scene, typing)); }
  if (typing) { return commands; }
  for (ImWchar const character : ImGui::GetIO().InputQueueCharacters) { add(command_of_character(character, scene)); }
  return commands;
}

}  // namespace slotscape
