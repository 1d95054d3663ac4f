#pragma once

#include "app/simulation/simulation.hpp"
#include "app/table_map/map_view.hpp"
#include "app/table_map/step/player.hpp"
#include "app/table_scene/report.hpp"
#include "app/table_scene/table_state.hpp"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace slotscape {

/// The tables of a scene as the parts of `TableScene` see them: one table, or several that get the same operations.
class DrivenTables {
public:
  virtual ~DrivenTables() = default;

  /// The settings shared by all of the scene's tables, and the requests from the panels.
  virtual TableState& state() = 0;
  virtual TableState const& state() const = 0;
  /// The state of each table.
  virtual std::vector<TableState*> table_states() = 0;
  /// One report per table.
  virtual std::vector<RunReport> reports(FrameTimes const& frames) = 0;

  /// Makes tables with other settings or another seed. Throws Error if a table cannot be made.
  virtual std::shared_ptr<Simulation> make(ReplaceTables const& wanted, KeySettings const& keys) = 0;
  /// Called after the simulation has been replaced.
  virtual void tables_replaced() = 0;
  virtual void update_from_simulation() = 0;
  virtual void forget_throughput() = 0;
  /// Pauses the tables: from now on they change only on request.
  virtual void rest() { state().settings.drive.running = false; }
  /// The settings for this frame's work: the user's, unless the scene drives the tables itself.
  virtual DriveSettings drive_now(double /*elapsed_seconds*/) { return state().settings.drive; }
  /// Whether the scene changes its settings itself; such changes are not recorded for undo.
  virtual bool drives_itself() const { return false; }

  virtual void look_up(Key key) = 0;
  virtual void deselect() = 0;
  /// The table and the slot from which the key to step through may be taken.
  virtual std::size_t focus() const { return 0; }
  virtual std::optional<Slot> pinned() const = 0;

  /// Enters step mode with the given request; without a request, the user chooses. at_once: the camera jumps instead of
  /// flying.
  virtual void enter_steps(std::optional<StepRequest> const& request, bool at_once) = 0;
  virtual void leave_steps() = 0;
  virtual void advance_steps(double elapsed_seconds) = 0;
  /// Ends the displayed traces and returns a summary of the operation.
  virtual std::string end_of_steps() = 0;
  /// The players of the operation being stepped through.
  virtual StepGroup players() = 0;
  /// The operation being stepped through or about to be; nullopt if there is none.
  virtual std::optional<StepRequest> stepped() const = 0;

  /// Moves the camera of every map.
  virtual void move_camera(std::function<void(MapView&)> const& move) = 0;
  /// The map on which keys point at slots.
  virtual MapView& keyed_map() = 0;
  virtual Framing camera() const = 0;
  /// The map if there is only one table, else null. With one table, hand drawings on the map can be attached to slots.
  MapView const* only_map() { return table_states().size() == 1 ? &keyed_map() : nullptr; }
};

}  // namespace slotscape
