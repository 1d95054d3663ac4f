#pragma once

#include "gpu/base/ring.hpp"
#include "gpu/tables/hash.hpp"
#include "gpu/tables/pair_words.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace slotscape {

/// Hopscotch hashing (Herlihy, Shavit & Tzafrir 2008; on the GPU Shortt 2020, 'Dynamic Hopscotch on the GPU', 4.3): a
/// key is always within its neighbourhood, the H slots starting at its home. A lookup reads only these, an erased slot
/// is simply empty, and an empty slot does not end a search. An insertion takes the nearest empty slot; while that is
/// too far from home, it moves a nearer key into it and takes that key's slot instead.
///
/// Until the first key is erased, though, an empty slot does end a search, as in linear probing: an insertion passes
/// only taken slots on its way from home to the slot that it takes, moves begin and end between these, and so no slot
/// between a key and its home is ever empty. (An insertion that gives up after moves does empty one.)
///
/// In parallel, each move has an owner. An inserter reserves the empty slot (empty -> reserved) and takes a key out of
/// its slot (pair -> reserved), each by compare-and-swap; then it writes that key to the slot that it reserved first,
/// which no other thread touches. So a key has one copy: in its slot, or held by the one thread that took it out and
/// has a slot for it. Only inserts run in this phase, and none of them looks for a moved key.
///
/// The published order is the reverse: write the copy to the empty slot, then clear the old one. Two movers can both
/// copy the same key, each to its own empty slot, before either clears the old one. Only one of them clears it, and the
/// key stays in two slots: lookups may see an old value forever, and an erase misses a copy. Even without such a race,
/// readers between copying and clearing see the key twice.
struct Hopscotch {
  static constexpr bool inserts_new_keys = true;
  static constexpr bool inserts_unmoved = true;
  static constexpr std::array<std::uint32_t, 4> neighbourhoods{8, 16, 32, 64};
  static constexpr std::array<Parameter, 1> parameters{
      {{.name = "neighbourhood",
        .title = "Neighbourhood H",
        .help = "A key is never farther than H - 1 slots from its home",
        .fallback = 32,
        .choices = neighbourhoods}}};

  static Guarantees guarantees(TableSettings const& settings);

  static constexpr bool measures_distance = true;
  static constexpr FamilyInfo info{
      .name = "hopscotch",
      .title = "Hopscotch hashing",
      .source = "Herlihy, Shavit & Tzafrir 2008; Shortt 2020, Dynamic Hopscotch on the GPU, section 4.3",
      .idea =
          "A key is always within H slots of its home. An empty slot too far away is brought nearer by moving other "
          "keys into it, each within its own neighbourhood.",
      .guarantees = guarantees,
      .wide = true,
      .parameters = parameters,
      .moves = {"Keys displaced", "keys that an insertion displaced"},
      .clusters = true,
      .theory = TheoryOf::hopscotch,
      .misses_by = MissesBy::home,
      .rule = "Of the keys that may hop into an empty slot, the one farthest from it does.",
      .steps = {.ends = "Its neighbourhood ends here"}};

  template <PairFormat Format, class Hasher = HasherOf<Format>>
  struct Layout {
    Hasher hasher;
    Slot neighbourhood;
    bool ends_at_empty = false;  ///< no key has an empty slot between its home and itself

    SLOTSCAPE_HOST_DEVICE std::uint64_t slots() const { return hasher.slots(); }
    SLOTSCAPE_HOST_DEVICE Slot home(typename Format::Key key) const { return hasher.home(key); }
    /// The maximum distance from home at which an insertion looks for an empty slot.
    SLOTSCAPE_HOST_DEVICE Slot reach() const { return slots() < max_reach ? static_cast<Slot>(slots()) : max_reach; }
  };

  template <PairFormat Format, class Hasher = HasherOf<Format>>
  static Layout<Format, Hasher> layout(TableSettings const& settings)
  {
    std::uint64_t const wanted = parameter_of(info, settings, "neighbourhood");
    return {{settings.hash, settings.slots}, static_cast<Slot>(std::min(wanted, settings.slots)), false};
  }

  static constexpr std::array<int, 1> walked_buckets{8};
  /// Walks over the aligned groups of eight slots that contain a neighbourhood.
  template <class Table>
  class Walk {
    static constexpr Slot width = walked_buckets[0];

  public:
    static constexpr int max_buckets = neighbourhoods.back() / width + 1;

    SLOTSCAPE_HOST_DEVICE Walk(Table const& table, typename Table::Key key) : slots_(table.layout.slots())
    {
      Slot const home = table.layout.home(key);
      bucket_ = home / width * width;
      left_ = (home % width + table.layout.neighbourhood - 1) / width;
    }
    SLOTSCAPE_HOST_DEVICE Slot bucket() const { return bucket_; }
    SLOTSCAPE_HOST_DEVICE bool goes_on()
    {
      bucket_ = bucket_ + width == slots_ ? 0 : bucket_ + width;
      return left_-- != 0;
    }

  private:
    std::uint64_t slots_;
    Slot bucket_;
    Slot left_;  ///< groups after this one
  };
  /// 0 if a search ends sooner, at an empty slot.
  template <class Layout>
  static Slot walked_slots(Layout const& layout)
  {
    return layout.ends_at_empty || layout.slots() % walked_buckets[0] != 0 ? 0 : walked_buckets[0];
  }

  /// Updates the key, or takes the nearest empty slot in its neighbourhood; returns `full` if all are taken. Several
  /// threads may insert the same key at once, as in `OpenAddressing`: while no key moves, the slots that one of them
  /// passes stay taken by other keys.
  template <class Table>
  SLOTSCAPE_HOST_DEVICE static auto insert_unmoved(Table const& table, typename Table::Key key,
                                                   typename Table::Value value) -> typename Table::Result
  {
    using Format = typename Table::Format;
    Slot slot = table.layout.home(key);
    Slot empty = no_slot;
    Slot from_empty = 0;  // slots of the neighbourhood from the first empty one on
    for (Slot left = table.layout.neighbourhood; left != 0; --left, slot = slot_after(table.layout, slot)) {
      table.at("look", "slot", slot);
      auto const word = table.machine.load(slot);
      if (key_of(word) == key) { return updated(table, slot, word, value); }
      if (word != Format::empty_word || empty != no_slot) { continue; }
      empty = slot;
      from_empty = left;
      if (table.layout.ends_at_empty) { break; }
    }
    for (; from_empty != 0; --from_empty, empty = slot_after(table.layout, empty)) {
      table.at("take", "slot", empty, "distance", table.layout.neighbourhood - from_empty);
      auto const old = table.machine.compare_exchange(empty, Format::empty_word, pack(key, value));
      if (old == Format::empty_word) { return {Outcome::inserted, empty, value}; }
      if (key_of(old) == key) { return updated(table, empty, old, value); }
    }
    return {Outcome::full, no_slot, value};
  }

  /// The key must not be in the table. Unless `thorough`, no key is moved to make room.
  template <class Table>
  SLOTSCAPE_HOST_DEVICE static auto insert(Table const& table, typename Table::Key key, typename Table::Value value,
                                           bool thorough = true) -> typename Table::Result
  {
    using Format = typename Table::Format;
    auto const pair = pack(key, value);
    typename Table::Result result{Outcome::full, no_slot, value};
    Gap gap =
        take_gap(table, table.layout.home(key), thorough ? table.layout.reach() : table.layout.neighbourhood, pair);
    if (gap.slot == no_slot) { return result; }
    while (gap.distance >= table.layout.neighbourhood) {
      Slot const nearer = bring_nearer(table, gap.slot);
      if (nearer == 0) {
        table.at("give up", "gap", gap.slot);
        table.machine.exchange(gap.slot, Format::empty_word);
        return result;
      }
      ++result.moves;
      gap = {slot_before(table.layout, gap.slot, nearer), gap.distance - nearer};
      if (gap.distance < table.layout.neighbourhood) {
        table.at("place", "gap", gap.slot, "distance", gap.distance);
        table.machine.exchange(gap.slot, pair);
      }
    }
    result.outcome = Outcome::inserted;
    result.slot = gap.slot;
    return result;
  }

  template <class Table>
  SLOTSCAPE_HOST_DEVICE static auto find(Table const& table, typename Table::Key key) -> typename Table::Result
  {
    Slot slot = table.layout.home(key);
    for (Slot left = table.layout.neighbourhood; left != 0; --left, slot = slot_after(table.layout, slot)) {
      table.at("look", "slot", slot);
      auto const word = table.machine.load(slot);
      if (key_of(word) == key) { return {Outcome::found, slot, value_of(word)}; }
      if (table.layout.ends_at_empty && word == Table::Format::empty_word) { break; }
    }
    return {Outcome::missing, no_slot, Table::Format::empty_value};
  }

  template <class Table>
  SLOTSCAPE_HOST_DEVICE static auto erase(Table const& table, typename Table::Key key) -> typename Table::Result
  {
    return erase_pair(table, find(table, key), key, Table::Format::empty_word);
  }

  /// Assumes that no slot is reserved, as between batches.
  template <class Table>
  SLOTSCAPE_HOST_DEVICE static Described describe(Table const& table, Slot slot, typename Table::Word word)
  {
    using Format = typename Table::Format;
    if (word == Format::empty_word) { return {SlotState::empty, false, 0}; }
    if (Format::is_reserved(key_of(word))) { return {SlotState::tombstone, false, 0}; }
    return {SlotState::live, true, displacement(table.layout, slot, key_of(word))};
  }

  /// Valid: empty, or a key in its neighbourhood.
  template <class Table>
  SLOTSCAPE_HOST_DEVICE static bool is_valid(Table const& table, Slot slot, typename Table::Word word)
  {
    return word == Table::Format::empty_word || is_in_neighbourhood(table, slot, word);
  }

private:
  static constexpr Slot max_reach = 4096;

  struct Gap {
    Slot slot;
    Slot distance;  ///< from the home of the key being inserted
  };

  template <class Table>
  SLOTSCAPE_HOST_DEVICE static auto updated(Table const& table, Slot slot, typename Table::Word seen,
                                            typename Table::Value value) -> typename Table::Result
  {
    put(table, slot, seen, value);
    return {Outcome::updated, slot, value};
  }

  template <class Table>
  SLOTSCAPE_HOST_DEVICE static bool is_in_neighbourhood(Table const& table, Slot slot, typename Table::Word word)
  {
    return !Table::Format::is_reserved(key_of(word)) &&
           displacement(table.layout, slot, key_of(word)) < table.layout.neighbourhood;
  }

  /// Finds the first empty slot from home on. Puts the pair there, or reserves the slot if it is too far away.
  template <class Table>
  SLOTSCAPE_HOST_DEVICE static Gap take_gap(Table const& table, Slot home, Slot reach, typename Table::Word pair)
  {
    using Format = typename Table::Format;
    Slot slot = home;
    for (Slot distance = 0; distance < reach; ++distance, slot = slot_after(table.layout, slot)) {
      table.at("seek", "slot", slot, "distance", distance);
      if (table.machine.load(slot) != Format::empty_word) { continue; }
      auto const mine = distance < table.layout.neighbourhood ? pair : Format::tombstone_word;
      table.at("take", "slot", slot, "distance", distance);
      if (table.machine.compare_exchange(slot, Format::empty_word, mine) == Format::empty_word) {
        return {slot, distance};
      }
    }
    return {no_slot, 0};
  }

  /// Moves a key into the gap, from as far before the gap as possible. That key's slot is then the reserved one.
  /// Returns its distance from the gap, or 0 if no key can move.
  template <class Table>
  SLOTSCAPE_HOST_DEVICE static Slot bring_nearer(Table const& table, Slot gap)
  {
    using Format = typename Table::Format;
    for (Slot steps = table.layout.neighbourhood - 1; steps != 0; --steps) {
      Slot const from = slot_before(table.layout, gap, steps);
      table.at("candidate", "from", from, "gap", gap);
      auto const word = table.machine.load_fresh(from);  // a stale load may miss a key that can move
      if (!is_in_neighbourhood(table, gap, word)) { continue; }
      table.at("lift", "from", from, "gap", gap);
      if (table.machine.compare_exchange(from, word, Format::tombstone_word) != word) { continue; }  // lost the race
      table.at("move", "from", from, "gap", gap);
      table.machine.exchange(gap, word);
      return steps;
    }
    return 0;
  }
};

/// Not all keys fit if a run of L slots is home to more than L + H - 1 keys. The numbers of keys with their home in
/// each slot are nearly Poisson with mean alpha; so, by Lundberg's inequality, an overcrowded run begins at a given
/// slot with probability at most e^(-theta H), where alpha (e^theta - 1) = theta. At the safe load, one such run is
/// expected in ten thousand tables.
inline Guarantees Hopscotch::guarantees(TableSettings const& settings)
{
  double const neighbourhood = parameter_of(info, settings, "neighbourhood");
  double const theta = std::log(1e4 * static_cast<double>(settings.slots)) / neighbourhood;
  return {.concurrency = Concurrency::phased, .erase_frees_slot = true, .safe_load = theta / std::expm1(theta)};
}

namespace families {
using hopscotch = Hopscotch;
}

}  // namespace slotscape
