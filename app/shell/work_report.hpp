#pragma once

#include "gpu/base/progress.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

namespace slotscape {

/// Tells, line by line, how far long work is: what, how much of it, and how fast. Short work is not told of.
class WorkReport {
public:
  using Write = std::function<void(std::string const& text)>;

  /// rewrites: each line takes the place of the last, as on a terminal; otherwise there are few.
  WorkReport(Write write, bool rewrites) : write_(std::move(write)), rewrites_(rewrites) {}

  /// `seconds`: on any clock that does not go backwards.
  void tell(Progress const& progress, double seconds);
  /// No more lines: the one that is rewritten disappears.
  void end();
  std::uint64_t operations() const { return operations_; }  ///< told of so far

private:
  void warn(std::string const& text);

  Write write_;
  bool rewrites_;
  bool line_is_open_ = false;
  bool warned_ = false;
  std::uint64_t operations_ = 0;
  std::uint64_t told_operations_ = 0;
  std::optional<double> told_;  // seconds of the last line, or of the beginning
  bool begun_ = false;          // telling
};

}  // namespace slotscape
