#pragma once

#include "app/base/findings.hpp"
#include "app/simulation/action.hpp"
#include "app/simulation/mix.hpp"
#include "app/simulation/pacing.hpp"
#include "app/simulation/tables.hpp"

#include <array>
#include <chrono>
#include <deque>
#include <optional>
#include <string>
#include <vector>

namespace slotscape {

/// How to reproduce tables: by repeating what was done to them, or else by inserting their keys.
struct Recipe {
  std::vector<TableSettings> tables;  ///< initial settings
  KeySettings keys;
  std::vector<Action> steps;  ///< each batch to be submitted `whole`
  std::uint64_t dropped = 0;  ///< keys too wide for the requested key width
  bool of_keys = false;       ///< inserts live keys, because the history is too long or gives different results
};

/// Drives one table, or several in lockstep. Runs the requested actions and the continuous mix in slices that keep
/// frame times even, and records the history. With several tables, load factors refer to the smallest one, and `Rehash`
/// specifies the slots of the first. Independent of the window and OpenGL.
class Simulation {
public:
  Simulation(Backend backend, TableSettings const& table, KeySettings const& keys, std::uint64_t seed);
  Simulation(Backend backend, std::span<TableSettings const> tables, KeySettings const& keys, std::uint64_t seed);

  std::size_t tables() const { return tables_.count(); }
  Engine& engine(std::size_t table = 0) { return tables_.engine(table); }
  std::uint64_t seed() const { return seed_; }
  KeySettings const& keys() const { return keys_; }
  std::uint64_t live(std::size_t table = 0) const { return tables_.live(table); }  ///< according to the outcomes so far
  double load_factor(std::size_t table = 0) const { return tables_.load_factor(table); }
  std::uint64_t memory_bytes() const;  ///< memory of all tables
  bool keys_used_up() const;           ///< a key file that does not repeat has run out
  /// The number of inserts that did not fit since the table was empty.
  std::uint64_t refused(std::size_t table = 0) const { return tables_.refused(table); }

  /// Queues an action. Throws Error for a load factor outside 0 to 1. A batch submitted `whole` runs in one piece, as
  /// when it was recorded.
  void submit(Action action, bool whole = false);
  /// Queues a fill, replacing fills at the end of the queue; a running fill stops where it is.
  void fill_instead(FillTo const& fill);
  /// Clears the tables, returns to the seed, and queues the same history again. The continuous mix waits until that is
  /// done.
  void restart();
  /// Drops the queue and stops the current action. A cancelled rehash keeps the old table.
  void cancel();

  /// Works on the queue, then on the continuous mix if the settings request it, for at most about `budget_seconds` (at
  /// least one slice). `elapsed_seconds` since the last step determine how many operations the rate allows. After an
  /// Error, the queue is empty and the table remains as it was then.
  void step(DriveSettings const& drive, double elapsed_seconds, double budget_seconds);
  /// Works until the queue is empty, in the largest slices that the engine allows, so that the same actions always run
  /// as the same batches. Returns false if cancelled: the queue is then empty, the table remains as it was at that
  /// point, and the history lacks the interrupted batch. The progress counts operations.
  bool finish(Progress const& progress = {});

  /// A recipe to reproduce the tables and their queued actions. For long histories, it contains only the keys.
  Recipe recipe() const;
  /// A recipe for tables of other families, hashes, sizes or widths. They get the keys of the first table, if possible
  /// through the same operations in the same order.
  Recipe recipe_for_others(int key_bits) const;
  /// A recipe for tables of the same width, if `recipe` would give different keys with another number of tables.
  std::optional<Recipe> recipe_elsewhere() const;

  /// The tables, their history and their key stream. Only valid for the simulation that made it.
  struct Image {
    Tables::Image tables;
    KeySettings keys;
    std::size_t entries;      ///< number of history entries at that time
    std::vector<Done> after;  ///< entries to append to them
    bool raced = false;
  };
  std::shared_ptr<Image const> save();
  /// Restores an image. Returns an image of the previous state, to undo the exchange. Drops queued work.
  std::shared_ptr<Image const> exchange(Image const& image);

  bool idle() const;
  std::optional<ProgressSnapshot> progress() const;  ///< progress of the current action
  /// The progress of everything submitted since the simulation was idle: "step 3 of 12, insert 1000".
  std::optional<ProgressSnapshot> progress_of_all() const;
  std::vector<ActionReport> take_reports();  ///< finished since the last call, one for each table
  /// Every batch run since the last call (at most the latest `runs_kept`), including the parts of a long action: for
  /// plots.
  std::vector<ActionReport> take_runs();
  static constexpr std::size_t runs_kept = 4096;

  /// Every batch as it ran, and all other changes to the table. Empty if too long to repeat.
  std::vector<Done> const& history() const { return history_.entries(); }
  bool history_complete() const { return history_.complete(); }
  /// Whether keys may end up in other slots if the history is repeated, because some of it ran in parallel and threads
  /// raced for slots. Actions run in order on a CPU in tables of up to `Tables::max_in_order` slots; the continuous mix
  /// never does.
  bool raced() const { return raced_; }
  /// A message to the user about the continuous mix ("the key file has run out of new keys"), or empty.
  std::string notice() const;
  /// The operations that ended early because their key file did.
  Findings const& findings() const { return findings_; }
  /// The last few files that keys were taken from since the tables were made, in this order.
  std::vector<KeySettings> const& files() const { return files_; }

private:
  /// The current action.
  struct Job {
    Action action;
    bool whole = false;     // the whole batch runs in one piece
    bool replayed = false;  // from the history: runs in one piece, as at first, and is not recorded again
    bool begun = false;
    double share = 0.0;       // share of the action that is done
    std::uint64_t asked = 0;  // operations of the batch that have been submitted so far
    std::uint64_t start_live = 0;
    std::optional<Steering> steering = {};
    std::string op = {};
    std::vector<ActionReport> reports = {};  // one per table
    std::vector<std::uint64_t> rebuilds_before = {};
    Progress shown = Progress::tracked();  // holds the start time, to estimate the time left
  };
  struct Replay {
    std::size_t done;  // entries of the history
    Progress shown = Progress::tracked();
  };
  class Clock;

  static Mix fresh_mix(Tables const& tables);
  void work(DriveSettings const* drive, Clock const& clock);
  bool take_next_job();
  void advance_job(Clock const& clock);
  void finish_job();
  void give_up();
  bool advance(Job& job, BatchRequest const& request, Clock const& clock);
  bool advance(Job& job, Clear const& clear, Clock const& clock);
  bool advance(Job& job, Rehash const& rehash, Clock const& clock);
  bool advance(Job& job, SetKeys const& set_keys, Clock const& clock);
  bool advance(Job& job, FillTo const& fill, Clock const& clock);
  bool advance(Job& job, OnKey const& on_key, Clock const& clock);
  bool advance(Job& job, OnKeys const& on_keys, Clock const& clock);
  bool advance_mix(DriveSettings const& drive, Clock const& clock);
  /// The number of operations in the next batch of this kind: as many as fit the time. For static tables, which are
  /// rebuilt by each batch with inserts, as many as possible.
  std::uint64_t slice(BatchRequest const& kind, std::uint64_t limit, Clock const& clock);
  /// The number of operations that fit the time without bringing the table to a state where they take much longer.
  std::uint64_t paced(BatchRequest const& kind, std::uint64_t limit, Clock const& clock);
  /// Runs a batch of the mix and records it everywhere. Returns the result for each table.
  std::vector<BatchReport> run(BatchRequest const& kind, BatchRequest const& request);
  /// Continues the job's batch or begins this one, which is a share of the job's operations. Returns the result for the
  /// fullest table once the whole batch has run.
  std::optional<BatchReport> advance_batch(Job& job, BatchRequest const& wanted, double share, Clock const& clock);
  void run_some(Job& job, BatchRequest const& next, std::uint64_t operations, double share);
  /// Adds runs to the plots. Returns the result for each table.
  std::vector<BatchReport> note_runs(std::vector<TableRun> const& runs);
  /// Ends the current batch early. Returns batches equivalent to the part that has run.
  std::vector<Done> stop_batch();
  /// While holding a load, and if the settings request it, drops tombstones before they fill the table. Returns whether
  /// it did.
  bool purge_in_time(DriveSettings const& drive);
  /// Reports progress while finishing. Returns false if the work was cancelled.
  bool goes_on(std::uint64_t operations);
  bool is_history_short() const;
  /// Whether the same operations lead to the same keys in other tables.
  bool is_reproducible_elsewhere(int key_bits) const;
  Recipe recipe_of_history() const;
  Recipe recipe_of_keys(int key_bits) const;
  void add_what_is_queued(Recipe& recipe) const;
  void run_on_keys(Job& job, Operation operation, std::span<Pair const> pairs, bool in_turn);
  void note_file();
  /// `ran`: the number of the job's operations that ran before the keys ran out.
  void note_end_of_file(BatchRequest const& request, std::uint64_t ran);
  void note_keys(std::vector<ActionReport>& reports) const;
  void note_seconds(std::vector<ActionReport>& reports) const;
  ActionReport report_of(std::string op, BatchReport const& batch, std::size_t table) const;
  void add_run(ActionReport run);
  void record(Done done);
  void drop_work();

  std::vector<TableSettings> initial_tables_;
  Tables tables_;
  KeySettings initial_keys_;
  KeySettings keys_;
  std::uint64_t seed_;

  struct Queued {
    Action action;
    bool whole;
  };
  std::deque<Queued> queue_;
  std::size_t submitted_ = 0;  // number of actions submitted since the queue was last empty
  std::optional<Job> job_;
  std::optional<Replay> replay_;
  Mix mix_;
  Paces paces_;
  std::array<double, 4> shares_{};  // shares of the mix for which the paces were learned
  /// The current batch.
  struct Running {
    std::uint64_t operations = 0;  // operations of all tables together
    double share = 0.0;            // share of the job that the batch makes up
    std::uint64_t done = 0;        // operations reported as done
  };
  Running running_;
  /// A job's batch, part of which may have run.
  struct Begun {
    BatchRequest batch;
    std::uint64_t ran = 0;
    std::vector<BatchReport> reports = {};  ///< one per table
  };
  std::optional<Begun> begun_;
  bool in_order_ = false;  ///< whether the current action runs in order
  bool raced_ = false;
  Progress watched_;  // progress to report to while finishing
  bool given_up_ = false;
  std::chrono::steady_clock::time_point next_look_;  // when to check for too many tombstones
  History history_;
  std::vector<ActionReport> reports_;
  std::deque<ActionReport> runs_;
  std::vector<KeySettings> files_;
  Findings findings_;
  std::string action_notice_;  // message about the latest action, until the next one begins
  std::string history_notice_;
};

}  // namespace slotscape
