#pragma once

#include "gpu/base/progress.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

namespace slotscape {

/// Reports the progress of long work in lines: what it is, how much is done, and how fast. Short work is not reported.
class WorkReport {
public:
  using Write = std::function<void(std::string const& text)>;

  /// rewrites: each line replaces the last, as on a terminal; otherwise there are few lines.
  WorkReport(Write write, bool rewrites) : write_(std::move(write)), rewrites_(rewrites) {}

  /// `seconds`: from any monotonic clock.
  void tell(Progress const& progress, double seconds);
  /// Ends the report; a rewritten line is cleared.
  void end();
  std::uint64_t operations() const { return operations_; }  ///< reported so far

private:
  void warn(std::string const& text);

  Write write_;
  bool rewrites_;
  bool line_is_open_ = false;
  bool warned_ = false;
  std::uint64_t operations_ = 0;
  std::uint64_t told_operations_ = 0;
  std::optional<double> told_;  // time of the last line, or of the start
  bool begun_ = false;          // whether a line has been written
};

}  // namespace slotscape
