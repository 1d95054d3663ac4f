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
  std::vector<TableState*> table_states() override { return {&state_}; }
  MapView& view() { return view_; }

  SceneSetup set_up() const override;
  SceneSetup set_up_for_others() const override;
  SceneSetup to_remember() const override;

  /// False while a table fills up, because the table must be full when the user returns.
  bool can_wait() const override { return !opening_ && TableScene::can_wait(); }

  FrameFacts analyse(Frame const& frame) override;
  void draw_pictures(Presenters& presenters, int framebuffer_height) override;
  void draw_gui(Frame const& frame) override;
  void draw_slide(Look const& look, Drawing& drawing, bool paints) override;
  void draw_lecture_panels(Frame const& frame) override;
  bool quiet() const override;

  std::vector<RunReport> reports(FrameTimes const& frames) override;

private:
  TableSetup set_up_of(Recipe recipe) const;
  void update_from_simulation() override;
  void show_what_the_family_has();  ///< a family without clusters is not coloured by clusters
  std::shared_ptr<Simulation> make(ReplaceTables const& wanted, KeySettings const& keys) override;
  void tables_replaced() override;
  DriveSettings drive_now(double elapsed_seconds) override;
  void rest() override;
  bool drives_itself() const override { return opening_.has_value(); }
  void forget_throughput() override { state_.history.throughput.clear(); }
  void look_up(Key key) override;
  void deselect() override;
  std::optional<Slot> pinned() const override { return state_.selection.pinned; }
  void move_camera(std::function<void(MapView&)> const& move) override { move(view_); }
  MapView& keyed_map() override { return view_; }
  Framing camera() const override { return view_.framing(); }
  void draw_minimap_and_card(Frame const& frame);

  void enter_steps(std::optional<StepRequest> const& request, bool at_once) override;
  void leave_steps() override;
  void advance_steps(double elapsed_seconds) override;
  std::string end_of_steps() override;
  StepGroup players() override;
  std::optional<StepRequest> stepped() const override;

  void measure_homes();

  TableState state_;
  MapView view_;
  std::optional<Opening> opening_;
  std::vector<ActionReport> operations_;
  GivenKeys given_keys_;
  /// The table's state when its homes were last counted.
  struct Counted {
    std::uint64_t slots;
    std::uint64_t live;
    std::uint64_t tombstones;
    std::size_t entries;  ///< entries of the operation history at that time
    friend bool operator==(Counted const&, Counted const&) = default;
  };
  std::optional<Counted> counted_;
  double next_count_ = 0.0;
  bool count_is_due_ = false;
  std::uint64_t initial_slots_ = 0;  ///< slots before the simulation's history began; 0: unknown
  bool records_recent_ = false;
  double next_sample_ = 0.0;
  double next_lookup_ = 0.0;
};

}  // namespace slotscape
