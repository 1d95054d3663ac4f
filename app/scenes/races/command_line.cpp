#include "app/scenes/races/command_line.hpp"

#include "app/base/option_text.hpp"
#include "gpu/base/translation.hpp"
#include "gpu/races/history.hpp"

#include <fmt/ranges.h>
#include <CLI/CLI.hpp>

#include <vector>

namespace slotscape {
namespace {

/// Parses "1,2,2,1": the numbers of the threads, in the order of their accesses.
races::Schedule turns_of(std::string const& text)
{
  races::Schedule schedule;
  for (std::string const& word : CLI::detail::split(text, ',')) {
    std::uint8_t thread = 0;
    read_whole("--turns", word, 1, races::max_threads, thread);
    schedule.push_back({.thread = static_cast<std::uint8_t>(thread - 1)});
  }
  return schedule;
}

std::vector<std::string_view> names_of_cases()
{
  std::vector<std::string_view> names;
  for (races::Case const& each : races::famous_cases()) { names.push_back(each.name); }
  return names;
}

}  // namespace

RacesSubcommand::RacesSubcommand(CLI::App& command)
{
  command.add_option("CASE", case_, fmt::format("a famous race: {}", fmt::join(names_of_cases(), ", ")));
  add_option(command, setting_named<RacesSettings>("explore"), explore_);
  race_.add_to(command);
  command.add_option("--turns", turns_, "whose turns are taken: 1,2,2,1")->type_name("T,T,...");
}

SceneSetup RacesSubcommand::set_up() const
{
  RacesSettings settings;
  if (!case_.empty()) {
    races::Case const* const shown = races::find_case(case_);
    if (shown == nullptr) { throw Error(tr("There is no race '{}'; {}", case_, suggest(case_, names_of_cases()))); }
    settings = settings_of(*shown);
  }
  race_.read(settings.race);
  reconcile(settings);
  read_option(setting_named<RacesSettings>("explore"), explore_, settings);
  if (!turns_.empty()) {
    settings.schedule = turns_of(turns_);
    settings.position = settings.schedule.size();
    try {
      races::history_of(races::make_race(settings.race), settings.schedule);
    } catch (Error const& error) {
      throw Error(fmt::format("--turns: {}", error.what()));
    }
  }
  return settings;
}

}  // namespace slotscape
