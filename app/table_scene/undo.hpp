#pragma once

#include "app/scene/undo.hpp"
#include "app/table_scene/answers.hpp"
#include "app/table_scene/driven_tables.hpp"
#include "app/table_scene/simulation_work.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace slotscape {

/// Records what the user does to the tables, their settings and the camera, and goes back to it.
class TableUndo {
public:
  /// Tables of up to this many bytes are kept before each operation; larger ones before what drops much.
  static constexpr std::uint64_t small_image = std::uint64_t{16} << 20;
  static constexpr std::uint64_t large_image = std::uint64_t{1} << 30;

  /// The references outlive it.
  TableUndo(DrivenTables& tables, SimulationWork& work, TableAnswers& answers)
      : tables_(tables), work_(work), answers_(answers)
  {
  }

  /// Shows other tables from now on. asked: what was asked for of them; if empty, what they are.
  void use(std::shared_ptr<Simulation> simulation, std::vector<TableSettings> const& asked = {});
  /// What is shown now is nothing to go back from.
  void settle();
  /// The tables have drawn from these keys themselves.
  void settle_keys(KeySettings const& keys) { settled_.keys = keys; }

  void begin_frame() { remembered_tables_ = false; }
  /// Once a frame: records what the user has changed of the settings and the camera.
  void note_changes(double elapsed_seconds);
  /// Records the present, in which the user is about to do `what` with the tables. max_bytes: of tables to keep.
  void remember_tables(std::string what, std::uint64_t max_bytes);
  /// The same before other tables take the place of all.
  void remember_replaced();
  /// Drops all moments, whose memory may be what is missing. Returns false if there are none.
  bool make_room();

  std::string undoes() const { return undo_.undoes(); }
  std::string redoes() const { return undo_.redoes(); }
  void undo();
  void redo();
  /// How many changes to undo to go back to before the last `what`, if only settings have changed since; else 0.
  std::size_t settings_since(std::string_view what) const;

private:
  /// A moment to go back to.
  struct Moment {
    TableSceneSettings settings;
    Framing camera;
    std::shared_ptr<Simulation> simulation = {};          ///< null: the tables were not touched since
    std::shared_ptr<Simulation::Image const> image = {};  ///< null: this simulation was not used any more since
    std::vector<TableSettings> asked = {};                ///< of its tables
    HandedOver handed_over = {};                          ///< with them
  };

  void note_settings();
  void note_camera(double elapsed_seconds);
  Moment exchange(Moment const& moment);

  DrivenTables& tables_;
  SimulationWork& work_;
  TableAnswers& answers_;
  UndoList<Moment> undo_;
  TableSceneSettings settled_;  ///< the settings of the last moment that was recorded or not worth it
  RestingCamera<Framing> resting_camera_;
  bool remembered_tables_ = false;  ///< in this frame
};

}  // namespace slotscape
