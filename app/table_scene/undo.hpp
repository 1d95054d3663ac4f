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

/// Records the user's changes to the tables, their settings and the camera, and undoes and redoes them.
class TableUndo {
public:
  /// Tables of up to `small_image` bytes are saved before each operation; larger ones, up to `large_image`, only before
  /// operations that drop much.
  static constexpr std::uint64_t small_image = std::uint64_t{16} << 20;
  static constexpr std::uint64_t large_image = std::uint64_t{1} << 30;

  /// The references must outlive this object.
  TableUndo(DrivenTables& tables, SimulationWork& work, TableAnswers& answers)
      : tables_(tables), work_(work), answers_(answers)
  {
  }

  /// Switches to other tables. asked: their requested settings; if empty, the actual ones.
  void use(std::shared_ptr<Simulation> simulation, std::vector<TableSettings> const& asked = {});
  /// Takes the present settings and camera as the reference for later changes, without recording them.
  void settle();
  /// Updates the reference keys after the tables have drawn from them.
  void settle_keys(KeySettings const& keys) { settled_.keys = keys; }

  void begin_frame() { remembered_tables_ = false; }
  /// Call once a frame: records the user's changes to the settings and the camera.
  void note_changes(double elapsed_seconds);
  /// Records the present state before the user does `what` to the tables. max_bytes: limit on the tables to save.
  /// Returns whether undo restores their contents.
  bool remember_tables(std::string what, std::uint64_t max_bytes);
  /// Records the present state before all tables are replaced.
  void remember_replaced();
  /// Drops all recorded moments to free their memory. Returns false if there are none.
  bool make_room();

  std::string undoes() const { return undo_.undoes(); }
  std::string redoes() const { return undo_.redoes(); }
  void undo();
  void redo();
  /// The number of changes to undo to return to before the last `what`, if only settings have changed since; else 0.
  std::size_t settings_since(std::string_view what) const;

private:
  /// A moment to go back to.
  struct Moment {
    TableSceneSettings settings;
    Framing camera;
    std::shared_ptr<Simulation> simulation = {};          ///< null: the tables were not changed since
    std::shared_ptr<Simulation::Image const> image = {};  ///< null: nothing has run in this simulation since
    std::vector<TableSettings> asked = {};                ///< requested settings of the tables
    HandedOver handed_over = {};                          ///< remarks on keys that the tables were handed
  };

  void note_settings();
  void note_camera(double elapsed_seconds);
  Moment exchange(Moment const& moment);

  DrivenTables& tables_;
  SimulationWork& work_;
  TableAnswers& answers_;
  UndoList<Moment> undo_;
  TableSceneSettings settled_;  ///< the settings of the last recorded moment, or a later state that is not recorded
  RestingCamera<Framing> resting_camera_;
  bool remembered_tables_ = false;  ///< the tables have been recorded in this frame
  bool are_kept_ = false;           ///< the recorded contents can be restored
};

}  // namespace slotscape
