#pragma once

#include "gpu/base/types.hpp"

#include <map>
#include <string>

namespace slotscape {

enum class HashKind : std::uint8_t { murmur3, xxhash, fibonacci, identity };

struct TableSettings {
  std::string family = "linear_probing";
  std::uint64_t slots = 1u << 16;
  Deletion deletion = Deletion::empty_value;
  HashKind hash = HashKind::murmur3;
  int key_bits = 32;  ///< of keys and of values: 32 or 64
  /// Parameters of the family (`FamilyInfo::parameters`) that differ from their defaults.
  std::map<std::string, std::uint32_t> parameters = {};
  Combine combine = Combine::replace;
  /// Keys without values: a set, which erases by `tombstone_reuse` (`FamilyInfo::keys_alone`).
  bool keys_only = false;
  friend bool operator==(TableSettings const&, TableSettings const&) = default;
};

}  // namespace slotscape
