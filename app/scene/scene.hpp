#pragma once

#include "app/base/findings.hpp"
#include "app/base/json.hpp"
#include "app/scene/commands.hpp"
#include "app/scene/facts.hpp"
#include "app/scene/file_question.hpp"
#include "app/scene/subject.hpp"
#include "app/simulation/action.hpp"
#include "app/widgets/charts.hpp"
#include "app/widgets/look.hpp"
#include "gpu/base/progress.hpp"
#include "gpu/interop/presenter.hpp"

#include <exception>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace slotscape {

class Drawing;

/// The information that a scene needs about a frame.
struct Frame {
  Look const& look;
  Rectangle window;  ///< area of the window below the menu
  Panels& panels;
  Charts& charts;
  double elapsed_seconds;
  Presenters& presenters;
  FrameFacts const& times;    ///< medians of the latest frames
  bool slide = false;         ///< a still picture: nothing is deferred to a later frame
  bool bare = false;          ///< a slide or a lecture: only the canvas, and a lecture's plots and code
  bool asks = false;          ///< a lesson's question is open: show nothing unasked that could give the answer away
  bool few_settings = false;  ///< after a lesson: panels show the settings that beginners need and those in use
  bool advises = true;        ///< false: a lesson's task is open, so offer nothing that would solve it
  Rectangle aside = {};       ///< in a lecture, the free area below the text; height 0: none
};

/// A scene that another scene opens: its name in files, and its set-up. Empty set-up: as if the user had switched to
/// it.
struct SceneToShow {
  std::string_view name;
  SceneSetup set_up;
};

/// A picture to write, with its size in pixels: as PNG or, if the file is named .svg, as a vector picture.
struct DrawingToSave {
  std::filesystem::path file;
  int width = 0;
  int height = 0;
  std::function<void(Look const&, Drawing&)> draw;
};

/// The content of the window. Settings are passed down, snapshots up. A scene overrides the functions that it supports;
/// the defaults do nothing.
class Scene : public Subject {
public:
  /// A set-up that recreates the scene in its current state.
  virtual SceneSetup set_up() const = 0;
  /// A set-up for other scenes to take over (`SceneEntry::enter`), if `set_up` would give a different result there;
  /// otherwise empty.
  virtual SceneSetup set_up_for_others() const { return {}; }
  /// Whether `set_up` and saving it take no noticeable time.
  virtual bool quick_to_save() const { return true; }
  /// Whether the scene can be kept, hidden and without work, to be shown again in the same state, including the undo
  /// history. Otherwise, it is recreated from its set-up.
  virtual bool can_wait() const { return false; }
  /// Called when the scene is shown again. Other scenes have used the presenters since.
  virtual void come_back() {}
  /// The set-up to save for the next start.
  virtual SceneSetup to_remember() const { return set_up(); }
  /// Finishes the set-up's steps: at once or, if there is a `frame` function, over as many frames as they take in the
  /// window, calling it for each frame.
  virtual void finish_steps(std::function<void()> const& /*frame*/) {}
  /// Whether the steps are worth watching, like a film; otherwise, only their result is.
  virtual bool plays_steps() const { return false; }
  /// Makes `finish_steps` report to `progress`, and leave the remaining steps undone if that is cancelled.
  void watch_work(Progress progress) { watched_ = std::move(progress); }
  /// Limits how many seconds `advance` may block. Longer work continues in the background, while frames show the
  /// previous state and requests wait for it to end.
  void set_max_wait(double seconds) { max_wait_seconds_ = seconds; }

  /// Whether the user has made a request that the next `advance` will begin.
  virtual bool asked() const { return false; }
  /// Carries out requests and does a frame's share of the work. If it throws Error, the scene is unchanged.
  virtual void advance(double /*elapsed_seconds*/) {}
  /// Divides the window.
  virtual void lay_out(Frame const& frame) { place_canvas(frame.window); }
  /// Analyses the tables for this frame: pictures, statistics, single slots. Returns the time taken.
  virtual FrameFacts analyse(Frame const&) { return {}; }
  /// Draws with OpenGL, below the interface.
  virtual void draw_pictures(Presenters&, int /*framebuffer_height*/) {}
  /// Draws with Dear ImGui.
  virtual void draw_gui(Frame const&) = 0;
  /// Draws labels, arrows and captions of a slide or a bare frame over the pictures. `paints`: also draws the content
  /// of the pictures, for a drawing without them. Throws Error if this scene does not support that.
  virtual void draw_slide(Look const&, Drawing&, bool /*paints*/) {}
  /// Draws, with Dear ImGui, the panels beside a bare frame on a lecture's page.
  virtual void draw_lecture_panels(Frame const&) {}
  /// The area of the pictures.
  Rectangle const& canvas() const { return canvas_; }

  /// The change that `undo` would take back, and the one that `redo` would repeat, in words ("insert 17"); empty if
  /// there is none.
  virtual std::string undoes() const { return {}; }
  virtual std::string redoes() const { return {}; }
  virtual void undo() {}
  virtual void redo() {}

  /// Handles a character that was typed outside of any field; returns false to let it trigger a command.
  virtual bool type(char32_t /*character*/) { return false; }
  /// Whether letters are typed into the scene, so that they trigger no commands.
  virtual bool types_letters() const { return false; }
  /// Whether a text field is about to get the keyboard, so that keys already belong to it.
  virtual bool awaits_keyboard() const { return false; }

  virtual std::span<Command const> commands() const { return {}; }
  /// Handles Esc: cancels work in progress, or deselects.
  virtual void cancel() {}
  /// Whether Esc calls `cancel` before it closes messages.
  virtual bool cancellable() const { return false; }
  /// Opens files of the scene's kinds, from 1 to `SceneEntry::max_files`. If it throws Error, the scene is unchanged.
  /// Returns false if opening continues in the background; `notice` then says when it is done.
  virtual bool open(Paths const& /*files*/) { return false; }
  /// The question asked since the last call.
  std::optional<FileQuestion> take_question() { return std::exchange(question_, std::nullopt); }
  /// The scene to show next, and the picture to write, if the scene has requested them.
  std::optional<SceneToShow> take_scene_to_show() { return std::exchange(scene_to_show_, std::nullopt); }
  std::optional<DrawingToSave> take_drawing_to_save() { return std::exchange(drawing_to_save_, std::nullopt); }

  /// Whether nothing moves, so that the next frame can wait.
  virtual bool quiet() const { return true; }
  bool ready() const override { return quiet(); }
  /// Clears `chosen_slot`.
  virtual void forget_choice() {}

  /// A message for the user, or empty.
  virtual std::string notice() const { return {}; }
  /// Findings about the data shown, as long as it is shown. The program reports each finding once.
  virtual Findings findings() const { return {}; }
  /// Whether the scene itself shows this finding, so that no message is needed.
  virtual bool shows(std::string const& finding) const { return finding == notice(); }
  /// The lines that a headless run prints about the scene.
  virtual std::vector<std::string> told() const { return {}; }
  /// Says in a sentence what a saved set-up does not restore; empty: nothing is lost.
  virtual std::string set_up_caveat() const { return {}; }
  /// Whether an empty field has the keyboard, or is about to get it; arrows and Esc then belong to the scene.
  virtual bool has_empty_field() const { return false; }

protected:
  void place_canvas(Rectangle const& canvas) { canvas_ = canvas; }
  Progress const& watched() const { return watched_; }
  /// How many seconds `advance` may block; nothing: no limit.
  std::optional<double> max_wait() const { return max_wait_seconds_; }

  /// Background work, for `finish`.
  struct StepsToFinish {
    std::function<bool()> done;
    std::function<ProgressSnapshot()> progress;
    std::function<void()> cancel;
    std::optional<double> max_wait = 1.0 / 60.0;  ///< how long `advance` may wait in the meantime
  };
  /// For `finish_steps`: calls `frame`, or else advances, once or until everything is done. Returns false if that was
  /// cancelled.
  bool finish(StepsToFinish const& steps, std::function<void()> const& frame);
  void ask_for_file(FileQuestion question) { question_ = std::move(question); }
  void show_scene(SceneToShow scene) { scene_to_show_ = std::move(scene); }
  void save_drawing(DrawingToSave drawing) { drawing_to_save_ = std::move(drawing); }

private:
  Rectangle canvas_;
  std::optional<FileQuestion> question_;
  std::optional<SceneToShow> scene_to_show_;
  std::optional<DrawingToSave> drawing_to_save_;
  Progress watched_;
  std::optional<double> max_wait_seconds_;
};

/// A message about work without a result, if it was cancelled. Throws Error if it failed. `doing`: "convolve a.ply".
/// had_before: the previous result is shown again.
std::string notice_of_failure(std::exception_ptr const& error, std::string_view doing, bool had_before);

}  // namespace slotscape
