#pragma once

#include "app/scene/undo.hpp"
#include "app/scenes/spatial/canvas.hpp"
#include "app/scenes/spatial/models.hpp"
#include "app/scenes/spatial/state.hpp"

#include <optional>
#include <string>

namespace slotscape {

/// Records what the user changes in the spatial scene, and goes back to it.
class SpatialUndo {
public:
  /// The references outlive it.
  SpatialUndo(SpatialState& state, SpatialCanvas& canvas, SpatialModels& models)
      : state_(state), canvas_(canvas), models_(models)
  {
  }

  /// What is shown now is nothing to go back from.
  void settle();
  /// Once a frame: records what the user has changed since.
  void note_changes(double elapsed_seconds);

  std::string undoes() const { return undo_.undoes(); }
  std::string redoes() const { return undo_.redoes(); }
  void undo();
  void redo();

private:
  /// A moment to go back to.
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
  SpatialSceneSettings settled_;  ///< of the last moment that was recorded, or not worth it
  std::optional<AskedVoxel> settled_voxel_;
  RestingCamera<OrbitPlace> resting_camera_;
  bool follows_undo_ = false;  ///< what changes now is the doing of an undo
};

}  // namespace slotscape
