#pragma once

#include "app/scenes/scene.hpp"
#include "app/scenes/shared/layout.hpp"
#include "app/scenes/spatial/canvas.hpp"
#include "app/scenes/spatial/loader.hpp"
#include "app/scenes/spatial/map/voxel_maps.hpp"
#include "app/scenes/spatial/state.hpp"

#include <memory>

namespace slotscape {

struct SpatialReport;

/// How the window is divided in the spatial scene.
struct SpatialLayout {
  SideLayout sides;
  Rectangle toolbar;
  Rectangle canvas;  ///< of the models in space
  Rectangle legend;
  Rectangle maps;  ///< of the slots; width 0: hidden
};

/// The spatial scene: two models in space, voxelised, hashed and intersected in each frame, and the slot maps of their
/// tables. Owns the engine.
class SpatialScene final : public Scene {
public:
  /// Throws Error where a model cannot be opened or hashed.
  SpatialScene(SpatialSceneSettings const& settings, DeviceFacts device);

  SceneKind kind() const override { return SceneKind::spatial; }
  DeviceFacts const& device() const override { return state_.device; }
  FrameFacts& frames() override { return state_.frames; }
  SpatialState& state() { return state_; }
  spatial::SpatialEngine& engine() { return *engine_; }
  VoxelMaps& maps() { return maps_; }
  OrbitCamera& camera() { return canvas_.camera(); }
  void select(spatial::Model model, Key key);

  void begin_opening() override {}
  Scenario set_up() const override;
  void load(Scenario const& scenario) override;
  void begin(Scenario const& /*scenario*/) override {}
  void finish_steps() override {}
  void play_steps(std::function<void()> const& /*frame*/) override {}
  void keep_settings(UserSettings& settings) const override;

  /// A model, in place of the chosen one.
  bool open(std::filesystem::path const& file) override;
  std::optional<PathPurpose> wanted_path() override;
  bool use_path(PathPurpose purpose, std::filesystem::path const& path) override;

  void advance(double elapsed_seconds) override;
  void lay_out(Look const& look, Rectangle const& window, Panels const& panels) override;
  Rectangle canvas() const override;
  SpatialLayout const& layout() const { return layout_; }
  void analyse(Presenters& presenters, Look const& look, double elapsed_seconds) override;
  void draw_pictures(Presenters& presenters, int framebuffer_height) override;
  void draw_gui(Look const& look, Panels const& panels) override;

  void draw_own_menus(MenuActions const& actions) override;
  void draw_file_entries(MenuActions const& actions) override;
  void draw_view_entries(MenuActions const& actions) override;
  std::string mouse_help() const override;

  bool perform(UserCommand command) override;
  bool quiet() const override;
  bool cancellable() const override { return loader_.busy() || state_.selected; }
  std::string const& notice() const override { return state_.notice; }

  void write_statistics_json(std::filesystem::path const& file, FrameTimes const& frames) override;
  void write_statistics_csv(std::filesystem::path const& folder, FrameTimes const& frames) override;
  /// What belongs to the result of the Boolean, point by point, and all voxels.
  void save_result(std::filesystem::path const& file);
  void save_voxels(std::filesystem::path const& file);

private:
  /// What an update of the engine depends on.
  struct Inputs {
    spatial::SpatialSettings hashing;
    spatial::PerModel<spatial::Pose> poses;
    spatial::Boolean boolean;
    std::uint64_t version;  ///< of the clouds
    friend bool operator==(Inputs const&, Inputs const&) = default;
  };

  SpatialSceneSettings settings_to_keep() const;
  void open_as(spatial::Model model, std::filesystem::path const& file);
  SpatialReport report(FrameTimes const& frames);
  void use_cloud(ModelRequest const& request, clouds::PointCloud cloud);
  void take_loaded();
  void obey(SpatialAsk const& ask);
  void obey_asks();
  void update();
  void take_note_of_tables();
  void watch_voxels();
  void follow_maps();
  void write_instances(Presenters& presenters);
  double scale_end() const;  ///< value at the end of the palette of the models' colours
  void focus_on_selection();
  bool perform_on_models(UserCommand command);
  bool perform_on_view(UserCommand command);

  SpatialState state_;
  std::unique_ptr<spatial::SpatialEngine> engine_;
  ModelLoader loader_;
  SpatialCanvas canvas_;
  VoxelMaps maps_;
  SpatialLayout layout_;
  std::optional<Inputs> last_inputs_;
  std::uint64_t version_ = 0;
  /// What the instances in the presenters' buffers were written for.
  struct Written {
    std::uint64_t update;
    spatial::InstanceKind kind;
    spatial::PaintBy paint_by;
    Presenters const* presenters;
    friend bool operator==(Written const&, Written const&) = default;
  };
  std::optional<Written> written_;
  std::uint64_t updates_ = 0;
  std::optional<PathPurpose> wanted_path_;
};

}  // namespace slotscape
