#pragma once

#include "app/scenes/slots/opening.hpp"
#include "app/table_scene/table_scene.hpp"

#include <memory>

namespace slotscape {

/// The slots scene: one table, its panels and its map. Owns the simulation; settings go down, a snapshot comes up.
class SlotsScene final : public TableScene {
public:
  /// Throws Error if the table cannot be created.
  SlotsScene(TableSetup const& set_up, DeviceFacts const& device);

  TableState& state() override { return state_; }
  TableState const& state() const override { return state_; }
  Simulation& simulation() override { return *simulation_; }
  MapView& view() { return view_; }

  SceneSetup set_up() const override;
  SceneSetup to_remember() const override;

  void advance(double elapsed_seconds) override;
  FrameFacts analyse(Frame const& frame) override;
  void draw_pictures(Presenters& presenters, int framebuffer_height) override;
  void draw_gui(Frame const& frame) override;
  bool quiet() const override;

  std::vector<RunReport> reports(FrameTimes const& frames) override;

private:
  void make_table(TableSettings const& table, KeySettings const& keys, std::uint64_t seed);
  void update_from_simulation() override;
  std::string current_notice() const;  ///< a message about the table, or empty
  void show_what_the_family_has();     ///< no colouring by clusters for a family without them
  void remake(NewTable const& wanted) override;
  void forget_throughput() override { state_.throughput.clear(); }
  void look_up(Key key) override;
  void deselect() override;
  std::optional<Slot> pinned() const override { return state_.selection.pinned; }
  void move_camera(std::function<void(MapView&)> const& move) override { move(view_); }
  void draw_minimap_and_card(Frame const& frame);

  void enter_steps(std::optional<StepRequest> const& request, bool at_once) override;
  void leave_steps() override;
  void advance_steps(double elapsed_seconds);
  void do_steps() override;
  StepGroup players() override;

  TableState state_;
  std::unique_ptr<Simulation> simulation_;
  MapView view_;
  std::optional<Opening> opening_;
  std::vector<ActionReport> operations_;
  bool records_recent_ = false;
  double next_sample_ = 0.0;
  double next_lookup_ = 0.0;
};

}  // namespace slotscape
