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

/// How to make tables what they are: by what was done to them, or else by their keys.
struct Recipe {
  std::vector<TableSettings> tables;  ///< to start with
  KeySettings keys;
  std::vector<Action> steps;  ///< to be submitted whole
  std::uint64_t dropped = 0;  ///< keys that are too wide for tables of the wanted width
  bool of_keys = false;       ///< live keys are inserted, where the history does not come to the same or is too long
};

/// Drives one table, or several in lockstep: runs the requested actions and the continuous mix in slices that keep the
/// frame rate smooth, and keeps the history. With several tables, a load factor refers to the smallest one, and
/// `Rehash` gives the slots of the first. No window, no OpenGL.
class Simulation {
public:
  Simulation(Backend backend, TableSettings const& table, KeySettings const& keys, std::uint64_t seed);
  Simulation(Backend backend, std::span<TableSettings const> tables, KeySettings const& keys, std::uint64_t seed);

  std::size_t tables() const { return tables_.count(); }
  Engine& engine(std::size_t table = 0) { return tables_.engine(table); }
  std::uint64_t seed() const { return seed_; }
  KeySettings const& keys() const { return keys_; }
  std::uint64_t live(std::size_t table = 0) const { return tables_.live(table); }  ///< by the outcomes so far
  double load_factor(std::size_t table = 0) const { return tables_.load_factor(table); }
  std::uint64_t memory_bytes() const;  ///< of all tables
  bool keys_used_up() const;           ///< those of a file that does not repeat
  /// Inserts that found no place since the table was empty.
  std::uint64_t refused(std::size_t table = 0) const { return tables_.refused(table); }

  /// Queues an action after those not yet done. Throws Error for a load factor outside 0 to 1. A batch that is
  /// submitted `whole` runs in one piece, as it did when it was recorded.
  void submit(Action action, bool whole = false);
  /// Queues a fill, replacing fills that are queued right before it; one in progress stops where it is.
  void fill_instead(FillTo const& fill);
  /// Clears the tables, goes back to the seed, and queues the same history again; the continuous mix waits until it is
  /// done.
  void restart();
  /// Drops what is queued and stops what is in progress. A cancelled rehash leaves the old table.
  void cancel();

  /// Works on the queue, then on the continuous mix if the settings ask for it, for about `budget_seconds` at most (at
  /// least one slice). `elapsed_seconds` since the last step determines how many operations a rate stands for. After an
  /// Error the queue is empty and the table as it was left.
  void step(DriveSettings const& drive, double elapsed_seconds, double budget_seconds);
  /// Works until the queue is empty, in slices as large as the engine takes, so that the same actions always run as the
  /// same batches. If it is cancelled, the queue is empty, the table as it was left, and the history without
  /// the batch that was cut short; returns false then. The progress counts operations.
  bool finish(Progress const& progress = {});

  /// What the tables hold and are about to do, to make the same again. With long histories, the keys alone.
  Recipe recipe() const;
  /// The same for tables of other families, hashes, sizes or widths: they get the keys that the first one holds, where
  /// possible by the same operations in the same order.
  Recipe recipe_for_others(int key_bits) const;
  /// That of the same width, where `recipe` would come to other keys with another number of tables.
  std::optional<Recipe> recipe_elsewhere() const;

  /// The tables, what was done to them and their stream of keys. It belongs to the simulation that made it.
  struct Image {
    Tables::Image tables;
    KeySettings keys;
    std::size_t entries;      ///< of the history then
    std::vector<Done> after;  ///< entries to append to these
    bool raced = false;
  };
  std::shared_ptr<Image const> save();
  /// Restores an image, and returns one of the present, with which this can be taken back. Queued work is dropped.
  std::shared_ptr<Image const> exchange(Image const& image);

  bool idle() const;
  std::optional<ProgressSnapshot> progress() const;  ///< of the current action
  /// The same, as a share of all that was submitted since it was idle: "step 3 of 12, insert 1000".
  std::optional<ProgressSnapshot> progress_of_all() const;
  std::vector<ActionReport> take_reports();  ///< finished since the last call, one for each table
  /// Every batch run since the last call (the latest `runs_kept`), including those of one long action: for plots.
  std::vector<ActionReport> take_runs();
  static constexpr std::size_t runs_kept = 4096;

  /// Every batch as it was run, and what else changed the table. Empty if that is too long to repeat.
  std::vector<Done> const& history() const { return history_.entries(); }
  bool history_complete() const { return history_.complete(); }
  /// Whether keys may lie elsewhere if the same is done again: some of it ran in parallel, where threads race for
  /// slots. Actions run in order on a CPU in tables of up to `Tables::max_in_order` slots; the continuous mix never
  /// does.
  bool raced() const { return raced_; }
  /// Something to tell the user about the continuous mix ("the key file has run out of new keys"), or empty.
  std::string notice() const;
  /// Which operations ended early, where the file of their keys did.
  Findings const& findings() const { return findings_; }
  /// The files that keys were taken from since the tables were made, in this order: the last few.
  std::vector<KeySettings> const& files() const { return files_; }

private:
  /// The action in progress.
  struct Job {
    Action action;
    bool whole = false;     // runs in one piece
    bool replayed = false;  // from the history: runs in one piece, as it did the first time, and is not recorded again
    bool begun = false;
    double share = 0.0;       // done so far
    std::uint64_t asked = 0;  // operations of a batch submitted so far
    std::uint64_t start_live = 0;
    std::optional<Steering> steering = {};
    std::string op = {};
    std::vector<ActionReport> reports = {};  // of each table
    std::vector<std::uint64_t> rebuilds_before = {};
    Progress shown = Progress::tracked();  // since when, for the time left
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
  /// The operations of the next batch of this kind: as many as fit the time, or, for static tables, which each batch
  /// with inserts rebuilds, as many as possible.
  std::uint64_t slice(BatchRequest const& kind, std::uint64_t limit, Clock const& clock);
  /// As many as fit the time, and do not bring the table to where they would take much longer.
  std::uint64_t paced(BatchRequest const& kind, std::uint64_t limit, Clock const& clock);
  /// Runs one batch of the mix and records it everywhere. Returns the result of each table.
  std::vector<BatchReport> run(BatchRequest const& kind, BatchRequest const& request);
  /// Goes on with the job's batch, or begins this one, which is a share of all of the job's operations. Returns the
  /// result of the fullest table once all of it has run.
  std::optional<BatchReport> advance_batch(Job& job, BatchRequest const& wanted, double share, Clock const& clock);
  void run_some(Job& job, BatchRequest const& next, std::uint64_t operations, double share);
  /// Adds what has run to the plots. Returns the result of each table.
  std::vector<BatchReport> note_runs(std::vector<TableRun> const& runs);
  /// Ends the batch in progress where it is. Returns the batches that come to what has run of it.
  std::vector<Done> stop_batch();
  /// Holding a load, where the settings ask for it: drops the tombstones before they fill the table. Returns whether it
  /// does.
  bool purge_in_time(DriveSettings const& drive);
  /// Reports while finishing. Returns false if the work was cancelled.
  bool goes_on(std::uint64_t operations);
  bool is_history_short() const;
  /// Whether the same operations bring other tables to the same keys.
  bool comes_to_the_same_elsewhere(int key_bits) const;
  Recipe recipe_of_history() const;
  Recipe recipe_of_keys(int key_bits) const;
  void add_what_is_queued(Recipe& recipe) const;
  void run_on_keys(Job& job, Operation operation, std::span<Pair const> pairs, bool in_turn);
  void note_file();
  /// `ran`: how many operations of a job ran until there were no more to draw.
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
  std::size_t submitted_ = 0;  // since the queue was empty
  std::optional<Job> job_;
  std::optional<Replay> replay_;
  Mix mix_;
  Paces paces_;
  std::array<double, 4> shares_{};  // of the mix that the paces were learned from
  /// The batch in progress.
  struct Running {
    std::uint64_t operations = 0;  // of all tables
    double share = 0.0;            // of its job
    std::uint64_t done = 0;        // as far as was reported
  };
  Running running_;
  /// The batch of a job, some of which may have run.
  struct Begun {
    BatchRequest batch;
    std::uint64_t ran = 0;
    std::vector<BatchReport> reports = {};  ///< of each table
  };
  std::optional<Begun> begun_;
  bool in_order_ = false;  ///< the present action
  bool raced_ = false;
  Progress watched_;  // while finishing
  bool given_up_ = false;
  std::chrono::steady_clock::time_point next_look_;  // at whether tombstones fill a table
  History history_;
  std::vector<ActionReport> reports_;
  std::deque<ActionReport> runs_;
  std::vector<KeySettings> files_;
  Findings findings_;
  std::string action_notice_;  // of an action, until the next one
  std::string history_notice_;
};

}  // namespace slotscape
