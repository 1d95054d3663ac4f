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

/// A table that a running program offers for viewing.
struct Announcement {
  std::string name;     ///< as named by the program
  std::string program;  ///< "train.py (4711)"
  int pid = 0;
  std::uint64_t bytes = 0;
  bool on_device = false;
  /// Throws Error if the program does not answer. `where`: the device to view it on.
  std::function<std::unique_ptr<watch::Source>(BackendChoice where)> connect;

  /// For example "grid@4711": unique even if several programs use the same name.
  std::string full_name() const;
  /// Whether `called` is its name or its full name.
  bool is(std::string_view called) const { return called == name || called == full_name(); }
};

/// The currently announced tables. The query takes up to a quarter of a second.
std::vector<Announcement> running_tables();

/// Queries announcements in the background, once a second.
class Announcements {
public:
  ~Announcements();
  Announcements() = default;
  Announcements(Announcements const&) = delete;
  Announcements& operator=(Announcements const&) = delete;

  /// To be called in every frame that shows the tables.
  void follow();
  std::vector<Announcement> const& known() const { return known_; }

private:
  std::vector<Announcement> known_;
  std::future<std::vector<Announcement>> asked_;
  std::chrono::steady_clock::time_point next_{};
};

}  // namespace slotscape
