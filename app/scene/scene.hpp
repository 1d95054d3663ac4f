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

/// What a scene needs to know about a frame.
struct Frame {
  Look const& look;
  Rectangle window;  ///< below the menu
  Panels& panels;
  Charts& charts;
  double elapsed_seconds;
  Presenters& presenters;
  FrameFacts const& times;  ///< medians of the latest frames
  bool slide = false;       ///< a picture of the moment: nothing waits for a later frame
  bool bare = false;        ///< a slide or a lecture: nothing is around the canvas but a lecture's plots and code
  bool asks = false;        ///< a lesson's question is open: nothing is shown unasked that could give it away
  bool advises = true;      ///< else, a lesson's task is open: nothing offers what would solve it
  Rectangle aside = {};     ///< in a lecture, what its text leaves free below itself; height 0: nothing
};

/// Another scene that a scene opens: its name in files, and its set-up. Empty: as if the user had switched to it.
struct SceneToShow {
  std::string_view name;
  SceneSetup set_up;
};

/// A picture to write, of this size in pixels: as PNG or, if the file is named .svg, as a vector picture.
struct DrawingToSave {
  std::filesystem::path file;
  int width = 0;
  int height = 0;
  std::function<void(Look const&, Drawing&)> draw;
};

/// Fills the window. Settings go down, snapshots come up. A scene overrides what it supports; the defaults do nothing.
class Scene : public Subject {
public:
  /// A set-up that recreates the scene as it is now.
  virtual SceneSetup set_up() const = 0;
  /// What other scenes take over (`SceneEntry::enter`), where `set_up` would come to something else there; else empty.
  virtual SceneSetup set_up_for_others() const { return {}; }
  /// Whether `set_up` and saving it take no noticeable time.
  virtual bool quick_to_save() const { return true; }
  /// Whether it can wait, out of sight and without work, to be shown again as it is, undo history and all. Else, it is
  /// made anew from its set-up.
  virtual bool can_wait() const { return false; }
  /// It is shown again. Other scenes have used the presenters since.
  virtual void come_back() {}
  /// The part of it to save for the next start.
  virtual SceneSetup to_remember() const { return set_up(); }
  /// Finishes the set-up's steps: at once or, given a `frame` function, over as many frames as they take in the window,
  /// calling it for each.
  virtual void finish_steps(std::function<void()> const& /*frame*/) {}
  /// Whether these steps are worth watching, as in a film; else, only what they come to is.
  virtual bool plays_steps() const { return false; }
  /// From now on, `finish_steps` reports to `progress`, and leaves the rest undone where that is cancelled.
  void watch_work(Progress progress) { watched_ = std::move(progress); }
  /// From now on, `advance` waits so many seconds at most. Work that takes longer goes on beside the frames, which
  /// show what was there before it, and requests wait for its end.
  void set_max_wait(double seconds) { max_wait_seconds_ = seconds; }

  /// Whether the user has asked for something that the next `advance` begins.
  virtual bool asked() const { return false; }
  /// Carries out requests and works for its share of the frame. An Error leaves the scene unchanged.
  virtual void advance(double /*elapsed_seconds*/) {}
  /// Divides the window.
  virtual void lay_out(Frame const& frame) { place_canvas(frame.window); }
  /// Analyses what the frame shows of the tables: pictures, statistics, single slots. Returns the time taken.
  virtual FrameFacts analyse(Frame const&) { return {}; }
  /// Draws with OpenGL, below the interface.
  virtual void draw_pictures(Presenters&, int /*framebuffer_height*/) {}
  /// Draws with Dear ImGui.
  virtual void draw_gui(Frame const&) = 0;
  /// Draws what a slide or a bare frame shows over the pictures: labels, arrows and captions. `paints`: also what the
  /// pictures show, for a drawing without any. Throws Error if this scene cannot be drawn so.
  virtual void draw_slide(Look const&, Drawing&, bool /*paints*/) {}
  /// Draws, with Dear ImGui, the panels that a page of a lecture shows beside a bare frame.
  virtual void draw_lecture_panels(Frame const&) {}
  /// Where the pictures are.
  Rectangle const& canvas() const { return canvas_; }

  /// What `undo` would take back and `redo` would do again, in words ("insert 17"); empty if there is nothing.
  virtual std::string undoes() const { return {}; }
  virtual std::string redoes() const { return {}; }
  virtual void undo() {}
  virtual void redo() {}

  /// Takes a character that was typed outside of any field; returns false to have it trigger a command.
  virtual bool type(char32_t /*character*/) { return false; }
  /// Whether letters are typed there, so that none triggers a command.
  virtual bool types_letters() const { return false; }
  /// Whether a text field is about to get the keyboard, so that keys are already meant for it.
  virtual bool awaits_keyboard() const { return false; }

  virtual std::span<Command const> commands() const { return {}; }
  /// Esc: cancels work in progress, or deselects.
  virtual void cancel() {}
  /// Whether Esc calls `cancel` before it closes messages.
  virtual bool cancellable() const { return false; }
  /// Opens files of the scene's kinds, from 1 to `SceneEntry::max_files`. An Error leaves the scene unchanged. Returns
  /// false if opening continues in the background; `notice` then says when it is done.
  virtual bool open(Paths const& /*files*/) { return false; }
  /// The question asked since the last call.
  std::optional<FileQuestion> take_question() { return std::exchange(question_, std::nullopt); }
  /// The scene to show next, and the picture to write, if it wants any.
  std::optional<SceneToShow> take_scene_to_show() { return std::exchange(scene_to_show_, std::nullopt); }
  std::optional<DrawingToSave> take_drawing_to_save() { return std::exchange(drawing_to_save_, std::nullopt); }

  /// Whether nothing moves, so the next frame can wait.
  virtual bool quiet() const { return true; }
  bool ready() const override { return quiet(); }
  /// From now on, no slot is `chosen_slot`.
  virtual void forget_choice() {}

  /// A message for the user, or empty.
  virtual std::string notice() const { return {}; }
  /// What was noticed about the data that is shown, as long as it is shown. The program tells each once.
  virtual Findings findings() const { return {}; }
  /// Whether the scene shows that finding itself, so that no message needs to.
  virtual bool shows(std::string const& finding) const { return finding == notice(); }
  /// What a run without a window prints of what it shows, in lines.
  virtual std::vector<std::string> told() const { return {}; }
  /// What a saved set-up does not bring back, in a sentence; empty: nothing.
  virtual std::string set_up_caveat() const { return {}; }
  /// Whether the keyboard is with a field without text, or about to be, where arrows and Esc are for the scene.
  virtual bool has_empty_field() const { return false; }

protected:
  void place_canvas(Rectangle const& canvas) { canvas_ = canvas; }
  Progress const& watched() const { return watched_; }
  /// How many seconds `advance` may wait; nothing: any number.
  std::optional<double> max_wait() const { return max_wait_seconds_; }

  /// Work beside the frames, for `finish`.
  struct StepsToFinish {
    std::function<bool()> done;
    std::function<ProgressSnapshot()> progress;
    std::function<void()> cancel;
    std::optional<double> max_wait = 1.0 / 60.0;  ///< of `advance` meanwhile
  };
  /// For `finish_steps`: calls `frame`, or else advances, once or until all is done. Returns false if that was
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

/// What to say of work that has no result, if it was cancelled. Throws Error if it failed. `doing`: "convolve a.ply".
/// had_before: what was shown before is shown again.
std::string notice_of_failure(std::exception_ptr const& error, std::string_view doing, bool had_before);

}  // namespace slotscape
