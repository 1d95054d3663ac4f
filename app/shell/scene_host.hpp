#pragma once

#include "app/cli/command_line.hpp"
#include "app/scene/scenario.hpp"
#include "app/scene/scene.hpp"
#include "app/shell/scene_news.hpp"
#include "app/shell/screen.hpp"
#include "app/shell/settings_file.hpp"

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace slotscape {

/// The scene that is shown, those that were left and wait, and the device that they work on. While the pages of a
/// lesson are shown, what the user had before is put away.
class SceneHost {
public:
  /// `changes`: called before another scene takes the place of the present one. Throws Error if the backend or the
  /// presenter is unavailable.
  SceneHost(Options const& options, UserSettings& settings, Screen& screen, Toasts& toasts,
            std::function<void()> changes);

  Scene& scene() const { return *scene_; }
  SceneEntry const& entry() const { return *entry_; }
  SceneNews& news() { return news_; }
  DeviceFacts const& device() const { return device_; }
  Presenters& presenters() const { return *presenters_; }
  /// The scenario that brings the scene back as it is.
  Scenario scenario() const { return {entry_, scene_->set_up(), words_}; }

  /// Begins with the scenario, or with the remembered scene. Throws Error if the scenario's scene cannot be created,
  /// and, without a window, Cancelled.
  void begin(std::optional<Scenario> const& first);
  /// Switches to a scene: in the state in which it was left or saved, or derived from the others (`SceneEntry::enter`).
  void show(SceneEntry const& entry);
  void enter(Scenario const& scenario);
  /// The scene of a scenario, to `replace` the present one. Throws Error, and Cancelled.
  std::unique_ptr<Scene> make(Scenario const& scenario) const;
  void replace(Scenario const& scenario, std::unique_ptr<Scene> fresh);
  /// From now on, no frame waits longer than this for the work of a scene (`Scene::set_max_wait`).
  void set_max_wait(double seconds);

  /// A lesson begins: what the user had is put away when its first page comes, until it ends.
  void begin_pages();
  /// What a page of the lesson shows, in place of all scenes of the page before.
  void enter_page(Scenario const& scenario);
  /// The lesson has ended: brings back what the user had.
  void end_pages();

  /// Of the scenario that is shown, until the user closes them.
  ScenarioWords words() const { return shows_words_ ? words_ : ScenarioWords{}; }
  void close_words() { shows_words_ = false; }

  /// The device has failed: goes on on the CPU, as far as it is known without the device what there was.
  void go_on_without_device(std::string const& why);

  FrameFacts analyse(Frame const& frame);
  /// Draws what was analysed in this frame.
  void draw_pictures(int framebuffer_height);

  /// Puts what the user has into the settings; not the scenes of a lesson.
  void remember(UserSettings& settings) const;
  /// A scenario was opened from a file: what is shown at the end is kept for the next start.
  void note_opened() { opened_ = true; }
  /// Writes the scene as it is, if the user has done something that can be undone or has opened a file, and it is quick
  /// to write.
  void keep_for_next_start(std::filesystem::path const& file) const;

  void add_undo(std::vector<Command>& commands);
  void add_scenes(std::vector<Command>& commands);

private:
  /// A scene that was shown before.
  struct LeftScene {
    SceneEntry const* entry;
    SceneSetup set_up;
    SceneSetup for_others;
    ScenarioWords words = {};
    bool shows_words = true;
    std::unique_ptr<Scene> scene = {};  ///< with its undo history; null: it could not wait
  };

  /// What the user had before the lesson.
  struct PutAway {
    Scenario before;
    bool worth_keeping;                 ///< the user had done something
    bool is_away = false;               ///< a page's scene has taken its place
    std::unique_ptr<Scene> scene = {};  ///< with its undo history; null: it could not wait
    std::vector<LeftScene> left = {};   ///< `left_` without the lesson, whose page has scenes of its own
  };

  /// Restores a scene. If that fails, shows its defaults and a message.
  void enter_remembered(SceneEntry const& entry, SceneSetup set_up, Arrival arrival);
  void put_away();
  void bring_back_scene(Scenario const& before, std::unique_ptr<Scene> waited);
  /// Before another scene, `next`, takes the place of the present one.
  void leave_scene(SceneEntry const& next);
  void use_scene(SceneEntry const& entry, std::unique_ptr<Scene> scene, ScenarioWords const& words = {});
  /// Null if the scene was not shown before.
  LeftScene const* left_as(SceneEntry const& entry) const;
  /// Shows a scene as it was left, with its undo history if it has waited.
  void go_back_to(SceneEntry const& entry);
  /// The present scene has waited.
  void come_back();
  OtherSetups other_setups(SceneEntry const& entry) const;
  bool worth_keeping() const;
  void remake_scene();
  void undo_or_redo(void (Scene::*change)());

  UserSettings& settings_;  ///< those of the current scene date from when it was entered
  Screen& screen_;
  Toasts& toasts_;
  SceneNews news_;
  std::function<void()> changes_;
  DeviceFacts device_;
  std::unique_ptr<Presenters> presenters_;
  SceneEntry const* entry_ = nullptr;
  std::unique_ptr<Scene> scene_;
  std::vector<LeftScene> left_;  ///< the latest first
  std::optional<PutAway> pages_;
  ScenarioWords words_;      ///< of the scenario that is shown
  bool shows_words_ = true;  ///< until the user closes them
  bool opened_ = false;      ///< a scenario, from a file, since the start
  bool has_pictures_ = false;
  std::optional<double> max_wait_seconds_;  ///< none: frames wait for the work of the scene
};

}  // namespace slotscape
