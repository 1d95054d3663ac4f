// Static tables that are built from pairs in the order of their homes, which only large ones are.

#include "tests/engine/conformance.hpp"

#include "gpu/engine/home_order.hpp"
#include "gpu/execution/cpu.hpp"
#include "gpu/tables/hash_graph.hpp"
#include "gpu/tables/perfect_hash.hpp"

namespace slotscape::testing {
namespace {

TEST(HomeRanges, CoverAllSlotsInOrder)
{
  for (std::uint64_t const slots : {2ull, 16ull, 511ull, 512ull, 513ull, 100'003ull, 1ull << 22, (1ull << 31) - 1}) {
    auto const layout = HashGraph::layout<Narrow>({.family = "hash_graph", .slots = slots});
    auto const ranges = HomeRanges<HashGraph::Layout<Narrow>>::of(layout);
    EXPECT_LE(ranges.segments, partition::max_bins);
    EXPECT_EQ((slots - 1) >> ranges.shift, ranges.segments - 1u);
    for (Narrow::Key key = 0; key < 1000; ++key) {
      EXPECT_EQ(ranges.segment(key), layout.home(key) >> ranges.shift);
      EXPECT_LT(ranges.segment(key), ranges.segments);
    }
  }
}

class HomeOrderTest : public FamilyTest {};

TEST_P(HomeOrderTest, LargeTablesHoldEveryPair)
{
  using Layout = HashGraph::Layout<Narrow>;
  std::uint64_t const homes = (std::uint64_t{1} << (GetParam().backend == Backend::cpu ? 22 : 24)) + 12345;
  std::uint64_t const slots = GetParam().family == "perfect_hash" ? 3 * homes : homes;  // three of them to a bucket
  std::size_t const first = homes / 4 + 1;
  if (GetParam().backend == Backend::cpu) {
    exec::Cpu const cpu;
    ASSERT_TRUE((HomeOrder<exec::Cpu, Narrow>::pays(cpu, Layout{{HashKind::murmur3, homes}, 0}, first)));
  }
  std::mt19937 random(5);
  std::vector<Key> keys(2 * first);
  std::iota(keys.begin(), keys.end(), Key{1});
  std::ranges::shuffle(keys, random);
  std::vector<Value> const values = random_values(keys.size(), random, key_bits());
  TableSettings settings{.family = GetParam().family, .slots = slots, .key_bits = key_bits()};
  if (GetParam().family == "perfect_hash") { settings.parameters["variant"] = PerfectHash::variant_psh; }
  auto const engine = make(settings);
  for (std::size_t const begin : {std::size_t{0}, first}) {  // a table built anew, and one rebuilt with what it has
    std::vector<Outcome> outcomes(first);
    EXPECT_EQ(engine->insert(std::span(keys).subspan(begin, first), std::span(values).subspan(begin, first),
                             outcomes)[Outcome::inserted],
              first);
  }
  std::vector<Value> found(keys.size());
  EXPECT_EQ(engine->find(keys, found)[Outcome::found], keys.size());
  EXPECT_EQ(found, values);
  EXPECT_EQ(engine->check_invariants(), "");
}

INSTANTIATE_TEST_SUITE_P(
    Of, HomeOrderTest,
    ::testing::Values(Subject{Backend::cpu, "hash_graph", 32}, Subject{Backend::cpu, "hash_graph", 64},
                      Subject{Backend::cpu, "perfect_hash", 32}, Subject{Backend::cuda, "hash_graph", 32},
                      Subject{Backend::cuda, "hash_graph", 64}, Subject{Backend::cuda, "perfect_hash", 32}),
    subject_name);

}  // namespace
}  // namespace slotscape::testing
