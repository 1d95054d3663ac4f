#pragma once

#include "app/simulation/shared_pairs.hpp"
#include "gpu/base/progress.hpp"
#include "gpu/engine/engine.hpp"

#include <functional>
#include <memory>
#include <string>
#include <variant>
#include <vector>

namespace slotscape {

/// What a user or a scenario asks the table to do.
struct Clear {
  friend bool operator==(Clear const&, Clear const&) = default;
};
struct Rehash {
  std::uint64_t slots;
  friend bool operator==(Rehash const&, Rehash const&) = default;
};
struct SetKeys {  ///< restarts the stream of new keys with these settings
  KeySettings keys;
  std::uint64_t drawn = 0;  ///< the first keys of the stream are skipped
  std::uint64_t live = 0;   ///< so many of them are in the table already, inserted as given keys
  friend bool operator==(SetKeys const&, SetKeys const&) = default;
};
struct FillTo {
  double load;  ///< inserts or erases until the load factor is reached
  friend bool operator==(FillTo const&, FillTo const&) = default;
};
struct OnKey {  ///< one operation on a given key
  Operation operation = Operation::insert;
  Key key = 0;
  Value value = 0;  ///< for an insert
  friend bool operator==(OnKey const&, OnKey const&) = default;
};

/// One operation on each of several given keys: on one after the other, or in batches where they are many.
struct OnKeys {
  static constexpr std::size_t max_in_turn = 4096;
  Operation operation = Operation::insert;
  SharedPairs pairs;      ///< the values are for inserts
  std::string file = {};  ///< that holds them, if they came from one
  friend bool operator==(OnKeys const& left, OnKeys const& right)
  {
    return left.operation == right.operation && left.pairs == right.pairs;
  }
};
using Action = std::variant<BatchRequest, Clear, Rehash, SetKeys, FillTo, OnKey, OnKeys>;

/// What has been done to the table since its seed, in order: enough to repeat it exactly.
using Done = std::variant<BatchRequest, Clear, Rehash, SetKeys, OnKey, OnKeys>;

Action to_action(Done const& done);
/// "insert 4096", "clear".
std::string describe(Action const& action);
/// How many operations it takes to do them all.
std::uint64_t operations_of(std::vector<Done> const& done);

/// One finished action of one table, for statistics and plots.
struct ActionReport {
  std::string op;           ///< insert, find, erase, mix, clear, rehash, fill, hold
  std::uint64_t count = 0;  ///< operations; for a clear or rehash, the keys dropped or moved
  Tally outcomes;
  double seconds = 0.0;         ///< time spent in the table alone
  double load_factor = 0.0;     ///< after it
  std::size_t table = 0;        ///< which of the simulation's tables
  TableSettings settings = {};  ///< of that table
  std::uint64_t rebuilds = 0;   ///< of the whole table, on the way (`Table::rebuilds`)
  /// Operations that did what they are for: a key was inserted or its value updated, a stored one erased, a lookup
  /// answered. A refused insert or an erase of an absent key is none.
  std::uint64_t succeeded() const;
  /// Millions of these a second.
  double mops() const { return seconds > 0.0 ? static_cast<double>(succeeded()) / seconds * 1e-6 : 0.0; }
};

/// Appends a report; consecutive parts of a mix, and of holding a load, become one operation.
void append_operation(std::vector<ActionReport>& operations, ActionReport report);

/// insert, find, erase or mix.
std::string op_name(BatchRequest const& request);
std::string op_name(Operation operation);

/// What was done to a table since its seed. Beyond `limit` entries it is too long to repeat and is dropped.
class History {
public:
  static constexpr std::size_t limit = 1'000'000;

  void record(Done done);
  void append(std::vector<Done> const& done);
  /// Keeps only the first `entries`.
  void truncate(std::size_t entries);
  void reset();
  /// What was done is not known any more.
  void lose();

  std::vector<Done> const& entries() const { return entries_; }
  bool complete() const { return complete_; }  ///< false: `entries` does not contain everything

private:
  std::vector<Done> entries_;
  bool complete_ = true;
};

/// Counts the keys that were inserted by name, such as typed ones, rather than drawn from the stream of keys, since the
/// table was last cleared. A key that came over from another table is one of these if no drawn key can be it.
class GivenKeys {
public:
  /// `done`: the history of one simulation. Reads only what is new in it since the last call.
  std::uint64_t count(std::vector<Done> const& done);
  void reset() { *this = {}; }

  /// The same of what is still to be done to an empty table.
  static std::uint64_t of(std::vector<Action> const& steps);

private:
  template <class Step>
  void add(Step const& one);

  Done const* first_ = nullptr;  ///< of the history that was read
  std::size_t read_ = 0;
  std::uint64_t given_ = 0;
};

}  // namespace slotscape
