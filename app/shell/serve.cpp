#include "app/shell/run.hpp"

#include "app/base/interrupt.hpp"
#include "app/serve/listening.hpp"
#include "app/serve/server.hpp"
#include "app/shell/app.hpp"
#include "app/shell/frame_pace.hpp"
#include "gpu/base/error.hpp"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <memory>
#include <optional>
#include <string>

namespace slotscape {
namespace {

using Clock = std::chrono::steady_clock;

/// The minimum interval between frames while something moves and someone watches; and the interval otherwise.
constexpr double pace_seconds = 1.0 / 30.0;
constexpr double asleep_seconds = 1.0;

void print_addresses(serve::Server const& server, serve::ServerSettings const& settings)
{
  fmt::print("drive      {}\nlook       {}\n", server.address(serve::Role::driver),
             server.address(serve::Role::viewer));
  std::fflush(stdout);
  fmt::print(stderr,
             "slotscape: whoever has the first address drives; up to {} may look with the second. Ctrl-C ends.\n",
             settings.viewers);
  if (!settings.origins.empty()) {
    fmt::print(stderr, "slotscape: the proxy passes requests on to {}.\n", server.place());
  }
  auto const is_plain = [](serve::Origin const& origin) { return !origin.is_encrypted(); };
  if (auto const plain = std::ranges::find_if(settings.origins, is_plain); plain != settings.origins.end()) {
    fmt::print(stderr,
               "slotscape: warning: nothing is encrypted at {}: whoever listens on the network can see the tokens and "
               "drive. Have the proxy use https.\n",
               plain->text());
  }
  if (!settings.address.empty() && !serve::is_loopback(settings.address)) {
    fmt::print(stderr,
               "slotscape: warning: other machines can connect to {}, and nothing is encrypted: whoever listens on the "
               "network can see the tokens and drive. An SSH tunnel needs no --address.\n",
               settings.address);
  }
}

/// Draws frames at the viewers' pace, or slowly if nobody watches.
class ServeLoop {
public:
  ServeLoop(App& app, serve::Server& server) : app_(app), server_(server) {}

  void run(Interrupt& interrupt)
  {
    while (!interrupt.asked() && !app_.screen().closes()) {
      Clock::time_point const start = Clock::now();
      take_input();
      app_.frame(std::min(std::chrono::duration<double>(start - last_).count(), longest_step_seconds));
      last_ = start;
      server_.audience().tell({std::string(app_.current_entry().title), serve::css_cursor(ImGui::GetMouseCursor())});
      server_.audience().dismiss_stalled();
      if (server_.takes_picture()) { server_.show(app_.screen().picture()); }
      quiet_frames_ = app_.quiet() ? quiet_frames_ + 1 : 0;
      server_.audience().wait(std::chrono::duration<double>(seconds_of_frame()) - (Clock::now() - start));
    }
  }

private:
  double seconds_of_frame() const
  {
    bool const watched = server_.audience().watched();
    bool const quiet = quiet_frames_ > frames_after_event;
    if (quiet && !watched) { return asleep_seconds; }
    return quiet || !watched ? quiet_wait_seconds : pace_seconds;
  }

  void take_input()
  {
    for (serve::Input const& input : server_.audience().take_input()) {
      serve::apply(input, ImGui::GetIO());
      quiet_frames_ = 0;
    }
  }

  App& app_;
  serve::Server& server_;
  Clock::time_point last_ = Clock::now();
  int quiet_frames_ = 0;
};

}  // namespace

int run_serve(Options const& options)
{
  Interrupt interrupt;
  std::optional<Scenario> const scenario = scenario_of(options, 0.0);
  check_outputs(options);
  gl::Size const size{options.width, options.height};
  auto server = serve::open_server(options.serve->settings, size);
  App app(gl::open_offscreen(size), options, {}, scenario);
  if (!scenario) { app.gallery().show(); }
  app.files().close();
  app.scene_host().set_max_wait(max_wait_seconds);
  print_addresses(*server, options.serve->settings);
  ServeLoop(app, *server).run(interrupt);
  server.reset();
  app.measurements().write(options.stats, {});
  return 0;
}

}  // namespace slotscape
