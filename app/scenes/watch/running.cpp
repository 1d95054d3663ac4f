#include "app/scenes/watch/running.hpp"

#include "gpu/base/aside.hpp"
#include "gpu/watch/live.hpp"

#include <fmt/format.h>

namespace slotscape {

std::string RunningTable::full_name() const
{
  return fmt::format("{}@{}", name, pid);
}

std::vector<RunningTable> running_tables()
{
  std::vector<RunningTable> tables;
  for (watch::Announced& each : watch::announced()) {
    RunningTable table{.name = each.name,
                       .program = fmt::format("{} ({})", each.program, each.pid),
                       .pid = each.pid,
                       .bytes = each.bytes,
                       .on_device = each.on_device,
                       .connect = {}};
    table.connect = [announced = std::move(each)](BackendChoice where) { return watch::connect(announced, where); };
    tables.push_back(std::move(table));
  }
  return tables;
}

RunningTables::~RunningTables()
{
  if (asked_.valid()) { aside::wait(asked_); }
}

void RunningTables::follow()
{
  constexpr std::chrono::milliseconds rest(1000);
  if (asked_.valid()) {
    if (!aside::wait(asked_, 0.0)) { return; }
    try {
      known_ = asked_.get();
    } catch (std::exception const&) {
      known_.clear();  // the folder cannot be read: nothing is announced there
    }
    next_ = std::chrono::steady_clock::now() + rest;
  }
  if (std::chrono::steady_clock::now() < next_) { return; }
  asked_ = aside::start(running_tables);
}

}  // namespace slotscape
