#pragma once

#include "app/keys/comparing.hpp"
#include "app/scene/entry.hpp"
#include "app/scene/scene.hpp"
#include "app/scene/undo.hpp"
#include "app/table_map/map_view.hpp"
#include "app/table_map/step/player.hpp"
#include "app/table_scene/gui.hpp"
#include "app/table_scene/report.hpp"
#include "app/table_scene/setup.hpp"
#include "gpu/base/translation.hpp"
#include "gpu/base/work.hpp"

#include <memory>
#include <optional>
#include <random>
#include <vector>

namespace slotscape {

/// A scene of one table, or of several that get the same operations. Owns their simulation.
///
/// The simulation may work on a thread of its own for longer than a frame. Nothing else touches it meanwhile: whoever
/// asks for it waits for the end of that work, so frames ask only if it is not `working`.
class TableScene : public Scene {
public:
  /// The settings shared by all of the scene's tables, and the requests from the panels.
  virtual TableState& state() = 0;
  virtual TableState const& state() const = 0;
  Simulation& simulation()
  {
    wait_for_work();
    return *simulation_;
  }
  /// The state of each table.
  virtual std::vector<TableState*> table_states() = 0;
  /// Its map, if it has one table: what is drawn on it by hand stays with slots. Else null.
  MapView const* only_map() { return table_states().size() == 1 ? &keyed_map() : nullptr; }
  /// One report per table.
  virtual std::vector<RunReport> reports(FrameTimes const& frames) = 0;

  void finish_steps(std::function<void()> const& frame) override;
  bool plays_steps() const override { return true; }
  bool type(char32_t character) override;
  bool types_letters() const override;
  bool awaits_keyboard() const override { return state().typed.focus; }
  bool has_empty_field() const override;
  /// Opens a key file and makes it the source of keys.
  bool open(Paths const& files) override;
  bool asked() const override { return !state().requests.empty(); }
  void lay_out(Frame const& frame) override;
  std::string set_up_caveat() const override;
  bool quick_to_save() const override { return simulation().live() <= max_saved_quickly; }
  bool can_wait() const override;
  void come_back() override { is_new_ = true; }
  void advance(double elapsed_seconds) final;

  std::string undoes() const override { return undo_.undoes(); }
  std::string redoes() const override { return undo_.redoes(); }
  void undo() override;
  void redo() override;

  std::span<Command const> commands() const override { return commands_; }
  void cancel() override;
  bool cancellable() const override
  {
    return state().progress.has_value() || state().steps.on || shows_warning(state());
  }
  bool ready() const override;
  std::optional<ProgressSnapshot> awaited() const override { return state().progress; }
  void perform(JsonNode const& steps) override;
  Json predict(JsonNode const& operation) override;
  std::optional<Slot> chosen_slot() const override { return pinned(); }
  void forget_choice() override { deselect(); }

  std::string notice() const override;
  Findings findings() const override;
  SceneStatistics statistics(FrameTimes const& frames) override { return statistics_of(reports(frames)); }

protected:
  /// Call once, in the constructor of the derived scene.
  void make_commands();
  /// Starts the steps of a set-up.
  void begin(TableSetup const& set_up);
  /// Nothing changes the tables by itself from now on.
  virtual void rest();

  TableSceneLayout const& layout() const { return layout_; }
  /// Whether a lesson's question is open, as of the latest frame: what answers it is not shown.
  bool asks() const { return asks_; }
  Simulation const& simulation() const
  {
    wait_for_work();
    return *simulation_;
  }
  /// Whether the simulation's work goes on beside the frames, which show the tables as they were.
  bool working() const { return work_.busy(); }
  /// Shows other tables from now on. asked: what was asked for of them; if empty, what they are.
  void use(std::shared_ptr<Simulation> simulation, std::vector<TableSettings> const& asked = {});
  /// Settings and first steps that make the tables what they are; the caller completes what only it knows.
  TableSetup set_up_of_tables(Recipe recipe) const;

  /// The settings for this frame's work: those of the user, unless the scene drives the tables itself.
  virtual DriveSettings drive_now(double /*elapsed_seconds*/) { return state().settings.drive; }
  /// Whether the scene changes its settings itself, which is nothing to undo.
  virtual bool drives_itself() const { return false; }
  virtual void advance_steps(double elapsed_seconds) = 0;
  /// What became of an action of a table: for the first one, it may answer typed keys.
  void note_report(ActionReport const& report);

  /// Tables with other settings or another seed. Throws Error if one cannot be made.
  virtual std::shared_ptr<Simulation> make(NewTable const& wanted, KeySettings const& keys) = 0;
  /// The simulation is another one now.
  virtual void tables_replaced() = 0;
  virtual void forget_throughput() = 0;
  virtual void update_from_simulation() = 0;
  virtual void look_up(Key key) = 0;
  virtual void deselect() = 0;
  /// The table and the slot that the key to step through can come from.
  virtual std::size_t focus() const { return 0; }
  virtual std::optional<Slot> pinned() const = 0;
  /// Enters step mode, with the request or with a choice for the user. at_once: the camera jumps instead of flying.
  virtual void enter_steps(std::optional<StepRequest> const& request, bool at_once) = 0;
  virtual void leave_steps() = 0;
  /// Ends the traces that are shown, and returns what to say of the operation.
  virtual std::string end_of_steps() = 0;
  /// The players of the operation being stepped through.
  virtual StepGroup players() = 0;
  /// That operation, or the one about to be; nullopt if there is none.
  virtual std::optional<StepRequest> stepped() const = 0;
  /// Moves the camera of every map.
  virtual void move_camera(std::function<void(MapView&)> const& move) = 0;
  /// The map on which keys point at slots.
  virtual MapView& keyed_map() = 0;
  virtual Framing camera() const = 0;

private:
  /// A moment to go back to.
  struct Moment {
    TableSceneSettings settings;
    Framing camera;
    std::shared_ptr<Simulation> simulation = {};          ///< null: the tables were not touched since
    std::shared_ptr<Simulation::Image const> image = {};  ///< null: this simulation was not used any more since
    std::vector<TableSettings> asked = {};                ///< of its tables
    HandedOver handed_over = {};                          ///< with them
  };

  void open_keys(KeySettings const& keys);
  void show_sign_of(KeySettings const& keys);
  void use_keys(SetKeys const& set_keys);
  /// Makes the tables as wide as the keys need; false if they are. Throws Error if a family has no such keys.
  static bool widen_for(KeySettings const& keys, std::vector<TableSettings>& tables);
  void insert_opened(KeySettings const& keys);
  void ask_for_tables(std::vector<TableSettings> tables);
  void handle_requests(double elapsed_seconds);
  void handle(TableRequest const& request);
  void handle_action(Action const& action);
  void handle_typed(OnKeys const& on_keys);
  /// The first of the keys now, the others after it.
  void step_through(OnKeys const& on_keys);
  /// Step mode: through what was typed last, if that is new; else the user is to choose.
  void step_through_field();
  void look_up_by_hand(Key key);
  /// The key Enter outside of the field.
  void enter();
  void do_steps();
  /// Where the request for the steps wants it: performs the operation once its end is shown, and undoes it where the
  /// user goes back from there.
  void perform_shown_steps();
  /// Goes back to the end of the operation that was performed before, which is undone.
  void walk_back();
  void replace_tables(NewTable const& wanted);
  /// What was asked for of each table that there is.
  std::vector<TableSettings> asked();
  /// Has the tables work for their share of a frame, with these settings.
  void begin_work(DriveSettings drive, double elapsed_seconds);
  /// Takes over what the work has done. Returns false if it goes on beyond this frame.
  bool end_work();
  void wait_for_work() const { work_.wait(); }
  bool is_cancelled() const;

  static constexpr std::uint64_t max_saved_quickly = std::uint64_t{1} << 22;  ///< keys
  /// Tables of up to this many bytes are kept before each operation; larger ones before what drops much.
  static constexpr std::uint64_t small_image = std::uint64_t{16} << 20;
  static constexpr std::uint64_t large_image = std::uint64_t{1} << 30;

  /// Records the present, in which the user is about to do `what` with the tables. max_bytes: of tables to keep.
  void remember_tables(std::string what, std::uint64_t max_bytes);
  /// The text, and that the tables before do not come back, if they were too large to be kept.
  std::string with_loss(std::string text) const;
  void tell_what_was_lost();
  void tell_what_came();
  void note_what_was_refused();
  void note_settings();
  void note_camera(double elapsed_seconds);
  void settle();
  Moment exchange(Moment const& moment);
  void ask_for_key_file();

  std::vector<Command> drive_commands();
  std::vector<Command> pace_commands();
  std::vector<Command> table_commands();
  std::vector<Command> view_commands();
  std::vector<Command> camera_commands();
  std::vector<Command> step_commands();
  std::vector<Command> not_in_steps(std::vector<Command> commands);

  std::shared_ptr<Simulation> simulation_;
  bool is_new_ = true;  ///< it was not shown yet
  struct FrameStep {
    std::weak_ptr<Simulation> simulation;  ///< `Work` remembers steps, which must not keep tables alive
    DriveSettings drive;
    double elapsed_seconds;
  };
  struct Stepped {};
  static Stepped take_step(FrameStep const& step, Progress const& progress);
  Work<FrameStep, Stepped> work_{take_step};                     ///< of the simulation
  bool outlasted_ = false;                                       ///< the latest work took longer than a frame waits
  std::optional<std::pair<OnKey, std::size_t>> looked_up_;       ///< by hand, after so many entries of the history
  std::optional<ProgressSnapshot> begun_;                        ///< what the work is about
  std::shared_ptr<Simulation::Image const> before_shown_steps_;  ///< while their operation is performed
  UndoList<Moment> undo_;
  TableSceneSettings settled_;  ///< the settings of the last moment that was recorded or not worth it
  RestingCamera<Framing> resting_camera_;
  bool remembered_tables_ = false;     ///< in this frame
  bool is_lost_ = false;               ///< what the tables before held, since they were too large to be kept
  bool keys_move_ = false;             ///< into these tables, from others
  std::optional<KeySettings> opened_;  ///< of a file: the tables that come next get as many as their load allows
  bool keys_come_ = false;             ///< these, into the present tables
  HandedOver handed_over_;             ///< with the keys that the tables began with
  bool begins_ = false;                ///< the first steps have not been seen to end
  bool fills_ = false;                 ///< among them are fills to a load
  Findings refused_;                   ///< keys of these that found no place
  std::uint64_t too_wide_ = 0;         ///< keys among these that the tables cannot hold
  mutable LookAlikes look_alikes_;     ///< in the files of these keys
  std::optional<OnKeys> asked_;        ///< by typed keys, not answered yet
  std::string answer_;                 ///< to the latest typed keys
  bool is_answer_ = false;             ///< the latest report of the first table was
  std::vector<Command> commands_;
  TableSceneLayout layout_;
  bool is_bare_ = false;  ///< nothing can be clicked, as in a lecture
  bool asks_ = false;
  std::mt19937_64 random_;  ///< for keys to step through
};

/// Shared by the entries of the scenes of tables.
inline constexpr std::string_view table_scene_mouse = translatable(
    "Scroll to zoom at the cursor, drag to pan, double-click to show the whole table. Click a slot to pin it. "
    "Drop a scenario or a key file on the window to open it.");

}  // namespace slotscape
