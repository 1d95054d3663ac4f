#pragma once

#include "app/scenes/shared/table_scene.hpp"
#include "app/scenes/slots/opening.hpp"
#include "app/scenes/slots/view/view.hpp"

#include <memory>

namespace slotscape {

/// The slots scene: one table, its panels and its map. Owns the simulation; settings go down, a snapshot comes up.
class SlotsScene final : public TableScene {
public:
  SlotsScene(SlotsSettings const& settings, DeviceFacts device);

  SceneKind kind() const override { return SceneKind::slots; }
  SlotsState& state() override { return state_; }
  SlotsState const& state() const override { return state_; }
  Simulation& simulation() override { return *simulation_; }

  void begin_opening() override { opening_.emplace(state_.settings.drive); }
  void load(Scenario const& scenario) override;
  Scenario set_up() const override;
  SlotsSettings settings_to_keep() const;
  void keep_settings(UserSettings& settings) const override;

  void advance(double elapsed_seconds) override;
  void analyse(Presenters& presenters, Look const& look, double elapsed_seconds) override;
  void draw_pictures(Presenters& presenters, int framebuffer_height) override;
  void draw_gui(Look const& look, Panels const& panels) override;
  bool quiet() const override;

  std::vector<RunReport> reports(FrameTimes const& frames) override;

private:
  void make_table(TableSettings const& table, KeySettings const& keys, std::uint64_t seed);
  void take_note_of_work() override;
  std::string find_notice() const;  ///< what the user should know of the table, or empty
  void show_what_the_family_has();  ///< colours by clusters only where these mean something
  void remake(NewTable const& wanted) override;
  void forget_throughput() override { state_.throughput.clear(); }
  void look_up(Key key) override;
  void let_go() override;
  std::optional<Slot> pinned() const override { return state_.selection.pinned; }
  bool move_camera(UserCommand command) override;

  void enter_steps(std::optional<StepRequest> const& request, bool at_once) override;
  void leave_steps() override;
  void advance_steps(double elapsed_seconds);
  void do_steps() override;
  bool perform_on_steps(UserCommand command) override;

  SlotsState state_;
  std::unique_ptr<Simulation> simulation_;
  SlotsView view_;
  std::optional<Opening> opening_;
  std::vector<ActionReport> operations_;
  bool records_recent_ = false;
  double next_sample_ = 0.0;
  double next_lookup_ = 0.0;
};

}  // namespace slotscape
