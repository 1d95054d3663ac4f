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

/// The actions that a user or a scenario can request.
struct Clear {
  friend bool operator==(Clear const&, Clear const&) = default;
};
struct Rehash {
  std::uint64_t slots;
  friend bool operator==(Rehash const&, Rehash const&) = default;
};
struct SetKeys {  ///< restarts the stream of new keys with these settings
  KeySettings keys;
  std::uint64_t drawn = 0;  ///< skips this many keys of the stream
  std::uint64_t live = 0;   ///< number of these keys already in the table, as given keys
  friend bool operator==(SetKeys const&, SetKeys const&) = default;
};
struct FillTo {
  double load;  ///< inserts or erases keys until this load factor is reached
  friend bool operator==(FillTo const&, FillTo const&) = default;
};
struct OnKey {  ///< one operation on a given key
  Operation operation = Operation::insert;
  Key key = 0;
  Value value = 0;  ///< value to insert
  friend bool operator==(OnKey const&, OnKey const&) = default;
};

/// The same operation on several given keys: one key at a time, or in batches if there are many.
struct OnKeys {
  static constexpr std::size_t max_in_turn = 4096;
  Operation operation = Operation::insert;
  SharedPairs pairs;      ///< the values are only used by inserts
  std::string file = {};  ///< file that they came from, if any
  friend bool operator==(OnKeys const& left, OnKeys const& right)
  {
    return left.operation == right.operation && left.pairs == right.pairs;
  }
};
using Action = std::variant<BatchRequest, Clear, Rehash, SetKeys, FillTo, OnKey, OnKeys>;

/// An action done to the table since its seed. In order, these suffice to reproduce the table exactly.
using Done = std::variant<BatchRequest, Clear, Rehash, SetKeys, OnKey, OnKeys>;

Action to_action(Done const& done);
/// A short text: "insert 4096", "clear".
std::string describe(Action const& action);
/// The number of operations needed to repeat these actions.
std::uint64_t operations_of(std::vector<Done> const& done);

/// One finished action of one table, for statistics and plots.
struct ActionReport {
  std::string op;           ///< insert, find, erase, mix, clear, rehash, fill, hold
  std::uint64_t count = 0;  ///< operations; for a clear or rehash, the keys dropped or moved
  Tally outcomes;
  double seconds = 0.0;         ///< time inside the table only
  double load_factor = 0.0;     ///< load factor after the action
  std::size_t table = 0;        ///< index of the simulation's table
  TableSettings settings = {};  ///< settings of this table
  std::uint64_t rebuilds = 0;   ///< rebuilds of the whole table meanwhile (`Table::rebuilds`)
  /// The number of effective operations: a key was inserted or its value updated, a stored key erased, or a lookup
  /// answered. Refused inserts and erasures of absent keys do not count.
  std::uint64_t succeeded() const;
  /// Millions of effective operations a second.
  double mops() const { return seconds > 0.0 ? static_cast<double>(succeeded()) / seconds * 1e-6 : 0.0; }
};

/// Appends a report. Consecutive parts of a mix, or of holding a load, are merged.
void append_operation(std::vector<ActionReport>& operations, ActionReport report);

/// The name of the operation: insert, find, erase or mix.
std::string op_name(BatchRequest const& request);
std::string op_name(Operation operation);

/// The actions done to a table since its seed. Beyond `limit` entries, the history is too long to repeat and is
/// dropped.
class History {
public:
  static constexpr std::size_t limit = 1'000'000;

  void record(Done done);
  void append(std::vector<Done> const& done);
  /// Keeps only the first `entries`.
  void truncate(std::size_t entries);
  void reset();
  /// Marks the history as unknown.
  void lose();

  std::vector<Done> const& entries() const { return entries_; }
  bool complete() const { return complete_; }  ///< false if `entries` is incomplete

private:
  std::vector<Done> entries_;
  bool complete_ = true;
};

/// Counts keys inserted by value, such as typed ones, rather than drawn from the key stream, since the table was last
/// cleared. A key taken over from another table counts if the stream cannot produce it.
class GivenKeys {
public:
  /// `done`: the history of one simulation. Only processes entries added since the last call.
  std::uint64_t count(std::vector<Done> const& done);
  void reset() { *this = {}; }

  /// The count for actions still to be done to an empty table.
  static std::uint64_t of(std::vector<Action> const& steps);

private:
  template <class Step>
  void add(Step const& one);

  Done const* first_ = nullptr;  ///< first entry of the history that was counted, to recognise it
  std::size_t read_ = 0;
  std::uint64_t given_ = 0;
};

}  // namespace slotscape
