#pragma once

#include "app/scenes/slots/settings.hpp"
#include "app/simulation/action.hpp"
#include "app/simulation/history.hpp"
#include "app/simulation/mix.hpp"
#include "app/simulation/slice_pace.hpp"
#include "app/simulation/tables.hpp"

#include <deque>
#include <optional>
#include <string>
#include <vector>

namespace slotscape {

struct Progress {
  std::string what;
  double share;  ///< 0 to 1
};

/// Drives one table, or several in step: runs the actions asked for and the continuous mix in slices that keep a frame
/// fluid, and keeps the history. Of several tables the smallest says how many keys a load factor is, and `Rehash` gives
/// the slots of the first. No window, no OpenGL.
class Simulation {
public:
  Simulation(Backend backend, TableSettings const& table, KeySettings const& keys, std::uint64_t seed);
  Simulation(Backend backend, std::span<TableSettings const> tables, KeySettings const& keys, std::uint64_t seed);

  std::size_t tables() const { return tables_.count(); }
  Engine& engine(std::size_t table = 0) { return tables_.engine(table); }
  std::uint64_t seed() const { return seed_; }
  std::uint64_t live(std::size_t table = 0) const { return tables_.live(table); }  ///< by the outcomes so far
  double load_factor(std::size_t table = 0) const { return tables_.load_factor(table); }
  /// Inserts that found no place since the table was empty.
  std::uint64_t refused(std::size_t table = 0) const { return tables_.refused(table); }

  /// Queues an action behind those not yet done. Throws Error for a load factor outside 0 to 1.
  void submit(Action action);
  /// Queues a fill in place of the fills that would be done right before it; one under way ends where it is.
  void fill_instead(FillTo const& fill);
  /// Clears, goes back to the seed, and queues the same history again; the continuous mix waits until it is done.
  void restart();
  /// Drops what is queued and stops what is under way. A cancelled rehash leaves the old table.
  void cancel();

  /// Works on the queue, then on the continuous mix where the settings ask for it, for about `budget_seconds` at most
  /// (at least one slice). `elapsed_seconds` since the last step sets how many operations a rate stands for.
  /// An Error leaves the queue empty and the table as it is.
  void step(DriveSettings const& drive, double elapsed_seconds, double budget_seconds);
  /// Works until the queue is empty, in slices as large as the engine takes, so that the same actions always run as the
  /// same batches.
  void finish();

  bool idle() const;
  std::optional<Progress> progress() const;  ///< of the action under way, where it is slow enough to show
  std::vector<ActionReport> take_reports();  ///< finished since the last call, of each table one
  /// Every batch run since the last call (the latest `runs_kept` of them), those of one long action too: for plots.
  std::vector<ActionReport> take_runs();
  static constexpr std::size_t runs_kept = 4096;

  /// Every batch as it was run, and what else changed the table. Empty where that is too long to repeat.
  std::vector<Done> const& history() const { return history_.entries(); }
  bool history_complete() const { return history_.complete(); }
  /// Something to tell the user about the continuous mix ("the key file has run out of new keys"), or empty.
  std::string const& notice() const;

private:
  /// The action under way.
  struct Job {
    Action action;
    bool replayed = false;  // from the history: runs in one piece, as it did the first time, and is not recorded anew
    bool begun = false;
    double share = 0.0;       // done so far
    std::uint64_t asked = 0;  // operations of a batch submitted so far
    std::uint64_t start_live = 0;
    std::optional<Steering> steering = {};
    std::string op = {};
    std::vector<ActionReport> reports = {};  // of each table
  };
  struct Replay {
    std::size_t done = 0;  // entries of the history
  };
  class Clock;

  static Mix fresh_mix(Tables const& tables);
  void work(DriveSettings const* drive, Clock const& clock);
  bool take_next_job();
  void advance_job(Clock const& clock);
  void finish_job();
  bool advance(Job& job, BatchRequest const& request, Clock const& clock);
  bool advance(Job& job, Clear const& clear, Clock const& clock);
  bool advance(Job& job, Rehash const& rehash, Clock const& clock);
  bool advance(Job& job, SetKeys const& set_keys, Clock const& clock);
  bool advance(Job& job, FillTo const& fill, Clock const& clock);
  bool advance(Job& job, OnKey const& on_key, Clock const& clock);
  bool advance_mix(DriveSettings const& drive, Clock const& clock);
  /// The operations of the next batch: as many as fit the time, or, as static tables are rebuilt by each batch that
  /// inserts, as many as there can be.
  std::uint64_t slice(bool inserts, std::uint64_t limit, Clock const& clock) const;
  /// Runs one batch and takes note of it everywhere. Gives what each table made of it.
  std::vector<BatchReport> run(BatchRequest const& request, bool replayed);
  /// The same for a job, whose reports grow by it. Gives what the fullest table made of it.
  BatchReport run_for(Job& job, BatchRequest const& request);
  void note_keys(std::vector<ActionReport>& reports) const;
  void note_seconds(std::vector<ActionReport>& reports) const;
  ActionReport report_of(std::string op, BatchReport const& batch, std::size_t table) const;
  void add_run(ActionReport run);
  void record(Done done);
  void drop_work();

  Tables tables_;
  KeySettings initial_keys_;
  KeySettings keys_;
  std::uint64_t seed_;

  std::deque<Action> queue_;
  std::optional<Job> job_;
  std::optional<Replay> replay_;
  Mix mix_;
  SlicePace pace_;
  History history_;
  std::vector<ActionReport> reports_;
  std::deque<ActionReport> runs_;
  std::string action_notice_;  // of an action, until the next one
  std::string history_notice_;
};

}  // namespace slotscape
