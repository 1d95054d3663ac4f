#pragma once

#include "app/simulation/action.hpp"

#include <memory>
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
  std::uint64_t least_room() const;  ///< of the smallest table, which load factors refer to
  bool has_static() const;           ///< inserting new keys rebuilds one of them
  std::uint64_t most_live() const;
  std::size_t fullest() const;  ///< the first with the most live keys
  std::uint64_t batch_limit() const;

  void set_keys(KeySettings const& keys, std::uint64_t seed);
  std::vector<TableRun> run(BatchRequest const& request);
  std::vector<Tally> run(OnKey const& on_key);  ///< of each table
  void clear();
  /// Whether each table has its initial number of slots; and a rehash back to that.
  bool has_initial_slots() const;
  void restore_slots();

  /// Moves the first table's keys into `slots` slots and scales the other tables by the same factor, over several calls
  /// of `rehash_step`, which returns true when all are done.
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
    std::uint64_t room = 0;
    std::uint64_t live = 0;
    std::uint64_t refused = 0;
    bool rehashing = false;
    double seconds = 0.0;
  };
  void cancel_all();
  static void measure_room(Table& table);
  static void note(Table& table, Tally const& outcomes);

  std::vector<Table> tables_;
  std::size_t batches_ = 0;  ///< tables take turns at going first, when caches and threads are cold
};

/// The number of slots nearest to `wanted` that a family takes.
std::uint64_t allowed_slots(FamilyInfo const& family, std::uint64_t wanted);

}  // namespace slotscape
