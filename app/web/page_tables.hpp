#pragma once

#include "app/scene/scenario.hpp"
#include "app/simulation/simulation.hpp"
#include "app/simulation/throughput.hpp"
#include "app/table_map/step/player.hpp"
#include "app/table_scene/compared.hpp"
#include "gpu/base/progress.hpp"

#include <memory>
#include <optional>
#include <vector>

namespace slotscape::web {

/// The scenes that lesson pages know: one table, and several that get the same operations.
SceneList scenes();

/// Operations that a page does at once: more keep a phone busy for seconds.
inline constexpr std::uint64_t max_page_operations = std::uint64_t{1} << 22;

bool is_too_large(TableSettings const& table);
/// What is too much for a page in these actions: "the table would be too large for a page"; empty: nothing.
std::string too_much_in(std::vector<Action> const& actions);

/// A table, or several that get the same operations, as a lesson's page shows and drives them: on one thread, and
/// without a window.
/// What is too large for a page is refused with an Error, as is what goes on when `progress` says that it should end.
class PageTables final : public Subject {
public:
  /// `scenario` is of one of `scenes()`. Throws Error if a table cannot be made.
  explicit PageTables(Scenario const& scenario, Progress progress = {});

  bool ready() const override { return simulation_->idle() && !wanted_; }
  void perform(JsonNode const& steps) override;
  Json predict(JsonNode const& operation) override { return predicted(operation, simulation_->engine()); }
  SceneStatistics statistics(FrameTimes const& frames) override;

  void submit(Action const& action);
  /// Rehashes into that many slots, or as near as the family comes to that.
  void resize(std::uint64_t slots);
  /// A table with other settings, which gets the keys of the present one. Throws Error if there is none.
  void replace(TableSettings const& table);
  /// Does what was asked for, to its end. Throws Cancelled if that is not to come: the tables are then as they were
  /// left.
  void work();
  /// What became of the latest action in the first table; null if there was none.
  ActionReport const* latest() const { return operations_.front().empty() ? nullptr : &operations_.front().back(); }

  std::size_t count() const { return simulation_->tables(); }
  Engine& engine(std::size_t table) { return simulation_->engine(table); }
  std::vector<TableSettings> tables() const;
  TableSceneSettings const& settings() const { return settings_; }

  /// Step mode: a player for each table while an operation is stepped through, else none.
  std::vector<StepPlayer> const& players() const { return players_; }
  bool plays() const { return plays_; }  ///< the operation is to go on by itself
  void trace(OnKey const& operation) { open_steps({operation}); }
  /// Moves to a position; an operation that the table is to have done is done at its end, and undone before it.
  void step_to(std::size_t position);
  void leave_steps();

private:
  void begin(TableSetup const& set_up);
  void finish();
  void open_steps(StepRequest const& request);
  void perform_shown();

  Progress progress_;
  TableSceneSettings settings_;
  std::unique_ptr<Simulation> simulation_;
  std::vector<std::vector<ActionReport>> operations_;  ///< of each table
  std::vector<ThroughputCurve> throughputs_;
  std::uint64_t initial_slots_ = 0;
  std::optional<StepRequest> wanted_;
  std::optional<StepRequest> shown_;
  std::vector<StepPlayer> players_;
  bool plays_ = false;
  std::shared_ptr<Simulation::Image const> before_shown_;  ///< while the table has the shown operation done
};

}  // namespace slotscape::web
