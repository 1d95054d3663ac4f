#pragma once

#include "app/cli/bench_command.hpp"
#include "app/cli/lesson_command.hpp"
#include "app/cli/serve_command.hpp"
#include "app/cli/tune_command.hpp"
#include "app/export/slide.hpp"
#include "app/gl/context.hpp"
#include "app/scene/entry.hpp"
#include "gpu/execution/backend.hpp"
#include "gpu/interop/presenter.hpp"

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>

namespace slotscape {

/// What to do; `scene` is a scene's subcommand, `open` shows a scenario that was chosen on the desktop.
enum class Verb : std::uint8_t { window, open, run, serve, scene, lesson, bench, tune, devices };

/// Size limits of the window and of its screenshots, in pixels.
inline constexpr gl::Size smallest_window{320, 240};
inline constexpr gl::Size largest_window{16384, 16384};

struct Options {
  Verb verb = Verb::window;
  BackendChoice backend = BackendChoice::automatic;
  std::vector<int> devices;  ///< the CUDA devices to use; empty: the first one
  PresentChoice present = PresentChoice::automatic;
  std::optional<std::uint64_t> seed;
  int width = 1600;
  int height = 1000;
  bool size_given = false;
  std::optional<Background> theme;          ///< of the window; none: the saved one
  std::string language;                     ///< language code or catalogue file; empty: the saved one
  std::filesystem::path config;             ///< empty: the XDG location
  std::filesystem::path log_frames;         ///< empty: no log
  std::filesystem::path scenario;           ///< for open, run and serve
  Reach reach = Reach::folder;              ///< for the opened document
  SceneEntry const* scene = nullptr;        ///< the scene of the subcommand or of `scene_files`
  std::shared_ptr<Subcommand> subcommand;   ///< of the scene
  std::shared_ptr<SceneFiles> scene_files;  ///< files that the scene writes at the end; null if there are none
  std::shared_ptr<LessonCommand const> lesson;
  std::shared_ptr<BenchCommand> bench;
  std::shared_ptr<TuneCommand> tune;
  std::shared_ptr<ServeCommand const> serve;
  // options of `run` and of the scene's subcommand
  bool headless = false;
  int frames = 0;  ///< headless: frames to draw after a scenario's steps; 0: the default
  std::filesystem::path screenshot;
  std::filesystem::path slide;
  SlideSettings slide_settings;
  std::filesystem::path stats;
  std::filesystem::path save_setup;
  std::filesystem::path csv;
  std::filesystem::path record;
};

/// Chooses the language of all messages from `language`, `config` and `verb`; the other options may be invalid.
using ChooseLanguage = std::function<void(Options const&)>;

/// Parses the command line. Returns nullopt after printing help or the version. Throws Error on bad input, in the
/// chosen language. Without `time_frames`, benches measure no frames of the program.
std::optional<Options> parse_command_line(int argc, char const* const* argv, SceneList scenes,
                                          TimeFrames const& time_frames = {},
                                          ChooseLanguage const& choose_language = {});

}  // namespace slotscape
