#include "app/frame_log.hpp"

#include "gpu/base/error.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <csignal>
#include <cstring>

#include <fcntl.h>
#include <unistd.h>

namespace slotscape {

FrameLog::FrameLog(std::filesystem::path const& file)
{
  if (file.empty()) { return; }
  file_ = open(file.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_NONBLOCK | O_CLOEXEC, 0600);
  std::signal(SIGPIPE, SIG_IGN);  // a reader that leaves ends the log, not the program
  if (file_ < 0) { throw Error(fmt::format("--log-frames: {}: {}", file.string(), std::strerror(errno))); }
}

FrameLog::~FrameLog()
{
  if (file_ >= 0) { close(file_); }
}

void FrameLog::write(InputCounts const& counts, bool moving, std::string_view scene)
{
  if (file_ < 0) { return; }
  std::string const line = fmt::format(
      "frame={} keys={} characters={} clicks={} releases={} wheel={} moving={:d} typing={:d} popups={} scene={}\n",
      ++frames_, counts.keys, counts.characters, counts.clicks, counts.releases, counts.wheel, moving, counts.typing,
      counts.popups, scene);
  if (::write(file_, line.data(), line.size()) < 0 && errno != EAGAIN) {
    close(file_);
    file_ = -1;
  }
}

}  // namespace slotscape
