#include "app/scenes/races/scene.hpp"

#include "app/scene/setting_commands.hpp"
#include "gpu/base/translation.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <string>

namespace slotscape {

// NOLINTNEXTLINE(readability-function-size): a table
std::vector<Command> RacesScene::make_commands()
{
  constexpr std::string_view turns = "TURNS";
  constexpr std::string_view search = "SEARCH";
  constexpr std::string_view view = "VIEW";
  constexpr std::string_view menu = "Race";
  constexpr std::array<std::string_view, races::max_threads> keys{"1", "2", "3", "4"};
  RacesSettings& settings = state_.settings;
  auto const go_to_case = [this](int by) {
    auto const cases = races::famous_cases();
    auto const here = std::ranges::find(cases, state_.settings.case_name, &races::Case::name);
    auto const count = static_cast<std::ptrdiff_t>(cases.size());
    std::ptrdiff_t const at = here == cases.end() ? (by > 0 ? -1 : 0) : here - cases.begin();
    state_.ask(ShowCase{std::string(cases[static_cast<std::size_t>((at + by + count) % count)].name)});
  };
  std::vector<Command> commands;
  for (std::size_t thread = 0; thread < keys.size(); ++thread) {
    commands.push_back({.keys = keys[thread],
                        .group = thread == 0 ? turns : "",
                        .what = thread == 0 ? translatable("T1's turn; 2, 3 and 4 likewise") : "",
                        .on_question = OnQuestion::answers,
                        .run = [this, thread] {
                          if (auto const turn = turn_of(static_cast<std::uint8_t>(thread))) {
                            state_.ask(TakeTurn{*turn});
                          }
                        }});
  }
  std::vector<Command> others{
      {.keys = "Right",
       .group = turns,
       .what = "The next turn, or one at random",
       .on_question = OnQuestion::answers,
       .run = [this] { state_.ask(GoForward{}); }},
      {.keys = "Left",
       .group = turns,
       .what = "One turn back",
       .run = [this, &settings] { state_.ask(GoToTurn{settings.position - (settings.position != 0 ? 1 : 0)}); }},
      {.keys = "Home", .group = turns, .what = "Before the first turn", .run = [this] { state_.ask(GoToTurn{0}); }},
      {.keys = "End",
       .group = turns,
       .what = "To the end, at random where no turns are recorded",
       .on_question = OnQuestion::answers,
       .run = [this] { state_.ask(RunToEnd{}); }},
      {.keys = "Space",
       .group = turns,
       .what = "Play or pause",
       .on_question = OnQuestion::answers,
       .run = [this] { state_.ask(PlayRace{}); }},
      {.keys = "S", .group = turns, .what = "Another seed", .run = [&settings] { ++settings.seed; }},
      {.keys = "Backspace, Ctrl+R",
       .group = turns,
       .what = "Forget all turns",
       .menu = menu,
       .label = "Start again",
       .run = [this] { state_.ask(RestartRace{}); }},
      {.keys = "E",
       .group = search,
       .what = "Search all schedules",
       .menu = menu,
       .label = "Search all schedules",
       .on_question = OnQuestion::answers,
       .run = [this] { state_.ask(ExploreRace{}); }},
      {.keys = "B",
       .group = search,
       .what = "Replay the shortest illegal history",
       .menu = menu,
       .label = "Replay the shortest illegal history",
       .on_question = OnQuestion::answers,
       .run = [this] { state_.ask(ReplayShortest{}); }},
      choice_menu(menu, "Memory", settings.race.memory),
      {.keys = "N", .group = view, .what = "Next famous race", .run = [=] { go_to_case(1); }},
      {.keys = "P", .group = view, .what = "Previous famous race", .run = [=] { go_to_case(-1); }},
      {.keys = "C",
       .group = view,
       .what = "Show or hide the pseudocode",
       .menu = "View",
       .label = "Pseudocode",
       .run = [&settings] { settings.show_code = !settings.show_code; },
       .checked = [&settings] { return settings.show_code; }},
  };
  std::ranges::move(others, std::back_inserter(commands));
  std::ranges::move(setting_commands(settings.race, search), std::back_inserter(commands));
  return commands;
}

}  // namespace slotscape
