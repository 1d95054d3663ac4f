#pragma once

#include "gpu/base/error.hpp"
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
};

/// What is known of the keys that are passed to a call, and what is wanted.
struct BatchOptions {
  bool distinct = false;  ///< promises that no key occurs twice in this call, which is then faster
  Outcome* outcomes =
      nullptr;  ///< where to write what became of each key: as many as keys, where the keys are; or null
};

/// What became of the pairs, or keys, that were passed to a call.
struct [[nodiscard]] Inserted {
  std::uint64_t inserted = 0;  ///< new keys
  std::uint64_t updated = 0;   ///< keys that were in the table, or came again in the same call
  std::uint64_t full = 0;      ///< keys that found no place; the table is what it would be without them
  std::uint64_t rejected = 0;  ///< those with a reserved key or value
  int key_bits = 32;           ///< of the table

  bool all() const { return full == 0 && rejected == 0; }
  /// Throws Error unless all are in the table.
  void or_throw() const
  {
    if (rejected != 0) {
      bool const is_narrow = key_bits == 32;
      throw Error(std::to_string(rejected) + " keys were not inserted: the " + (is_narrow ? "two" : "three") +
                  " largest " + std::to_string(key_bits) +
                  "-bit keys and the largest value are reserved. Choose other ones" +
                  (is_narrow ? ", or a table with 64-bit keys." : "."));
    }
    if (full != 0) {
      throw Error(std::to_string(full) +
                  " keys found no place in the table: give it more slots (rehash), and insert "
                  "them again.");
    }
  }
};

}  // namespace slotscape
