#pragma once

#include "gpu/library/families.hpp"

#include <bit>
#include <string>
#include <type_traits>

/// Where the keys of the library's families have their homes, and which slots lookups read, in the form that viewers
/// expect: members of a `WatchLayout`, in JSON. In other families, homes are not computed by functions that viewers
/// know.
namespace slotscape::library {

template <class Hasher>
std::string watched_hash(Hasher const& hasher, std::string const& more = {})
{
  std::string function;
  switch (hasher.kind()) {
    case HashKind::murmur3: function = "murmur3"; break;
    case HashKind::xxhash: function = "xxhash"; break;
    case HashKind::fibonacci: function = "fibonacci"; break;
    case HashKind::identity: function = "identity"; break;
    case HashKind::formula: break;  // tables of the library do not use it
  }
  bool const high_bits = hasher.kind() == HashKind::fibonacci;
  std::string const reduction = std::has_single_bit(hasher.slots())   ? (high_bits ? "multiply_shift" : "mask")
                                : hasher.kind() == HashKind::identity ? "modulo"
                                                                      : "multiply_shift_32";
  return R"("hash": {"function": ")" + function + R"(", "reduction": ")" + reduction + '"' + more + '}';
}
/// For families in which the hash yields a slot that is then scaled to the home window or chain.
template <class Hasher>
std::string watched_hash_through_slots(Hasher const& hasher)
{
  return watched_hash(hasher, ", \"through\": " + std::to_string(hasher.slots()));
}

inline std::string watched_probing(std::string const& scheme, std::string const& more = {})
{
  return R"(, "probing": {"scheme": ")" + scheme + '"' + more + '}';
}
inline std::string watched_step(std::uint64_t seed)
{
  return R"(, "hashes": [{"function": "splitmix", "reduction": "multiply_shift_32", "seed": )" + std::to_string(seed) +
         "}]";
}

/// Empty if viewers do not know the family's homes.
template <class Family, class Layout>
std::string watched_paths(Layout const&)
{
  return {};
}
template <class Family, class Layout>
requires std::is_same_v<Family, LinearProbing> std::string watched_paths(Layout const& layout)
{
  return watched_hash(layout.hasher) + watched_probing("linear");
}
/// Lookups of absent keys end before the next empty slot, where keys with later homes begin.
template <class Family, class Layout>
requires std::is_same_v<Family, RobinHood> || std::is_same_v<Family, Graveyard> std::string watched_paths(
    Layout const& layout)
{
  return watched_hash(layout.hasher) + watched_probing("linear", R"(, "misses": false)");
}
/// Until a key is erased, lookups end at an empty slot. That may change at any time, so viewers read the whole
/// neighbourhood, and do not count the accesses of absent keys.
template <class Family, class Layout>
requires std::is_same_v<Family, Hopscotch> std::string watched_paths(Layout const& layout)
{
  std::string const reach = R"(, "reach": )" + std::to_string(layout.neighbourhood);
  return watched_hash(layout.hasher) +
         watched_probing("linear", reach + R"(, "ends_at_empty": false, "misses": false)");
}
template <class Family, class Layout>
requires std::is_same_v<Family, SimpleHash> std::string watched_paths(Layout const& layout)
{
  return watched_hash(layout.hasher) + watched_probing("alternating");
}
template <class Family, class Layout>
requires std::is_same_v<Family, Quadratic> std::string watched_paths(Layout const& layout)
{
  return watched_hash(layout.hasher) + (layout.by_squares ? std::string() : watched_probing("quadratic"));
}
/// Viewers do not know step functions computed by hand.
template <class Family, class Layout>
requires std::is_same_v<Family, DoubleHashing> std::string watched_paths(Layout const& layout)
{
  if (layout.hasher.kind() == HashKind::identity) { return watched_hash(layout.hasher); }
  std::string const odd = std::has_single_bit(layout.slots()) ? R"(, "odd_steps": true)" : "";
  return watched_hash(layout.hasher) + watched_probing("double", odd + watched_step(DoubleHashing::step_seed));
}
template <class Family, class Layout>
requires std::is_same_v<Family, WarpCooperative> std::string watched_paths(Layout const& layout)
{
  std::string const windows = R"(, "rings": true, "window": )" + std::to_string(layout.lanes);
  return watched_hash_through_slots(layout.hasher) +
         watched_probing("double", windows + watched_step(WarpCooperative::step_seed));
}
/// Boost's variant has groups of 15 slots, and bytes that end lookups, which viewers do not know.
template <class Family, class Layout>
requires std::is_same_v<Family, Swiss> std::string watched_paths(Layout const& layout)
{
  if (layout.variant != Swiss::abseil) { return {}; }
  std::string const size = std::to_string(layout.group_slots());
  return watched_hash_through_slots(layout.hasher) +
         watched_probing("quadratic", R"(, "window": )" + size + R"(, "step": )" + size + R"(, "modulo": )" +
                                          std::to_string(std::uint64_t{layout.last_number} + 1));
}

/// Families whose buckets continue in nodes of a pool, through links that take one slot of each node.
template <class Family>
inline constexpr bool has_chains = requires
{
  Family::link_lane;
};

/// word_bytes: size of a slot.
template <class Family, class Layout>
std::string watched_chains(Layout const& layout, std::uint64_t word_bytes)
{
  std::uint64_t const size = Family::size;
  auto const member = [](char const* name, std::uint64_t number) {
    return std::string("\"") + name + "\": " + std::to_string(number);
  };
  return watched_hash_through_slots(layout.hasher) +
         watched_probing("chains", ", " + member("window", Family::link_lane)) + R"(, "links": {"array": "slots", )" +
         member("start", layout.buckets * size * word_bytes) + ", " + member("slabs", layout.pool) + ", " +
         member("first", layout.buckets * size) + ", " + member("unit", size) + ", " +
         member("offset", Family::link_lane * word_bytes) + R"(, "none": "0xffffffff"})";
}

}  // namespace slotscape::library
