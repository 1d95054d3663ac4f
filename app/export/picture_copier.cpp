#include "app/export/picture_copier.hpp"

#include "app/base/child_process.hpp"
#include "app/base/programs.hpp"
#include "gpu/base/error.hpp"

#include <fmt/format.h>

#include <chrono>
#include <cstdint>
#include <exception>
#include <filesystem>
#include <span>
#include <utility>

namespace slotscape {
namespace {

constexpr std::chrono::milliseconds patience{20};
using Clock = std::chrono::steady_clock;

/// Sends the bytes to the program and waits for it to exit. It leaves behind a separate process that serves the
/// clipboard.
void feed(std::vector<std::string> const& command, std::string const& bytes, Clock::time_point end,
          std::stop_token const& stop)
{
  ChildProcess program(command, ChildProcess::Input::written);
  std::span<std::uint8_t const> rest(reinterpret_cast<std::uint8_t const*>(bytes.data()), bytes.size());
  while (!stop.stop_requested()) {
    if (rest.empty()) {
      program.end_input();
      std::this_thread::sleep_for(patience);
    } else {
      rest = rest.subspan(program.write(rest, patience));
    }
    if (auto const result = program.poll()) {
      if (result->code == 0 && result->signal == 0) { return; }
      std::string const said = last_line(result->errors);
      throw Error(said.empty() ? fmt::format("it ended with exit code {}", result->code) : said);
    }
    if (Clock::now() > end) { throw Error("it does not answer"); }
  }
}

}  // namespace

ClipboardSession clipboard_session()
{
  return {std::string(environment_variable("PATH")), !environment_variable("WAYLAND_DISPLAY").empty(),
          !environment_variable("DISPLAY").empty()};
}

std::vector<std::string> copy_command(ClipboardSession const& session)
{
  if (session.wayland) {
    auto const wl_copy = find_program("wl-copy", session.search_path);
    if (!wl_copy.empty()) { return {wl_copy.string(), "--type", "image/png"}; }
  }
  if (session.x11) {
    auto const xclip = find_program("xclip", session.search_path);
    if (!xclip.empty()) { return {xclip.string(), "-selection", "clipboard", "-t", "image/png", "-i"}; }
  }
  return {};
}

std::string how_to_get_copy_program(ClipboardSession const& session)
{
  return session.wayland ? "wl-copy (sudo apt install wl-clipboard)" : "xclip (sudo apt install xclip)";
}

PictureCopier::PictureCopier(std::vector<std::string> command, gl::Image picture, double max_seconds)
    : thread_([this, command = std::move(command), picture = std::move(picture),
               max_seconds](std::stop_token const& stop) {
        try {
          auto const time = std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(max_seconds));
          feed(command, gl::png_of(picture), Clock::now() + time, stop);
        } catch (std::exception const& error) {
          failure_ = fmt::format("{}: {}", std::filesystem::path(command.front()).filename().string(), error.what());
        }
        over_ = true;
      })
{
}

std::optional<std::string> PictureCopier::result() const
{
  return over_ ? std::optional(failure_) : std::nullopt;
}

}  // namespace slotscape
