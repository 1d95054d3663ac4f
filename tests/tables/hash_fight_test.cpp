// HashFight by itself: its sub-tables, who wins them, and up to what load losers die out.

#include "gpu/tables/hash_fight.hpp"
#include "gpu/analysis/theory.hpp"
#include "gpu/execution/cpu.hpp"
#include "tests/tables/random_keys.hpp"
#include "tests/tables/tile_operations.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace slotscape::hash_fight_tests {
namespace {

TableSettings settings(std::uint64_t slots, std::uint32_t shrink = 50)
{
  return {.family = "hash_fight", .slots = slots, .parameters = {{"shrink", shrink}}};
}

TEST(HashFight, SubTablesFillTheTableAndShrink)
{
  for (std::uint32_t const shrink : HashFight::shrink_choices) {
    for (std::uint64_t const slots :
         {std::uint64_t{16}, std::uint64_t{17}, std::uint64_t{1000}, std::uint64_t{1} << 31}) {
      auto const layout = HashFight::layout<Narrow>(settings(slots, shrink));
      std::uint64_t end = 0;
      Slot before = static_cast<Slot>(slots);
      int rounds = 0;
      for (auto round = layout.first(); round.size != 0; round = layout.after(round), ++rounds) {
        EXPECT_EQ(round.first, end);
        EXPECT_LE(round.size, before);
        if (round.size > 100) {
          EXPECT_NEAR(round.size, (rounds == 0 ? 1.0 - shrink / 100.0 : shrink / 100.0) * before, 1.0);
        }
        before = round.size;
        end += round.size;
      }
      EXPECT_EQ(end, slots);
      TableParts const parts = HashFight::parts(settings(slots, shrink));
      ASSERT_EQ(parts.size(), static_cast<std::size_t>(rounds));
      EXPECT_EQ(parts[1], (TablePart{"T2", layout.first().size, layout.after(layout.first()).size}));
      EXPECT_LT(rounds, 64);
    }
  }
}

/// Plain arrays, one key after another: whoever comes last has the slot.
std::vector<std::uint64_t> simulated_winners(std::uint64_t slots, std::uint32_t shrink, std::uint64_t keys,
                                             unsigned seed)
{
  std::mt19937_64 random(seed);
  std::vector<std::uint64_t> winners;
  for (auto round = hash_fight::first_round(static_cast<Slot>(slots), shrink); round.size != 0 && keys != 0;
       round = round.next(static_cast<Slot>(slots), shrink)) {
    std::vector<bool> hit(round.size);
    for (std::uint64_t key = 0; key < keys; ++key) { hit[random() % round.size] = true; }
    winners.push_back(static_cast<std::uint64_t>(std::ranges::count(hit, true)));
    keys -= winners.back();
  }
  return winners;
}

TEST(HashFight, AsManyWinEachRoundAsTheoryAndASimulationSay)
{
  constexpr std::uint64_t slots = 1u << 17;
  for (std::uint32_t const shrink : HashFight::shrink_choices) {
    auto const table = settings(slots, shrink);
    auto const keys = static_cast<std::uint64_t>(0.9 * HashFight::guarantees(table).safe_load * slots);
    auto const engine = make_engine(Backend::cpu, table);
    ASSERT_EQ(engine->run(BatchRequest::inserts(keys)).outcomes[Outcome::inserted], keys);
    auto const& seen = engine->statistics().probe_length.histogram;
    auto const expected = theory::winners_of_rounds(slots, shrink, static_cast<double>(keys));
    auto const simulated = simulated_winners(slots, shrink, keys, 1);
    ASSERT_GE(seen.size(), 3u);
    for (std::size_t round = 0; round < std::min<std::size_t>(seen.size(), 4); ++round) {
      double const tolerance = 8.0 * std::sqrt(expected[round]) + 20.0;  // what is left differs from round to round
      EXPECT_NEAR(seen[round], expected[round], tolerance) << shrink << ", round " << round;
      EXPECT_NEAR(static_cast<double>(simulated[round]), expected[round], tolerance) << shrink << ", round " << round;
    }
  }
}

TEST(HashFight, AMissReadsASlotOfEachRoundUntilAnEmptyOne)
{
  constexpr std::uint64_t slots = 1u << 16;
  auto const engine = make_engine(Backend::cpu, settings(slots));
  constexpr std::uint64_t keys = slots * 6 / 10;
  ASSERT_EQ(engine->run(BatchRequest::inserts(keys)).outcomes[Outcome::inserted], keys);
  double sum = 0.0;
  std::size_t misses = 0;
  for (std::uint32_t const key : random_keys(4000, 77)) {
    Trace const trace = engine->trace(Operation::find, key, 0);
    if (trace.outcome != Outcome::missing) { continue; }
    sum += static_cast<double>(trace.steps.size());
    ++misses;
  }
  EXPECT_NEAR(sum / static_cast<double>(misses), theory::rounds_of_a_miss(slots, 50, keys), 0.1);
}

TEST(HashFight, ATableWithTooManyKeysIsRefused)
{
  exec::Cpu cpu;
  for (std::uint32_t const shrink : HashFight::shrink_choices) {
    auto layout = HashFight::layout<Narrow>(settings(4096, shrink));
    double const safe = HashFight::guarantees(settings(4096, shrink)).safe_load;
    auto const build = [&](double load, std::uint64_t seed) {
      Keys const keys = random_keys(static_cast<std::size_t>(load * 4096.0), 5);
      Keys const values(keys.size(), 1);
      std::vector<Narrow::Word> words(4096, Narrow::empty_word);
      Contents<Narrow> const pairs{keys.data(), values.data(), 0, keys.size()};
      return HashFight::build(cpu, layout, seed, pairs, words.data(), nullptr);
    };
    EXPECT_EQ(build(safe + 0.15, 1), Built::too_full) << shrink;
    int done = 0;
    for (std::uint64_t seed = 1; seed <= 20; ++seed) { done += build(safe, seed) == Built::done ? 1 : 0; }
    EXPECT_GE(done, 10) << shrink;
  }
}

}  // namespace
}  // namespace slotscape::hash_fight_tests
