#include "app/shell/frame_log.hpp"

#include "gpu/base/error.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <ctime>
#include <utility>

#include <fcntl.h>
#include <unistd.h>

namespace slotscape {

namespace {

double cpu_seconds()
{
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

}  // namespace

FrameLog::FrameLog(std::filesystem::path const& file) : cpu_seconds_(cpu_seconds())
{
  if (file.empty()) { return; }
  file_ = open(file.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_NONBLOCK | O_CLOEXEC, 0600);
#if defined(SIGPIPE)              // not on Windows
  std::signal(SIGPIPE, SIG_IGN);  // if the reader quits, only the log ends
#endif
  if (file_ < 0) { throw Error(fmt::format("--log-frames: {}: {}", file.string(), std::strerror(errno))); }
}

FrameLog::~FrameLog()
{
  if (file_ >= 0) { close(file_); }
}

void FrameLog::write(InputCounts const& counts, bool moving, std::string_view scene)
{
  if (file_ < 0) { return; }
  double const now = cpu_seconds();
  double const cpu_ms = 1e3 * (now - std::exchange(cpu_seconds_, now));
  std::string const line = fmt::format(
      "frame={} keys={} characters={} clicks={} releases={} wheel={} moving={:d} typing={:d} popups={} cpu_ms={:.0f} "
      "scene={}\n",
      ++frames_, counts.keys, counts.characters, counts.clicks, counts.releases, counts.wheel, moving, counts.typing,
      counts.popups, cpu_ms, scene);
  if (::write(file_, line.data(), line.size()) < 0 && errno != EAGAIN) {
    close(file_);
    file_ = -1;
  }
}

}  // namespace slotscape
