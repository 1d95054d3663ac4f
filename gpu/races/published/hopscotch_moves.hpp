#pragma once

#include "gpu/base/ring.hpp"
#include "gpu/base/translation.hpp"
#include "gpu/races/shared_table.hpp"
#include "gpu/tables/hash.hpp"
#include "gpu/tables/pair_words.hpp"

#include <array>
#include <bit>
#include <string>

namespace slotscape::races::published {

/// The common part of the two published ways of moving keys: neighbourhoods of 3 slots.
struct SmallHopscotch {
  static constexpr bool inserts_new_keys = true;
  static constexpr Slot neighbourhood = 3;

  template <PairFormat Format>
  struct Layout {
    HasherOf<Format> hasher;

    std::uint64_t slots() const { return hasher.slots(); }
    Slot home(typename Format::Key key) const { return hasher.home(key); }
  };
  template <PairFormat Format>
  static Layout<Format> layout(TableSettings const& settings)
  {
    return {{settings.hash, settings.slots}};
  }

  template <class Table>
  static Described describe(Table const& table, Slot slot, typename Table::Word word)
  {
    Described found = PairWords::described<typename Table::Format>(word);
    if (found.has_key) { found.measure = displacement(table.layout, slot, key_of(word)); }
    return found;
  }

  /// The first empty slot from home on, and its distance.
  struct Gap {
    Slot slot;
    Slot distance;
  };
  template <class Table>
  static Gap first_gap(Table const& table, Slot home)
  {
    Slot slot = home;
    for (Slot distance = 0; distance < table.layout.slots(); ++distance, slot = slot_after(table.layout, slot)) {
      table.at("gap", "slot", slot, "distance", distance);
      if (table.machine.load(slot) == Table::Format::empty_word) { return {slot, distance}; }
    }
    return {no_slot, 0};
  }
};

/// WRONG. Hopscotch hashing as in Shortt 2020, 'Dynamic Hopscotch on the GPU', 4.3: a move first writes the copy and
/// then clears the key's old place, each by a compare-and-swap, and an insertion starts over if one of them fails. Two
/// insertions may both copy the same key, each into its own gap, before either has cleared its old place.
struct CopyThenClear : SmallHopscotch {
  static constexpr Guarantees guarantees(TableSettings const&)
  {
    return {.concurrency = Concurrency::phased, .erase_frees_slot = true};
  }
  static constexpr FamilyInfo info{
      .name = "copy_then_clear",
      .title = "Hopscotch, copy then clear",
      .source = "Shortt 2020, Dynamic Hopscotch on the GPU, section 4.3",
      .idea = "To bring a gap nearer, an insertion writes a copy of a key into it, and then clears the key's old slot.",
      .guarantees = guarantees};
  static constexpr std::array fills{Fill::pair};
  static constexpr std::string_view pseudocode = R"code(insert(key, value)
  gap = the first empty slot from home(key) on  @gap
  if it is in the neighbourhood:
    put (key, value) there, if it is still empty  @take
    done
  read slots[from], from as far before gap as may be  @candidate
  if its key may move to gap:
    copy it to slots[gap], if that is still empty  @copy
    empty slots[from], if it still holds the key  @clear
  start over

find(key)
  for each slot of the neighbourhood of home(key):
    read slots[slot]  @look
    if it holds key: found
  not in the table

erase(key)
  follow the path of find(key)  @look
  if it holds key: empty the slot  @remove
)code";
  static constexpr std::string_view flaw =
      translatable("A key that is being moved is in two slots for a while. A second insertion can then move it, too.");

  template <class Table>
  static auto insert(Table const& table, typename Table::Key key, typename Table::Value value) -> typename Table::Result
  {
    auto const empty = Table::Format::empty_word;
    typename Table::Result result{Outcome::full, no_slot, value};
    for (int tries = 16; tries != 0; --tries) {
      Gap const gap = first_gap(table, table.layout.home(key));
      if (gap.slot == no_slot) { break; }
      if (gap.distance >= neighbourhood) {
        if (!move_into(table, gap.slot)) { break; }
        ++result.moves;
      } else {
        table.at("take", "gap", gap.slot);
        if (table.machine.compare_exchange(gap.slot, empty, pack(key, value)) != empty) { continue; }
        result.outcome = Outcome::inserted;
        result.slot = gap.slot;
        break;
      }
    }
    return result;
  }

  template <class Table>
  static auto find(Table const& table, typename Table::Key key) -> typename Table::Result
  {
    Slot slot = table.layout.home(key);
    for (Slot left = neighbourhood; left != 0; --left, slot = slot_after(table.layout, slot)) {
      table.at("look", "slot", slot);
      auto const word = table.machine.load(slot);
      if (key_of(word) == key) { return {Outcome::found, slot, value_of(word)}; }
    }
    return {Outcome::missing, no_slot, Table::Format::empty_value};
  }

  template <class Table>
  static auto erase(Table const& table, typename Table::Key key) -> typename Table::Result
  {
    return erase_pair(table, find(table, key), key, Table::Format::empty_word);
  }

private:
  /// Returns false if no key may move there.
  template <class Table>
  static bool move_into(Table const& table, Slot gap)
  {
    auto const empty = Table::Format::empty_word;
    for (Slot steps = neighbourhood - 1; steps != 0; --steps) {
      Slot const from = slot_before(table.layout, gap, steps);
      table.at("candidate", "from", from, "gap", gap);
      auto const word = table.machine.load(from);
      if (word == empty || displacement(table.layout, gap, key_of(word)) >= neighbourhood) { continue; }
      table.at("copy", "from", from, "gap", gap);
      if (table.machine.compare_exchange(gap, empty, word) == empty) {
        table.at("clear", "from", from, "gap", gap);
        table.machine.compare_exchange(from, word, empty);
      }
      return true;  // even if one of them failed: the insertion searches again
    }
    return false;
  }
};

/// Hopscotch hashing as in Herlihy, Shavit & Tzafrir 2008: each home has a bitmap of the slots that hold its keys, and
/// a lookup reads the bitmap, then those slots. One thread at a time inserts (the paper's locks); lookups take no lock.
///
/// WRONG without timestamps: a lookup that has read the bitmap misses a key that is then moved. With timestamps, moving
/// one of the home's keys changes the home's timestamp before the old slot is cleared, and an unsuccessful lookup
/// searches again if the timestamp has changed.
template <bool has_timestamps>
struct BitmapHopscotch : SmallHopscotch {
  static constexpr std::size_t max_writers = 1;
  static constexpr bool has_numbers_of_slots = true;
  static constexpr Guarantees guarantees(TableSettings const&)
  {
    return {.concurrency = Concurrency::erases_apart, .erase_frees_slot = true};
  }
  static constexpr FamilyInfo info{
      .name = has_timestamps ? "timestamped_move" : "untimed_move",
      .title =
          has_timestamps ? translatable("Hopscotch with timestamps") : translatable("Hopscotch without timestamps"),
      .source = "Herlihy, Shavit & Tzafrir 2008, Hopscotch Hashing",
      .idea = "A bitmap for each home says which of the next 3 slots hold its keys. Lookups take no lock.",
      .guarantees = guarantees};
  static constexpr std::string_view flaw =
      has_timestamps
          ? ""
          : translatable("A lookup that has read the bitmap goes to the key's old slot after the key has moved away.");

  static constexpr std::string_view pseudocode = has_timestamps ? R"code(insert(key, value)
  gap = the first empty slot from home(key) on  @gap
  reserve it  @reserve
  while it is not in the neighbourhood:
    read the bitmap of a home before it  @bitmap
    from = that home's first key: read slots[from]  @candidate
    write the key to slots[gap]  @copy
    tell the bitmap  @tell
    add 1 to the home's timestamp  @stamp
    reserve slots[from]: it is the gap now  @lift
  put (key, value) into slots[gap]  @place
  set its bit in the bitmap of home(key)  @mark

find(key)
  repeat:
    read the timestamp of home(key)  @time
    read the bitmap of home(key)  @bits
    for each slot in it:
      read slots[slot]  @look
      if it holds key: found
    read the timestamp again  @again
    if it is as it was: not in the table
    after a second try: look at all slots

erase(key)
  follow the path of find(key)  @look
  if it holds key: empty the slot  @remove
  clear its bit  @unmark
)code"
                                                                : R"code(insert(key, value)
  gap = the first empty slot from home(key) on  @gap
  reserve it  @reserve
  while it is not in the neighbourhood:
    read the bitmap of a home before it  @bitmap
    from = that home's first key: read slots[from]  @candidate
    write the key to slots[gap]  @copy
    tell the bitmap  @tell
    reserve slots[from]: it is the gap now  @lift
  put (key, value) into slots[gap]  @place
  set its bit in the bitmap of home(key)  @mark

find(key)
  read the bitmap of home(key)  @bits
  for each slot in it:
    read slots[slot]  @look
    if it holds key: found
  not in the table

erase(key)
  follow the path of find(key)  @look
  if it holds key: empty the slot  @remove
  clear its bit  @unmark
)code";

  template <PairFormat Format>
  struct Layout : SmallHopscotch::Layout<Format> {
    /// The bitmaps, followed by the timestamps.
    std::uint64_t metadata() const { return (has_timestamps ? 2 : 1) * this->slots(); }
  };
  template <PairFormat Format>
  static Layout<Format> layout(TableSettings const& settings)
  {
    return {SmallHopscotch::layout<Format>(settings)};
  }

  /// The key must be new.
  template <class Table>
  static auto insert(Table const& table, typename Table::Key key, typename Table::Value value) -> typename Table::Result
  {
    auto const& machine = table.machine;
    Slot const home = table.layout.home(key);
    typename Table::Result result{Outcome::full, no_slot, value};
    Gap gap = first_gap(table, home);
    if (gap.slot == no_slot) { return result; }
    table.at("reserve", "gap", gap.slot);
    machine.compare_exchange(gap.slot, Table::Format::empty_word, Table::Format::tombstone_word);
    while (gap.distance >= neighbourhood) {
      Slot const nearer = bring_nearer(table, gap.slot);
      if (nearer == 0) {
        table.at("place", "gap", gap.slot);
        machine.exchange(gap.slot, Table::Format::empty_word);
        return result;
      }
      gap = {slot_before(table.layout, gap.slot, nearer), gap.distance - nearer};
      ++result.moves;
    }
    table.at("place", "gap", gap.slot);
    machine.exchange(gap.slot, pack(key, value));
    table.at("mark", "home", home);
    machine.add_metadata(home, std::uint64_t{1} << gap.distance);
    result.outcome = Outcome::inserted;
    result.slot = gap.slot;
    return result;
  }

  template <class Table>
  static auto find(Table const& table, typename Table::Key key) -> typename Table::Result
  {
    Slot const home = table.layout.home(key);
    for (int tries = max_tries; tries != 0; --tries) {
      std::uint64_t const stamp = timestamp(table, home, "time");
      table.at("bits", "home", home);
      auto const result = find_marked(table, key, table.machine.load_metadata(home));
      if (result.outcome == Outcome::found || timestamp(table, home, "again") == stamp) { return result; }
    }
    return find_marked(table, key, (std::uint64_t{1} << neighbourhood) - 1);
  }

  template <class Table>
  static auto erase(Table const& table, typename Table::Key key) -> typename Table::Result
  {
    auto const erased = erase_pair(table, find(table, key), key, Table::Format::empty_word);
    if (erased.outcome == Outcome::erased) {
      Slot const home = table.layout.home(key);
      table.at("unmark", "home", home);
      table.machine.add_metadata(home, ~(std::uint64_t{1} << displacement(table.layout, erased.slot, key)) + 1);
    }
    return erased;
  }

  template <class Layout>
  static std::string explain(Layout const& layout, std::uint64_t index, std::uint64_t found, std::uint64_t written)
  {
    bool const is_stamp = index >= layout.slots();
    std::string const home = std::to_string(is_stamp ? index - layout.slots() : index);
    if (is_stamp) {
      return written == found ? "The timestamp of home " + home + " is " + std::to_string(found)
                              : "The timestamp of home " + home + " becomes " + std::to_string(written);
    }
    return "Home " + home + (written == found ? " has" : " now has") + slots_in(layout, index, written);
  }

  static std::string tell_next(Access const& access, std::uint64_t slots)
  {
    if (access.place < slots) { return {}; }
    std::uint64_t const index = access.place - slots;
    std::string const what = index < slots ? "the bitmap of home " + std::to_string(index)
                                           : "the timestamp of home " + std::to_string(index - slots);
    return (access.is_load() ? "reads " : "changes ") + what;
  }

private:
  static constexpr int max_tries = 2;

  template <class Layout>
  static std::string slots_in(Layout const& layout, std::uint64_t home, std::uint64_t bits)
  {
    std::string slots;
    bool const several = std::popcount(bits) > 1;
    for (; bits != 0; bits &= bits - 1) {
      std::uint64_t const slot = (home + static_cast<std::uint64_t>(std::countr_zero(bits))) % layout.slots();
      slots += (slots.empty() ? "" : " and ") + std::to_string(slot);
    }
    if (slots.empty()) { return " no key, says its bitmap"; }
    return (several ? " keys in slots " : " a key in slot ") + slots + ", says its bitmap";
  }

  template <class Table>
  static std::uint64_t timestamp(Table const& table, Slot home, [[maybe_unused]] char const* line)
  {
    if constexpr (has_timestamps) {
      table.at(line, "home", home);
      return table.machine.load_metadata(table.layout.slots() + home);
    } else {
      return 0;
    }
  }

  template <class Table>
  static auto find_marked(Table const& table, typename Table::Key key, std::uint64_t bits) -> typename Table::Result
  {
    Slot slot = table.layout.home(key);
    for (; bits != 0; bits >>= 1, slot = slot_after(table.layout, slot)) {
      if ((bits & 1) == 0) { continue; }
      table.at("look", "slot", slot);
      auto const word = table.machine.load(slot);
      if (key_of(word) == key) { return {Outcome::found, slot, value_of(word)}; }
    }
    return {Outcome::missing, no_slot, Table::Format::empty_value};
  }

  /// Moves a key into the reserved gap; its old slot then becomes the reserved gap. Returns how much nearer the gap is.
  template <class Table>
  static Slot bring_nearer(Table const& table, Slot gap)
  {
    auto const& machine = table.machine;
    for (Slot steps = neighbourhood - 1; steps != 0; --steps) {
      Slot const home = slot_before(table.layout, gap, steps);
      table.at("bitmap", "home", home, "gap", gap);
      std::uint64_t const bits = machine.load_metadata(home);
      auto const first = static_cast<Slot>(std::countr_zero(bits));
      if (first >= steps) { continue; }
      Slot const from = slot_before(table.layout, gap, steps - first);
      table.at("candidate", "from", from, "gap", gap);
      auto const word = machine.load(from);
      table.at("copy", "from", from, "gap", gap);
      machine.exchange(gap, word);
      table.at("tell", "home", home);
      machine.add_metadata(home, (std::uint64_t{1} << steps) - (std::uint64_t{1} << first));
      if constexpr (has_timestamps) {
        table.at("stamp", "home", home);
        machine.add_metadata(table.layout.slots() + home, 1);
      }
      table.at("lift", "from", from);
      machine.exchange(from, Table::Format::tombstone_word);
      return steps - first;
    }
    return 0;
  }
};

}  // namespace slotscape::races::published
