#pragma once

#include "app/scene/undo.hpp"
#include "app/scenes/spatial/canvas.hpp"
#include "app/scenes/spatial/models.hpp"
#include "app/scenes/spatial/state.hpp"

#include <optional>
#include <string>

namespace slotscape {

/// Records the user's changes in the spatial scene, for undo and redo.
class SpatialUndo {
public:
  /// The referenced objects must outlive this.
  SpatialUndo(SpatialState& state, SpatialCanvas& canvas, SpatialModels& models)
      : state_(state), canvas_(canvas), models_(models)
  {
  }

  /// Makes the current state the starting point, with nothing to undo.
  void settle();
  /// Records the user's changes. Call this once per frame.
  void note_changes(double elapsed_seconds);

  std::string undoes() const { return undo_.undoes(); }
  std::string redoes() const { return undo_.redoes(); }
  void undo();
  void redo();

private:
  /// A state to return to.
  struct Moment {
    SpatialSceneSettings settings;
    OrbitPlace camera;
    std::optional<AskedVoxel> voxel;
  };
  Moment exchange(Moment const& moment);

  SpatialState& state_;
  SpatialCanvas& canvas_;
  SpatialModels& models_;
  UndoList<Moment> undo_;
  SpatialSceneSettings settled_;  ///< settings when a change was last recorded or skipped
  std::optional<AskedVoxel> settled_voxel_;
  RestingCamera<OrbitPlace> resting_camera_;
  bool follows_undo_ = false;  ///< current changes result from an undo
};

}  // namespace slotscape
