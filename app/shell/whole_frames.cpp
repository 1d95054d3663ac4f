#include "app/registry/scenes.hpp"
#include "app/shell/app.hpp"
#include "app/shell/run.hpp"

#include <algorithm>
#include <chrono>

namespace slotscape {

std::vector<double> time_frames(std::vector<std::string> const& words, int frames)
{
  constexpr double scene_seconds = 1.0 / 60.0;  // scene time per frame
  std::vector<char const*> arguments{"slotscape"};
  std::ranges::transform(words, std::back_inserter(arguments), [](std::string const& word) { return word.c_str(); });
  Options const options = parse_command_line(static_cast<int>(arguments.size()), arguments.data(), scenes()).value();
  App app(gl::open_offscreen({options.width, options.height}), options, {}, scenario_of(options, 0.0));
  app.let_errors_out();
  app.current_scene().finish_steps({});
  app.frame(scene_seconds);              // the first frame builds fonts and buffers
  app.current_scene().finish_steps({});  // computes data for its charts
  app.frame(scene_seconds);
  std::vector<double> seconds;
  for (int frame = 0; frame < frames; ++frame) {
    auto const start = std::chrono::steady_clock::now();
    app.frame(scene_seconds);
    seconds.push_back(std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
  }
  return seconds;
}

}  // namespace slotscape
