#include "app/table_scene/table_commands.hpp"

#include "app/table_map/view_commands.hpp"
#include "app/table_scene/gui.hpp"
#include "app/table_scene/sizes.hpp"
#include "app/widgets/labels.hpp"
#include "gpu/base/error.hpp"
#include "gpu/base/translation.hpp"

#include <algorithm>

namespace slotscape {
namespace {

constexpr double load_step = 0.05;
constexpr double key_zoom = 1.5;  ///< per key press
constexpr double key_pan = 0.12;  ///< per key press, as a share of the canvas

void change_speed(DriveSettings& drive, double factor)
{
  if (factor < 1.0 && drive.full_speed) {
    drive.full_speed = false;
    return;
  }
  double const rate = std::max(drive.rate * factor, 1.0);
  bool const is_beyond = factor > 1.0 && rate > usual_rate;
  drive.full_speed = drive.full_speed || is_beyond;
  drive.rate = is_beyond ? std::max(drive.rate, usual_rate) : rate;
}

void change_load(TableState& state, double step)
{
  DriveSettings& drive = state.settings.drive;
  double const base = drive.hold_load ? drive.target_load : state.statistics.load_factor();
  drive.target_load = std::clamp(base + step, 0.0, guarantees_of(state).max_load);
  drive.hold_load = true;
  if (!drive.running) { state.act(FillTo{drive.target_load}); }
}

/// What slots show besides their keys.
Command written_menu(std::string_view menu, ViewSettings& view)
{
  std::string const label = translatable("Written in slots");
  auto const draw = [label, &view] {
    if (!ImGui::BeginMenu(translated_label(label).c_str())) { return; }
    for (char const* const name : {"slot_numbers", "homes", "values", "displacements"}) {
      Setting<ViewSettings> const& written = setting_named<ViewSettings>(name);
      bool on = written.get(view) != 0.0;
      if (ImGui::MenuItem(translated_label(written.text.label).c_str(), nullptr, &on)) {
        written.set(view, on ? 1.0 : 0.0);
      }
    }
    ImGui::EndMenu();
  };
  return {.menu = menu, .label = label, .submenu = draw};
}

Command keys_as_menu(std::string_view menu, TableState& state)
{
  std::string const label = label_of<ViewSettings>("keys_as");
  auto const draw = [label, &state] {
    if (!ImGui::BeginMenu(translated_label(label).c_str())) { return; }
    for (EnumName<KeyStyle> const& name : enum_names<KeyStyle>()) {
      bool const is_present = name.value == state.settings.view.keys_as;
      bool const chosen = ImGui::MenuItem(translated_label(name.label).c_str(), nullptr, is_present);
      if (chosen && !is_present) { show_keys_as(state, name.value); }
    }
    ImGui::EndMenu();
  };
  return {.menu = menu, .label = label, .submenu = draw};
}

/// Turns plain steps on, too: textbook code fits only those.
Command textbook_code_command(std::string_view menu, ViewSettings& view)
{
  auto const is_on = [&view] { return code_style(view) == CodeStyle::textbook; };
  auto const change = [&view, is_on] {
    view.textbook_code = !is_on();
    view.plain_steps = view.plain_steps || view.textbook_code;
  };
  return {.menu = menu, .label = label_of<ViewSettings>("textbook_code"), .run = change, .checked = is_on};
}

void append(std::vector<Command>& commands, std::vector<Command> more)
{
  std::ranges::move(more, std::back_inserter(commands));
}

/// In step mode, a letter meant for the field must not change the table.
std::vector<Command> not_in_steps(DrivenTables& tables, std::vector<Command> commands)
{
  for (Command& command : commands) {
    if (command.keys == "Space") { continue; }  // Space plays the steps
    command.run = [&tables, run = std::move(command.run)] {
      if (tables.state().steps.on) { throw Error(tr("The table is paused: leave step mode (Esc) first.")); }
      run();
    };
  }
  return commands;
}

std::vector<Command> drive_commands(DrivenTables& tables)
{
  constexpr std::string_view group = "DRIVE";
  constexpr std::string_view menu = "Table";
  auto const press = [&tables](Operation operation) {
    return [&tables, operation] { tables.state().act(press_of(operation, tables.state().settings.drive)); };
  };
  auto const pause = [&tables] {
    if (tables.state().steps.on) { return tables.players().play_or_pause(); }
    bool& running = tables.state().settings.drive.running;
    running = !running;
  };
  return {
      {.keys = "Space",
       .group = group,
       .what = "Run or pause the mix",
       .menu = menu,
       .on_question = OnQuestion::answers,
       .run = pause,
       .label_now =
           [&tables] {
             return tables.state().settings.drive.running ? translatable("Pause the mix") : translatable("Run the mix");
           }},
      {.keys = "S",
       .group = group,
       .what = "Run a single batch of the mix",
       .menu = menu,
       .label = "Run a single batch of the mix",
       .on_question = OnQuestion::answers,
       .run = [&tables] { tables.state().act(single_batch(tables.state().settings.drive)); }},
      {.keys = "I",
       .group = group,
       .what = "Insert a batch of new keys",
       .menu = menu,
       .label = "Insert a batch",
       .on_question = OnQuestion::answers,
       .run = press(Operation::insert)},
      {.keys = "F",
       .group = group,
       .what = "Find a batch of keys",
       .menu = menu,
       .label = "Find a batch",
       .on_question = OnQuestion::answers,
       .run = press(Operation::find)},
      {.keys = "E",
       .group = group,
       .what = "Erase a batch of random live keys",
       .menu = menu,
       .label = "Erase a batch",
       .on_question = OnQuestion::drops_keys,
       .run = press(Operation::erase)},
  };
}

/// Commands for the speed of the mix.
std::vector<Command> pace_commands(DrivenTables& tables)
{
  constexpr std::string_view group = "DRIVE";
  return {
      {.keys = "[",
       .group = group,
       .what = "Halve the speed of the mix",
       .run = [&tables] { change_speed(tables.state().settings.drive, 0.5); }},
      {.keys = "]",
       .group = group,
       .what = "Double the speed of the mix",
       .run = [&tables] { change_speed(tables.state().settings.drive, 2.0); }},
      {.keys = "Comma",
       .group = group,
       .what = "Lower the target load by 0.05",
       .on_question = OnQuestion::answers,
       .run = [&tables] { change_load(tables.state(), -load_step); }},
      {.keys = "Period",
       .group = group,
       .what = "Raise the target load by 0.05",
       .on_question = OnQuestion::answers,
       .run = [&tables] { change_load(tables.state(), load_step); }},
  };
}

std::vector<Command> table_commands(DrivenTables& tables)
{
  constexpr std::string_view group = "TABLE";
  constexpr std::string_view menu = "Table";
  auto const slots = [&tables] { return tables.state().settings.table.slots; };
  return {
      {.keys = "R",
       .group = group,
       .what = "Rehash into twice the slots",
       .menu = menu,
       .label = "Rehash into twice the slots",
       .divides = true,
       .on_question = OnQuestion::answers,
       .run = [&tables, slots] { tables.state().act(rehash_to(tables.state(), slots() * 2)); }},
      {.keys = "D",
       .group = group,
       .what = "Rehash into half the slots",
       .menu = menu,
       .label = "Rehash into half the slots",
       .on_question = OnQuestion::answers,
       .run = [&tables, slots] { tables.state().act(rehash_to(tables.state(), slots() / 2)); }},
      {.keys = "P",
       .group = group,
       .what = "Purge the tombstones",
       .menu = menu,
       .label = "Purge the tombstones",
       .on_question = OnQuestion::answers,
       .run = [&tables] { tables.state().act(Rehash{}); }},
      {.keys = "C",
       .group = group,
       .what = "Clear the table",
       .menu = menu,
       .label = "Clear the table",
       .on_question = OnQuestion::drops_keys,
       .run = [&tables] { tables.state().act(Clear{}); }},
      {.keys = "Backspace, Ctrl+R",
       .group = group,
       .what = "Restart from the same seed",
       .menu = menu,
       .label = "Restart from the same seed",
       .on_question = OnQuestion::drops_keys,
       .run = [&tables] { tables.state().ask(Restart{}); }},
  };
}

std::vector<Command> view_commands(DrivenTables& tables)
{
  constexpr std::string_view group = "VIEW";
  constexpr std::string_view menu = "View";
  ViewSettings& view = tables.state().settings.view;
  std::vector<Command> commands{
      {.keys = "Ctrl+0",
       .menu = menu,
       .label = "Show the whole table",
       .run = [&tables] { tables.move_camera([](MapView& map) { map.fit(); }); }},
      {.keys = "0 to 9", .group = group, .what = "Type keys"},
      {.keys = "K, Ctrl+F",
       .group = group,
       .what = "Go to the field for keys",
       .menu = menu,
       .label = "Type keys",
       .run = [&tables] { tables.state().typed.focus = true; }},
      color_command(view, "Ctrl+1", ColorBy::state, "Colour by state", true),
      color_command(view, "Ctrl+2", ColorBy::probe_length, "Colour by probe length"),
      color_command(view, "Ctrl+3", ColorBy::cluster_length, "Colour by cluster length"),
      color_command(view, "Ctrl+4", ColorBy::recent, "Colour by recent change"),
      color_command(view, "Ctrl+5", ColorBy::chain_length, "Colour by chain length"),
      choice_menu(menu, label_of<ViewSettings>("palette"), view.palette),
      choice_menu(menu, label_of<ViewSettings>("arrangement"), view.arrangement),
      keys_as_menu(menu, tables.state()),
      written_menu(menu, view),
      toggle(menu, label_of<ViewSettings>("plain_steps"), view.plain_steps),  // the level of a first course
      textbook_code_command(menu, view),
  };
  append(commands, picture_commands(view));
  commands.push_back(toggle(menu, label_of<ViewSettings>("minimap"), view.show_minimap));
  return commands;
}

std::vector<Command> camera_commands(DrivenTables& tables, TypedOperations& typed)
{
  constexpr std::string_view group = "VIEW";
  auto const zoom = [&tables](double factor) {
    return [&tables, factor] { tables.move_camera([=](MapView& map) { map.zoom_by(factor); }); };
  };
  // In step mode, the camera keys move through the steps.
  auto const pan_or = [&tables, &typed](double x, double y, void (StepGroup::*step)()) {
    return [&tables, &typed, x, y, step] {
      StepGroup group = tables.players();
      bool const leaves_start =
          step == &StepGroup::back && tables.state().steps.on && (group.empty() || group.at_start());
      if (leaves_start) { return typed.walk_back(); }
      if (step != nullptr && !group.empty()) { return (group.*step)(); }
      tables.move_camera([=](MapView& map) { map.pan_by(x, y); });
    };
  };
  auto const point = [&tables](int right, int down) {
    return [&tables, right, down] { tables.keyed_map().point(right, down); };
  };
  auto const to_start = [&tables] {
    StepGroup group = tables.players();
    if (!group.empty()) { return group.go_to(0); }
    tables.move_camera([](MapView& map) { map.fit(); });
  };
  return {
      {.keys = "+", .group = group, .what = "Zoom in", .run = zoom(key_zoom)},
      {.keys = "-", .group = group, .what = "Zoom out", .run = zoom(1.0 / key_zoom)},
      {.keys = "Arrows", .group = group, .what = "Pan"},
      {.keys = "Left", .run = pan_or(-key_pan, 0.0, &StepGroup::back)},
      {.keys = "Right", .run = pan_or(key_pan, 0.0, &StepGroup::forward)},
      {.keys = "Up", .run = pan_or(0.0, -key_pan, nullptr)},
      {.keys = "Down", .run = pan_or(0.0, key_pan, nullptr)},
      {.keys = "Ctrl+Arrows", .group = group, .what = "Point at a slot to read its card"},
      {.keys = "Ctrl+Left", .run = point(-1, 0)},
      {.keys = "Ctrl+Right", .run = point(1, 0)},
      {.keys = "Ctrl+Up", .run = point(0, -1)},
      {.keys = "Ctrl+Down", .run = point(0, 1)},
      {.keys = "Ctrl+Enter",
       .group = group,
       .what = "Click that slot",
       .run = [&tables] { tables.keyed_map().choose_pointed(); }},
      {.keys = "Ctrl+0, Home", .group = group, .what = "Show the whole table"},
      {.keys = "Home", .run = to_start},
      {.keys = "End",
       .run =
           [&tables] {
             StepGroup group = tables.players();
             group.go_to(group.count());
           }},
  };
}

std::vector<Command> step_commands(TypedOperations& typed)
{
  constexpr std::string_view group = "STEP MODE";
  return {
      {.keys = "T, Ctrl+T",
       .group = group,
       .what = "Step through the typed keys, or choose others",
       .menu = "Table",
       .label = "Step through one operation…",
       .divides = true,
       .on_question = OnQuestion::answers,
       .run = [&typed] { typed.step_through_field(); }},
      {.keys = "Right, Left", .group = group, .what = "Step forward or back, across operations"},
      {.keys = "Home, End", .group = group, .what = "Go to the start or end"},
      {.keys = "Space", .group = group, .what = "Play or pause"},
      {.keys = "Enter", .group = group, .what = "Perform the operation", .run = [&typed] { typed.enter(); }},
      {.keys = "Esc", .group = group, .what = "Leave step mode"},
  };
}

}  // namespace

std::vector<Command> table_scene_commands(DrivenTables& tables, TypedOperations& typed)
{
  std::vector<Command> commands = not_in_steps(tables, drive_commands(tables));
  append(commands, not_in_steps(tables, pace_commands(tables)));
  append(commands, not_in_steps(tables, table_commands(tables)));
  append(commands, view_commands(tables));
  append(commands, camera_commands(tables, typed));
  append(commands, step_commands(typed));
  return commands;
}

}  // namespace slotscape
