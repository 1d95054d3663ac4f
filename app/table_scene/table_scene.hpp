#pragma once

#include "app/scene/entry.hpp"
#include "app/scene/scene.hpp"
#include "app/table_scene/answers.hpp"
#include "app/table_scene/changes.hpp"
#include "app/table_scene/driven_tables.hpp"
#include "app/table_scene/gui.hpp"
#include "app/table_scene/report.hpp"
#include "app/table_scene/setup.hpp"
#include "app/table_scene/simulation_work.hpp"
#include "app/table_scene/typed.hpp"
#include "app/table_scene/undo.hpp"
#include "gpu/base/translation.hpp"

#include <memory>
#include <optional>
#include <vector>

namespace slotscape {

/// A scene of one table, or of several that get the same operations.
class TableScene : public Scene, public DrivenTables {
public:
  /// Waits for the end of the simulation's work, which may continue beside frames: frames call this only if not
  /// `working`.
  Simulation& simulation() const { return work_.simulation(); }

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
  void come_back() override { work_.come_back(); }
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

  std::string notice() const override { return answers_.notice(); }
  Findings findings() const override { return answers_.findings(); }
  SceneStatistics statistics(FrameTimes const& frames) override { return statistics_of(reports(frames)); }

protected:
  TableScene();
  /// Call once, at the end of the derived scene's constructor: shows these tables and starts the steps of the set-up.
  /// asked: the requested settings of the tables; if empty, the actual ones.
  void begin(std::shared_ptr<Simulation> simulation, TableSetup const& set_up,
             std::vector<TableSettings> const& asked = {});

  TableSceneLayout const& layout() const { return layout_; }
  /// Whether a lesson's question was open in the latest frame; whatever would answer it is hidden.
  bool asks() const { return asks_; }
  /// Whether the simulation works beside the frames, which then show the tables as they were.
  bool working() const { return work_.is_busy(); }
  /// Settings and first steps that reproduce the tables; the caller adds what only it knows.
  TableSetup set_up_of_tables(Recipe recipe) const;
  /// Notes the outcome of an action on a table; for the first table, the outcome may answer typed keys.
  void note_report(ActionReport const& report) { answers_.note_report(report); }

private:
  void handle_requests(double elapsed_seconds);
  void handle(TableRequest const& request);

  static constexpr std::uint64_t max_saved_quickly = std::uint64_t{1} << 22;  ///< keys

  SimulationWork work_;
  TableAnswers answers_;
  TableUndo undo_;
  TableChanges changes_;
  TypedOperations typed_;
  std::vector<Command> commands_;
  TableSceneLayout layout_;
  bool asks_ = false;
};

/// Shared by the entries of all table scenes.
inline constexpr std::string_view table_scene_mouse = translatable(
    "Scroll to zoom at the cursor, drag to pan, double-click to show the whole table. Click a slot to pin it. "
    "Drop a scenario or a key file on the window to open it.");

}  // namespace slotscape
