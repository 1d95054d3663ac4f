// Operations of lanes that read windows for one another: on the host, where one thread plays a tile. (Tables of the CPU
// run only insertions so; those of a GPU, which the conformance suite tests, all three.)

#include "gpu/engine/run_together.hpp"
#include "gpu/execution/cpu.hpp"
#include "gpu/tables/slab.hpp"
#include "gpu/tables/warp_cooperative.hpp"

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
    View<Layout, Machine> const table{{words_.data(), metadata_.data()}, layout_};
    using Run = RunTogether<Family, View<Layout, Machine>, kinds, lanes>;
    return exec::Cpu().tally_together(keys.size(), Run{{table, batch, kinds, nullptr}});
  }

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

}  // namespace
}  // namespace slotscape
