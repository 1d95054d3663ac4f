#include "app/scenes/races/explorer.hpp"

#include <chrono>
#include <utility>

namespace slotscape {
namespace {

/// To count all schedules, this many moments are remembered: a second's work.
constexpr std::size_t max_counted = 200'000;

}  // namespace

void RaceExplorer::start(races::Race const& race)
{
  progress_ = Progress::tracked();
  search_ = std::async(std::launch::async,
                       [race, progress = progress_] { return races::explore(race, {}, progress, max_counted); });
}

void RaceExplorer::give_up()
{
  cancel();
  if (search_.valid()) { search_.wait(); }
  search_ = {};
}

void RaceExplorer::wait(double seconds)
{
  if (search_.valid()) { search_.wait_for(std::chrono::duration<double>(seconds)); }
}

std::optional<races::Report> RaceExplorer::take()
{
  bool const ended = search_.valid() && search_.wait_for(std::chrono::seconds(0)) == std::future_status::ready;
  if (!ended) { return std::nullopt; }
  return search_.get();
}

}  // namespace slotscape
