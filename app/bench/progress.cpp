#include "app/bench/progress.hpp"

#include "app/base/findings.hpp"
#include "app/base/text.hpp"
#include "gpu/bench/pacing.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>

namespace slotscape {
namespace {

constexpr double rewrite_seconds = 0.25;
constexpr double first_line_seconds = 2.0;
constexpr double line_seconds = 15.0;

}  // namespace

BenchProgress::BenchProgress(double work) : work_(work), rewrites_(isatty(STDERR_FILENO) == 1) {}

BenchProgress::~BenchProgress()
{
  clear_line();
}

void BenchProgress::begin(std::string what, double work)
{
  done_ += at_work_;
  at_work_ = work;
  share_ = 0.0;
  what_ = std::move(what);
  go_on();
}

bool BenchProgress::go_on()
{
  double const wait = rewrites_ ? rewrite_seconds : told_ == start_ ? first_line_seconds : line_seconds;
  if (seconds_since(told_) >= wait) { tell(); }
  return !interrupt_.asked();
}

void BenchProgress::say(std::string const& text)
{
  clear_line();
  fmt::print(stderr, "{}\n", text);
}

void BenchProgress::note(std::string const& finding)
{
  clear_line();
  print_finding(finding);
}

void BenchProgress::clear_line()
{
  if (line_is_open_) { std::fputs("\r\x1b[K", stderr); }
  line_is_open_ = false;
}

void BenchProgress::tell()
{
  told_ = std::chrono::steady_clock::now();
  double const done = done_ + share_ * at_work_;
  std::string line = fmt::format("{}: {}", percent((done + left_out_) / std::max(work_, 1e-9)), what_);
  if (done > 0.0) {
    double const left = std::max(0.0, work_ - left_out_ - done);
    line += fmt::format(", about {} left", bench::duration_text(seconds_since(start_) / done * left));
  }
  fmt::print(stderr, "{}{}{}", rewrites_ ? "\r\x1b[K" : "", line, rewrites_ ? "" : "\n");
  std::fflush(stderr);
  line_is_open_ = rewrites_;
}

}  // namespace slotscape
