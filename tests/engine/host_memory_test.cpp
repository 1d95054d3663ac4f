// Tables that lie in the host's memory, and that a GPU works on there.

#include "tests/engine/brute_force.hpp"
#include "tests/engine/engine_fixture.hpp"

#include "gpu/engine/families.hpp"
#include "gpu/engine/make_engine.hpp"

namespace slotscape::testing {
namespace {

class HostMemoryTest : public EngineTest {};
SLOTSCAPE_ON_EVERY_BACKEND(HostMemoryTest);

TEST_P(HostMemoryTest, EveryFamilyAnswersAsInTheDevicesMemory)
{
  std::mt19937 random(19);
  for (std::string const& family : family_names()) {
    for (int const key_bits : {32, 64}) {
      if (key_bits == 64 && !family_info(family).wide) { continue; }
      SCOPED_TRACE(family + ", " + std::to_string(key_bits) + " bits");
      TableSettings table{.family = family, .slots = 512, .key_bits = key_bits};
      std::vector<Key> const keys = random_keys(200, random, key_bits);
      std::vector<Value> const values = random_values(keys.size(), random);
      auto const here = make(table);
      table.memory = TableMemory::host;
      auto const away = make(table);
      for (Engine* const engine : {here.get(), away.get()}) {
        engine->insert(keys, values);
        auto const image = engine->save();
        engine->erase(std::span(keys).first(50));
        EXPECT_EQ(engine->counts().live, 150u);
        engine->restore(*image);
        engine->rehash(1024);
        EXPECT_EQ(engine->find(keys)[Outcome::found], keys.size());
        EXPECT_EQ(engine->check_invariants(), "");
      }
      EXPECT_EQ(sorted_pairs(*away), sorted_pairs(*here));
      EXPECT_EQ(away->table().memory, TableMemory::host);
    }
  }
}

}  // namespace
}  // namespace slotscape::testing
