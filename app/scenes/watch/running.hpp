#pragma once

#include "gpu/watch/source.hpp"

#include <chrono>
#include <cstdint>
#include <functional>
#include <future>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace slotscape {

/// A table that a running program lets others look at.
struct Announcement {
  std::string name;     ///< what the program calls it
  std::string program;  ///< "train.py (4711)"
  int pid = 0;
  std::uint64_t bytes = 0;
  bool on_device = false;
  /// Throws Error if the program does not answer. `where`: on whose device it is to be looked at.
  std::function<std::unique_ptr<watch::Source>(BackendChoice where)> connect;

  /// "grid@4711": also of several programs that call their tables so, it is the one.
  std::string full_name() const;
  /// Whether that is its name, or its full name.
  bool is(std::string_view called) const { return called == name || called == full_name(); }
};

/// The tables that are announced now; asking them takes up to a quarter of a second.
std::vector<Announcement> running_tables();

/// Asks for them beside the frames, every second.
class Announcements {
public:
  ~Announcements();
  Announcements() = default;
  Announcements(Announcements const&) = delete;
  Announcements& operator=(Announcements const&) = delete;

  /// Call it in every frame that shows them.
  void follow();
  std::vector<Announcement> const& known() const { return known_; }

private:
  std::vector<Announcement> known_;
  std::future<std::vector<Announcement>> asked_;
  std::chrono::steady_clock::time_point next_{};
};

}  // namespace slotscape
