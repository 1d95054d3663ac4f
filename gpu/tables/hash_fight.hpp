#pragma once

#include "gpu/execution/atomics.hpp"
#include "gpu/tables/fight_rounds.hpp"
#include "gpu/tables/hash.hpp"
#include "gpu/tables/static_family.hpp"
#include "gpu/tables/table_parts.hpp"

#include <array>
#include <utility>

namespace slotscape {

/// The parallel loops of a round.
namespace hash_fight {

template <PairFormat Format>
struct PlaceIn {
  Round round;
  std::uint64_t seed;  ///< the seed of the round

  SLOTSCAPE_HOST_DEVICE Slot operator()(typename Format::Key key) const
  {
    return scaled(seeded_hash(seed, key), round.size);
  }
};

struct NumberAll {
  std::uint32_t* numbers;
  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t i) const { numbers[i] = static_cast<std::uint32_t>(i); }
};

/// All remaining keys write their numbers to the places given by the round's hash, overwriting each other.
template <PairFormat Format>
struct Fight {
  Contents<Format> pairs;
  PlaceIn<Format> place;
  std::uint32_t const* left;
  std::uint32_t* holders;

  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t i) const
  {
    exec::store_relaxed(holders[place(pairs.keys[left[i]])], left[i]);
  }
};

/// A key whose number is still there has won, and its pair takes the slot; the others stay on the list.
template <PairFormat Format>
struct Settle {
  Contents<Format> pairs;
  PlaceIn<Format> place;
  std::uint32_t* left;
  std::uint32_t const* holders;
  typename Format::Word* words;

  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t i) const
  {
    std::uint32_t const number = left[i];
    auto const key = pairs.keys[number];
    Slot const slot = place(key);
    if (holders[slot] != number) { return; }
    words[place.round.first + slot] = pack(key, pairs.values[number]);
    left[i] = no_slot;
  }
};

}  // namespace hash_fight

/// HashFight (Lessley, Li & Childs 2020): a table built in rounds. In each round, all remaining keys write themselves
/// to a hashed slot of the round's sub-table, overwriting each other. The key that is read back has won the slot and
/// stays; the losers go on to the next, smaller sub-table. A lookup tries one slot of each sub-table in turn.
///
/// Known from the abstract, and from the fights over slots in the authors' earlier work (Lessley et al. 2017, on
/// finding duplicate elements): the rounds, sub-tables that shrink as keys are placed, and the use of data-parallel
/// primitives alone, maps, scatters and compactions, without an atomic operation. The paper's text was not available to
/// us. So we do not know how much larger than its keys a sub-table is, or after how many rounds the paper gives up.
/// Here, sub-tables shrink by a fixed ratio and are part of one table of a given size. It is also our choice that an
/// empty slot ends a lookup: a key moves on only from a slot that another key has taken, and an erased key stays in its
/// slot.
///
/// A fight uses no atomic operation, but a 32-bit store is indivisible: the numbers of pairs fight, in separate memory,
/// and only the winner writes the pair. If too many keys still lose at the end, another seed is tried.
struct HashFight : StaticFamily<HashFight> {
  static constexpr std::array<std::uint32_t, 3> shrink_choices{37, 50, 60};
  static constexpr std::array parameters{
      Parameter{.name = "shrink",
                .title = "Shrink to, %",
                .help = "The size of a round's sub-table, in percent of the one before. If the size shrinks slowly, "
                        "more keys fit into the table, but they take more rounds.",
                .fallback = 50,
                .choices = shrink_choices}};
  static constexpr int attempts = 32;  ///< in a small table, the last rounds depend on luck

  static Guarantees guarantees(TableSettings const& settings);

  static constexpr FamilyInfo info{.name = "hash_fight",
                                   .title = "HashFight",
                                   .source = "Lessley, Li & Childs 2020, HashFight: A Platform-Portable Hash Table",
                                   .idea =
                                       "Keys fight for slots in rounds: all write to a hashed slot at once, the key "
                                       "that is read back stays, and the losers go on to the next, smaller sub-table.",
                                   .guarantees = guarantees,
                                   .uses_hash = false,
                                   .wide = true,
                                   .parameters = parameters,
                                   .measure = {"Round", "won, from 0"},
                                   .theory = TheoryOf::rounds_of_fights,
                                   .steps = {.next = ", its slot in the next sub-table", .begins_by_hash = true}};

  template <PairFormat Format>
  struct Layout {
    Slot total;
    std::uint32_t shrink;
    std::uint64_t seed;

    SLOTSCAPE_HOST_DEVICE std::uint64_t slots() const { return total; }
    SLOTSCAPE_HOST_DEVICE hash_fight::Round first() const { return hash_fight::first_round(total, shrink); }
    SLOTSCAPE_HOST_DEVICE hash_fight::Round after(hash_fight::Round round) const { return round.next(total, shrink); }
    SLOTSCAPE_HOST_DEVICE hash_fight::PlaceIn<Format> place(hash_fight::Round round, std::uint32_t number) const
    {
      return {round, seed + number};
    }
    /// The key's slot in the first sub-table.
    SLOTSCAPE_HOST_DEVICE Slot home(typename Format::Key key) const { return place(first(), 0)(key); }
  };
  template <PairFormat Format>
  static Layout<Format> layout(TableSettings const& settings)
  {
    return {static_cast<Slot>(settings.slots), parameter_of(info, settings, "shrink"), 1};
  }

  template <exec::Executor Exec, PairFormat Format>
  static Built build(Exec& exec, Layout<Format>& layout, std::uint64_t seed, Contents<Format> const& pairs,
                     typename Format::Word* words, std::uint64_t*)
  {
    using namespace hash_fight;
    if (!may_fit(layout, pairs.count)) { return Built::too_full; }
    layout.seed = seed;
    typename Exec::template Buffer<std::uint32_t> left(exec, pairs.count);
    typename Exec::template Buffer<std::uint32_t> spare(exec, pairs.count);
    typename Exec::template Buffer<std::uint32_t> holders(exec, layout.first().size);
    std::uint64_t count = pairs.count;
    exec.for_each(count, NumberAll{left.data()});
    Round round = layout.first();
    for (std::uint32_t number = 0; count != 0 && round.size != 0; ++number, round = layout.after(round)) {
      PlaceIn<Format> const place = layout.place(round, number);
      exec.for_each(count, Fight<Format>{pairs, place, left.data(), holders.data()});
      exec.for_each(count, Settle<Format>{pairs, place, left.data(), holders.data(), words});
      count = exec.compact(left.data(), count, no_slot, spare.data());
      std::swap(left, spare);
    }
    return count == 0 ? Built::done : Built::unlucky;
  }

  template <class Table>
  SLOTSCAPE_HOST_DEVICE static auto find(Table const& table, typename Table::Key key) -> typename Table::Result
  {
    using Format = typename Table::Format;
    auto round = table.layout.first();
    for (std::uint32_t number = 0; round.size != 0; ++number, round = table.layout.after(round)) {
      Slot const slot = round.first + table.layout.place(round, number)(key);
      table.at("look", "round", number + 1, "slot", slot);
      auto const word = table.machine.load(slot);
      if (key_of(word) == key) { return met<Format>(slot, word); }
      if (word == Format::empty_word) { break; }
    }
    return missing<Format>();
  }

  template <class Table>
  SLOTSCAPE_HOST_DEVICE static Described describe(Table const& table, Slot slot, typename Table::Word word)
  {
    Described found = described<typename Table::Format>(word);
    if (found.has_key) { found.measure = round_of(table.layout, slot).number; }
    return found;
  }
  /// Valid: a key, erased or not, is in the slot given by its round's hash.
  template <class Table>
  SLOTSCAPE_HOST_DEVICE static bool is_valid(Table const& table, Slot slot, typename Table::Word word)
  {
    if (word == Table::Format::empty_word) { return true; }
    auto const [round, number] = round_of(table.layout, slot);
    return round.first + table.layout.place(round, number)(key_of(word)) == slot;
  }

  static TableParts parts(TableSettings const& settings)
  {
    Layout<Narrow> const shape = layout<Narrow>(settings);
    TableParts parts;
    for (auto round = shape.first(); round.size != 0; round = shape.after(round)) {
      parts.push_back({numbered('T', static_cast<std::uint32_t>(parts.size() + 1)), round.first, round.size});
    }
    return parts;
  }

private:
  /// Some seed may work if almost no key is expected to be left after the last round.
  template <class Layout>
  static bool may_fit(Layout const& layout, std::uint64_t count)
  {
    auto const keys = static_cast<double>(count);
    double const left = hash_fight::expect(layout.total, layout.shrink, keys, [](auto const&...) {});
    return count <= layout.total && left <= 4.0 + keys / 1024.0;
  }
  struct NumberedRound {
    hash_fight::Round round;
    std::uint32_t number;
  };
  template <class Layout>
  SLOTSCAPE_HOST_DEVICE static NumberedRound round_of(Layout const& layout, Slot slot)
  {
    NumberedRound at{layout.first(), 0};
    for (; slot >= at.round.first + at.round.size; ++at.number) { at.round = layout.after(at.round); }
    return at;
  }
};

/// If each sub-table has q times the size of the one before, keys shrink as fast as sub-tables when a round's load l
/// satisfies q = 1 - (1 - e^-l) / l. The table's load is then l (1 - q): 0.63, 0.80 and 0.89. Slightly below that,
/// losers die out quickly.
inline Guarantees HashFight::guarantees(TableSettings const& settings)
{
  Guarantees result = StaticFamily::guarantees(settings);
  std::uint32_t const shrink = parameter_of(info, settings, "shrink");
  result.safe_load = shrink == 37 ? 0.58 : shrink == 50 ? 0.75 : 0.84;
  result.overflow = OverflowPolicy::rebuild;
  return result;
}

namespace families {
using hash_fight = HashFight;
}

}  // namespace slotscape
