// Operations of lanes that read windows for one another: on the host, where one thread plays a tile. (Tables of the CPU
// run only insertions so; those of a GPU, which the conformance suite tests, all three.)

#include "gpu/engine/run_together.hpp"
#include "gpu/execution/cpu.hpp"
#include "gpu/tables/gel_hash.hpp"
#include "gpu/tables/segmented_cuckoo.hpp"
#include "gpu/tables/slab.hpp"
#include "gpu/tables/warp_cooperative.hpp"
#include "gpu/tables/without_evictions.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <vector>

namespace slotscape {
namespace {

/// A table in plain memory, and a batch of as many keys as are given.
template <class Family, PairFormat Format, int lanes>
class Together {
  using Key = typename Format::Key;
  using Machine = exec::Cpu::Machine<Format>;
  using Layout = typename Family::template Layout<Format>;

public:
  explicit Together(TableSettings const& settings)
      : layout_(Family::template layout<Format>(settings)),
        words_(layout_.slots(), Format::empty_word),
        metadata_(layout_.slots())
  {
  }

  std::uint64_t slots() const { return layout_.slots(); }
  /// Keys get 3 times themselves as values; afterwards `values` has those that were found.
  template <OperationMask kinds>
  Tally run(std::vector<Key> const& keys)
  {
    values.resize(keys.size());
    std::ranges::transform(keys, values.begin(), [](Key key) { return 3 * key; });
    outcomes.resize(keys.size());
    Batch<Format> const batch{keys.size(), nullptr, keys.data(), values.data(), outcomes.data(), nullptr, false, kinds};
    using Run = RunTogether<Family, View<Layout, Machine>, kinds, lanes>;
    return exec::Cpu().tally_together(keys.size(), Run{{view(), batch, kinds, nullptr}});
  }
  View<Layout, Machine> view() { return {{words_.data(), metadata_.data()}, layout_}; }
  std::vector<typename Format::Word> const& words() const { return words_; }

  std::vector<Key> values;
  std::vector<Outcome> outcomes;

private:
  Layout layout_;
  std::vector<typename Format::Word> words_;
  std::vector<std::uint64_t> metadata_;
};

template <class Family, PairFormat Format, int lanes>
void expect_a_table(TableSettings const& settings, double load)
{
  using Key = typename Format::Key;
  Together<Family, Format, lanes> table(settings);
  auto const count = static_cast<std::size_t>(load * static_cast<double>(table.slots()));
  std::vector<Key> keys(count);
  std::iota(keys.begin(), keys.end(), Key{7});
  EXPECT_EQ(table.template run<OperationMask::inserts>(keys)[Outcome::inserted], count);
  EXPECT_EQ(table.template run<OperationMask::inserts>(keys)[Outcome::updated], count);
  std::vector<Key> const first(keys.begin(), keys.begin() + static_cast<std::ptrdiff_t>(count / 2));
  EXPECT_EQ(table.template run<OperationMask::erases>(first)[Outcome::erased], first.size());
  EXPECT_EQ(table.template run<OperationMask::erases>(first)[Outcome::missing], first.size());

  keys.push_back(Format::empty_key);
  Tally const tally = table.template run<OperationMask::finds>(keys);
  EXPECT_EQ(tally[Outcome::missing], first.size());
  EXPECT_EQ(tally[Outcome::rejected], 1u);
  EXPECT_EQ(table.outcomes.back(), Outcome::rejected);
  for (std::size_t i = 0; i < count; ++i) {
    ASSERT_EQ(table.outcomes[i], i < first.size() ? Outcome::missing : Outcome::found);
    ASSERT_EQ(table.values[i], i < first.size() ? Format::empty_value : 3 * keys[i]);
  }
  keys.pop_back();
  EXPECT_EQ(table.template run<OperationMask::inserts>(keys)[Outcome::inserted], first.size());
}

TEST(RunTogether, OnTheHostSlabsGrowAndAreSearched)
{
  expect_a_table<Slab, Narrow, 16>({.family = "slab", .slots = 4096}, 0.6);
  expect_a_table<Slab, Narrow, 16>({.family = "slab", .slots = 4096, .parameters = {{"pool", 100}}}, 0.45);
}

TEST(RunTogether, OnTheHostListsOfNodesGrowAndAreSearched)
{
  for (Deletion const deletion : {Deletion::empty_value, Deletion::tombstone_reuse}) {
    TableSettings const settings{.family = "gel_hash", .slots = 4096, .deletion = deletion};
    expect_a_table<GelHash, Narrow, 8>(settings, 0.55);
    expect_a_table<GelHash, Wide, 8>(settings, 0.55);
  }
}

TEST(RunTogether, OnTheHostWindowsOfEveryWidthAreSearched)
{
  for (Deletion const deletion : {Deletion::empty_value, Deletion::tombstone_reuse}) {
    auto const with = [&](std::uint32_t tile) {
      return TableSettings{.family = "warp_cooperative",
                           .slots = 1000,
                           .deletion = deletion,
                           .parameters = {{"tile", tile}}};
    };
    expect_a_table<WarpCooperative, Narrow, 2>(with(2), 0.95);
    expect_a_table<WarpCooperative, Wide, 4>(with(4), 0.95);
    expect_a_table<WarpCooperative, Narrow, 8>(with(8), 1.0);
    expect_a_table<WarpCooperative, Wide, 16>(with(16), 0.95);
    expect_a_table<WarpCooperative, Wide, 32>(with(32), 0.9);
  }
}

/// Each key comes four times. All of its copies are `full`, or one is inserted and the others update it.
template <class Family, PairFormat Format, int lanes>
void expect_insertions_without_evictions(TableSettings const& settings)
{
  using Key = typename Format::Key;
  constexpr std::size_t copies = 4;
  for (double const load : {0.05, 0.8, 1.2}) {
    Together<WithoutEvictions<Family>, Format, lanes> table(settings);
    auto const count = static_cast<std::size_t>(load * static_cast<double>(table.slots()));
    std::vector<Key> keys(copies * count);
    for (std::size_t i = 0; i < keys.size(); ++i) { keys[i] = static_cast<Key>(7 + i / copies); }
    Tally const tally = table.template run<OperationMask::inserts>(keys);
    std::uint64_t placed = 0;
    for (std::size_t first = 0; first < keys.size(); first += copies) {
      auto const begin = table.outcomes.begin() + static_cast<std::ptrdiff_t>(first);
      auto const of_outcome = [&](Outcome outcome) { return std::count(begin, begin + copies, outcome); };
      bool const is_placed = of_outcome(Outcome::inserted) == 1 && of_outcome(Outcome::updated) == copies - 1;
      ASSERT_TRUE(is_placed || of_outcome(Outcome::full) == copies) << "key " << keys[first] << ", load " << load;
      placed += is_placed ? 1 : 0;
      Outcome const found = Family::find(table.view(), exec::HostLanes<lanes>{}, keys[first]).outcome;
      ASSERT_EQ(found, is_placed ? Outcome::found : Outcome::missing) << "key " << keys[first];
    }
    EXPECT_EQ(tally[Outcome::inserted], placed);
    EXPECT_EQ(std::ranges::count(table.words(), Format::empty_word),
              static_cast<std::ptrdiff_t>(table.slots() - placed));
    if (load < 0.1) { EXPECT_EQ(placed, count) << "there is room for all"; }
  }
}

TEST(RunTogether, BucketsTakeKeysForWhichNothingIsEvicted)
{
  expect_insertions_without_evictions<SegmentedCuckoo, Narrow, 8>({.family = "segmented_cuckoo", .slots = 100'000});
  expect_insertions_without_evictions<SegmentedCuckoo, Wide, 8>({.family = "segmented_cuckoo", .slots = 20'000});
  for (std::uint32_t const functions : {2u, 4u}) {
    expect_insertions_without_evictions<Cuckoo, Narrow, 4>(
        {.family = "cuckoo", .slots = 50'000, .parameters = {{"functions", functions}, {"bucket", 4}}});
    expect_insertions_without_evictions<Cuckoo, Wide, 16>(
        {.family = "cuckoo", .slots = 20'000, .parameters = {{"functions", functions}, {"bucket", 16}}});
  }
}

}  // namespace
}  // namespace slotscape
