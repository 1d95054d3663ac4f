#pragma once

#include "app/commands.hpp"
#include "app/files/report.hpp"
#include "app/scenario/scenario.hpp"
#include "app/scenes/slots/opening.hpp"
#include "app/scenes/slots/state.hpp"
#include "app/scenes/slots/view/view.hpp"

#include <memory>

namespace slotscape {

/// Which panels are shown.
struct Panels {
  bool controls = true;
  bool numbers = true;
  bool plots = true;
  bool slot_card = true;
};

/// How the window is divided.
struct SlotsLayout {
  Rectangle left;   ///< width 0: hidden
  Rectangle right;  ///< width 0: hidden, or in tabs on the left where the window is narrow
  Rectangle toolbar;
  Rectangle canvas;
  Rectangle legend;
  bool tabs = false;  ///< the left panel has controls and numbers in tabs
};
SlotsLayout lay_out(Look const& look, Rectangle const& window, Panels const& panels);

/// The slots scene: one table, its panels and its map. Owns the simulation; settings go down, a snapshot comes up.
class SlotsScene {
public:
  SlotsScene(SlotsSettings const& settings, DeviceFacts device);

  SlotsState& state() { return state_; }
  SlotsState const& state() const { return state_; }
  Simulation& simulation() { return *simulation_; }

  void begin_opening() { opening_.emplace(state_.settings.drive); }
  /// A new table as the scenario sets it, and its steps in the queue.
  void load(Scenario const& scenario);
  /// The present set-up: settings, and a step that fills a table to the same load.
  Scenario set_up() const;
  SlotsSettings settings_to_keep() const;
  void use_key_file(std::filesystem::path const& file);

  /// Does what was asked for and lets the table work for its share of a frame. Errors come out after the asks are done
  /// with, and leave the scene as it was.
  void advance(double elapsed_seconds);
  void finish_steps();
  /// Everything that the frame needs to know of the table: picture, statistics, single slots.
  void analyse(Presenter& presenter, Look const& look, SlotsLayout const& layout, double elapsed_seconds);
  void draw_map(Presenter const& presenter, int framebuffer_height);
  void draw_gui(Look const& look, SlotsLayout const& layout, Panels const& panels);
  /// Whether the command was one of the scene's.
  bool perform(UserCommand command);
  /// Whether nothing moves, so that a frame need not be drawn at once.
  bool quiet() const;

  bool wants_key_file();  ///< since the last call
  RunReport report(FrameTimes const& frames);

private:
  void obey_asks();
  void obey(Ask const& ask);
  void make_table(TableSettings const& table, KeySettings const& keys, std::uint64_t seed);
  void take_note_of_work();
  void note_operation(ActionReport report);  ///< a mix that runs without a break is one operation
  std::string notice() const;                ///< what the user should know of the table, or empty
  void show_what_the_family_has();           ///< colours by clusters only where these mean something
  void look_up(Key key);
  bool perform_on_table(UserCommand command);
  bool perform_on_view(UserCommand command);
  void cancel();
  void draw_side(Look const& look, SlotsLayout const& layout, Panels const& panels);

  SlotsState state_;
  std::unique_ptr<Simulation> simulation_;
  SlotsView view_;
  std::optional<Opening> opening_;
  std::vector<ActionReport> operations_;
  bool wants_key_file_ = false;
  bool records_recent_ = false;
  double next_sample_ = 0.0;
  double next_lookup_ = 0.0;
};

}  // namespace slotscape
