#pragma once

#include "gpu/engine/engine.hpp"

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
  friend bool operator==(SetKeys const& left, SetKeys const& right);
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
using Action = std::variant<BatchRequest, Clear, Rehash, SetKeys, FillTo, OnKey>;

/// What has been done to the table since its seed, in order: enough to repeat it exactly.
using Done = std::variant<BatchRequest, Clear, Rehash, SetKeys, OnKey>;

Action to_action(Done const& done);

/// One finished action of one table, for statistics and plots.
struct ActionReport {
  std::string op;           ///< insert, find, erase, mix, clear, rehash, fill
  std::uint64_t count = 0;  ///< operations; for a clear or rehash, the keys dropped or moved
  Tally outcomes;
  double seconds = 0.0;      ///< time spent in the table alone
  double load_factor = 0.0;  ///< after it
  std::size_t table = 0;     ///< which of the simulation's tables
  double mops() const { return seconds > 0.0 ? static_cast<double>(count) / seconds * 1e-6 : 0.0; }
};

/// Appends a report; consecutive parts of a mix become one operation.
void append_operation(std::vector<ActionReport>& operations, ActionReport report);

/// insert, find, erase or mix.
std::string op_name(BatchRequest const& request);
std::string op_name(Operation operation);

/// What was done to a table since its seed. Beyond `limit` entries it is too long to repeat and is dropped.
class History {
public:
  static constexpr std::size_t limit = 1'000'000;

  void record(Done done);
  /// Keeps only the first `entries`.
  void truncate(std::size_t entries);
  void reset();

  std::vector<Done> const& entries() const { return entries_; }
  bool complete() const { return complete_; }  ///< false: `entries` does not contain everything

private:
  std::vector<Done> entries_;
  bool complete_ = true;
};

}  // namespace slotscape
