#pragma once

#include "gpu/engine/engine.hpp"

#include <string>
#include <variant>
#include <vector>

namespace slotscape {

/// What a user or a scenario asks of the table.
struct Clear {
  friend bool operator==(Clear const&, Clear const&) = default;
};
struct Rehash {
  std::uint64_t slots;
  friend bool operator==(Rehash const&, Rehash const&) = default;
};
struct SetKeys {  ///< the stream of new keys starts afresh from these settings
  KeySettings keys;
  friend bool operator==(SetKeys const& left, SetKeys const& right);
};
struct FillTo {
  double load;  ///< insert or erase until the load factor is this
  friend bool operator==(FillTo const&, FillTo const&) = default;
};
struct OnKey {  ///< one operation on a given key
  Operation operation = Operation::insert;
  Key key = 0;
  Value value = 0;  ///< of an insert
  friend bool operator==(OnKey const&, OnKey const&) = default;
};
using Action = std::variant<BatchRequest, Clear, Rehash, SetKeys, FillTo, OnKey>;

/// What has been done to the table since its seed, in order: enough to do exactly the same again.
using Done = std::variant<BatchRequest, Clear, Rehash, SetKeys, OnKey>;

Action to_action(Done const& done);

/// One finished action of one table, for statistics and plots.
struct ActionReport {
  std::string op;           ///< insert, find, erase, mix, clear, rehash, fill
  std::uint64_t count = 0;  ///< operations; of a clear or rehash, the keys dropped or moved
  Tally outcomes;
  double seconds = 0.0;      ///< of the table's work alone
  double load_factor = 0.0;  ///< after it
  std::size_t table = 0;     ///< which of the simulation's tables
  double mops() const { return seconds > 0.0 ? static_cast<double>(count) / seconds * 1e-6 : 0.0; }
};

/// Adds what was done last; a mix that runs without a break is one operation.
void append_operation(std::vector<ActionReport>& operations, ActionReport report);

/// insert, find, erase or mix.
std::string op_name(BatchRequest const& request);
std::string op_name(Operation operation);

}  // namespace slotscape
