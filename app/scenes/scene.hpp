#pragma once

#include "app/commands.hpp"
#include "app/files/report.hpp"
#include "app/path_dialog.hpp"
#include "app/presenters.hpp"
#include "app/rectangle.hpp"
#include "app/scenario/scenario.hpp"
#include "app/scenes/facts.hpp"
#include "app/scenes/kind.hpp"

#include <filesystem>
#include <functional>
#include <optional>
#include <string>

namespace slotscape {

struct UserSettings;

/// What the entries of a scene's menus do.
struct MenuActions {
  Panels& panels;
  std::function<void(UserCommand)> perform;
  std::function<void(PathPurpose)> ask_for_path;
};

/// What fills the window: pictures of hash tables at work, with the panels that drive them. Settings go down, snapshots
/// come up.
class Scene {
public:
  virtual ~Scene() = default;
  virtual SceneKind kind() const = 0;
  virtual DeviceFacts const& device() const = 0;
  virtual FrameFacts& frames() = 0;

  /// What a plain start shows first.
  virtual void begin_opening() = 0;
  /// The present set-up: a scenario that brings it back.
  virtual Scenario set_up() const = 0;
  /// A set-up of the scene's own kind. Throws Error where it cannot be; all is then as it was.
  virtual void load(Scenario const& scenario) = 0;
  /// Begins the steps of a scenario that the scene was made for.
  virtual void begin(Scenario const& scenario) = 0;
  /// Does the rest of them now.
  virtual void finish_steps() = 0;
  /// Does them over as many frames as they would take in the window: calls `frame` until they are done.
  virtual void play_steps(std::function<void()> const& frame) = 0;
  /// Puts what is to be remembered of the scene into its part of the settings.
  virtual void keep_settings(UserSettings& settings) const = 0;

  /// A file that is no scenario. Throws Error where it is of no use here; all is then as it was. Gives whether it is
  /// open: else that goes on, and `notice` tells when it is.
  virtual bool open(std::filesystem::path const& file) = 0;
  /// What is to be asked for since the last call.
  virtual std::optional<PathPurpose> wanted_path() = 0;
  /// Does what the path was asked for; whether that was one of the scene's own purposes.
  virtual bool use_path(PathPurpose purpose, std::filesystem::path const& path) = 0;

  /// Does what was asked for and works for its share of a frame. Errors come out after the asks are done with, and
  /// leave the scene as it was.
  virtual void advance(double elapsed_seconds) = 0;
  /// Divides the part of the window below the menu.
  virtual void lay_out(Look const& look, Rectangle const& window, Panels const& panels) = 0;
  virtual Rectangle canvas() const = 0;  ///< where the pictures are, since then
  /// Everything that the frame needs to know of the tables: pictures, statistics, single slots.
  virtual void analyse(Presenters& presenters, Look const& look, double elapsed_seconds) = 0;
  virtual void draw_pictures(Presenters& presenters, int framebuffer_height) = 0;
  virtual void draw_gui(Look const& look, Panels const& panels) = 0;

  /// The scene's own menus, and its entries in those that all scenes have.
  virtual void draw_own_menus(MenuActions const& actions) = 0;
  virtual void draw_file_entries(MenuActions const& actions) = 0;
  virtual void draw_view_entries(MenuActions const& actions) = 0;
  virtual std::string mouse_help() const = 0;  ///< what the mouse does

  /// Whether the command was one of the scene's.
  virtual bool perform(UserCommand command) = 0;
  /// Whether nothing moves, so that a frame need not be drawn at once.
  virtual bool quiet() const = 0;
  /// Whether `UserCommand::cancel` would end some work.
  virtual bool cancellable() const = 0;
  /// What the user should know at present, or empty.
  virtual std::string const& notice() const = 0;

  /// Throw Error where the file or folder cannot be written.
  virtual void write_statistics_json(std::filesystem::path const& file, FrameTimes const& frames) = 0;
  virtual void write_statistics_csv(std::filesystem::path const& folder, FrameTimes const& frames) = 0;
};

}  // namespace slotscape
