#pragma once

#include "app/scene/undo.hpp"
#include "app/scene/work_scene.hpp"
#include "app/scenes/sparse/convolver.hpp"
#include "app/scenes/sparse/slice_view.hpp"
#include "app/scenes/sparse/space_view.hpp"
#include "app/scenes/sparse/state.hpp"
#include "app/table_map/beside_map.hpp"
#include "app/table_map/map_links.hpp"
#include "app/table_map/map_view.hpp"
#include "app/widgets/controls.hpp"
#include "app/widgets/sides.hpp"

#include <optional>
#include <vector>

namespace slotscape {

/// The areas of the window in the sparse scene.
struct SparseLayout {
  SideLayout sides;
  Rectangle sites;
  BesideMap map;  ///< of the table's slots
};

/// Sparse tensors: the sites of a model in a table, what each output of a convolution reads, and which slots its
/// lookups visit. Computes in the background; frames keep showing the previous result until the work has ended.
class SparseScene final : public WorkScene<SparseQuery, SparseResult> {
public:
  /// Throws Error if the settings contradict each other.
  SparseScene(SparseSetup const& set_up, DeviceFacts const& device);

  SparseState& state() { return state_; }
  SparseLayout const& layout() const { return layout_; }
  SpaceView& space() { return space_; }
  /// Chooses the output at this site of the output grid, or none.
  void choose(std::optional<sparse::Site> const& output);

  SceneSetup set_up() const override;
  bool open(Paths const& files) override;

  void advance(double elapsed_seconds) override;
  void lay_out(Frame const& frame) override;
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
  bool cancellable() const override { return work().busy() || state_.chosen; }
  bool asked() const override { return !state_.requests.empty(); }
  bool quiet() const override;
  std::string notice() const override { return state_.notice; }
  Findings findings() const override;
  SceneStatistics statistics(FrameTimes const& frames) override;
  /// Writes sites, offsets and pairs, and their relation to the file, to a .npz archive of NumPy arrays. Throws Error.
  void save_kernel_map(std::filesystem::path const& file);

private:
  SparseScene(SparseSetup const& set_up, DeviceFacts const& device, std::shared_ptr<Convolver> convolver);

  // --- work
  SparseQuery query() const override;
  void show(SparseQuery const& query, SparseResult result) override;
  void go_back(std::optional<SparseQuery> const& query) override;
  std::string doing(SparseQuery const& query) const override;
  std::string action(SparseQuery const& query) const override;
  bool done(bool watched) override;
  ProgressSnapshot steps() const override;
  void cancel_work() override;
  void say(std::string notice) override { state_.notice = std::move(notice); }
  void note_other_query();
  void handle_requests();
  void take_growth();
  void wait_for_layers();
  bool has_results() const { return state_.shown && !work().busy(); }
  bool shows_space() const { return state_.settings.view == SiteView::space && !state_.is_flat(); }
  ShownTensor shown_tensor();
  std::optional<ShownOutput> shown_output() const;
  void choose_at(std::optional<sparse::Site> site);
  void forget_clicks();
  void follow_views();
  void look_up_chosen();
  void note_changes();
  SparseSceneSettings exchange(SparseSceneSettings const& settings);
  std::vector<std::int64_t> rows_of_points();
  void move_slice(int cells);
  void ask_for_sites();
  std::vector<Command> convolution_commands();
  std::vector<Command> file_commands();
  std::vector<Command> view_commands();
  std::vector<Command> map_commands();

  SparseState state_;
  std::uint64_t version_ = 0;              ///< version of the current results
  std::shared_ptr<Sites const> sites_;     ///< the sites that the current results belong to
  std::optional<sparse::Site> to_choose_;  ///< site to choose when results arrive
  SliceView slice_;
  SpaceView space_;
  Background background_ = Background::dark;
  MapView map_{"##sites_map"};
  MapLinks links_;
  CardPlace card_;  ///< place of the chosen output's card
  SparseLayout layout_;
  std::vector<Command> commands_;
  SparseSceneSettings settled_;
  UndoList<SparseSceneSettings> undo_;
  std::shared_ptr<Convolver> convolver_;  ///< use its engine only while `work` is not busy
  Work<LayersQuery, LayerGrowth> layers_;
  std::optional<LayersQuery> to_count_;  ///< layers to count, because they were requested
  std::optional<LayersQuery> counting_;  ///< layers that are being counted or are finished, for the current results
  bool shows_layers_ = false;            ///< the window shows the charts of layers
  bool lists_layers_ = false;            ///< requested statistics list the layers
};

}  // namespace slotscape
