#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#if defined(__NVCC__) && !defined(__CUDACC_RELAXED_CONSTEXPR__)
#error \
    "Slotscape's tables need nvcc's options -std=c++20 --expt-relaxed-constexpr, which slotscape::tables of CMake has."
#endif

#if defined(__CUDACC__)
#define SLOTSCAPE_HOST_DEVICE __host__ __device__
#else
#define SLOTSCAPE_HOST_DEVICE
#endif

namespace slotscape {

/// Keys and values as users and files give them; a table stores 32 or 64 bits of each (`Narrow`, `Wide`).
using Key = std::uint64_t;
using Value = std::uint64_t;
using Slot = std::uint32_t;

/// The value that a lookup of a missing key yields. No table stores it.
inline constexpr Value empty_value = ~Value{0};
inline constexpr Slot no_slot = 0xffffffffu;

struct Pair {
  Key key;
  Value value;
  friend bool operator==(Pair const&, Pair const&) = default;
};

/// Ways to delete: two that touch no other key (Farrell 2020), and one that leaves nothing behind (Knuth's Algorithm
/// R).
enum class Deletion : std::uint8_t {
  empty_value,      ///< the key stays, its value becomes empty; inserting that key again revives the slot
  tombstone_reuse,  ///< the key becomes a tombstone that a later insert of any key may take
  shift,            ///< later keys move back, so that the cluster has no gap; requires `FamilyInfo::shifts_back`
};

/// How inserting an existing key changes its value: counting and deduplication in one pass (`insert_or_apply` of other
/// libraries).
enum class Combine : std::uint8_t {
  replace,     ///< the new value; if a batch has several for the key, any of them
  keep_first,  ///< the old value
  add,         ///< their sum, limited to the largest value that the table accepts
  min,         ///< the smaller value
  max,         ///< the larger value
  add_freely   ///< `add` if no sum can exceed the largest value: for tables that know their batch, not for settings
};

enum class Operation : std::uint8_t { insert, find, erase };

/// A set of operations, one bit each.
enum class OperationMask : std::uint8_t { none = 0, inserts = 1, finds = 2, erases = 4, all = 7 };
SLOTSCAPE_HOST_DEVICE constexpr OperationMask operator|(OperationMask a, OperationMask b)
{
  return static_cast<OperationMask>(static_cast<unsigned>(a) | static_cast<unsigned>(b));
}
SLOTSCAPE_HOST_DEVICE constexpr OperationMask mask_of(Operation operation)
{
  return static_cast<OperationMask>(1u << static_cast<unsigned>(operation));
}
SLOTSCAPE_HOST_DEVICE constexpr bool overlap(OperationMask a, OperationMask b)
{
  return (static_cast<unsigned>(a) & static_cast<unsigned>(b)) != 0;
}
SLOTSCAPE_HOST_DEVICE constexpr bool contains(OperationMask mask, Operation operation)
{
  return overlap(mask, mask_of(operation));
}
/// Whether the mask contains exactly one operation.
constexpr bool is_single(OperationMask mask)
{
  return mask == OperationMask::inserts || mask == OperationMask::finds || mask == OperationMask::erases;
}
/// The operation of a mask that contains exactly one.
SLOTSCAPE_HOST_DEVICE constexpr Operation single_operation(OperationMask mask)
{
  return mask == OperationMask::inserts ? Operation::insert
         : mask == OperationMask::finds ? Operation::find
                                        : Operation::erase;
}

/// The result of one operation.
enum class Outcome : std::uint8_t { inserted, updated, found, missing, erased, rejected, full };
/// The outcome of an operation that does not belong to the running phase; it is not tallied.
inline constexpr Outcome not_run{255};
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

enum class SlotState : std::uint32_t { empty, live, tombstone, link };  ///< link: to another slab, without a key

/// Value of `SlotInfo::byte_beside` if the table keeps no byte beside a slot.
inline constexpr std::uint16_t no_byte = 0xffffu;

/// Everything about one slot, for display.
struct SlotInfo {
  Slot slot;
  SlotState state;
  Pair pair;
  Slot home;                   ///< meaningless if the slot is empty, or a tombstone that kept no key
  bool has_key;                ///< the slot still holds a user's key (live, or a tombstone of `Deletion::empty_value`)
  std::uint32_t probe_length;  ///< slots between home and here: 0 at home
  std::uint16_t byte_beside = no_byte;  ///< for example, the fingerprint of its key
  std::uint32_t chain_length = 0;       ///< nodes in the key's chain; 0 unless slots are nodes of chains
};

/// A maximal run of non-empty slots, which may wrap round the end of the table. Length 0 if the slot in question is
/// empty.
struct Cluster {
  Slot start;
  std::uint64_t length;
};

}  // namespace slotscape
