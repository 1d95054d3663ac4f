#pragma once

#include "app/scenes/spatial/canvas.hpp"
#include "app/scenes/spatial/loader.hpp"
#include "app/scenes/spatial/state.hpp"
#include "app/scenes/spatial/updates.hpp"

#include <map>
#include <optional>
#include <string>

namespace slotscape {

/// Opens the scene's models beside the frames, and decides how they are placed.
class SpatialModels {
public:
  /// The references outlive it. fits: as in `SpatialSetup`.
  SpatialModels(SpatialState& state, SpatialCanvas& canvas, VoxelUpdates& updates, std::optional<bool> fits);

  /// Opens the models that the scene begins with. Throws Error if one cannot be opened, and Cancelled.
  void open_first(Progress const& opening);
  /// The same beside the frames, for models that can always be made.
  void start_first();
  /// Whether those are not there yet.
  bool lacks_first() const { return lacks_first_; }
  /// Waits so long for them, and takes them over when both are there. Returns whether they came in this call. What the
  /// user asks for meanwhile waits, but for the end of the wait.
  bool follow_first(std::optional<double> max_wait);
  /// Models of people's own fill the view at first; what only stands in is left out.
  void open_view();
  std::optional<bool> fits() const { return fits_; }

  void load(UseModel const& wanted);
  /// Abandons what is being opened, and what an undo leads back to.
  void cancel();
  bool is_busy() const { return loader_.busy(); }
  /// Takes over what has been opened. Throws Error if it could not be.
  void take_loaded();
  /// Has the engine know models by the coordinates of their files in one frame, if they are placed by these.
  void share_frame();

  /// The settings, with the models that an undo leads back to, also while these are still being opened.
  SpatialSceneSettings settings_led_to() const;
  void go_back_to(spatial::Model model, ModelSettings const& settings) { going_back_[model] = settings; }
  void stop_going_back();
  bool is_going_back() const;

private:
  ModelRequest first_request(spatial::Model model) const;
  /// Where what was asked for cannot be had, or takes too long. Returns false if there is nothing smaller.
  bool start_smaller();
  /// Throws its error if there is nothing smaller.
  void keep_first(ModelLoader::Opening::Outcome outcome);
  ModelSettings settings_for(ModelRequest const& request) const;
  bool are_placed_by_program(ModelRequest const& request, ModelSettings const& settings, bool were_common) const;
  /// What belongs to a model then decides again how both are placed, unless the user has placed one of them.
  void use_model(ModelRequest const& request, OpenedModel opened);
  /// Gives the engine the points of a model in this frame.
  void give_points(spatial::Model model, clouds::Frame const& frame);
  void put_shape_aside(spatial::Model opened);
  void stop_first_motion(spatial::Model opened);

  SpatialState& state_;
  SpatialCanvas& canvas_;
  VoxelUpdates& updates_;
  std::optional<bool> fits_;
  ModelLoader loader_;
  bool lacks_first_ = false;
  spatial::PerModel<std::optional<ModelLoader::Opening::Outcome>> first_models_;  ///< until both are there
  std::map<std::string, ModelSettings> models_left_;  ///< as they were when another took their place, by source
  spatial::PerModel<std::optional<ModelSettings>> going_back_;  ///< to these models, which are being opened
};

}  // namespace slotscape
