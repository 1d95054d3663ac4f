#pragma once

#include "app/scene/scene.hpp"
#include "app/scene/undo.hpp"
#include "app/scenes/spatial/canvas.hpp"
#include "app/scenes/spatial/findings.hpp"
#include "app/scenes/spatial/loader.hpp"
#include "app/scenes/spatial/map/voxel_maps.hpp"
#include "app/scenes/spatial/settings.hpp"
#include "app/scenes/spatial/state.hpp"
#include "app/widgets/controls.hpp"
#include "app/widgets/sides.hpp"
#include "gpu/base/work.hpp"

#include <map>
#include <memory>
#include <optional>
#include <string>

namespace slotscape {

struct SpatialReport;

/// The areas of the window in the spatial scene.
struct SpatialLayout {
  SideLayout sides;
  Rectangle toolbar;
  Rectangle canvas;  ///< of the models in space
  Rectangle legend;
  Rectangle maps;  ///< of the slot maps; width 0: hidden
};

/// The spatial scene: two models, voxelised, hashed and intersected in every frame, and the slot maps of their tables.
/// Owns the engine.
///
/// An update of the engine may take longer than a frame. It then goes on beside the frames, which show the last picture
/// and ask the engine nothing (`updating`). Whoever else asks for the engine waits for the end of the update. So it is
/// with the models that the scene begins with, if they are built-in ones, which can always be made.
class SpatialScene final : public Scene {
public:
  /// Throws Error if a model cannot be opened or hashed, and Cancelled. Built-in models may come later, in frames, if
  /// nobody watches the opening.
  SpatialScene(SpatialSetup const& set_up, DeviceFacts const& device, Progress const& opening = {});

  SpatialState& state() { return state_; }
  spatial::SpatialEngine& engine()
  {
    if (lacks_models_) { wait_for_first_update(); }
    updating_.wait();
    return *engine_;
  }
  VoxelMaps& maps() { return maps_; }
  OrbitCamera& camera() { return canvas_.camera(); }
  void select(spatial::Model model, Key key);

  SceneSetup set_up() const override;
  bool can_wait() const override;
  void come_back() override;

  /// Opens a model in place of the chosen one; a second one in place of the other.
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
  void undo() override;
  void redo() override;

  std::span<Command const> commands() const override { return commands_; }
  void cancel() override;
  bool cancellable() const override { return loader_.busy() || updating() || state_.selected; }
  bool asked() const override { return !state_.requests.empty(); }
  bool quiet() const override;
  std::string notice() const override { return state_.notice; }
  Findings findings() const override;
  SceneStatistics statistics(FrameTimes const& frames) override;
  /// Write the points of the Boolean's result, or all voxels, as PLY.
  void save_result(std::filesystem::path const& file);
  void save_voxels(std::filesystem::path const& file);

private:
  /// Presenters of the maps come first, then those of the models.
  static constexpr std::size_t first_map_presenter = 0;
  static constexpr std::size_t first_model_presenter = spatial::model_count;
  static constexpr double long_seconds = 0.3;  ///< of an update, beyond which a bar says how far it is

  /// What an update of the engine depends on.
  struct Inputs {
    spatial::SpatialSettings hashing;
    spatial::PerModel<spatial::Pose> poses;         ///< as they are seen
    spatial::PerModel<spatial::Pose> engine_poses;  ///< the same, for the points that the engine has
    spatial::ShownParts parts;
    std::uint64_t version;  ///< of the clouds
    friend bool operator==(Inputs const&, Inputs const&) = default;
  };

  using Updating = Work<Inputs, spatial::SpatialSnapshot>;

  /// A moment to go back to.
  struct Moment {
    SpatialSceneSettings settings;
    OrbitPlace camera;
    std::optional<AskedVoxel> voxel;
  };
  void settle();
  void note_changes(double elapsed_seconds);
  Moment exchange(Moment const& moment);
  /// The settings, with the models that an undo leads back to, also while these are still being opened.
  SpatialSceneSettings settings_led_to() const;
  void stop_going_back();
  bool is_going_back() const;

  void open_as(spatial::Model model, std::filesystem::path const& file);
  SpatialReport report(FrameTimes const& frames);
  ModelSettings settings_for(ModelRequest const& request) const;
  bool are_placed_by_program(ModelRequest const& request, ModelSettings const& settings, bool were_common) const;
  ModelRequest first_request(spatial::Model model) const;
  void start_first_models();
  /// Waits so long for the models that the scene begins with, and takes them over when both are there.
  void follow_first_models(std::optional<double> max_wait);
  void wait_for_first_update();
  /// Throws its error if there is nothing smaller.
  void keep_first_model(ModelLoader::Opening::Outcome outcome);
  /// Waits for them as long as a frame may. Returns whether they are there.
  bool begin_with_models();
  /// Where what was asked for cannot be had, or takes too long. Returns false if there is nothing smaller.
  bool start_smaller_models();
  /// What belongs to a model then decides again how both are placed, unless the user has placed one of them.
  void use_model(ModelRequest const& request, OpenedModel opened);
  void open_view();
  /// Gives the engine the points of a model in this frame.
  void give_points(spatial::Model model, clouds::Frame const& frame);
  /// Has the engine know models by the coordinates of their files in one frame, if they are placed by these.
  void share_frame();
  void require_what_was_asked_for(SpatialSetup const& set_up);
  void put_shape_aside(spatial::Model opened);
  void stop_first_motion(spatial::Model opened);
  void take_loaded();
  void handle(SpatialRequest const& ask);
  void handle_requests();
  Inputs inputs() const;
  /// Has the engine follow the settings, for no longer than a frame may wait.
  void update(std::optional<double> max_wait);
  void note_begin();
  void take_update(Updating::Outcome outcome);
  /// After an update that failed or was cancelled: has the settings ask for the last one that did not.
  void go_back(Updating::Outcome const& outcome);
  /// Whether the engine is at work.
  bool updating() const { return updating_.busy(); }
  bool has_results() const { return has_results_ && !updating(); }
  /// Whether nothing is left to do: there are results, or there cannot be any.
  bool is_settled() const;
  bool shows_what_is_set() const;
  std::optional<ProgressSnapshot> progress_of_update() const;
  /// Throws Error while there are none.
  spatial::SpatialEngine& engine_with_results();
  void read_tables();
  void watch_voxels();
  void follow_maps();
  void place_card(Look const& look);
  void show_attribute();
  /// Bring the models to OpenGL: as a picture, or as instances that it draws. Return the seconds that presenting took.
  double present_models(Presenters& presenters);
  double present_picture(Presenters& presenters);
  double present_instances(Presenters& presenters);
  ModelsPicture models_picture() const;
  bool shows_maps() const { return state_.settings.show_maps && layout_.maps.width > 0; }
  double scale_end() const;  ///< value at the end of the models' colour scale
  void focus_on_selection();
  void show_all();
  void ask_for_model(spatial::Model model);

  std::vector<Command> model_commands();
  std::vector<Command> boolean_commands();
  std::vector<Command> hiding_commands();
  std::vector<Command> hashing_commands();
  std::vector<Command> file_commands();
  std::vector<Command> view_commands();
  std::vector<Command> camera_commands();

  SpatialState state_;
  bool kernels_draw_;  ///< the models; otherwise OpenGL does
  std::unique_ptr<spatial::SpatialEngine> engine_;
  Updating updating_;
  bool has_results_ = false;       ///< the last update has ended well, and no other one has begun
  bool outlasts_ = false;          ///< the update takes longer than a frame, so later ones do not wait for it
  double updating_seconds_ = 0.0;  ///< of frames, since the update began
  ModelLoader loader_;
  bool lacks_models_ = false;  ///< those that the scene begins with are not there yet
  spatial::PerModel<std::optional<ModelLoader::Opening::Outcome>> first_models_;  ///< until both are
  SpatialCanvas canvas_;
  VoxelMaps maps_;
  std::optional<bool> fits_;  ///< as in `SpatialSetup`
  SpatialLayout layout_;
  CardPlace card_;                                    ///< of the selected voxel
  std::map<std::string, ModelSettings> models_left_;  ///< as they were when another took their place, by source
  UndoList<Moment> undo_;
  SpatialSceneSettings settled_;  ///< of the last moment that was recorded, or not worth it
  std::optional<AskedVoxel> settled_voxel_;
  RestingCamera<OrbitPlace> resting_camera_;
  bool follows_undo_ = false;                                   ///< what changes now is the doing of an undo
  spatial::PerModel<std::optional<ModelSettings>> going_back_;  ///< to these models, which are being opened
  Background background_ = Background::dark;
  std::optional<Inputs> last_inputs_;    ///< of the last update that ended well
  std::optional<Inputs> failed_inputs_;  ///< not tried again
  SpatialSceneSettings answered_;        ///< what the settings were then
  std::uint64_t version_ = 0;
  /// The inputs for which the instances in the presenters' buffers were written.
  struct Written {
    std::uint64_t update;
    spatial::InstanceKind kind;
    spatial::PaintBy paint_by;
    std::uint64_t attribute;  ///< which one the engine had
    Presenters const* presenters;
    friend bool operator==(Written const&, Written const&) = default;
  };
  std::optional<Written> written_;
  /// What the attribute that the engine has was made of.
  struct ShownAttribute {
    std::string name;
    std::uint64_t version;  ///< of the clouds
    friend bool operator==(ShownAttribute const&, ShownAttribute const&) = default;
  };
  std::optional<ShownAttribute> shown_attribute_;
  std::uint64_t attributes_shown_ = 0;
  spatial::PerModel<std::uint64_t> instances_{};  ///< that were written for OpenGL to draw
  spatial::PerModel<std::uint64_t> shown_{};      ///< of these instances
  bool has_picture_ = false;                      ///< the presenters hold one of this scene
  std::uint64_t updates_ = 0;
  std::vector<Command> commands_;
  mutable Findings findings_;  ///< of the last picture that shows what is set
};

}  // namespace slotscape
