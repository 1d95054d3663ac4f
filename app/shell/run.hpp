#pragma once

#include "app/cli/command_line.hpp"
#include "app/lessons/lesson.hpp"
#include "app/scene/scenario.hpp"

#include <string>
#include <vector>

namespace slotscape {

class App;

/// Applies options to a scene's set-up: its seed, and the devices of its tables. Options take precedence.
void set_as_told(Options const& options, SceneEntry const& scene, SceneSetup& set_up);

/// The scenario named by the options, or the set-up from a scene's subcommand; nullopt if there is neither.
/// `lead_seconds`: scene time until the requested picture.
std::optional<Scenario> scenario_of(Options const& options, double lead_seconds);

/// Throws Error early if a requested file cannot be written.
void check_outputs(Options const& options);
/// Writes the files that only the current scene can write. Throws Error.
void write_scene_files(App& app, Options const& options);
/// Writes the statistics, the set-up, the slide and, unless already written, the scene's files. Continues after a
/// failure, and throws the first Error at the end.
void write_outputs(App& app, Options const& options, bool with_scene_files = true);

/// Runs the scenario of `options` offscreen with the same interface, and writes the requested files. Returns the exit
/// status: 0, or `interrupted_status` after Ctrl-C or SIGTERM.
int run_headless(Options const& options);

/// Serves the same interface, drawn offscreen, to browsers, which show and drive it, until Ctrl-C, SIGTERM or the
/// driver ends it. Returns the exit status.
int run_serve(Options const& options);

/// Opens the window, with the scenario of `options` if any, and runs until it is closed: see `WindowLoop`.
void run_window(Options const& options);

/// The lesson named by the options, or several joined. Throws Error if one cannot be read.
lessons::Lesson read_lessons(LessonCommand const& command);
/// Whether each name has a file.
bool lesson_files_exist(LessonCommand const& command);
/// Throws Error if the lesson does not have the requested first page.
void check_page_of(LessonCommand const& command, lessons::Lesson const& lesson);
/// Lists, checks or records lessons, or opens the window with one. Returns the exit status.
int run_lesson(Options const& options);

/// Draws frames offscreen, for a command line in `words`. Returns the seconds of each frame, after two untimed ones.
std::vector<double> time_frames(std::vector<std::string> const& words, int frames);

/// A readable list of the CUDA devices, the CPU and OpenGL, with the choice of 'auto' and its reason.
std::string describe_devices();

}  // namespace slotscape
