#include "app/scenes/watch/commands.hpp"

#include "app/table_map/view_commands.hpp"
#include "app/widgets/labels.hpp"
#include "gpu/base/translation.hpp"

#include <algorithm>
#include <iterator>

namespace slotscape {
namespace {

constexpr double key_zoom = 1.5;  ///< per key press
constexpr double key_pan = 0.12;  ///< fraction of the canvas

std::vector<Command> view_commands(WatchState& state, MapView& map)
{
  constexpr std::string_view group = "VIEW";
  constexpr std::string_view menu = "View";
  ViewSettings& view = state.table.settings.view;
  auto const zoom = [&map](double factor) { return [&map, factor] { map.zoom_by(factor); }; };
  auto const pan = [&map](double x, double y) { return [&map, x, y] { map.pan_by(x, y); }; };
  auto const point = [&map](int right, int down) { return [&map, right, down] { map.point(right, down); }; };
  std::vector<Command> commands{
      {.keys = "Ctrl+0, Home",
       .group = group,
       .what = "Show the whole table",
       .menu = menu,
       .label = "Show the whole table",
       .run = [&map] { map.fit(); }},
      {.keys = "K, Ctrl+F",
       .group = group,
       .what = "Find a key",
       .menu = menu,
       .label = "Find a key",
       .run = [&state] { state.table.typed.focus = true; }},
      color_command(view, "Ctrl+1", ColorBy::state, "Colour by state", true),
      color_command(view, "Ctrl+2", ColorBy::probe_length, "Colour by probe length"),
      color_command(view, "Ctrl+3", ColorBy::cluster_length, "Colour by cluster length"),
      color_command(view, "Ctrl+4", ColorBy::recent, "Colour by recent change"),
      choice_menu(menu, "Palette", view.palette),
      choice_menu(menu, "Small tables", view.arrangement),
  };
  std::ranges::move(picture_commands(view), std::back_inserter(commands));
  std::vector<Command> const moves{
      toggle(menu, "Minimap", view.show_minimap),
      {.keys = "+", .group = group, .what = "Zoom in", .run = zoom(key_zoom)},
      {.keys = "-", .group = group, .what = "Zoom out", .run = zoom(1.0 / key_zoom)},
      {.keys = "Arrows", .group = group, .what = "Pan"},
      {.keys = "Left", .run = pan(-key_pan, 0.0)},
      {.keys = "Right", .run = pan(key_pan, 0.0)},
      {.keys = "Up", .run = pan(0.0, -key_pan)},
      {.keys = "Down", .run = pan(0.0, key_pan)},
      {.keys = "Ctrl+Arrows", .group = group, .what = "Point at a slot to read its card"},
      {.keys = "Ctrl+Left", .run = point(-1, 0)},
      {.keys = "Ctrl+Right", .run = point(1, 0)},
      {.keys = "Ctrl+Up", .run = point(0, -1)},
      {.keys = "Ctrl+Down", .run = point(0, 1)},
      {.keys = "Ctrl+Enter", .group = group, .what = "Click that slot", .run = [&map] { map.choose_pointed(); }},
  };
  commands.insert(commands.end(), moves.begin(), moves.end());
  return commands;
}

}  // namespace

std::vector<Command> watch_commands(WatchState& state, MapView& map)
{
  constexpr std::string_view group = "WATCH";
  constexpr std::string_view menu = "File";
  std::vector<Command> commands{
      {.keys = "Space",
       .group = group,
       .what = "Pause: view a copy while the program continues",
       .menu = "Watch",
       .label = "Pause and view a copy",
       .run = [&state] { state.ask(PauseWatch{}); },
       .checked = [&state] { return state.paused; }},
      {.keys = "C",
       .group = group,
       .what = "Check the description against the keys",
       .menu = "Watch",
       .label = "Check the description",
       .run = [&state] { state.ask(CheckAgain{}); }},
      {.keys = "O",
       .group = group,
       .what = "Open a dump of a table",
       .menu = "Watch",
       .label = "Open a dump…",
       .divides = true,
       .run = [&state] { state.ask(OpenDump{}); }},
      {.menu = "Watch", .label = "Open a description…", .run = [&state] { state.ask(OpenLayout{}); }},
      {.menu = "Watch",
       .label = "The same keys side by side",
       .divides = true,
       .run = [&state] { state.ask(SameKeysIn{"compare"}); }},
      {.menu = "Watch", .label = "The same keys in tuning", .run = [&state] { state.ask(SameKeysIn{"tune"}); }},
  };
  commands.push_back({.menu = menu, .label = "Running tables", .submenu = [&state] {
                        if (!ImGui::BeginMenu(translated_label("Running tables").c_str())) { return; }
                        for (Announcement const& each : state.running) {
                          std::string const label = each.name + "  ·  " + each.program;
                          if (ImGui::MenuItem(label.c_str())) { state.ask(WatchRunning{each}); }
                        }
                        if (state.running.empty()) {
                          ImGui::MenuItem(tr("No running program shows a table"), nullptr, false, false);
                        }
                        ImGui::EndMenu();
                      }});
  std::vector<Command> views = view_commands(state, map);
  commands.insert(commands.end(), std::make_move_iterator(views.begin()), std::make_move_iterator(views.end()));
  return commands;
}

}  // namespace slotscape
