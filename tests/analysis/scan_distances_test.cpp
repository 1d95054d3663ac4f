#include "gpu/analysis/scan_distances.hpp"

#include "gpu/tables/hopscotch.hpp"
#include "gpu/tables/linear_probing.hpp"
#include "gpu/tables/robin_hood.hpp"

#include <gtest/gtest.h>

#include <array>
#include <random>

namespace slotscape::passes {
namespace {

/// Words as a family may have them in slots from `first` on: keys near their homes and far from them, empty slots,
/// tombstones and, but for hopscotch, which keeps none, erased keys.
template <class Family, class Hasher>
std::array<Narrow::Word, DistanceScan::size> words_from(Slot first, Hasher const& hasher, std::mt19937& random)
{
  std::array<Narrow::Word, DistanceScan::size> words;
  for (std::size_t k = 0; k < words.size(); ++k) {
    std::uint64_t const slots = hasher.slots();
    std::uint64_t const behind = random() % 8 == 0 ? random() % 4000 : random() % 8;
    auto const home = static_cast<Slot>((first + k + slots - behind % slots) % slots);
    Narrow::Key const key = hasher.key_with_home(home, random() % hasher.keys_per_home());
    switch (random() % 6) {
      case 0: words[k] = Narrow::empty_word; break;
      case 1: words[k] = Narrow::tombstone_word; break;
      case 2:
        if (!std::same_as<Family, Hopscotch>) {
          words[k] = pack(key, Narrow::empty_value);
          break;
        }
        [[fallthrough]];
      default: words[k] = pack(key, static_cast<Narrow::Value>(random() % 2 == 0 ? 0 : Narrow::empty_value - 1));
    }
  }
  return words;
}

template <class Family>
void expect_described(HashKind hash, std::uint64_t slots, Slot first, unsigned seed)
{
  auto const layout = Family::template layout<Narrow>({.slots = slots, .hash = hash});
  DistanceScan const scan(layout.hasher);
  ASSERT_TRUE(scan.is_possible());
  std::mt19937 random(seed);
  auto const words = words_from<Family>(first, layout.hasher, random);
  std::array<SlotMark, DistanceScan::size> marks;
  std::array<std::uint64_t, DistanceScan::size / 64> occupied;
  std::array<std::uint32_t, DistanceScan::size> measures;
  auto const found = scan(first, words.data(), marks.data(), occupied.data(), measures.data());
  ASSERT_LT(found.bound, measure_code::exact);
  View<decltype(layout), HostMachine<Narrow>> const table{{nullptr, nullptr}, layout};
  std::uint32_t tombstones = 0;
  for (std::size_t k = 0; k < words.size(); ++k) {
    Described const expected = Family::describe(table, first + static_cast<Slot>(k), words[k]);
    bool const live = expected.state == SlotState::live;
    ASSERT_EQ(marks[k], make_mark(expected)) << "slot " << first + k;
    ASSERT_EQ(occupied[k / 64] >> (k % 64) & 1, expected.state == SlotState::empty ? 0u : 1u) << "slot " << first + k;
    if (live) { ASSERT_EQ(measures[k], expected.measure) << "slot " << first + k; }
    if (!live) { ASSERT_GT(measures[k], found.bound) << "slot " << first + k; }
    tombstones += expected.state == SlotState::tombstone;
  }
  EXPECT_EQ(found.tombstones, tombstones);
}

class DistanceScanTest : public ::testing::Test {
protected:
  void SetUp() override
  {
    if (!DistanceScan({HashKind::murmur3, 16}).is_possible()) { GTEST_SKIP() << "this processor has no AVX2"; }
  }
};

TEST_F(DistanceScanTest, SaysWhatTheFamiliesSay)
{
  constexpr std::array hashes{HashKind::murmur3, HashKind::xxhash, HashKind::fibonacci, HashKind::identity};
  for (HashKind const hash : hashes) {
    for (std::uint64_t const slots :
         {256ull, 4096ull, 5000ull, 1000003ull, 1ull << 24, (1ull << 31) - 100, 1ull << 31}) {
      bool const is_power = std::has_single_bit(slots);
      if (!is_power && hash == HashKind::identity) {
        EXPECT_FALSE(DistanceScan({hash, slots}).is_possible());
        continue;
      }
      SCOPED_TRACE(::testing::Message() << slots << " slots, hash " << static_cast<int>(hash));
      auto const last = static_cast<Slot>((slots - DistanceScan::size) / DistanceScan::size * DistanceScan::size);
      for (Slot const first : {Slot{0}, last / 2, last}) {
        expect_described<LinearProbing>(hash, slots, first, 1);
        expect_described<RobinHood>(hash, slots, first, 2);
        expect_described<Hopscotch>(hash, slots, first, 3);
        if (HasFatalFailure()) { return; }
      }
    }
  }
}

TEST_F(DistanceScanTest, BoundsMeasuresThatMarksCannotHold)
{
  constexpr std::uint64_t slots = 1u << 20;
  BasicHasher<Narrow::Key> const hasher(HashKind::murmur3, slots);
  std::array<Narrow::Word, DistanceScan::size> words;
  words.fill(Narrow::empty_word);
  words[7] = pack(hasher.key_with_home(slots - 100'000, 0), 1u);
  std::array<SlotMark, DistanceScan::size> marks;
  std::array<std::uint64_t, DistanceScan::size / 64> occupied;
  std::array<std::uint32_t, DistanceScan::size> measures;
  auto const found = DistanceScan(hasher)(0, words.data(), marks.data(), occupied.data(), measures.data());
  EXPECT_GE(found.bound, 100'007u);
  EXPECT_EQ(measures[7], 100'007u);
}

}  // namespace
}  // namespace slotscape::passes
