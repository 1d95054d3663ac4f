#pragma once

#include "app/scene/entry.hpp"
#include "app/table_map/map_view.hpp"
#include "app/table_map/step/player.hpp"
#include "app/table_scene/gui.hpp"
#include "app/table_scene/report.hpp"
#include "app/table_scene/setup.hpp"

#include <random>
#include <vector>

namespace slotscape {

/// A scene of one table, or of several that get the same operations. Owns their simulation.
class TableScene : public Scene {
public:
  /// The settings shared by all of the scene's tables, and the requests from the panels.
  virtual TableState& state() = 0;
  virtual TableState const& state() const = 0;
  virtual Simulation& simulation() = 0;
  /// One report per table.
  virtual std::vector<RunReport> reports(FrameTimes const& frames) = 0;

  void finish_steps(std::function<void()> const& frame) override;
  /// Opens a key file and makes it the source of keys.
  bool open(std::filesystem::path const& file) override;
  void lay_out(Frame const& frame) override;

  std::span<Command const> commands() const override { return commands_; }
  void cancel() override;
  bool cancellable() const override { return state().progress.has_value(); }
  std::string notice() const override { return state().notice; }
  SceneStatistics statistics(FrameTimes const& frames) override { return statistics_of(reports(frames)); }

protected:
  /// Call once, in the constructor of the derived scene.
  void make_commands();
  /// Starts the steps of a set-up.
  void begin(TableSetup const& set_up);

  TableSceneLayout const& layout() const { return layout_; }
  void handle_requests();
  /// Lets the tables work for their share of a frame, with these settings.
  void work(DriveSettings drive, double elapsed_seconds);

  /// Replaces the table, or all of them, with other settings or another seed.
  virtual void remake(NewTable const& wanted) = 0;
  virtual void forget_throughput() = 0;
  virtual void update_from_simulation() = 0;
  virtual void look_up(Key key) = 0;
  virtual void deselect() = 0;
  /// The table and the slot that the key to step through can come from.
  virtual std::size_t focus() const { return 0; }
  virtual std::optional<Slot> pinned() const = 0;
  /// Enters step mode, with the request or with a choice for the user. at_once: the camera jumps instead of flying.
  virtual void enter_steps(std::optional<StepRequest> const& request, bool at_once) = 0;
  virtual void leave_steps() = 0;
  virtual void do_steps() = 0;
  /// The players of the operation being stepped through.
  virtual StepGroup players() = 0;
  /// Moves the camera of every map.
  virtual void move_camera(std::function<void(MapView&)> const& move) = 0;

private:
  void handle(TableRequest const& request);
  void ask_for_key_file();

  std::vector<Command> drive_commands();
  std::vector<Command> table_commands();
  std::vector<Command> view_commands();
  std::vector<Command> camera_commands();
  std::vector<Command> step_commands();

  std::vector<Command> commands_;
  TableSceneLayout layout_;
  std::mt19937_64 random_;  ///< for keys to step through
};

/// Shared by the entries of the scenes of tables.
FileKind key_file_kind();
inline constexpr std::string_view table_scene_mouse =
    "Scroll to zoom at the cursor, drag to pan, double-click to show the whole table. Click a slot to pin it. "
    "Drop a scenario or a key file on the window to open it.";

}  // namespace slotscape
