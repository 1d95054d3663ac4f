#pragma once

#include "gpu/engine/engine.hpp"
#include "tests/tables/scheduled_operations.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <unordered_map>
#include <vector>

namespace slotscape {

/// Operations of a family by tiles of `Lanes` lanes, for the scheduled machine.
template <class Family, int Lanes>
struct TileOperations : ScheduledOperations<Family, exec::HostLanes<Lanes>> {
  using Base = ScheduledOperations<Family, exec::HostLanes<Lanes>>;
  using Base::Base;
  using Base::layout;
  using typename Base::Layout;
  using typename Base::Stored;
  using typename Base::Word;

  /// No key twice, and every key where a lookup comes by.
  void expect_valid(std::vector<Word> memory) const
  {
    std::vector<Stored> keys;
    HostMachine<Narrow> const machine{memory.data(), memory.data() + layout.slots()};
    View<Layout, HostMachine<Narrow>> const table{machine, layout};
    for (Slot slot = 0; slot < layout.slots(); ++slot) {
      if (!Family::describe(table, slot, memory[slot]).has_key) { continue; }
      keys.push_back(key_of(memory[slot]));
      EXPECT_EQ(Family::find(table, exec::HostLanes<Lanes>{}, keys.back()).slot, slot) << "key " << keys.back();
    }
    std::ranges::sort(keys);
    EXPECT_EQ(std::ranges::adjacent_find(keys), keys.end()) << "a key is stored twice";
  }
};

/// Batches of random inserts, finds and erases of `key_count` different keys, against a model.
inline void expect_history_of_a_map(Engine& engine, std::size_t key_count, int batches)
{
  std::mt19937 random(static_cast<unsigned>(key_count));
  std::vector<Key> keys(key_count);
  for (std::size_t i = 0; i < key_count; ++i) { keys[i] = i * 7919 + 3; }
  std::unordered_map<Key, Value> model;
  for (int batch = 0; batch < batches; ++batch) {
    std::ranges::shuffle(keys, random);
    std::vector<Key> const some(keys.begin(), keys.begin() + random() % (key_count + 1));
    std::vector<Value> values(some.size());
    std::vector<Outcome> outcomes(some.size());
    auto const expected = [&](Key key, Outcome there, Outcome not_there) {
      return model.contains(key) ? there : not_there;
    };
    int const kind = static_cast<int>(random() % 4);
    if (kind < 2) {
      std::ranges::generate(values, [&] { return random() / 2; });
      engine.insert(some, values, outcomes);
    } else if (kind == 2) {
      engine.find(some, values, outcomes);
    } else {
      engine.erase(some, outcomes);
    }
    for (std::size_t i = 0; i < some.size(); ++i) {
      if (kind < 2) {
        ASSERT_EQ(outcomes[i], expected(some[i], Outcome::updated, Outcome::inserted));
        model[some[i]] = values[i];
      } else if (kind == 2) {
        ASSERT_EQ(outcomes[i], expected(some[i], Outcome::found, Outcome::missing));
        ASSERT_EQ(values[i], model.contains(some[i]) ? model[some[i]] : empty_value);
      } else {
        ASSERT_EQ(outcomes[i], expected(some[i], Outcome::erased, Outcome::missing));
        model.erase(some[i]);
      }
    }
    ASSERT_EQ(engine.check_invariants(), "");
    ASSERT_EQ(engine.pairs().size(), model.size());
  }
}

}  // namespace slotscape
