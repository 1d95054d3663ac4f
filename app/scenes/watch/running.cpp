#include "app/scenes/watch/running.hpp"

#include "gpu/base/aside.hpp"
#include "gpu/watch/live.hpp"

#include <fmt/format.h>

namespace slotscape {

std::string Announcement::full_name() const
{
  return fmt::format("{}@{}", name, pid);
}

std::vector<Announcement> running_tables()
{
  std::vector<Announcement> tables;
  for (watch::Announced& each : watch::announced()) {
    Announcement table{.name = each.name,
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

Announcements::~Announcements()
{
  if (asked_.valid()) { aside::wait(asked_); }
}

void Announcements::follow()
{
  constexpr std::chrono::milliseconds rest(1000);
  if (asked_.valid()) {
    if (!aside::wait(asked_, 0.0)) { return; }
    try {
      known_ = asked_.get();
    } catch (std::exception const&) {
      known_.clear();  // an unreadable folder has no announcements
    }
    next_ = std::chrono::steady_clock::now() + rest;
  }
  if (std::chrono::steady_clock::now() < next_) { return; }
  asked_ = aside::start(running_tables);
}

}  // namespace slotscape
