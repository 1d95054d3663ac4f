#pragma once

#include "app/scene/scene.hpp"
#include "app/scenes/spatial/canvas.hpp"
#include "app/scenes/spatial/distances.hpp"
#include "app/scenes/spatial/findings.hpp"
#include "app/scenes/spatial/map/voxel_maps.hpp"
#include "app/scenes/spatial/models.hpp"
#include "app/scenes/spatial/presentation.hpp"
#include "app/scenes/spatial/settings.hpp"
#include "app/scenes/spatial/state.hpp"
#include "app/scenes/spatial/undo.hpp"
#include "app/scenes/spatial/updates.hpp"
#include "app/widgets/controls.hpp"
#include "app/widgets/sides.hpp"

#include <string>
#include <vector>

namespace slotscape {

/// The areas of the window in the spatial scene.
struct SpatialLayout {
  SideLayout sides;
  Rectangle toolbar;
  Rectangle canvas;  ///< canvas of the models in space
  Rectangle legend;
  Rectangle maps;  ///< area of the slot maps; width 0: hidden
};

/// The spatial scene: two models, voxelised, hashed and intersected in every frame, and the slot maps of their tables.
///
/// Frames show the last picture while an update of the engine takes longer (`VoxelUpdates`), or while the initial
/// models are made (`SpatialModels`).
class SpatialScene final : public Scene {
public:
  /// Throws Error if a model cannot be opened or hashed, or Cancelled. Without a progress display, built-in models may
  /// arrive later, during frames.
  SpatialScene(SpatialSetup const& set_up, DeviceFacts const& device, Progress const& opening = {});

  SpatialState& state() { return state_; }
  /// Waits for the models, and for a running update to end.
  spatial::SpatialEngine& engine();
  VoxelMaps& maps() { return maps_; }
  OrbitCamera& camera() { return canvas_.camera(); }
  void select(spatial::Model model, Key key);

  SceneSetup set_up() const override;
  bool can_wait() const override;
  void come_back() override;

  /// Opens a model in place of the chosen one, and a second file in place of the other.
  bool open(Paths const& files) override;

  void finish_steps(std::function<void()> const& frame) override;
  void advance(double elapsed_seconds) override;
  void lay_out(Frame const& frame) override;
  SpatialLayout const& layout() const { return layout_; }
  FrameFacts analyse(Frame const& frame) override;
  void draw_pictures(Presenters& presenters, int framebuffer_height) override;
  void draw_gui(Frame const& frame) override;
  void draw_slide(Look const& look, Drawing& drawing, bool paints) override;

  std::string undoes() const override { return undo_.undoes(); }
  std::string redoes() const override { return undo_.redoes(); }
  void undo() override { undo_.undo(); }
  void redo() override { undo_.redo(); }

  std::span<Command const> commands() const override { return commands_; }
  void cancel() override;
  bool cancellable() const override
  {
    return models_.is_busy() || updates_.is_busy() || distances_.is_busy() || !state_.ruler.pending.empty() ||
           state_.selected;
  }
  bool asked() const override { return !state_.requests.empty(); }
  bool quiet() const override;
  std::string notice() const override { return state_.notice; }
  Findings findings() const override;
  SceneStatistics statistics(FrameTimes const& frames) override;
  /// Write the points of the Boolean's result, or all voxels, as PLY.
  void save_result(std::filesystem::path const& file);
  void save_voxels(std::filesystem::path const& file);
  /// Writes the measurements as CSV. Throws Error if there are none.
  void save_measurements(std::filesystem::path const& file);

private:
  /// The presenters of the maps come before those of the models.
  static constexpr std::size_t first_map_presenter = 0;

  /// Waits for the initial models, as long as a frame may. Returns whether they have arrived.
  bool begin_with_models();
  void handle(SpatialRequest const& ask);
  void handle_requests();
  /// Whether no work is pending: results are available or impossible.
  bool is_settled() const;
  bool shows_maps() const { return state_.settings.show_maps && layout_.maps.width > 0; }
  void ask_for_model(spatial::Model model);
  void ask_to_save_measurements();
  /// Adds the point under the mouse to the ruler.
  void measure_under_mouse();
  /// Adds the shown voxels of each model to the ruler. Throws Error if there are none.
  void measure_shown_voxels();
  std::vector<Command> file_commands();

  SpatialState state_;
  SpatialCanvas canvas_;
  VoxelMaps maps_;
  VoxelUpdates updates_;
  DistanceUpdates distances_;
  SpatialModels models_;
  ModelsPresentation presentation_;
  SpatialUndo undo_;
  SpatialLayout layout_;
  CardPlace card_;  ///< place of the selected voxel's card
  std::vector<Command> commands_;
  mutable Findings findings_;  ///< as of the last picture that matches the settings
};

}  // namespace slotscape
