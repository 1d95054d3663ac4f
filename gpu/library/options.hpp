#pragma once

#include "gpu/base/error.hpp"
#include "gpu/execution/memory.hpp"
#include "gpu/tables/settings.hpp"

#include <cstdint>
#include <map>
#include <string>

namespace slotscape {

/// What a table is made with, besides its family and the type of its keys.
struct TableOptions {
  std::uint64_t slots;                                   ///< from 4 to 2^31; `slots_for` of the table says how many
  HashKind hash = HashKind::murmur3;                     ///< where the family lets it be chosen
  Deletion deletion = Deletion::empty_value;             ///< the same
  std::map<std::string, std::uint32_t> parameters = {};  ///< of the family, by name
  /// Insertions that would make the load factor larger double the slots first, as often as needed, or drop what erased
  /// keys have left behind, which counts, too; views are then invalid. At most the load factor that is safe for the
  /// family. 0: the table stays as large as it is.
  double grow_at = 0.0;
  Memory memory = {};   ///< of the table; by default the heap, or CUDA's default pool
  Memory scratch = {};  ///< of what its calls need while they run; by default `memory`
};

/// What is known of the keys that are passed to a call, and what is wanted.
struct BatchOptions {
  bool distinct = false;  ///< promises that no key occurs twice in this call, which is then faster
  Outcome* outcomes =
      nullptr;  ///< where to write what became of each key: as many as keys, where the keys are; or null

  /// The same for the keys from `first` on.
  BatchOptions from(std::uint64_t first) const { return {distinct, outcomes == nullptr ? nullptr : outcomes + first}; }
};

/// What is wanted of a call that does not wait: memory of the device, or null. Nothing is allocated by such a call, and
/// nothing copied to the host, so CUDA graphs may capture it.
struct AsyncOptions {
  Outcome* outcomes = nullptr;  ///< where to write what became of each key
  Tally* counts = nullptr;      ///< where to add how many keys met each outcome
};

/// What became of the pairs, or keys, that were passed to a call.
struct [[nodiscard]] Inserted {
  std::uint64_t inserted = 0;  ///< new keys
  std::uint64_t updated = 0;   ///< keys that were in the table, or came again in the same call
  std::uint64_t full = 0;      ///< keys that found no place; the table is what it would be without them
  std::uint64_t rejected = 0;  ///< those with a reserved key or value
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
  /// Throws Error unless all are in the table.
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
