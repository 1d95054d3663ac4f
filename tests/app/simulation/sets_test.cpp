// Keys without values in the window: a set is a table like any other, with nothing to show for a value.

#include "app/simulation/families.hpp"
#include "app/simulation/simulation.hpp"
#include "app/table_scene/table_state.hpp"
#include "gpu/base/error.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <memory>

namespace slotscape {
namespace {

using ::testing::HasSubstr;

TableSettings a_set_of(std::string const& family, std::uint64_t slots)
{
  TableSettings table{.family = family, .slots = slots};
  set_values(table, false);
  return table;
}

std::vector<Key> keys_of_set(Simulation& simulation, std::size_t table = 0)
{
  std::vector<Key> keys;
  for (Pair const& pair : simulation.engine(table).pairs()) {
    EXPECT_EQ(pair.value, 0u);
    keys.push_back(pair.key);
  }
  std::ranges::sort(keys);
  return keys;
}

TEST(Sets, EraseInOneWayAndCombineNothing)
{
  TableSettings table{.combine = Combine::add};
  set_values(table, false);
  EXPECT_TRUE(table.keys_only);
  EXPECT_EQ(table.deletion, Deletion::tombstone_reuse);
  EXPECT_EQ(table.combine, Combine::replace);
  EXPECT_NO_THROW(validate(table, Backend::cpu));
  set_values(table, true);
  EXPECT_EQ(table, (TableSettings{.deletion = Deletion::tombstone_reuse}));
}

TEST(Sets, TakeHalfTheBytes)
{
  TableSettings const set = a_set_of("quadratic", 1024);
  TableSettings pairs = set;
  pairs.keys_only = false;
  EXPECT_EQ(2 * bytes_of_pairs(set, 1024), bytes_of_pairs(pairs, 1024));
  EXPECT_EQ(make_engine(Backend::cpu, set)->memory_bytes(), bytes_of_pairs(set, 1024));
}

TEST(Sets, AreLeftForAFamilyThatHasNone)
{
  TableSettings const set = a_set_of("linear_probing", 1024);
  EXPECT_TRUE(with_family(set, family_info("quadratic")).keys_only);
  TableSettings const other = with_family(set, family_info("cuckoo"));
  EXPECT_FALSE(other.keys_only);
  EXPECT_NO_THROW(make_engine(Backend::cpu, other));
}

/// Through a family that has none, and back.
TEST(Sets, AreRememberedAsWhatWasAskedFor)
{
  TableSettings asked = a_set_of("linear_probing", 1024);
  asked.family = "cuckoo";
  TableSettings const given = fitted({asked}).front();
  EXPECT_FALSE(given.keys_only);
  TableState state;
  state.settings.table = given;
  note_asked({&state}, {asked});
  EXPECT_EQ(how_they_differ({&state}), "Cuckoo hashing cannot store keys without values.");
  TableSettings again = asked_of(state);
  again.family = "quadratic";
  EXPECT_TRUE(fitted({again}).front().keys_only);
}

TEST(Sets, AreRefusedInASentence)
{
  for (std::string const& name : family_names()) {
    TableSettings const set = a_set_of(name, 1024);
    if (family_info(name).keys_alone) {
      EXPECT_NO_THROW(make_engine(Backend::cpu, set)) << name;
      continue;
    }
    try {
      make_engine(Backend::cpu, set);
      ADD_FAILURE() << name;
    } catch (Error const& error) {
      EXPECT_THAT(error.what(), HasSubstr("stores keys with values only")) << name;
    }
  }
  EXPECT_EQ(families_with_sets(), "linear_probing, simple_hash, double_hashing, quadratic, funnel");
}

/// The slots of a set are those of a table with values that erases in the same way.
TEST(Sets, HoldTheSameKeysInTheSameSlotsAsATableWithValues)
{
  TableSettings const set = a_set_of("linear_probing", 512);
  TableSettings pairs = set;
  pairs.keys_only = false;
  std::vector<Pair> some;
  for (Key key = 0; key < 300; ++key) { some.push_back({key * 7919, key + 1}); }
  Simulation simulation{Backend::cpu, std::vector{set, pairs}, {}, 1};
  OnKeys const insert{Operation::insert, std::make_shared<std::vector<Pair> const>(some)};
  simulation.submit(insert);
  OnKeys const erase{Operation::erase, std::make_shared<std::vector<Pair> const>(some.begin(), some.begin() + 100)};
  simulation.submit(erase);
  simulation.finish();
  for (Slot slot = 0; slot < 512; ++slot) {
    SlotInfo const mine = simulation.engine(0).slot(slot);
    SlotInfo const other = simulation.engine(1).slot(slot);
    ASSERT_EQ(mine.state, other.state) << slot;
    if (mine.has_key) { ASSERT_EQ(mine.pair.key, other.pair.key) << slot; }
  }
}

TEST(Sets, GoThroughFillsMixesRehashesAndBackAgain)
{
  for (std::string const family : {"linear_probing", "double_hashing", "funnel"}) {
    for (int const bits : {32, 64}) {
      SCOPED_TRACE(family);
      TableSettings table = a_set_of(family, 1u << 12);
      table.key_bits = bits;
      Simulation simulation{Backend::cpu, table, {}, 1};
      simulation.submit(FillTo{0.6});
      simulation.finish();
      std::vector<Key> const before = keys_of_set(simulation);
      auto const image = simulation.save();
      simulation.submit(BatchRequest{.count = 2000, .insert = 0.3, .find = 0.4, .erase = 0.3});
      simulation.submit(Rehash{1u << 13});
      simulation.submit(BatchRequest::erases(100));
      simulation.finish();
      EXPECT_EQ(simulation.engine().table().slots, 1u << 13);
      EXPECT_EQ(keys_of_set(simulation).size(), simulation.live());
      EXPECT_EQ(simulation.engine().check_invariants(), "");
      Statistics const statistics = simulation.engine().statistics();
      EXPECT_EQ(statistics.live, simulation.live());
      EXPECT_EQ(statistics.tombstones, 100u);
      auto const later = simulation.exchange(*image);
      EXPECT_EQ(keys_of_set(simulation), before);
      simulation.exchange(*later);
      EXPECT_EQ(simulation.engine().table().slots, 1u << 13);
      EXPECT_TRUE(simulation.engine().table().keys_only);
    }
  }
}

}  // namespace
}  // namespace slotscape
