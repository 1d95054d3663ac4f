#pragma once

#include "gpu/base/error.hpp"
#include "gpu/execution/memory.hpp"
#include "gpu/tables/settings.hpp"

#include <cstdint>
#include <map>
#include <string>

namespace slotscape {

/// The options of a table, besides its family and the type of its keys.
struct TableOptions {
  std::uint64_t slots;                                   ///< from 4 to 2^31; `slots_for` of the table computes it
  HashKind hash = HashKind::murmur3;                     ///< if the family supports a choice
  Deletion deletion = Deletion::empty_value;             ///< if the family supports a choice
  std::map<std::string, std::uint32_t> parameters = {};  ///< the family's parameters, by name
  /// Insertions that would exceed this load factor first double the slots, as often as needed, or drop the remains of
  /// erased keys, which also count; views are invalid afterwards. At most the load factor that is safe for the family.
  /// 0: the table never grows.
  double grow_at = 0.0;
  Memory memory = {};   ///< the table's memory; by default the heap, or CUDA's default pool
  Memory scratch = {};  ///< memory that calls need while they run; by default `memory`
  /// Calls with more keys run in parts of this many, from 1 to 2^30: scratch memory is in proportion to the parts.
  std::uint64_t keys_at_once = std::uint64_t{1} << 30;
};

/// Properties of the keys that are passed to a call, and the wanted results.
struct BatchOptions {
  bool distinct = false;        ///< promises that no key occurs twice in this call, which makes it faster
  Outcome* outcomes = nullptr;  ///< output: the outcome of each key, in the memory of the keys; or null

  /// The options for the keys from `first` on.
  BatchOptions from(std::uint64_t first) const { return {distinct, outcomes == nullptr ? nullptr : outcomes + first}; }
};

/// The results of a call that does not wait, in device memory, or null. Such a call allocates nothing and copies
/// nothing to the host, so CUDA graphs may capture it.
struct AsyncOptions {
  Outcome* outcomes = nullptr;  ///< output: the outcome of each key
  Tally* counts = nullptr;      ///< output: the number of keys with each outcome is added here
};

/// The outcomes of the pairs, or keys, that were passed to a call.
struct [[nodiscard]] Inserted {
  std::uint64_t inserted = 0;  ///< new keys
  std::uint64_t updated = 0;   ///< keys that were in the table, or occurred again in the same call
  std::uint64_t full = 0;      ///< keys that found no place; the table is as it would be without them
  std::uint64_t rejected = 0;  ///< keys or pairs with a reserved key or value
  int key_bits = 32;           ///< of the table
  bool takes_every_key = false;

  bool all() const { return full == 0 && rejected == 0; }
  void operator+=(Inserted const& other)
  {
    inserted += other.inserted;
    updated += other.updated;
    full += other.full;
    rejected += other.rejected;
  }
  /// Throws Error unless all keys are in the table.
  void or_throw() const
  {
    if (rejected != 0) {
      std::string const refused = std::to_string(rejected);
      if (takes_every_key) {
        throw Error(refused +
                    " values were not inserted: the largest one, or the one whose bits are all 1, is reserved. "
                    "Choose other ones, or a table that is Unreserved.");
      }
      throw Error(refused + " keys were not inserted: the " + (key_bits == 32 ? "two" : "three") + " largest " +
                  std::to_string(key_bits) +
                  "-bit keys and the largest value are reserved. Choose other ones, or a table that is Unreserved.");
    }
    if (full != 0) {
      throw Error(std::to_string(full) +
                  " keys found no place in the table: give it more slots (rehash), and insert "
                  "them again.");
    }
  }
};

namespace library {

/// Throws Error unless there is room for all keys of a table.
inline void require_room(std::uint64_t room, std::uint64_t live)
{
  if (live <= room) { return; }
  throw Error("The table has " + std::to_string(live) + " keys, and there is room for " + std::to_string(room) +
              ": make room for as many as size() says.");
}

}  // namespace library

}  // namespace slotscape
