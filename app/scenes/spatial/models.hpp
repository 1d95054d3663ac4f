#pragma once

#include "app/scenes/spatial/canvas.hpp"
#include "app/scenes/spatial/loader.hpp"
#include "app/scenes/spatial/state.hpp"
#include "app/scenes/spatial/updates.hpp"

#include <map>
#include <optional>
#include <string>

namespace slotscape {

/// Opens the scene's models in the background, and decides their places.
class SpatialModels {
public:
  /// The referenced objects must outlive this. fits: as in `SpatialSetup`.
  SpatialModels(SpatialState& state, SpatialCanvas& canvas, VoxelUpdates& updates, std::optional<bool> fits);

  /// Opens the initial models. Throws Error if one cannot be opened, or Cancelled.
  void open_first(Progress const& opening);
  /// Opens the initial models in the background, for models that cannot fail to be made.
  void start_first();
  /// Whether the initial models are still missing.
  bool lacks_first() const { return lacks_first_; }
  /// Waits for the initial models, up to this time, and takes them over when both are there. Returns whether that
  /// happened in this call. Meanwhile, user requests wait, except for cancelling.
  bool follow_first(std::optional<double> max_wait);
  /// At first, the user's own models fill the view; stand-ins are ignored.
  void open_view();
  std::optional<bool> fits() const { return fits_; }

  void load(UseModel const& wanted);
  /// Replaces the other model by a stand-in, and shows all of this one.
  void show_alone(spatial::Model model);
  /// Cancels all openings, including those of an undo.
  void cancel();
  bool is_busy() const { return loader_.busy(); }
  /// Takes over models that have been opened. Throws Error if opening one failed.
  void take_loaded();
  /// If the models are placed by their coordinates, gives the engine both in one common frame.
  void share_frame();

  /// The settings including models that an undo restores, even while these are still being opened.
  SpatialSceneSettings settings_led_to() const;
  void go_back_to(spatial::Model model, ModelSettings const& settings) { going_back_[model] = settings; }
  void stop_going_back();
  bool is_going_back() const;

private:
  /// Colours a model without a partner by its file's colours, if there are any and nothing else was requested.
  /// Otherwise in one colour, since its voxels have no status.
  void show_own_colors();
  ModelRequest first_request(spatial::Model model) const;
  /// Replaces initial models that failed or take too long by smaller ones. Returns false if nothing smaller remains.
  bool start_smaller();
  /// Rethrows the outcome's error if nothing smaller remains.
  void keep_first(ModelLoader::Opening::Outcome outcome);
  bool was_absent(spatial::Model model) const;
  ModelSettings settings_for(ModelRequest const& request) const;
  bool are_placed_by_program(ModelRequest const& request, ModelSettings const& settings, bool were_common) const;
  /// Installs a model. Then decides again how both are placed, unless the user has placed one of them.
  void use_model(ModelRequest const& request, OpenedModel opened);
  /// Passes a model's points to the engine in this frame.
  void give_points(spatial::Model model, clouds::Frame const& frame);
  void put_shape_aside(spatial::Model opened);
  void stop_first_motion(spatial::Model opened);

  SpatialState& state_;
  SpatialCanvas& canvas_;
  VoxelUpdates& updates_;
  std::optional<bool> fits_;
  ModelLoader loader_;
  bool lacks_first_ = false;
  spatial::PerModel<std::optional<ModelLoader::Opening::Outcome>> first_models_;  ///< until both have arrived
  std::map<std::string, ModelSettings> models_left_;            ///< earlier models by source, as they were left
  spatial::PerModel<std::optional<ModelSettings>> going_back_;  ///< models of an undo that are being opened
};

}  // namespace slotscape
