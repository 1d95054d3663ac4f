#pragma once

#include "app/commands.hpp"
#include "app/files/report.hpp"
#include "app/presenters.hpp"
#include "app/scenario/scenario.hpp"
#include "app/scenes/kind.hpp"
#include "app/scenes/slots/slot_map.hpp"
#include "app/scenes/slots/state.hpp"

#include <filesystem>
#include <vector>

namespace slotscape {

/// Which panels are shown.
struct Panels {
  bool controls = true;
  bool numbers = true;
  bool plots = true;
  bool slot_card = true;
};

/// How the window is divided.
struct SlotsLayout {
  Rectangle left;   ///< width 0: hidden
  Rectangle right;  ///< width 0: hidden, or in tabs on the left where the window is narrow
  Rectangle toolbar;
  Rectangle caption;  ///< height 0 where there is no step mode
  Rectangle canvas;
  Rectangle legend;
  bool tabs = false;  ///< the left panel has controls and numbers in tabs
};
SlotsLayout lay_out(Look const& look, Rectangle const& window, Panels const& panels, StepState const& steps);

/// What fills the window: tables with what drives them, their panels and maps. Owns the simulation; settings go down,
/// snapshots come up.
class Scene {
public:
  virtual ~Scene() = default;
  virtual SceneKind kind() const = 0;
  /// The settings that all of the scene's tables share, and what the menus need to know.
  virtual SlotsState& state() = 0;
  virtual Simulation& simulation() = 0;

  /// What a plain start shows first: filling.
  virtual void begin_opening() = 0;
  /// The present set-up: settings, and a step that fills to the same load.
  virtual Scenario set_up() const = 0;
  /// A set-up of the scene's own kind: new tables, and its steps in the queue.
  virtual void load(Scenario const& scenario) = 0;
  /// Puts the scenario's steps in the queue of tables that were made as it says.
  virtual void begin(Scenario const& scenario) = 0;
  virtual void use_key_file(std::filesystem::path const& file) = 0;

  /// Does what was asked for and lets the tables work for their share of a frame. Errors come out after the asks are
  /// done with, and leave the scene as it was.
  virtual void advance(double elapsed_seconds) = 0;
  virtual void finish_steps() = 0;
  /// Everything that the frame needs to know of the tables: pictures, statistics, single slots.
  virtual void analyse(Presenters& presenters, Look const& look, SlotsLayout const& layout, double elapsed_seconds) = 0;
  virtual void draw_map(Presenters& presenters, int framebuffer_height) = 0;
  virtual void draw_gui(Look const& look, SlotsLayout const& layout, Panels const& panels) = 0;
  /// Whether the command was one of the scene's.
  virtual bool perform(UserCommand command) = 0;
  /// Whether nothing moves, so that a frame need not be drawn at once.
  virtual bool quiet() const = 0;

  virtual bool wants_key_file() = 0;  ///< since the last call
  /// Of each table one.
  virtual std::vector<RunReport> reports(FrameTimes const& frames) = 0;
};

}  // namespace slotscape
