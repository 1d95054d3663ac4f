#pragma once

#include "gpu/tables/linear_probing.hpp"

#include "gpu/base/translation.hpp"

namespace slotscape::races::published {

/// WRONG. Linear probing whose insertion takes the first tombstone that it meets, without checking whether its key lies
/// beyond, as in several libraries (cuCollections issue 606, 2024). The key may then be stored twice.
struct FirstTombstone : LinearProbing {
  static constexpr Guarantees guarantees(TableSettings const&)
  {
    return {.concurrency = Concurrency::mixed, .erase_frees_slot = true};
  }
  static constexpr FamilyInfo info{
      .name = "first_tombstone",
      .title = "First tombstone",
      .source = "NVIDIA/cuCollections, issue 606",
      .idea = "An insertion takes the first slot of its path that is empty or a tombstone, and looks no further.",
      .guarantees = guarantees,
      .deletes_two_ways = true};
  static constexpr std::string_view flaw =
      translatable("Its insertion takes the first tombstone without looking beyond it, where the key itself may be.");

  static constexpr std::string_view pseudocode = R"code(insert(key, value)
  slot = home(key)
  repeat:
    read slots[slot]  @look
    if it is empty, or a tombstone:
      put (key, value) there, if it is as it was  @take
      done
    if it holds key:
      give it the new value, if it is as it was  @put
      done
    slot = slot + 1, after the last one 0

find(key)
  slot = home(key)
  repeat:
    read slots[slot]  @look
    if it holds key: found
    if it is empty: not in the table
    slot = slot + 1, after the last one 0

erase(key)
  follow the path of find(key)  @look
  if it holds key: leave a tombstone  @remove
)code";

  template <PairFormat Format>
  static Layout<Format> layout(TableSettings const& settings)
  {
    return {{settings.hash, settings.slots}, Deletion::tombstone_reuse};
  }

  template <class Table>
  static auto insert(Table const& table, typename Table::Key key, typename Table::Value value) -> typename Table::Result
  {
    using Format = typename Table::Format;
    auto const pair = pack(key, value);
    auto path = LinearProbing::path(table.layout, key);
    for (Slot left = static_cast<Slot>(table.layout.slots()); left != 0; --left, path.next(table.layout)) {
      table.at("look", "slot", path.slot);
      auto seen = table.machine.load(path.slot);
      while (seen == Format::empty_word || seen == Format::tombstone_word) {
        table.at("take", "slot", path.slot);
        auto const old = table.machine.compare_exchange(path.slot, seen, pair);
        if (old == seen) { return {Outcome::inserted, path.slot, value}; }
        seen = old;
      }
      if (key_of(seen) != key) { continue; }
      table.at("put", "slot", path.slot);
      auto const old = table.machine.compare_exchange(path.slot, seen, pair);
      if (old == seen) { return {Outcome::updated, path.slot, value}; }
      return insert(table, key, value);  // erased or updated meanwhile: start over
    }
    return {Outcome::full, no_slot, value};
  }
};

}  // namespace slotscape::races::published
