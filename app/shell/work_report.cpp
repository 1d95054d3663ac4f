#include "app/shell/work_report.hpp"

#include "app/base/text.hpp"

#include <fmt/format.h>

namespace slotscape {
namespace {

constexpr double quiet_seconds = 1.0;     ///< before the first line, if lines are rewritten
constexpr double rewrite_seconds = 0.25;  ///< between updates of a rewritten line
constexpr double line_seconds = 10.0;     ///< between permanent lines, and before the first
constexpr char const* clear_line = "\r\x1b[K";

}  // namespace

void WorkReport::tell(Progress const& progress, double seconds)
{
  operations_ = progress.count();
  if (!warned_) { warn(progress.warning()); }
  if (!told_) { told_ = seconds; }
  double const between = !rewrites_ ? line_seconds : begun_ ? rewrite_seconds : quiet_seconds;
  double const passed = seconds - *told_;
  if (passed < between) { return; }
  double const rate = static_cast<double>(operations_ - told_operations_) / passed;
  std::string line = fmt::format("{}: {}", progress.what(), percent(progress.share()));
  if (operations_ != 0) { line += fmt::format(", {} operations, {}/s", grouped(operations_), short_number(rate)); }
  write_(rewrites_ ? clear_line + line : line + "\n");
  line_is_open_ = rewrites_;
  begun_ = true;
  told_ = seconds;
  told_operations_ = operations_;
}

void WorkReport::end()
{
  if (line_is_open_) { write_(clear_line); }
  line_is_open_ = false;
}

void WorkReport::warn(std::string const& text)
{
  if (text.empty()) { return; }
  end();
  warned_ = true;
  write_(fmt::format("slotscape: warning: {}\n", text));
}

}  // namespace slotscape
