#include "gpu/races/cases.hpp"

#include "gpu/base/error.hpp"
#include "gpu/base/translation.hpp"
#include "gpu/races/published.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace slotscape::races {
namespace {

Call insert(Narrow::Key key, Narrow::Value value)
{
  return {.operation = Operation::insert, .key = key, .value = value};
}
Call add(Narrow::Value value, Narrow::Key key)
{
  return {.operation = Operation::insert, .key = key, .value = value, .combine = Combine::add};
}
Call find(Narrow::Key key)
{
  return {.operation = Operation::find, .key = key};
}
Call erase(Narrow::Key key)
{
  return {.operation = Operation::erase, .key = key};
}

/// 8 slots, and keys that are their own hashes: 5, 13, 21 and 29 all have home 5.
RaceSettings of_family(std::string const& family, std::vector<Call> before, std::vector<Call> calls)
{
  RaceSettings race;
  race.table.family = family;
  race.before = std::move(before);
  race.calls = std::move(calls);
  return race;
}

RaceSettings reusing(std::vector<Call> before, std::vector<Call> calls)
{
  RaceSettings race = of_family("linear_probing", std::move(before), std::move(calls));
  race.table.deletion = Deletion::tombstone_reuse;
  return race;
}

RaceSettings of_published(std::string const& name, std::vector<Call> before, std::vector<Call> calls,
                          MemoryModel memory = MemoryModel::in_order)
{
  RaceSettings race = of_family("linear_probing", std::move(before), std::move(calls));
  race.published = name;
  race.memory = memory;
  return race;
}

std::vector<Case> families_at_work()
{
  return {
      {"two-inserts", "Two inserts of one key",
       "Both see the same empty slot, and both try to take it. One compare-and-swap succeeds; the other returns the "
       "new contents of the slot, so its thread finds its own key.",
       of_family("linear_probing", {insert(5, 1)}, {insert(13, 10), insert(13, 11)}), true},
      {"insert-against-erase", "Insert against erase",
       "An erased key keeps its slot, without a value. The last thread to exchange the word decides, and the words "
       "that the exchanges return tell each thread what it did.",
       of_family("linear_probing", {insert(5, 1), insert(13, 2)}, {insert(13, 10), erase(13), find(13)}), true},
      {"three-adds", "Three adds to one value",
       "Each thread reads the value, and swaps in the sum if the value has not changed since; if it has, the thread "
       "adds to the new value. No addition is lost.",
       of_family("linear_probing", {insert(13, 100)}, {add(1, 13), add(10, 13), add(1000, 13)}), true},
      {"two-slots-left", "Three keys for two slots",
       "Only two tombstones are left. Each insertion searches the whole table for its key before it takes one, and the "
       "third finds the table full.",
       reusing({insert(5, 1), insert(6, 1), insert(7, 1), insert(0, 1), insert(1, 1), insert(2, 1), insert(3, 1),
                insert(4, 1), erase(5), erase(7)},
               {insert(13, 10), insert(21, 11), insert(29, 12)}),
       true},
      {"erase-beside-inserts", "Why erases have their own phase",
       "Beyond the family's guarantees: an erase runs concurrently with two inserts of one key. It frees a slot that "
       "one insert has passed and the other has not.",
       reusing({insert(5, 1), insert(6, 1)}, {insert(13, 10), insert(13, 11), erase(5)}), false},
      {"two-new-copies", "Why duplicates of a new key are removed first",
       "Beyond the family's guarantees: Robin Hood hashing moves keys, so an insertion cannot look for its own key. A "
       "batch passes on each new key only once.",
       of_family("robin_hood", {insert(5, 1)}, {insert(13, 10), insert(13, 11)}), false},
  };
}

std::vector<Case> published_tables_at_work()
{
  return {
      {"first-tombstone", "The published reuse of tombstones",
       "An insertion that takes the first tombstone it meets may not know that its key lies beyond. Here an erase "
       "leaves a tombstone before the key while the key is being updated, and the key is stored twice.",
       of_published("first_tombstone", {insert(5, 1), insert(13, 2)}, {insert(13, 10), erase(5)}), false},
      {"copied-twice", "Hopscotch: one key, copied twice",
       "Each insertion moves a key to bring a gap nearer: it copies the key, and then clears the old slot. Both move "
       "the same key, each into its own gap, and only one clears the old slot.",
       of_published("copy_then_clear", {insert(1, 1), insert(9, 1), insert(3, 1)}, {insert(17, 10), insert(10, 11)}),
       false},
      {"missed-while-moved", "Hopscotch: a key missed while it is moved",
       "A lookup has read which slots hold the keys of a home. Then the key is moved, and the lookup reads the slot "
       "that the key has left.",
       of_published("untimed_move", {insert(1, 1), insert(2, 1), insert(3, 1)}, {insert(9, 10), find(2)}), false},
      {"moved-with-timestamp", "Hopscotch: the same with timestamps",
       "The move changes the home's timestamp before the old slot is cleared. The lookup sees that, and looks again.",
       of_published("timestamped_move", {insert(1, 1), insert(2, 1), insert(3, 1)}, {insert(9, 10), find(2)}), true},
      {"lost-update", "Keys and values in two words",
       "The second insertion finds the key that the first has claimed, writes its value, and reports 'updated'. Then "
       "the first insertion writes its own value. All four states of a slot are drawn as they occur.",
       of_published("value_after_key", {}, {insert(5, 10), insert(5, 11)}), false},
      {"key-before-value", "Stores that arrive out of order",
       "A writer stores the value, then the key. In this memory model, stores arrive in any order: the lookup sees a "
       "key that has no value yet.",
       of_published("published_key", {insert(5, 1)}, {insert(13, 10), find(13)}, MemoryModel::late_stores), false},
      {"released-key", "The same with a release",
       "A release store waits until all stores before it have arrived. A thread that sees the key then finds its "
       "value.",
       of_published("released_key", {insert(5, 1)}, {insert(13, 10), find(13)}, MemoryModel::late_stores), true},
  };
}

std::vector<Case> all_cases()
{
  std::vector<Case> all = families_at_work();
  std::ranges::move(published_tables_at_work(), std::back_inserter(all));
  return all;
}

void validate(Call const& call)
{
  if (Narrow::is_reserved(call.key)) {
    throw Error(tr("Key {} is reserved: the largest one here is {}.", call.key, largest_key(32)));
  }
  if (call.operation == Operation::insert && call.value == Narrow::empty_value) {
    throw Error(tr("Value {} is reserved: the largest one here is {}.", call.value, largest_value(32)));
  }
}

}  // namespace

Race make_race(RaceSettings const& settings)
{
  if (settings.calls.empty() || settings.calls.size() > max_threads) {
    throw Error(tr("A race has 1 to {} threads, not {}.", max_threads, settings.calls.size()));
  }
  if (settings.before.size() > max_before) {
    throw Error(tr("At most {} operations can come before a race.", max_before));
  }
  if (std::ranges::find(slot_choices, settings.table.slots) == slot_choices.end()) {
    throw Error(tr("A table for races has 8, 16, 32 or 64 slots, not {}.", settings.table.slots));
  }
  for (Call const& call : settings.before) { validate(call); }
  for (Call const& call : settings.calls) { validate(call); }
  Race race{.table = nullptr, .calls = settings.calls, .memory = settings.memory};
  if (settings.published.empty()) {
    race.table = make_shared_table(settings.table, settings.before);
    return race;
  }
  Published const* const published = find_published(settings.published);
  if (published == nullptr) { throw Error(tr("There is no published table '{}'.", settings.published)); }
  if (!settings.table.hash.is_compiled_in()) {
    throw Error(tr("A published table cannot use a formula as its hash: choose a named hash."));
  }
  race.table = published->make(settings.table, settings.before);
  return race;
}

std::span<Case const> famous_cases()
{
  static std::vector<Case> const cases = all_cases();
  return cases;
}

Case const* find_case(std::string_view name)
{
  auto const cases = famous_cases();
  auto const found = std::ranges::find(cases, name, &Case::name);
  return found == cases.end() ? nullptr : &*found;
}

}  // namespace slotscape::races
