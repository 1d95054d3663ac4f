#pragma once

#include "app/cli/command_line.hpp"
#include "app/lessons/lesson.hpp"
#include "app/scene/scenario.hpp"

#include <string>
#include <vector>

namespace slotscape {

class App;

/// What the options say goes before what is in a set-up of the scene: its seed, and the devices of its tables.
void set_as_told(Options const& options, SceneEntry const& scene, SceneSetup& set_up);

/// The scenario named by the options, or the setup of a scene's subcommand; nullopt if they name neither.
/// `lead_seconds`: scene time until the requested picture.
std::optional<Scenario> scenario_of(Options const& options, double lead_seconds);

/// Throws Error now, rather than at the end, if a requested file cannot be written.
void check_outputs(Options const& options);
/// Writes the files that the scene alone can write, if it is shown. Throws Error.
void write_scene_files(App& app, Options const& options);
/// Writes the statistics, the set-up, the slide and, unless they are there, the files of the scene: each,
/// even if another cannot be written. Throws the first Error at the end.
void write_outputs(App& app, Options const& options, bool with_scene_files = true);

/// Runs the scenario of `options` offscreen, drawing the same interface, and writes the requested files. Returns the
/// exit status: 0, or `interrupted_status` if Ctrl-C or SIGTERM has cut it short.
int run_headless(Options const& options);

/// Draws the same interface offscreen for browsers, which show and drive it, until Ctrl-C, SIGTERM or the driver ends
/// it. Returns the exit status.
int run_serve(Options const& options);

/// Opens the window, with the scenario of `options` if there is one, and runs until it is closed: see `WindowLoop`.
void run_window(Options const& options);

/// The lesson that the options name, or several joined. Throws Error if one cannot be read.
lessons::Lesson read_lessons(LessonCommand const& command);
/// Whether there is a file for each name.
bool lesson_files_exist(LessonCommand const& command);
/// Throws Error if the lesson lacks the page to begin with.
void check_page_of(LessonCommand const& command, lessons::Lesson const& lesson);
/// Lists, checks or records lessons, or opens the window with one. Returns the exit status.
int run_lesson(Options const& options);

/// Draws frames offscreen, as words on the command line ask for: the seconds of each, after two that do not count.
std::vector<double> time_frames(std::vector<std::string> const& words, int frames);

/// A readable list of the CUDA devices, the CPU and OpenGL, with what 'auto' picks and why.
std::string describe_devices();

}  // namespace slotscape
