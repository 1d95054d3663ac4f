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

/// The scenes that web pages support: one table, and several that get the same operations.
SceneList scenes();

/// Limit on the operations of one request: more would keep a phone busy for seconds.
inline constexpr std::uint64_t max_page_operations = std::uint64_t{1} << 22;

bool is_too_large(TableSettings const& table);
/// Why these actions are too much for a page: "the table would be too large for a page"; empty if they are not.
std::string too_much_in(std::vector<Action> const& actions);

/// A table, or several that get the same operations, as shown and driven by a lesson's web page: on one thread, and
/// without a window. Throws Error for requests too large for a page, and when `progress` asks to end.
class PageTables final : public Subject {
public:
  /// `scenario` must be of one of `scenes()`. Throws Error if a table cannot be made.
  explicit PageTables(Scenario const& scenario, Progress progress = {});

  bool ready() const override { return simulation_->idle() && !wanted_; }
  void perform(JsonNode const& steps) override;
  Json predict(JsonNode const& operation) override { return predicted(operation, simulation_->engine()); }
  SceneStatistics statistics(FrameTimes const& frames) override;

  void submit(Action const& action);
  /// Rehashes into this number of slots, or the closest that the family supports.
  void resize(std::uint64_t slots);
  /// Replaces the table by one with other settings and the same keys. Throws Error if it cannot be made.
  void replace(TableSettings const& table);
  /// Completes all requested work. Throws Cancelled if cancelled; the tables keep the state reached so far.
  void work();
  /// The report of the latest action in the first table; null if there was none.
  ActionReport const* latest() const { return operations_.front().empty() ? nullptr : &operations_.front().back(); }

  std::size_t count() const { return simulation_->tables(); }
  Engine& engine(std::size_t table) { return simulation_->engine(table); }
  std::vector<TableSettings> tables() const;
  TableSceneSettings const& settings() const { return settings_; }

  /// Step mode: a player for each table while an operation is stepped through, else empty.
  std::vector<StepPlayer> const& players() const { return players_; }
  bool plays() const { return plays_; }  ///< the operation plays by itself
  void trace(OnKey const& operation) { open_steps({operation}); }
  /// Moves to a position. If the operation is to be performed on the table, it is performed at the last position and
  /// undone before it.
  void step_to(std::size_t position);
  void leave_steps();

private:
  void begin(TableSetup const& set_up);
  void finish();
  void open_steps(StepRequest const& request);
  void follow_shown_step();

  Progress progress_;
  TableSceneSettings settings_;
  std::unique_ptr<Simulation> simulation_;
  std::vector<std::vector<ActionReport>> operations_;  ///< for each table
  std::vector<ThroughputCurve> throughputs_;
  std::uint64_t initial_slots_ = 0;
  std::optional<StepRequest> wanted_;
  std::optional<StepRequest> shown_;
  std::vector<StepPlayer> players_;
  bool plays_ = false;
  std::shared_ptr<Simulation::Image const> before_shown_;  ///< set while the operation shown is performed
};

}  // namespace slotscape::web
