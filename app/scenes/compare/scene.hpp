#pragma once

#include "app/scenes/compare/state.hpp"
#include "app/scenes/shared/arrangement.hpp"
#include "app/scenes/shared/table_scene.hpp"
#include "app/scenes/slots/view/view.hpp"

#include <memory>

namespace slotscape {

/// The compare scene: two to four tables side by side, fed the same operations, with one set of controls.
class CompareScene final : public TableScene {
public:
  /// Throws Error where a table cannot be made.
  CompareScene(CompareSettings const& settings, DeviceFacts device);

  SceneKind kind() const override { return SceneKind::compare; }
  CompareState& compared() { return state_; }
  /// Where on the window the map of a table is, since the last `analyse`.
  Rectangle const& map_place(std::size_t table) const { return views_[table]->canvas(); }
  SlotsState& state() override { return state_.shared; }
  SlotsState const& state() const override { return state_.shared; }
  Simulation& simulation() override { return *simulation_; }

  void begin_opening() override;
  Scenario set_up() const override;
  void load(Scenario const& scenario) override;
  CompareSettings settings_to_keep() const;
  void keep_settings(UserSettings& settings) const override;

  void advance(double elapsed_seconds) override;
  void analyse(Presenters& presenters, Look const& look, double elapsed_seconds) override;
  void draw_pictures(Presenters& presenters, int framebuffer_height) override;
  void draw_gui(Look const& look, Panels const& panels) override;
  bool quiet() const override;

  std::vector<RunReport> reports(FrameTimes const& frames) override;

private:
  void make_tables(std::vector<TableSettings> tables, KeySettings const& keys, std::uint64_t seed);
  /// The tables anew, filled to the load that they had or are to hold.
  void remake_tables(std::vector<TableSettings> const& tables, std::uint64_t seed);
  void remake(NewTable const& wanted) override;
  void forget_throughput() override;
  void look_up(Key key) override;
  void take_note_of_work() override;
  std::string find_notice() const;  ///< what the user should know of the tables, or empty
  void analyse_table(std::size_t table, Presenter& presenter, Look const& look);
  void place_views(Look const& look, double elapsed_seconds);
  /// What the other views show is moved where this one is.
  void follow(std::size_t table);
  void let_go() override;
  std::size_t focus() const override { return focus_; }
  std::optional<Slot> pinned() const override { return state_.tables[focus_].slots.selection.pinned; }
  bool move_camera(UserCommand command) override;
  void draw_views(Look const& look);
  std::vector<MapPlace> map_places(Look const& look) const;

  /// Step mode of all tables at once.
  void enter_steps(std::optional<StepRequest> const& request, bool at_once) override;
  void leave_steps() override;
  void advance_steps(double elapsed_seconds);
  void open_traces(StepRequest const& request);
  void inspect_steps(Look const& look);  ///< the slots as the steps so far have left them
  void do_steps() override;
  bool perform_on_steps(UserCommand command) override;
  void draw_overlays(Look const& look, Panels const& panels);

  /// Where large tables take longer to analyse than a frame has time for, they take turns.
  struct Analysis {
    double seconds = 0.0;  ///< that it took last
    double since = 0.0;    ///< passed since then
  };

  CompareState state_;
  std::unique_ptr<Simulation> simulation_;
  std::vector<std::unique_ptr<SlotsView>> views_;      ///< of each table
  std::vector<std::vector<ActionReport>> operations_;  ///< of each table
  std::vector<Analysis> analyses_;                     ///< of each table
  std::size_t turn_ = 0;                               ///< the table to be analysed next
  std::size_t focus_ = 0;                              ///< the table whose slot was chosen last
  bool records_recent_ = false;
  double next_lookup_ = 0.0;
};

}  // namespace slotscape
