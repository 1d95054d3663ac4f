// What graveyard hashing promises: graves evenly spaced, keys in the order of their homes, and insertions that stay
// short.

#include "gpu/tables/graveyard.hpp"

#include "gpu/engine/engine.hpp"
#include "gpu/engine/table_of.hpp"
#include "gpu/execution/cpu.hpp"
#include "gpu/tables/robin_hood.hpp"
#include "gpu/workloads/batch_buffers.hpp"
#include "tests/tables/moving_keys.hpp"
#include "tests/tables/simulated_table.hpp"

#include <gtest/gtest.h>

#include <numeric>

namespace slotscape::graveyard_tests {
namespace {

using Words = std::vector<Narrow::Word>;
using Results = std::vector<Result<Narrow>>;

/// The n-th key of a home slot, without a hash.
constexpr Narrow::Key key(Slot home, unsigned n)
{
  return 16 * n + home;
}

/// The words of a table of 2^16 slots after so many insertions, 256 at once.
template <class Family>
Words filled(std::uint64_t keys)
{
  TableSettings const settings{.family = std::string(Family::info.name), .slots = 1u << 16};
  exec::Cpu exec;
  auto const table = table_of<Family, exec::Cpu, Narrow>(exec, settings);
  std::vector<Narrow::Key> part(256);
  std::vector<Narrow::Value> values(part.size(), 1);
  std::vector<Operation> const operations(part.size(), Operation::insert);
  std::vector<Outcome> outcomes(part.size());
  for (std::uint64_t first = 0; first < keys; first += part.size()) {
    std::uint64_t const count = std::min<std::uint64_t>(part.size(), keys - first);
    for (std::uint64_t i = 0; i != count; ++i) { part[i] = scattered_key(first + i); }
    double seconds = 0.0;
    Tally const tally = table->run({count, operations.data(), part.data(), values.data(), outcomes.data(), nullptr,
                                    false, OperationMask::inserts},
                                   seconds);
    EXPECT_EQ(tally[Outcome::inserted] + tally[Outcome::updated], count);
  }
  return {table->words(), table->words() + settings.slots};
}

/// The slots that an insertion of a new key reads, on average, each into the table as it is.
template <class Family>
double insertion_cost(Words const& words)
{
  auto const layout = Family::template layout<Narrow>({.slots = words.size()});
  constexpr std::uint64_t samples = 400;
  std::uint64_t accesses = 0;
  Words changed = words;
  for (std::uint64_t i = 0; i != samples; ++i) {
    std::uint32_t count = 0;
    View<typename Family::template Layout<Narrow>, CountingMachine<HostMachine<Narrow>>> const view{
        {{changed.data(), nullptr}, &count}, layout};
    auto const result = Family::insert(view, scattered_key(words.size() + i), 1u);
    EXPECT_EQ(result.outcome, Outcome::inserted);
    accesses += count;
    changed = words;
  }
  return static_cast<double>(accesses) / samples;
}

/// At x = 8, 16, 32, 64.
template <class Family>
std::vector<double> costs()
{
  std::vector<double> found;
  for (std::uint64_t x = 8; x <= 64; x *= 2) {
    std::uint64_t const slots = 1u << 16;
    found.push_back(insertion_cost<Family>(filled<Family>(slots - slots / x)));
    std::cout << Family::info.name << " x = " << x << ": " << found.back() << " accesses\n";
  }
  return found;
}

TEST(Graveyard, AnInsertionTakesOrderXInsteadOfOrderXSquared)
{
  std::vector<double> const without = costs<RobinHood>();
  std::vector<double> const with = costs<Graveyard>();
  EXPECT_GT(without[3] / without[0], 20.0) << "eight times the x, 64 times the cost, up to noise";
  EXPECT_LT(with[3] / with[0], 12.0) << "about eight times the cost";
  EXPECT_LT(4.0 * with[3], without[3]);
}

TEST(Graveyard, GravesAreSpacedEvenlyAndLieInOrder)
{
  for (std::uint64_t const keys : {40'000u, 58'000u, 64'000u}) {
    Words words = filled<Graveyard>(keys);
    auto const layout = Graveyard::layout<Narrow>({.slots = words.size()});
    View<Graveyard::Layout<Narrow>, HostMachine<Narrow>> const view{{words.data(), nullptr}, layout};
    std::vector<std::uint64_t> homes;
    for (Slot slot = 0; slot != words.size(); ++slot) {
      ASSERT_TRUE(Graveyard::is_valid(view, slot, words[slot])) << "slot " << slot;
      if (words[slot] != Narrow::empty_word && !Graveyard::is_key(words[slot])) {
        homes.push_back(Graveyard::home_of(layout, words[slot]));
      }
    }
    std::uint64_t const free = words.size() - keys;
    EXPECT_LE(2 * homes.size(), free + free / 2) << "half of what was free at the rebuild";
    ASSERT_GT(8 * homes.size(), free) << "and few are taken by now";
    std::ranges::sort(homes);
    double const spacing = static_cast<double>(words.size()) / static_cast<double>(homes.size());
    for (std::size_t i = 1; i < homes.size(); ++i) {
      ASSERT_LT(static_cast<double>(homes[i] - homes[i - 1]), 12.0 * spacing) << "some graves were taken since";
    }
  }
}

TEST(Graveyard, ARebuildSpacesGravesEvenly)
{
  for (std::uint64_t const slots : {std::uint64_t{2000}, std::uint64_t{1} << 14, std::uint64_t{99'991}}) {
    auto const layout = Graveyard::layout<Narrow>({.slots = slots});
    Words words(slots, Narrow::empty_word);
    View<Graveyard::Layout<Narrow>, HostMachine<Narrow>> const view{{words.data(), nullptr}, layout};
    std::uint64_t const live = slots * 9 / 10;
    for (std::uint64_t i = 0; i != live; ++i) { Graveyard::insert(view, scattered_key(i), 1u); }
    for (std::uint64_t i = 0; i != live; i += 3) { Graveyard::erase(view, scattered_key(i)); }
    exec::Cpu exec;
    Graves const graves{slots / 10, slots};
    Words moved(slots, Narrow::empty_word);
    std::vector<GapChunk> chunks((slots + GapChunk::slots - 1) / GapChunk::slots);
    using Plain = View<Graveyard::Layout<Narrow>, HostMachine<Narrow>>;
    exec.for_each(chunks.size(), SummariseHomes<Graveyard, Plain>{view, words.data(), graves, chunks.data()});
    exec.for_each(1, ChainChunks{chunks.data(), chunks.size(), static_cast<std::int64_t>(slots)});
    exec.for_each(chunks.size(), MoveHomes<Graveyard, Plain>{view, words.data(), graves, chunks.data(), moved.data()});
    Plain const after{{moved.data(), nullptr}, layout};
    std::vector<std::uint64_t> homes;
    for (Slot slot = 0; slot != slots; ++slot) {
      ASSERT_TRUE(Graveyard::is_valid(after, slot, moved[slot])) << "slot " << slot;
      bool const is_grave = moved[slot] != Narrow::empty_word && !Graveyard::is_key(moved[slot]);
      if (is_grave) { homes.push_back(Graveyard::home_of(layout, moved[slot])); }
      Described const found = Graveyard::describe(after, slot, moved[slot]);
      ASSERT_EQ(found.state == SlotState::tombstone, is_grave) << "erased keys are gone";
      if (found.has_key) { ASSERT_EQ(Graveyard::find(after, key_of(moved[slot])).slot, slot); }
    }
    EXPECT_EQ(keys_in(moved).size(), live - (live + 2) / 3);
    ASSERT_EQ(homes.size(), graves.count);
    std::ranges::sort(homes);
    for (std::size_t i = 1; i < homes.size(); ++i) {
      ASSERT_NEAR(static_cast<double>(homes[i] - homes[i - 1]), static_cast<double>(slots) / graves.count, 1.0);
    }
  }
}

TEST(Graveyard, AlwaysLeavesAnEmptySlotUntilTheNextRebuild)
{
  for (std::uint64_t const slots : {16u, 17u, 100u, 1024u, 65'537u}) {
    for (std::uint64_t live = 0; live < slots; ++live) {
      std::uint64_t const period = Graveyard::rebuild_period(slots, live);
      std::uint64_t const graves = Graveyard::graves(slots, live);
      ASSERT_GE(period, 1u);
      ASSERT_LE(graves, (slots - live) / 2);
      bool const is_full_by_then = live + period == slots;
      ASSERT_TRUE(live + graves + period < slots || is_full_by_then) << live << " of " << slots;
      if (live >= slots / 2 && slots - live >= 8) { ASSERT_GT(graves, 0u); }
    }
  }
}

/// 16 slots; a grave in slot 7 whose home is 6.
class Races : public ::testing::Test {
protected:
  MovingKeys<Graveyard> const table_{TableSettings{.slots = 16, .hash = HashKind::identity}};
  Words const start_ = table_.memory({{5, pack(key(5, 1), 1u)},
                                      {6, pack(key(5, 2), 2u)},
                                      {7, Graveyard::grave_word<Narrow>(6)},
                                      {8, pack(key(7, 1), 3u)},
                                      {9, pack(key(9, 1), 4u)}});
};

TEST_F(Races, OneKeyTakesAGraveAndTheOthersGoOn)
{
  Interleavings all({table_.insert(key(5, 0), 10), table_.insert(key(6, 1), 11), table_.insert(key(6, 2), 12)},
                    [&](Words const& end, Results const& results) {
                      table_.expect_valid(end);
                      EXPECT_EQ(count(results, Outcome::inserted), 3);
                      EXPECT_EQ(keys_in(end), (std::vector<Narrow::Key>{key(5, 0), key(5, 1), key(6, 1), key(7, 1),
                                                                        key(9, 1), key(5, 2), key(6, 2)}));
                      EXPECT_EQ(std::ranges::count(end, Graveyard::grave_word<Narrow>(6)), 0);
                    });
  EXPECT_GT(all.explore(start_), 0u);
}

TEST_F(Races, AKeyBeyondAGraveIsFoundAndOneThatWouldLieBeforeItIsNot)
{
  Words words = start_;
  View<Graveyard::Layout<Narrow>, HostMachine<Narrow>> const view{{words.data(), nullptr}, table_.layout};
  EXPECT_EQ(Graveyard::find(view, key(7, 1)).slot, 8u);
  std::uint32_t accesses = 0;
  View<Graveyard::Layout<Narrow>, CountingMachine<HostMachine<Narrow>>> const counting{{{words.data(), nullptr},
                                                                                        &accesses},
                                                                                       table_.layout};
  EXPECT_EQ(Graveyard::find(counting, key(6, 1)).outcome, Outcome::missing);
  EXPECT_EQ(accesses, 2u) << "slot 6, and the grave, behind which no key of home 6 lies";
}

/// The story of an insertion that a rebuild precedes: it looks for its key, then the table changes, then the key goes
/// in.
TEST(Graveyard, AStoryShowsTheRebuildThatPrecedesAnInsertion)
{
  auto const engine = make_engine(Backend::cpu, {.family = "graveyard", .slots = 64, .hash = HashKind::identity});
  std::vector<Key> keys(32);
  std::iota(keys.begin(), keys.end(), Key{64});
  ASSERT_EQ(engine->insert(keys, keys)[Outcome::inserted], 32u);
  Trace const trace = engine->trace(Operation::insert, 1000, 5);
  std::vector<std::string> lines;
  for (Step const& step : trace.steps) {
    if (lines.empty() || lines.back() != step.place.line) { lines.emplace_back(step.place.line); }
  }
  EXPECT_EQ(lines, (std::vector<std::string>{"look", "rebuild", "meet", "swap"}));
  auto const ends_as = [&](SlotState state) {
    return std::ranges::count_if(trace.steps, [&](Step const& step) {
      return step.place.line == std::string_view("rebuild") && step.after && step.after->state == state;
    });
  };
  EXPECT_EQ(ends_as(SlotState::tombstone), 16) << "every second free slot";
  EXPECT_EQ(ends_as(SlotState::live), 31) << "all keys but the first have a grave before them";
  EXPECT_EQ(trace.summary.find("The table is rebuilt first"), 0u);
  EXPECT_EQ(engine->statistics().tombstones, 0u) << "the table itself has not been touched";
  std::vector<Key> const one{1000};
  ASSERT_EQ(engine->insert(one, one)[Outcome::inserted], 1u);
  EXPECT_EQ(engine->statistics().tombstones, 15u);
}

TEST(Graveyard, KeepsItsLoadUnderChurn)
{
  auto const engine = make_engine(Backend::cpu, {.family = "graveyard", .slots = 4096});
  std::vector<Key> keys(3900);
  std::iota(keys.begin(), keys.end(), Key{1});
  ASSERT_EQ(engine->insert(keys, keys)[Outcome::inserted], keys.size());
  for (Key round = 0; round != 60; ++round) {
    std::vector<Key> gone(100);
    std::vector<Key> fresh(100);
    std::iota(gone.begin(), gone.end(), 1 + 100 * round);
    std::iota(fresh.begin(), fresh.end(), 3901 + 100 * round);
    ASSERT_EQ(engine->erase(gone)[Outcome::erased], 100u);
    ASSERT_EQ(engine->insert(fresh, fresh)[Outcome::inserted], 100u) << "round " << round;
    ASSERT_EQ(engine->check_invariants(), "");
  }
  EXPECT_EQ(engine->statistics().live, 3900u);
  EXPECT_LE(engine->statistics().tombstones, 196u);
}

}  // namespace
}  // namespace slotscape::graveyard_tests
