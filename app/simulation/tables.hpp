#pragma once

#include "app/simulation/action.hpp"

#include <deque>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace slotscape {

/// The result of one batch, or of one kind of operation in a mix, in one table.
struct TableRun {
  std::size_t table = 0;
  BatchRequest request;
  BatchReport report;
  double load_factor = 0.0;  ///< load factor after the batch
};

/// One or more tables that run the same batches of the same keys in the same order. So they hold the same keys, as long
/// as every key finds a place in each. After an Error, a batch may have run in some tables and not in others.
///
/// Several tables each run a mix as inserts, then finds, then erases. Families differ in which of them can run
/// concurrently, and if the keys' order differed, so would the random keys that are erased next.
class Tables {
public:
  /// Throws Error if one of the tables cannot be created.
  Tables(Backend backend, std::span<TableSettings const> settings);

  std::size_t count() const { return tables_.size(); }
  Engine& engine(std::size_t table) const { return *tables_[table].engine; }
  std::uint64_t live(std::size_t table) const { return tables_[table].live; }  ///< according to the outcomes so far
  double load_factor(std::size_t table) const;
  /// The number of inserts that did not fit since the table was empty. If not 0, the tables hold different keys.
  std::uint64_t refused(std::size_t table) const { return tables_[table].refused; }

  /// Slots that can hold keys: all except links.
  std::uint64_t room(std::size_t table) const { return tables_[table].room; }
  std::uint64_t min_room() const;  ///< room in the smallest table, to which load factors refer
  double max_load() const;         ///< the largest load factor that all tables allow
  bool has_static() const;         ///< whether new keys rebuild one of the tables
  std::uint64_t max_live() const;
  std::size_t fullest() const;  ///< index of the first table with the most live keys
  std::uint64_t batch_limit() const;
  /// The minimum of `Engine::inserts_at_once` over the tables.
  std::uint64_t inserts_at_once(std::uint64_t wanted);
  /// Whether tombstones are about to fill one of the tables (`slotscape::is_choking`). in_batch: a batch is running, so
  /// the outcomes so far are incomplete.
  bool is_clogged_by_tombstones(bool in_batch = false);
  /// See `Engine::watch_batches`.
  void watch_batches(BatchWatch const& watch);

  /// `drawn`: how many keys of the stream to skip.
  void set_keys(KeySettings const& keys, std::uint64_t seed, std::uint64_t drawn = 0);
  /// Lets another table go first, after a pause such as the rest of a frame.
  void change_turns() { ++first_; }
  /// Runs a batch of all kinds of operations.
  std::vector<TableRun> run(BatchRequest const& request);

  /// Begins to run a batch piece by piece. Operations are drawn kind by kind, so they do not depend on the size of the
  /// pieces.
  void begin_batch(BatchRequest const& request);
  bool in_batch() const { return !kinds_.empty(); }
  /// The next operations that are drawn together, with the number that remain.
  BatchRequest next() const;
  /// Runs up to this many of those operations in each table. Afterwards, `in_batch` is false if nothing is left.
  std::vector<TableRun> run_some(std::uint64_t operations);
  /// Ends the batch early. Returns batches equivalent to the part that has run; nothing if there are none, because it
  /// was part of a mix.
  std::optional<std::vector<BatchRequest>> end_batch();

  /// The maximum number of slots of a table whose operations run in order on a CPU.
  static constexpr std::uint64_t max_in_order = std::uint64_t{1} << 16;
  /// Whether the same operations, run in order, always lead to the same slots.
  bool can_run_in_order() const;
  /// See `Engine::run_in_order`.
  void run_in_order(bool on);
  /// Whether the slots of keys depend on how operations are split into batches, even if run in order.
  bool depends_on_parts(BatchRequest const& request) const;
  /// Runs one operation on each key, `in_turn` or as one batch. Returns the outcomes for each table. A static table
  /// always takes insertions as one batch, with the same result as in turn.
  std::vector<Tally> run(Operation operation, std::span<Pair const> pairs, bool in_turn);
  void clear();

  /// A snapshot of all tables. Only valid for the tables that made it.
  struct Image {
    struct OfTable {
      std::unique_ptr<TableImage const> image;
      std::uint64_t live;
      std::uint64_t used;
      std::uint64_t refused;
    };
    std::vector<OfTable> tables;
  };
  Image save();
  void restore(Image const& image);

  /// Whether each table has its initial number of slots; and a rehash back to it.
  bool has_initial_slots() const;
  void restore_slots();

  /// Rehashes the first table to `slots` slots and scales the other tables by the same factor, over several calls of
  /// `rehash_step`, which returns true when all are done. 0 (`Rehash{}`, a purge): all tables keep their number of
  /// slots.
  void rehash_begin(std::uint64_t slots);
  bool rehash_step();
  double rehash_progress() const;
  /// If one table is already done, the others finish too, to stay in lockstep. Returns whether they finished.
  bool rehash_cancel();
  double seconds(std::size_t table) const
  {
    return tables_[table].seconds;
  }  ///< seconds of the last clear, rehash or operation on a key

private:
  struct Table {
    std::unique_ptr<Engine> engine;
    std::uint64_t initial_slots = 0;
    std::uint64_t room = 0;  ///< slots for keys, or heads of chains: the number that the table's load factor refers to
    std::uint64_t live = 0;
    std::uint64_t used = 0;  ///< upper bound on the number of live keys and tombstones
    std::uint64_t refused = 0;
    bool rehashing = false;
    double seconds = 0.0;
  };
  /// Groups of operations that are drawn together: everything or, for several tables, operations of one kind.
  std::vector<BatchRequest> drawn_together(BatchRequest const& request) const;
  void end_kind();
  void cancel_all();
  static void measure_room(Table& table);
  static void note(Table& table, Tally const& outcomes);

  std::vector<Table> tables_;
  std::deque<BatchRequest> kinds_;  ///< kinds of operations that the current batch has not finished
  std::vector<BatchRequest> done_;  ///< kinds that the current batch has finished
  std::uint64_t ran_ = 0;           ///< operations of the first of `kinds_` that have run
  bool has_begun_ = false;          ///< whether the first of `kinds_` has begun
  /// The table that goes first. A table always runs after another one, never twice in a row, so that all find caches
  /// equally filled with other data. After a pause, when threads are asleep, tables take turns at going first
  /// (`change_turns`).
  std::size_t first_ = 0;
};

/// Whether several tables draw these operations as a single table does.
bool is_of_one_kind(BatchRequest const& request);

/// Whether tombstones are about to fill a table whose lookups end at an empty slot: live keys and tombstones occupy
/// nine tenths of the slots, and the empty slots are at most half of what they would be with the live keys alone.
bool is_clogged_by_tombstones(std::uint64_t live, std::uint64_t empty, std::uint64_t slots);

/// The new size of one of several tables when a rehash takes the first of them from `before` to `after` slots.
std::uint64_t slots_in_proportion(TableSettings const& table, std::uint64_t before, std::uint64_t after);
/// The number of slots nearest to `wanted` that this family allows with the table's number of shards.
std::uint64_t allowed_slots(TableSettings const& table, std::uint64_t wanted);

}  // namespace slotscape
