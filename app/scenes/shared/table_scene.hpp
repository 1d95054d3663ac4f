#pragma once

#include "app/scenes/scene.hpp"
#include "app/scenes/shared/layout.hpp"
#include "app/scenes/slots/state.hpp"

#include <random>
#include <vector>

namespace slotscape {

/// A scene of tables that operations are driven through: one, or several that take the same. It owns their simulation.
class TableScene : public Scene {
public:
  /// The settings that all of the scene's tables share, and what the panels ask for.
  virtual SlotsState& state() = 0;
  virtual SlotsState const& state() const = 0;
  virtual Simulation& simulation() = 0;
  /// Of each table one.
  virtual std::vector<RunReport> reports(FrameTimes const& frames) = 0;

  DeviceFacts const& device() const override { return state().device; }
  FrameFacts& frames() override { return state().frames; }
  void begin(Scenario const& scenario) override;
  void finish_steps() override;
  void play_steps(std::function<void()> const& frame) override;

  /// A key file, which becomes the source of keys.
  bool open(std::filesystem::path const& file) override;
  std::optional<PathPurpose> wanted_path() override;
  bool use_path(PathPurpose purpose, std::filesystem::path const& path) override;

  void lay_out(Look const& look, Rectangle const& window, Panels const& panels) override;
  Rectangle canvas() const override { return layout_.canvas; }

  void draw_own_menus(MenuActions const& actions) override;
  void draw_file_entries(MenuActions const& actions) override;
  void draw_view_entries(MenuActions const& actions) override;
  std::string mouse_help() const override;

  bool perform(UserCommand command) override;
  bool cancellable() const override { return state().progress.has_value(); }
  std::string const& notice() const override { return state().notice; }
  void write_statistics_json(std::filesystem::path const& file, FrameTimes const& frames) override;
  void write_statistics_csv(std::filesystem::path const& folder, FrameTimes const& frames) override;

protected:
  SlotsLayout const& layout() const { return layout_; }
  void obey_asks();
  /// Lets the tables work for their share of a frame, by these settings.
  void work(DriveSettings drive, double elapsed_seconds);

  /// A table, or all of them, of other settings or another seed.
  virtual void remake(NewTable const& wanted) = 0;
  virtual void forget_throughput() = 0;
  virtual void take_note_of_work() = 0;
  virtual void look_up(Key key) = 0;
  virtual void let_go() = 0;  ///< of what is selected
  /// The table and the slot in it that a key to step through can be taken from.
  virtual std::size_t focus() const { return 0; }
  virtual std::optional<Slot> pinned() const = 0;
  /// Step mode, of the request or of what the user chooses. at_once: the camera does not fly there.
  virtual void enter_steps(std::optional<StepRequest> const& request, bool at_once) = 0;
  virtual void leave_steps() = 0;
  virtual void do_steps() = 0;
  /// What the keys mean while steps are shown; false: as ever.
  virtual bool perform_on_steps(UserCommand command) = 0;
  virtual bool move_camera(UserCommand command) = 0;

private:
  void obey(Ask const& ask);

  SlotsLayout layout_;
  std::mt19937_64 random_;  ///< for keys to step through
  bool wants_key_file_ = false;
};

}  // namespace slotscape
