#pragma once

#include "gpu/base/translation.hpp"
#include "gpu/races/shared_table.hpp"
#include "gpu/tables/hash.hpp"

#include <array>
#include <string>

namespace slotscape::races::published {

/// Tables that keep a key and its value in two words, written by two accesses: a slot's word holds the key, and the
/// number with the same index beside the slots is the value plus 1, 0 for no value, and all ones for an erased one.
/// Linear probing.
struct SplitPairs {
  template <PairFormat Format>
  struct Layout {
    HasherOf<Format> hasher;

    std::uint64_t slots() const { return hasher.slots(); }
    std::uint64_t metadata() const { return hasher.slots(); }
    Slot home(typename Format::Key key) const { return hasher.home(key); }
  };
  template <PairFormat Format>
  static Layout<Format> layout(TableSettings const& settings)
  {
    return {{settings.hash, settings.slots}};
  }

  static constexpr Guarantees guarantees(TableSettings const&) { return {.concurrency = Concurrency::mixed}; }
  static constexpr std::array fills{Fill::key_only, Fill::pair, Fill::value_only};
  static constexpr bool has_numbers_of_slots = true;

  template <class Table>
  static ShownSlot shown(Table const& table, Slot slot, Word word)
  {
    bool const has_key = word != Narrow::empty_word;
    Narrow::Value const value = value_in(table.machine.load_metadata(slot));
    bool const has_value = value != Narrow::empty_value;
    Fill const with_key = has_value ? Fill::pair : Fill::key_only;
    Fill const without = has_value ? Fill::value_only : Fill::empty;
    return {slot, has_key ? with_key : without, key_of(word), value, has_key ? table.layout.home(key_of(word)) : slot};
  }
  template <class Table>
  static Described describe(Table const&, Slot, Word word)
  {
    bool const has_key = word != Narrow::empty_word;
    return {has_key ? SlotState::live : SlotState::empty, has_key, 0};
  }

  /// Describes an access that returned `word`.
  static std::string tell(Access const& access, Word word, std::uint64_t slots)
  {
    bool const is_value = access.place >= slots;
    std::string const what = (is_value ? "The value of slot " : "The key of slot ") + slot_text(access, slots);
    auto const content = [&](Word there) { return is_value ? value_text(there) : key_text(there); };
    if (access.is_store()) { return what + " becomes " + content(access.desired); }
    bool const writes = access.after(word) != word;
    if (!access.is_load() && !writes) { return what + " is " + content(word) + ", so nothing is written"; }
    if (writes) { return what + " changes from " + content(word) + " to " + content(access.after(word)); }
    return what + " is " + content(word);
  }

  /// Describes an access before it is made.
  static std::string tell_next(Access const& access, std::uint64_t slots)
  {
    bool const is_value = access.place >= slots;
    std::string const what = (is_value ? "the value of slot " : "the key of slot ") + slot_text(access, slots);
    if (access.is_load()) { return "reads " + what; }
    std::string const writes =
        "sets " + what + " to " + (is_value ? value_text(access.desired) : key_text(access.desired));
    return access.kind == Access::Kind::compare_exchange ? writes + ", if it is still empty" : writes;
  }

protected:
  static std::string slot_text(Access const& access, std::uint64_t slots)
  {
    return std::to_string(access.place >= slots ? access.place - slots : access.place);
  }
  static constexpr std::uint64_t erased = ~std::uint64_t{0};

  static std::uint64_t value_word(Narrow::Value value) { return std::uint64_t{value} + 1; }
  static Narrow::Value value_in(std::uint64_t word)
  {
    return word == 0 || word == erased ? Narrow::empty_value : static_cast<Narrow::Value>(word - 1);
  }
  static std::string value_text(Word word)
  {
    return word == 0 ? "empty" : word == erased ? "erased" : std::to_string(value_in(word));
  }
  static std::string key_text(Word word) { return word == Narrow::empty_word ? "empty" : std::to_string(key_of(word)); }

  /// The key's slot; `no_slot` if an empty slot comes first.
  template <class Table>
  static Slot slot_of(Table const& table, Narrow::Key key)
  {
    auto const slots = static_cast<Slot>(table.layout.slots());
    Slot slot = table.layout.home(key);
    for (Slot left = slots; left != 0; --left, slot = slot + 1 == slots ? 0 : slot + 1) {
      table.at("look", "slot", slot);
      Word const seen = table.machine.load(slot);
      if (seen == Narrow::empty_word) { return no_slot; }
      if (key_of(seen) == key) { return slot; }
    }
    return no_slot;
  }

  template <class Table>
  static Result<Narrow> erase_split(Table const& table, Narrow::Key key)
  {
    Slot const slot = slot_of(table, key);
    if (slot == no_slot) { return {Outcome::missing, no_slot, Narrow::empty_value}; }
    table.at("remove", "slot", slot);
    Narrow::Value const old = value_in(table.machine.exchange_metadata(slot, erased));
    return {old == Narrow::empty_value ? Outcome::missing : Outcome::erased, slot, old};
  }
};

/// WRONG as soon as it reports outcomes. Farrell 2020, 'A Simple GPU Hash Table': a compare-and-swap claims the key's
/// word, then a plain store writes the value. A key without a value counts as missing, so lookups are harmless. But of
/// two insertions of one key, the one that finds the key claimed may write its value first: it reports 'updated', and
/// its value is overwritten by the one that reports 'inserted'.
struct ValueAfterKey : SplitPairs {
  static constexpr FamilyInfo info{
      .name = "value_after_key",
      .title = "Separate keys and values",
      .source = "Farrell 2020, A Simple GPU Hash Table",
      .idea = "A compare-and-swap claims a slot for a key; its value, in another word, is written by a plain store.",
      .guarantees = guarantees};
  static constexpr std::string_view pseudocode = R"code(insert(key, value)
  slot = home(key)
  repeat:
    make key the key of slot, if it has none  @claim
    if it has key now:
      store value as the value of slot  @value
      done
    slot = slot + 1, after the last one 0

find(key)
  slot = home(key)
  repeat:
    read the key of slot  @look
    if it is key: go on
    if it is empty: not in the table
    slot = slot + 1, after the last one 0
  read the value of slot: found, if it has one  @read

erase(key)
  follow the path of find(key)  @look
  if it is there: take its value away  @remove
)code";
  static constexpr std::string_view flaw = translatable(
      "An insertion writes its value after its key. Another insertion that finds the key can be overtaken: it reports "
      "'updated', but its value is overwritten by the insertion that reports 'inserted'.");

  template <class Table>
  static Result<Narrow> insert(Table const& table, Narrow::Key key, Narrow::Value value)
  {
    auto const slots = static_cast<Slot>(table.layout.slots());
    Slot slot = table.layout.home(key);
    for (Slot left = slots; left != 0; --left, slot = slot + 1 == slots ? 0 : slot + 1) {
      table.at("claim", "slot", slot);
      Word const old = table.machine.compare_exchange(slot, Narrow::empty_word, pack(key, Narrow::Value{0}));
      if (old != Narrow::empty_word && key_of(old) != key) { continue; }
      table.at("value", "slot", slot);
      table.machine.store_metadata(slot, value_word(value));
      return {old == Narrow::empty_word ? Outcome::inserted : Outcome::updated, slot, value};
    }
    return {Outcome::full, no_slot, value};
  }
  template <class Table>
  static Result<Narrow> find(Table const& table, Narrow::Key key)
  {
    Slot const slot = slot_of(table, key);
    if (slot == no_slot) { return {Outcome::missing, no_slot, Narrow::empty_value}; }
    table.at("read", "slot", slot);
    Narrow::Value const value = value_in(table.machine.load_metadata(slot));
    return {value == Narrow::empty_value ? Outcome::missing : Outcome::found, slot, value};
  }
  template <class Table>
  static Result<Narrow> erase(Table const& table, Narrow::Key key)
  {
    return erase_split(table, key);
  }
};

/// A single writer stores the value first and then publishes the key; readers that see the key assume that its value is
/// there. WRONG with plain stores if these may become visible out of order; correct if the store of the key is a
/// release.
template <bool releases>
struct PublishedKey : SplitPairs {
  static constexpr std::size_t max_writers = 1;
  static constexpr FamilyInfo info{
      .name = releases ? "released_key" : "published_key",
      .title = releases ? translatable("Key released after its value") : translatable("Key stored after its value"),
      .source = "Message passing, the first litmus test of every model of memory",
      .idea = releases ? translatable("One writer stores the value, and then the key, with a release store.")
                       : translatable("One writer stores the value, and then the key, both with plain stores."),
      .guarantees = guarantees};
  static constexpr std::string_view pseudocode = releases ? R"code(insert(key, value)
  slot = home(key)
  repeat:
    read the key of slot  @seek
    if it is key, or empty:
      was there a value before?  @old
      store value as the value of slot  @value
      store, by a release, key as its key  @publish
      done
    slot = slot + 1, after the last one 0

find(key)
  slot = home(key)
  repeat:
    read the key of slot  @look
    if it is key: go on
    if it is empty: not in the table
    slot = slot + 1, after the last one 0
  read the value of slot: found  @read

erase(key)
  follow the path of find(key)  @look
  if it is there: take its value away  @remove
)code"
                                                          : R"code(insert(key, value)
  slot = home(key)
  repeat:
    read the key of slot  @seek
    if it is key, or empty:
      was there a value before?  @old
      store value as the value of slot  @value
      store key as its key  @publish
      done
    slot = slot + 1, after the last one 0

find(key)
  slot = home(key)
  repeat:
    read the key of slot  @look
    if it is key: go on
    if it is empty: not in the table
    slot = slot + 1, after the last one 0
  read the value of slot: found  @read

erase(key)
  follow the path of find(key)  @look
  if it is there: take its value away  @remove
)code";
  static constexpr std::string_view flaw =
      releases ? ""
               : translatable(
                     "Plain stores may become visible out of order: a lookup then sees the key before its value. This "
                     "is correct only where memory keeps the order.");

  template <class Table>
  static Result<Narrow> insert(Table const& table, Narrow::Key key, Narrow::Value value)
  {
    auto const slots = static_cast<Slot>(table.layout.slots());
    Slot slot = table.layout.home(key);
    for (Slot left = slots; left != 0; --left, slot = slot + 1 == slots ? 0 : slot + 1) {
      table.at("seek", "slot", slot);
      Word const seen = table.machine.load(slot);
      if (seen != Narrow::empty_word && key_of(seen) != key) { continue; }
      bool stored = false;
      if (seen != Narrow::empty_word) {
        table.at("old", "slot", slot);
        stored = value_in(table.machine.load_metadata(slot)) != Narrow::empty_value;
      }
      table.at("value", "slot", slot);
      table.machine.store_metadata(slot, value_word(value));
      Word const word = pack(key, Narrow::Value{0});
      if (seen == Narrow::empty_word) {
        table.at("publish", "slot", slot);
        releases ? table.machine.release_store(slot, word) : table.machine.store(slot, word);
      }
      return {stored ? Outcome::updated : Outcome::inserted, slot, value};
    }
    return {Outcome::full, no_slot, value};
  }
  /// The value may be erased. The lookup does not expect a value that has not arrived yet.
  template <class Table>
  static Result<Narrow> find(Table const& table, Narrow::Key key)
  {
    Slot const slot = slot_of(table, key);
    if (slot == no_slot) { return {Outcome::missing, no_slot, Narrow::empty_value}; }
    table.at("read", "slot", slot);
    std::uint64_t const value = table.machine.load_metadata(slot);
    return {value == erased ? Outcome::missing : Outcome::found, slot, value_in(value)};
  }
  template <class Table>
  static Result<Narrow> erase(Table const& table, Narrow::Key key)
  {
    return erase_split(table, key);
  }
};

}  // namespace slotscape::races::published
