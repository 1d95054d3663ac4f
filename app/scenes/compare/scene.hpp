#pragma once

#include "app/scenes/compare/state.hpp"
#include "app/table_map/several_maps.hpp"
#include "app/table_scene/table_scene.hpp"

#include <memory>

namespace slotscape {

/// The compare scene: two to four tables side by side that run the same operations, with one set of controls.
class CompareScene final : public TableScene {
public:
  /// Throws Error if a table cannot be created.
  CompareScene(CompareSetup const& set_up, DeviceFacts const& device);

  CompareState& compared() { return state_; }
  MapView const& view(std::size_t table) const { return *views_[table]; }
  /// The shared camera of all maps, except in step mode.
  Framing const& framing() const { return framing_; }
  TableState& state() override { return state_.shared; }
  TableState const& state() const override { return state_.shared; }
  std::vector<TableState*> table_states() override;

  SceneSetup set_up() const override;
  SceneSetup set_up_for_others() const override;
  SceneSetup to_remember() const override;

  void come_back() override;
  FrameFacts analyse(Frame const& frame) override;
  void draw_pictures(Presenters& presenters, int framebuffer_height) override;
  void draw_gui(Frame const& frame) override;
  void draw_slide(Look const& look, Drawing& drawing, bool paints) override;
  void draw_lecture_panels(Frame const& frame) override;
  bool quiet() const override;

  std::vector<RunReport> reports(FrameTimes const& frames) override;

private:
  CompareSetup set_up_of(Recipe recipe) const;
  std::shared_ptr<Simulation> make(ReplaceTables const& wanted, KeySettings const& keys) override;
  void tables_replaced() override;
  void forget_throughput() override;
  void look_up(Key key) override;
  void update_from_simulation() override;
  std::string current_notice() const;  ///< a message about the tables, or empty
  FrameFacts analyse_table(std::size_t table, Presenter& presenter);
  void place_views(Look const& look, double elapsed_seconds);
  void deselect() override;
  std::size_t focus() const override { return focus_; }
  std::optional<Slot> pinned() const override { return state_.tables[focus_].slots.selection.pinned; }
  void move_camera(std::function<void(MapView&)> const& move) override;
  MapView& keyed_map() override { return *views_[focus_]; }
  Framing camera() const override { return framing_; }
  void draw_views(Look const& look);
  void point_in_other(std::size_t map, int beyond);
  std::vector<MapPlace> map_places(Look const& look) const;

  /// Step mode, for all tables at once.
  void enter_steps(std::optional<StepRequest> const& request, bool at_once) override;
  void leave_steps() override;
  void advance_steps(double elapsed_seconds) override;
  void open_traces(StepRequest const& request);
  void inspect_steps();
  /// Makes the cells of all maps show the same lines.
  void share_widths();
  std::string end_of_steps() override;
  StepGroup players() override { return players_of(state_); }
  std::optional<StepRequest> stepped() const override;
  void draw_overlays(Frame const& frame);

  CompareState state_;
  std::vector<std::unique_ptr<MapView>> views_;        ///< one per table
  std::vector<std::vector<ActionReport>> operations_;  ///< one list per table
  Turns turns_;                                        ///< lets the tables take turns at being analysed
  Framing framing_;
  std::size_t focus_ = 0;  ///< index of the table whose slot was pinned most recently
  bool records_recent_ = false;
  GivenKeys given_keys_;  ///< counts given keys, for theory
  double next_lookup_ = 0.0;
};

}  // namespace slotscape
