#include "app/scenes/match/scene.hpp"

#include "app/scene/setting_commands.hpp"
#include "app/widgets/labels.hpp"
#include "gpu/base/translation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <string>
#include <utility>

namespace slotscape {

using matching::Side;

namespace {

constexpr double key_zoom = 1.5;  ///< per key press
constexpr double key_turn = 5.0;  ///< degrees

/// The next example set-up; after any other set-up, the first example.
void show_next_example(MatchSceneSettings& settings)
{
  auto const examples = match_examples();
  auto const here = std::ranges::find_if(examples, [&](MatchExample const& example) {
    return example.pose == settings.pose && std::ranges::equal(example.sources, settings.sources);
  });
  bool const is_last = here == examples.end() || std::next(here) == examples.end();
  show_example(is_last ? examples.front() : *std::next(here), settings);
}

}  // namespace

std::vector<Command> MatchScene::matching_commands()
{
  constexpr std::string_view group = "MATCHING";
  constexpr std::string_view menu = "Match";
  matching::MatchSettings& matching = state_.settings.matching;
  std::vector<Command> commands = setting_commands(matching, group);
  commands.push_back(
      {.keys = "S", .group = group, .what = "Other bases", .menu = menu, .label = "Other bases", .run = [&] {
         ++matching.seed;
       }});
  commands.push_back(choice_menu(menu, "Method", matching.method));
  return commands;
}

std::vector<Command> MatchScene::query_commands()
{
  constexpr std::string_view group = "QUERY";
  constexpr std::string_view menu = "Match";
  MatchSceneSettings& settings = state_.settings;
  auto const turn = [&settings](double by) { settings.pose.turn = whole_turns_removed(settings.pose.turn + by); };
  auto const draw_examples = [&settings] {
    if (!ImGui::BeginMenu(translated_label("Examples").c_str())) { return; }
    for (MatchExample const& example : match_examples()) {
      if (ImGui::MenuItem(translated_label(example.name).c_str())) { show_example(example, settings); }
    }
    ImGui::EndMenu();
  };
  return {
      {.keys = "[", .group = group, .what = "Turn the query by 5°", .run = [=] { turn(key_turn); }},
      {.keys = "]", .group = group, .what = "Turn it back by 5°", .run = [=] { turn(-key_turn); }},
      {.keys = "R",
       .group = group,
       .what = "Reset the query",
       .menu = menu,
       .label = "Reset the query",
       .run = [&settings] { settings.pose = {}; }},
      {.keys = "N",
       .group = group,
       .what = "Next example",
       .menu = menu,
       .label = "Next example",
       .run = [&settings] { show_next_example(settings); }},
      {.menu = menu, .label = "Examples", .submenu = draw_examples},
      {.keys = "Space",
       .group = group,
       .what = "Play or pause a video",
       .menu = menu,
       .label = "Play or pause the video",
       .divides = true,
       .run = [this] { state_.ask(PlayVideo{}); }},
      {.keys = "Right", .group = group, .what = "Next frame", .run = [this] { move_frame(1); }},
      {.keys = "Left", .group = group, .what = "Previous frame", .run = [this] { move_frame(-1); }},
  };
}

std::vector<Command> MatchScene::file_commands()
{
  constexpr std::string_view group = "FILES";
  constexpr std::string_view menu = "File";
  auto const ask = [this](Side side, bool video) {
    return [this, side, video] { state_.ask(AskForPictures{side, video}); };
  };
  return {
      {.keys = "Ctrl+O",
       .group = group,
       .what = "Open a query",
       .menu = menu,
       .label = "Open a query…",
       .run = ask(Side::query, false)},
      {.keys = "Ctrl+Shift+O",
       .group = group,
       .what = "Open a reference",
       .menu = menu,
       .label = "Open a reference…",
       .run = ask(Side::reference, false)},
      {.menu = menu, .label = "Open a folder of frames as query…", .run = ask(Side::query, true)},
      {.menu = menu, .label = "Open a folder of frames as reference…", .run = ask(Side::reference, true)},
  };
}

std::vector<Command> MatchScene::view_commands()
{
  constexpr std::string_view group = "VIEW";
  constexpr std::string_view menu = "View";
  MatchSceneSettings& settings = state_.settings;
  auto const switch_of = [&](std::string_view keys, std::string_view what, std::string label, bool& value) {
    return Command{.keys = keys,
                   .group = group,
                   .what = what,
                   .menu = menu,
                   .label = std::move(label),
                   .run = [&value] { value = !value; },
                   .checked = [&value] { return value; }};
  };
  auto const zoom = [this](double factor) {
    return [this, factor] {
      PictureView& reference = pictures_[index_of(Side::reference)];
      Rectangle const& canvas = reference.canvas();
      reference.zoom_at({static_cast<float>(canvas.x) + static_cast<float>(canvas.width) / 2.0f,
                         static_cast<float>(canvas.y) + static_cast<float>(canvas.height) / 2.0f},
                        factor);
    };
  };
  auto const next_color = [&settings] {
    constexpr std::array colors{ColorBy::probe_length, ColorBy::cluster_length, ColorBy::state};
    auto const here = std::ranges::find(colors, settings.map.color_by);
    bool const is_last = here == colors.end() || std::next(here) == colors.end();
    settings.map.color_by = is_last ? colors.front() : *std::next(here);
  };
  return {
      switch_of("E", translatable("Show or hide edges"), "Edges", settings.show_edges),
      switch_of("P", translatable("Show or hide points"), "Points", settings.show_points),
      switch_of("O", translatable("Show or hide the match"), "Match", settings.show_overlay),
      switch_of("M", translatable("Show or hide the slot map"), "Slot map", settings.show_map),
      switch_of("B", translatable("Show or hide the votes"), "Votes", settings.show_votes),
      {.keys = "V",
       .group = group,
       .what = "Replay the votes, or show all at once",
       .menu = menu,
       .label = "Replay the votes",
       .run = [this] { state_.ask(ReplayVotes{}); }},
      {.keys = "C", .group = group, .what = "Next colouring of the slot map", .run = next_color},
      {.keys = "G",
       .group = group,
       .what = "Logarithmic or linear colour scale",
       .run = [&settings] { settings.map.log_scale = !settings.map.log_scale; }},
      {.keys = "+", .group = group, .what = "Zoom in on the reference", .run = zoom(key_zoom)},
      {.keys = "-", .group = group, .what = "Zoom out", .run = zoom(1.0 / key_zoom)},
      {.keys = "0, Home",
       .group = group,
       .what = "Show all",
       .menu = menu,
       .label = "Show all",
       .run = [this] { state_.ask(ShowAllOfPictures{}); }},
  };
}

}  // namespace slotscape
