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
  double load_factor = 0.0;  ///< after it
};

/// One or more tables that run the same batches of the same keys in the same order, and so hold the same keys as long
/// as every key finds a place in each. After an Error, a batch may have run in some tables and not in others.
///
/// Several tables each run a mix as inserts, then finds, then erases: families differ in which of them can run
/// concurrently, and if keys differed in order, so would the random ones that are erased next.
class Tables {
public:
  /// Throws Error if one of the tables cannot be created.
  Tables(Backend backend, std::span<TableSettings const> settings);

  std::size_t count() const { return tables_.size(); }
  Engine& engine(std::size_t table) const { return *tables_[table].engine; }
  std::uint64_t live(std::size_t table) const { return tables_[table].live; }  ///< by the outcomes so far
  double load_factor(std::size_t table) const;
  /// Inserts that found no place since the table was empty. If there are any, its keys differ from those of the others.
  std::uint64_t refused(std::size_t table) const { return tables_[table].refused; }

  /// Slots that can hold keys: all except links.
  std::uint64_t room(std::size_t table) const { return tables_[table].room; }
  std::uint64_t min_room() const;  ///< of the smallest table, which load factors refer to
  double max_load() const;         ///< the largest load factor that all can have
  bool has_static() const;         ///< inserting new keys rebuilds one of them
  std::uint64_t max_live() const;
  std::size_t fullest() const;  ///< the first with the most live keys
  std::uint64_t batch_limit() const;
  /// See `Engine::inserts_at_once`: of the table that takes the fewest.
  std::uint64_t inserts_at_once(std::uint64_t wanted);
  /// Whether tombstones are about to fill one of the tables (`slotscape::is_choking`). in_batch: one is running, so
  /// that the outcomes so far do not tell.
  bool is_choking(bool in_batch = false);
  /// See `Engine::watch_batches`.
  void watch_batches(BatchWatch const& watch);

  /// drawn: how many keys of the stream to skip.
  void set_keys(KeySettings const& keys, std::uint64_t seed, std::uint64_t drawn = 0);
  /// After a pause, such as the rest of a frame: another table goes first now.
  void change_turns() { ++first_; }
  /// Runs a batch of all kinds of operations.
  std::vector<TableRun> run(BatchRequest const& request);

  /// The same bit by bit. The operations are drawn kind by kind, so they are the same whatever the size of the bits.
  void begin_batch(BatchRequest const& request);
  bool in_batch() const { return !kinds_.empty(); }
  /// What comes next: operations drawn together, and how many of them are left.
  BatchRequest next() const;
  /// Runs up to so many of these in each table; `in_batch` is false once nothing is left.
  std::vector<TableRun> run_some(std::uint64_t operations);
  /// Stops here. Returns the batches that come to what has run; nothing if none do, because it was part of a mix.
  std::optional<std::vector<BatchRequest>> end_batch();

  /// The most slots of a table whose operations run in order on a CPU.
  static constexpr std::uint64_t max_in_order = std::uint64_t{1} << 16;
  /// Whether the same operations always come to the same slots, if they run in order.
  bool can_run_in_order() const;
  /// See `Engine::run_in_order`.
  void run_in_order(bool on);
  /// Whether where keys lie depends on which operations run together, even in order.
  bool depends_on_parts(BatchRequest const& request) const;
  /// Runs one operation on each of the keys, `in_turn` or as one batch. Returns the outcomes in each table. A static
  /// table takes insertions as one batch, too, which leaves what it would leave in turn.
  std::vector<Tally> run(Operation operation, std::span<Pair const> pairs, bool in_turn);
  void clear();

  /// All tables at one moment. It belongs to the tables that made it.
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

  /// Whether each table has its initial number of slots; and a rehash back to that.
  bool has_initial_slots() const;
  void restore_slots();

  /// Moves the first table's keys into `slots` slots and scales the other tables by the same factor, over several calls
  /// of `rehash_step`, which returns true when all are done. 0 (`Rehash{}`, a purge): all tables keep their slots.
  void rehash_begin(std::uint64_t slots);
  bool rehash_step();
  double rehash_progress() const;
  /// If one table is already done, the others finish too, so that they stay in lockstep; returns whether they did.
  bool rehash_cancel();
  double seconds(std::size_t table) const
  {
    return tables_[table].seconds;
  }  ///< of its last clear, rehash or operation on a key

private:
  struct Table {
    std::unique_ptr<Engine> engine;
    std::uint64_t initial_slots = 0;
    std::uint64_t room = 0;  ///< slots for keys, or heads of chains: what its load factor refers to
    std::uint64_t live = 0;
    std::uint64_t used = 0;  ///< live keys and tombstones, at most
    std::uint64_t refused = 0;
    bool rehashing = false;
    double seconds = 0.0;
  };
  /// What is drawn together: everything or, of several tables, operations of one kind.
  std::vector<BatchRequest> drawn_together(BatchRequest const& request) const;
  void end_kind();
  void cancel_all();
  static void measure_room(Table& table);
  static void note(Table& table, Tally const& outcomes);

  std::vector<Table> tables_;
  std::deque<BatchRequest> kinds_;  ///< of the batch in progress, that are not done
  std::vector<BatchRequest> done_;  ///< that are
  std::uint64_t ran_ = 0;           ///< operations of the first of `kinds_`
  bool has_begun_ = false;          ///< it has
  /// Every table runs after another one, never twice in a row, so that all find the caches as full of something else.
  /// After a pause, when threads are asleep, they take turns at going first (`change_turns`).
  std::size_t first_ = 0;
};

/// Whether several tables draw these operations as one table does.
bool is_of_one_kind(BatchRequest const& request);

/// Whether tombstones are about to fill a table in which lookups end at an empty slot: they and the live keys take nine
/// tenths of the slots, and have left at most half of what the live keys do.
bool is_choking(std::uint64_t live, std::uint64_t empty, std::uint64_t slots);

/// Slots of one of several tables, once a rehash takes the first of them from `before` to `after` slots.
std::uint64_t slots_in_proportion(TableSettings const& table, std::uint64_t before, std::uint64_t after);
/// The number of slots nearest to `wanted` that a table of this family, with so many shards, takes.
std::uint64_t allowed_slots(TableSettings const& table, std::uint64_t wanted);

}  // namespace slotscape
