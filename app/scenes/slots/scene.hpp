#pragma once

#include "app/scenes/scene.hpp"
#include "app/scenes/slots/opening.hpp"
#include "app/scenes/slots/view/view.hpp"

#include <memory>
#include <random>

namespace slotscape {

/// The slots scene: one table, its panels and its map. Owns the simulation; settings go down, a snapshot comes up.
class SlotsScene final : public Scene {
public:
  SlotsScene(SlotsSettings const& settings, DeviceFacts device);

  SceneKind kind() const override { return SceneKind::slots; }
  SlotsState& state() override { return state_; }
  SlotsState const& state() const { return state_; }
  Simulation& simulation() override { return *simulation_; }

  void begin_opening() override { opening_.emplace(state_.settings.drive); }
  void load(Scenario const& scenario) override;
  void begin(Scenario const& scenario) override;
  Scenario set_up() const override;
  SlotsSettings settings_to_keep() const;
  void use_key_file(std::filesystem::path const& file) override;

  void advance(double elapsed_seconds) override;
  void finish_steps() override;
  void analyse(Presenters& presenters, Look const& look, SlotsLayout const& layout, double elapsed_seconds) override;
  void draw_map(Presenters& presenters, int framebuffer_height) override;
  void draw_gui(Look const& look, SlotsLayout const& layout, Panels const& panels) override;
  bool perform(UserCommand command) override;
  bool quiet() const override;

  bool wants_key_file() override;
  std::vector<RunReport> reports(FrameTimes const& frames) override;

private:
  void obey_asks();
  void obey(Ask const& ask);
  void make_table(TableSettings const& table, KeySettings const& keys, std::uint64_t seed);
  void take_note_of_work();
  std::string notice() const;       ///< what the user should know of the table, or empty
  void show_what_the_family_has();  ///< colours by clusters only where these mean something
  void look_up(Key key);
  bool move_camera(UserCommand command);
  void cancel();

  /// Step mode, of the request or of what the user chooses. at_once: the camera does not fly there.
  void enter_steps(std::optional<StepRequest> request, bool at_once = false);
  void leave_steps();
  void advance_steps(double elapsed_seconds);
  void do_steps();
  bool perform_on_steps(UserCommand command);

  SlotsState state_;
  std::unique_ptr<Simulation> simulation_;
  SlotsView view_;
  std::optional<Opening> opening_;
  std::vector<ActionReport> operations_;
  std::mt19937_64 random_;  ///< for keys to step through
  bool wants_key_file_ = false;
  bool records_recent_ = false;
  double next_sample_ = 0.0;
  double next_lookup_ = 0.0;
};

}  // namespace slotscape
