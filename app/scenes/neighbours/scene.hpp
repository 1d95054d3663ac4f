#pragma once

#include "app/scene/undo.hpp"
#include "app/scene/work_scene.hpp"
#include "app/scenes/neighbours/points_view.hpp"
#include "app/scenes/neighbours/state.hpp"
#include "app/table_map/beside_map.hpp"
#include "app/table_map/map_links.hpp"
#include "app/table_map/map_view.hpp"
#include "app/widgets/sides.hpp"

#include <memory>
#include <vector>

namespace slotscape {

/// The areas of the window in the neighbours scene.
struct NeighbourLayout {
  SideLayout sides;
  Rectangle points;
  BesideMap map;  ///< the map of the table's slots
};

/// Neighbour search: shows the neighbours of the point under the mouse, the cells in space that its search reads, and
/// their slots in the table of cells, even while the points move. Computes in the background.
class NeighbourScene final : public WorkScene<NeighboursQuery, NeighboursResult> {
public:
  /// Throws Error if the settings are invalid.
  NeighbourScene(NeighbourSetup const& set_up, DeviceFacts const& device);

  NeighbourState& state() { return state_; }
  NeighbourLayout const& layout() const { return layout_; }
  PointsView& points() { return points_; }

  SceneSetup set_up() const override { return NeighbourSetup{state_.settings}; }
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
  bool cancellable() const override { return work().busy() || state_.is_pinned; }
  bool asked() const override { return state_.asks_for_points; }
  bool quiet() const override;
  std::string notice() const override { return state_.notice; }
  Findings findings() const override;
  SceneStatistics statistics(FrameTimes const& frames) override;
  /// Writes all neighbours to a .npz archive of NumPy arrays. Throws Error or Cancelled.
  void save_neighbours(std::filesystem::path const& file);

private:
  NeighbourScene(NeighbourSetup const& set_up, DeviceFacts const& device, std::shared_ptr<NeighbourFinder> finder);

  // --- work
  NeighboursQuery query() const override;
  void show(NeighboursQuery const& query, NeighboursResult result) override;
  void go_back(std::optional<NeighboursQuery> const& query) override;
  std::string doing(NeighboursQuery const& query) const override;
  std::string action(NeighboursQuery const& query) const override;
  bool may_finish() const override;
  void say(std::string notice) override { state_.notice = std::move(notice); }
  /// Whether the engine holds the shown results.
  bool has_results() const { return has_cells_ && !work().busy(); }
  void follow_mouse();
  void link_cells();
  void note_changes();
  NeighbourSceneSettings exchange(NeighbourSceneSettings const& settings);
  void ask_for_points();
  std::vector<Command> search_commands();
  std::vector<Command> file_commands();
  std::vector<Command> view_commands();

  NeighbourState state_;
  double moved_seconds_ = 0.0;
  bool has_cells_ = false;  ///< false from failed or cancelled work until the previous state is restored
  PointsView points_;
  Background background_ = Background::dark;
  MapView map_{"##cells_map"};
  MapLinks links_;
  NeighbourLayout layout_;
  std::vector<Command> commands_;
  NeighbourSceneSettings settled_;
  UndoList<NeighbourSceneSettings> undo_;
  std::shared_ptr<NeighbourFinder> finder_;  ///< use its engine only while `work` is not busy
};

}  // namespace slotscape
