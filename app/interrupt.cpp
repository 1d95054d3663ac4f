#include "app/interrupt.hpp"

#include "app/base/text.hpp"

#include <fmt/format.h>
#include <pthread.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <csignal>

namespace slotscape {
namespace {

constexpr double quiet_seconds = 1.0;     ///< before the first line
constexpr double rewrite_seconds = 0.25;  ///< between lines that are rewritten
constexpr double line_seconds = 10.0;     ///< between lines that stay

sigset_t interrupts()
{
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGINT);
  return set;
}

}  // namespace

Interrupt::Interrupt()
{
  sigset_t const set = interrupts();
  if (pthread_sigmask(SIG_BLOCK, &set, nullptr) != 0) { return; }
  signals_ = signalfd(-1, &set, SFD_NONBLOCK | SFD_CLOEXEC);
  if (signals_ < 0) { pthread_sigmask(SIG_UNBLOCK, &set, nullptr); }
}

Interrupt::~Interrupt()
{
  if (signals_ < 0) { return; }
  asked();  // takes what has come: unblocked, it would end the program
  close(signals_);
  sigset_t const set = interrupts();
  pthread_sigmask(SIG_UNBLOCK, &set, nullptr);
}

bool Interrupt::asked()
{
  signalfd_siginfo info{};
  if (!asked_ && signals_ >= 0 && read(signals_, &info, sizeof info) == static_cast<ssize_t>(sizeof info)) {
    asked_ = true;
    sigset_t const set = interrupts();
    pthread_sigmask(SIG_UNBLOCK, &set, nullptr);
  }
  return asked_;
}

void WorkReport::tell(Progress const& progress, std::uint64_t operations, double seconds)
{
  operations_ += operations;
  if (progress.is_choking && !warned_) { warn(); }
  if (!told_) { told_ = seconds; }
  double const between = !begun_ ? quiet_seconds : rewrites_ ? rewrite_seconds : line_seconds;
  double const passed = seconds - *told_;
  if (passed < between) { return; }
  double const rate = static_cast<double>(operations_ - told_operations_) / passed;
  std::string line = fmt::format("{}: {}", progress.what, percent(progress.share));
  if (operations_ != 0) { line += fmt::format(", {} operations, {}/s", grouped(operations_), short_number(rate)); }
  write_(rewrites_ ? "\r\x1b[K" + line : line + "\n");
  line_is_open_ = rewrites_;
  begun_ = true;
  told_ = seconds;
  told_operations_ = operations_;
}

void WorkReport::end()
{
  if (line_is_open_) { write_("\n"); }
  line_is_open_ = false;
}

void WorkReport::warn()
{
  end();
  warned_ = true;
  write_(
      "slotscape: warning: tombstones fill the table, so that looking up absent keys takes ever longer. A step "
      "{ \"op\": \"purge\" } drops them. Ctrl-C ends the run and writes what is done.\n");
}

}  // namespace slotscape
