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

/// Owns the current scene, previous scenes that wait, and their device. While a lesson is shown, the user's previous
/// scenes are put away.
class SceneHost {
public:
  /// `changes`: called before another scene replaces the current one. Throws Error if the backend or the presenter is
  /// unavailable.
  SceneHost(Options const& options, UserSettings& settings, Screen& screen, Toasts& toasts,
            std::function<void()> changes);

  Scene& scene() const { return *scene_; }
  SceneEntry const& entry() const { return *entry_; }
  SceneNews& news() { return news_; }
  DeviceFacts const& device() const { return device_; }
  Presenters& presenters() const { return *presenters_; }
  /// A scenario that restores the current scene.
  Scenario scenario() const { return {entry_, scene_->set_up(), words_}; }

  /// Begins with the scenario, or with the remembered scene. Throws Error if the scenario's scene cannot be created or,
  /// without a window, Cancelled.
  void begin(std::optional<Scenario> const& first);
  /// Switches to a scene: as it was left or saved, or derived from the others (`SceneEntry::enter`).
  void show(SceneEntry const& entry);
  void enter(Scenario const& scenario);
  /// Makes the scene of a scenario, to be passed to `replace`. Throws Error or Cancelled.
  std::unique_ptr<Scene> make(Scenario const& scenario) const;
  void replace(Scenario const& scenario, std::unique_ptr<Scene> fresh);
  /// Limits how long frames wait for the work of a scene from now on (`Scene::set_max_wait`).
  void set_max_wait(double seconds);

  /// Begins a lesson: the user's scenes are put away when its first page opens, until it ends.
  void begin_pages();
  /// Shows a page of the lesson, replacing all scenes of the previous page.
  void enter_page(Scenario const& scenario);
  /// Ends the lesson and restores the user's scenes.
  void end_pages();

  /// The text of the current scenario, until the user closes it.
  ScenarioWords words() const { return shows_words_ ? words_ : ScenarioWords{}; }
  void close_words() { shows_words_ = false; }

  /// Continues on the CPU after the device has failed, with the data that is known without it.
  void go_on_without_device(std::string const& why);

  FrameFacts analyse(Frame const& frame);
  /// Draws the tables analysed in this frame.
  void draw_pictures(int framebuffer_height);

  /// Saves the user's scene in the settings, but not a lesson's.
  void remember(UserSettings& settings) const;
  /// Notes that a scenario was opened from a file, so that the session is saved for the next start.
  void note_opened() { opened_ = true; }
  /// Saves the current scene for the next start, if the user has opened a file or made undoable changes, and if it is
  /// quick to write.
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
    std::unique_ptr<Scene> scene = {};  ///< with its undo history; null if it could not wait
  };

  /// The user's scenes before the lesson.
  struct PutAway {
    Scenario before;
    bool worth_keeping;                 ///< the user had made changes
    bool is_away = false;               ///< replaced by a page's scene
    std::unique_ptr<Scene> scene = {};  ///< with its undo history; null if it could not wait
    std::vector<LeftScene> left = {};   ///< `left_` before the lesson, whose pages have their own scenes
  };

  /// Restores a scene. If that fails, shows its defaults and a message.
  void enter_remembered(SceneEntry const& entry, SceneSetup set_up, Arrival arrival);
  void put_away();
  void bring_back_scene(Scenario const& before, std::unique_ptr<Scene> waited);
  /// Prepares for the scene `next` to replace the current one.
  void leave_scene(SceneEntry const& next);
  void use_scene(SceneEntry const& entry, std::unique_ptr<Scene> scene, ScenarioWords const& words = {});
  /// Null if the scene has not been shown before.
  LeftScene const* left_as(SceneEntry const& entry) const;
  /// Returns to a scene as it was left, with its undo history if it has waited.
  void go_back_to(SceneEntry const& entry);
  /// Resumes the current scene after it has waited.
  void come_back();
  OtherSetups other_setups(SceneEntry const& entry) const;
  bool worth_keeping() const;
  void remake_scene();
  void undo_or_redo(void (Scene::*change)());

  UserSettings& settings_;  ///< the settings of the current scene are those with which it was entered
  Screen& screen_;
  Toasts& toasts_;
  SceneNews news_;
  std::function<void()> changes_;
  DeviceFacts device_;
  std::unique_ptr<Presenters> presenters_;
  SceneEntry const* entry_ = nullptr;
  std::unique_ptr<Scene> scene_;
  std::vector<LeftScene> left_;  ///< most recent first
  std::optional<PutAway> pages_;
  ScenarioWords words_;      ///< the text of the current scenario
  bool shows_words_ = true;  ///< until the user closes them
  bool opened_ = false;      ///< a scenario was opened from a file since the start
  bool has_pictures_ = false;
  std::optional<double> max_wait_seconds_;  ///< how long frames wait for the scene's work; empty: until it is done
};

}  // namespace slotscape
