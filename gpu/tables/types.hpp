#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#if defined(__CUDACC__)
#define SLOTSCAPE_HOST_DEVICE __host__ __device__
#else
#define SLOTSCAPE_HOST_DEVICE
#endif

namespace slotscape {

using Key = std::uint32_t;
using Value = std::uint32_t;
using Slot = std::uint32_t;

/// Values that no user key or value may take; tables refuse them as input (`Outcome::rejected`).
inline constexpr Key empty_key = 0xffffffffu;
inline constexpr Key tombstone_key = 0xfffffffeu;
inline constexpr Value empty_value = 0xffffffffu;

struct Pair {
  Key key;
  Value value;
  friend bool operator==(Pair const&, Pair const&) = default;
};

/// Ways to delete (Farrell 2020).
enum class Deletion : std::uint8_t {
  empty_value,      ///< the key stays, its value becomes empty; inserting that key again revives the slot
  tombstone_reuse,  ///< the key becomes a tombstone that a later insert of any key may take
};

enum class Operation : std::uint8_t { insert, find, erase };

/// What became of one operation.
enum class Outcome : std::uint8_t { inserted, updated, found, missing, erased, rejected, full };
inline constexpr int outcome_count = 7;
inline constexpr std::array<std::string_view, outcome_count> outcome_names{"inserted", "updated",  "found", "missing",
                                                                           "erased",   "rejected", "full"};

/// How many operations of a batch ended in each `Outcome`, indexed by it.
struct Tally {
  std::array<std::uint64_t, outcome_count> counts{};
  std::uint64_t& operator[](Outcome outcome) { return counts[static_cast<std::size_t>(outcome)]; }
  std::uint64_t operator[](Outcome outcome) const { return counts[static_cast<std::size_t>(outcome)]; }
  Tally& operator+=(Tally const& other)
  {
    for (std::size_t i = 0; i < counts.size(); ++i) { counts[i] += other.counts[i]; }
    return *this;
  }
  friend bool operator==(Tally const&, Tally const&) = default;
};

enum class SlotState : std::uint8_t { empty, live, tombstone, link };  ///< link: to another slab, no key

/// One slot as a person reads it.
struct SlotInfo {
  Slot slot;
  SlotState state;
  Pair pair;
  Slot home;                   ///< meaningless where the slot is empty, or a tombstone that kept no key
  bool has_key;                ///< the slot still holds a user's key (live, or a tombstone of `Deletion::empty_value`)
  std::uint32_t probe_length;  ///< slots between home and here: 0 at home
};

/// A maximal run of non-empty slots; it may wrap round the end of the table. length 0: the slot asked for is empty.
struct Cluster {
  Slot start;
  std::uint64_t length;
};

}  // namespace slotscape
