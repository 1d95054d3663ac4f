// What separate chaining promises besides what every family does: chains as textbooks draw them, nodes of erased keys
// that are used again, and a pool that is used to its last node, also by threads that want one at once.

#include "gpu/tables/separate_chaining.hpp"

#include "gpu/analysis/theory.hpp"
#include "gpu/base/error.hpp"
#include "gpu/races/shared_table.hpp"
#include "tests/engine/engine_fixture.hpp"
#include "tests/tables/insert_in_order.hpp"
#include "tests/tables/scheduled_operations.hpp"
#include "tests/tables/tile_operations.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <map>
#include <numeric>
#include <optional>

namespace slotscape::separate_chaining_tests {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

TableSettings settings(std::uint64_t heads, std::uint32_t nodes, HashKind hash = HashKind::identity)
{
  return {.family = "separate_chaining", .slots = heads, .hash = hash, .parameters = {{"nodes", nodes}}};
}

/// A chain, the first node first; nothing stands for an erased key.
using Chain = std::vector<std::optional<Key>>;
using Chains = std::map<std::uint64_t, Chain>;

/// By the keys' places: each chain that has keys, without its nodes of erased keys.
Chains chains_of(Engine& engine)
{
  std::map<std::uint64_t, std::map<std::uint32_t, Key>> places;
  for (SlotInfo const& node : testing::all_slots(engine)) {
    if (node.state != SlotState::live) { continue; }
    EXPECT_TRUE(places[node.home].emplace(node.probe_length, node.pair.key).second) << node.pair.key;
  }
  Chains chains;
  for (auto const& [head, keys] : places) {
    for (auto const& [place, key] : keys) { chains[head].push_back(key); }
  }
  return chains;
}

/// Chaining on paper: lists of keys, with the rules of the table.
class OnPaper {
public:
  explicit OnPaper(std::uint64_t heads) : chains_(heads) {}

  void insert(Key key)
  {
    Chain& chain = chains_[key % chains_.size()];
    if (std::ranges::find(chain, key) != chain.end()) { return; }
    auto const erased = std::ranges::find(chain, std::optional<Key>());
    if (erased != chain.end()) {
      *erased = key;
    } else {
      chain.insert(chain.begin(), key);
    }
  }
  void erase(Key key)
  {
    Chain& chain = chains_[key % chains_.size()];
    std::ranges::replace(chain, std::optional(key), std::optional<Key>());
  }
  Chain const& chain(std::uint64_t head) const { return chains_[head]; }
  Chains of_keys() const
  {
    Chains chains;
    for (std::uint64_t head = 0; head < chains_.size(); ++head) {
      for (std::optional<Key> const& key : chains_[head]) {
        if (key) { chains[head].push_back(key); }
      }
    }
    return chains;
  }

private:
  std::vector<Chain> chains_;
};

class SeparateChainingTest : public testing::EngineTest {};

/// Cormen et al., Introduction to Algorithms, 4th edition, exercise 11.2-2.
TEST_P(SeparateChainingTest, KeysLieAsInTheTextbook)
{
  auto const engine = make(settings(9, 2));
  testing::insert_in_order(*engine, {5, 28, 19, 15, 20, 33, 12, 17, 10});
  Chains const expected{{1, {10, 19, 28}}, {2, {20}}, {3, {12}}, {5, {5}}, {6, {33, 15}}, {8, {17}}};
  EXPECT_EQ(chains_of(*engine), expected);
  Statistics const statistics = engine->statistics();
  EXPECT_EQ(statistics.heads, 9u);
  EXPECT_EQ(statistics.slots, 18u);
  EXPECT_DOUBLE_EQ(statistics.load_factor(), 1.0);
  EXPECT_THAT(statistics.groups.histogram, ElementsAre(3u, 4u, 1u, 1u));
  EXPECT_DOUBLE_EQ(statistics.probe_length.mean, 4.0 / 9.0);
  EXPECT_EQ(engine->check_invariants(), "");
}

TEST_P(SeparateChainingTest, HistoriesGoAsOnPaper)
{
  for (std::uint32_t const nodes : SeparateChaining::node_choices) {
    std::uint64_t const heads = 4 + 3 * nodes;
    std::mt19937 random(nodes);
    auto const engine = make(settings(heads, nodes));
    OnPaper paper(heads);
    for (int round = 0; round < testing::rounds(600); ++round) {
      Key const key = random() % (nodes * heads);  // as many different keys as there are nodes
      if (random() % 3 != 0) {
        Value const value = key;
        engine->insert(std::span(&key, 1), std::span(&value, 1));
        paper.insert(key);
      } else {
        engine->erase(std::span(&key, 1));
        paper.erase(key);
      }
      if (round % 16 != 0) { continue; }
      ASSERT_EQ(engine->nodes_by_head().size(), heads);
      for (std::uint64_t head = 0; head < heads; ++head) {
        ASSERT_EQ(engine->nodes_by_head()[head].size(), paper.chain(head).size());
        for (std::size_t place = 0; place < paper.chain(head).size(); ++place) {
          SlotInfo const node = engine->slot(engine->nodes_by_head()[head][place]);
          ASSERT_EQ(node.has_key ? std::optional(node.pair.key) : std::nullopt, paper.chain(head)[place]);
        }
      }
      ASSERT_EQ(chains_of(*engine), paper.of_keys()) << nodes << " nodes per head, round " << round;
      ASSERT_EQ(engine->check_invariants(), "");
    }
    Distribution const groups = engine->statistics().groups;
    std::vector<std::uint32_t> lengths(groups.histogram.size());
    for (std::uint64_t head = 0; head < heads; ++head) { ++lengths.at(paper.chain(head).size()); }
    EXPECT_EQ(groups.histogram, lengths);
  }
}

TEST_P(SeparateChainingTest, ALookupReadsTheHeadAndANodeForEachBeforeItsKey)
{
  auto const engine = make(settings(64, 4));
  engine->run(BatchRequest::inserts(200));
  for (SlotInfo const& node : testing::all_slots(*engine)) {
    if (node.state != SlotState::live) { continue; }
    ProbePath const path = engine->probe_path(node.pair.key);
    ASSERT_EQ(path.slots.size(), node.probe_length + 1);
    ASSERT_EQ(path.slots.back(), node.slot);
    ASSERT_EQ(engine->trace(Operation::find, node.pair.key, 0).steps.size(), 2 * node.probe_length + 2);
  }
}

TEST_P(SeparateChainingTest, OneChainTakesThePoolToItsLastNode)
{
  for (std::uint64_t const heads : {16u, 1000u}) {
    for (std::uint32_t const nodes : {1u, 4u}) {
      auto const engine = make(settings(heads, nodes, HashKind::murmur3));
      std::uint64_t const room = std::min<std::uint64_t>(heads * nodes, 900);
      KeySettings one_home;
      one_home.distribution = KeyDistribution::one_home;
      engine->set_keys(one_home, 1);
      EXPECT_EQ(engine->run(BatchRequest::inserts(room)).outcomes[Outcome::inserted], room);
      EXPECT_EQ(engine->statistics().groups.max, room);
      EXPECT_EQ(engine->check_invariants(), "");
      if (room != heads * nodes) { continue; }
      EXPECT_EQ(engine->run(BatchRequest::inserts(9)).outcomes[Outcome::full], 9u);
      EXPECT_EQ(engine->run(BatchRequest::erases(7)).outcomes[Outcome::erased], 7u);
      BatchReport const refilled = engine->run(BatchRequest::inserts(9));
      EXPECT_EQ(refilled.outcomes[Outcome::inserted], 7u);
      EXPECT_EQ(refilled.outcomes[Outcome::full], 2u);
      EXPECT_EQ(engine->statistics().tombstones, 0u);
      EXPECT_EQ(engine->check_invariants(), "");
    }
  }
}

/// Nobody holds a node that a copy of the same key has made surplus, and says so by `full`.
TEST_P(SeparateChainingTest, ManyCopiesOfOneKeyTakeTheLastNode)
{
  for (int round = 0; round < testing::rounds(50); ++round) {
    auto const engine = make(settings(8, 1));
    testing::insert_in_order(*engine, {0, 8, 16, 24, 32, 40, 48});
    std::vector<Key> const copies(512, 56);
    std::vector<Value> values(copies.size());
    std::iota(values.begin(), values.end(), Value{1});
    Tally const tally = engine->insert(copies, values);
    ASSERT_EQ(tally[Outcome::inserted], 1u);
    ASSERT_EQ(tally[Outcome::updated], 511u);
    ASSERT_EQ(engine->statistics().live, 8u);
    ASSERT_EQ(engine->check_invariants(), "");
  }
}

TEST_P(SeparateChainingTest, RandomKeysFitUpToTheSafeLoadInALargePool)
{
  for (std::uint32_t const nodes : SeparateChaining::node_choices) {
    TableSettings const table = settings(1u << 14, nodes, HashKind::murmur3);
    auto const engine = make(table);
    auto const safe = static_cast<std::uint64_t>(SeparateChaining::guarantees(table).safe_load * (1u << 14));
    EXPECT_EQ(engine->run(BatchRequest::inserts(safe)).outcomes[Outcome::inserted], safe);
    Statistics const statistics = engine->statistics();
    double const load = statistics.load_factor();
    EXPECT_NEAR(load, 0.9 * nodes, 1e-3);
    EXPECT_NEAR(statistics.probe_length.mean, load / 2.0, 0.05 * nodes) << "keys before one that came at random";
    for (std::size_t length = 0; length < statistics.groups.histogram.size(); ++length) {
      double const expected = theory::poisson(load, static_cast<double>(length)) * (1u << 14);
      EXPECT_NEAR(statistics.groups.histogram[length], expected, 5.0 * std::sqrt(expected) + 5.0) << length;
    }
  }
}

TEST_P(SeparateChainingTest, ShortChainsLieInTheirOwnPartOfThePool)
{
  auto const engine = make(settings(1u << 12, 4, HashKind::murmur3));
  engine->run(BatchRequest::inserts(1u << 11));
  std::uint64_t inside = 0;
  for (SlotInfo const& node : testing::all_slots(*engine)) {
    inside += node.state == SlotState::live && node.slot / 4 == node.home ? 1 : 0;
  }
  EXPECT_GT(inside, (1u << 11) * 95 / 100);
}

TEST_P(SeparateChainingTest, MemoryIsThatOfHeadsAndNodes)
{
  EXPECT_EQ(make(settings(100, 4))->memory_bytes(), 100u * 8 + 400u * (8 + 8));
  TableSettings wide = settings(100, 4);
  wide.key_bits = 64;
  EXPECT_EQ(make(wide)->memory_bytes(), 100u * 8 + 400u * (16 + 8));
}

TEST_P(SeparateChainingTest, RehashesMakeRoomForMoreKeysThanHeads)
{
  auto const engine = make(settings(256, 8, HashKind::murmur3));
  engine->run(BatchRequest::inserts(1500));
  engine->run(BatchRequest::erases(300));
  std::vector<Pair> const pairs = engine->pairs().size() == 1200 ? testing::sorted_pairs(*engine) : std::vector<Pair>();
  ASSERT_EQ(pairs.size(), 1200u);
  for (std::uint64_t const heads : {1000u, 151u, 256u}) {
    engine->rehash(heads);
    EXPECT_EQ(engine->table().slots, heads);
    EXPECT_EQ(engine->places(), 8 * heads);
    EXPECT_EQ(testing::sorted_pairs(*engine), pairs);
    EXPECT_EQ(engine->statistics().tombstones, 0u);
    EXPECT_EQ(engine->check_invariants(), "");
  }
  EXPECT_THROW(engine->rehash(149), Error) << "1192 nodes";
}

TEST_P(SeparateChainingTest, StepsTellOfHeadsAndLinks)
{
  auto const engine = make(settings(9, 2));
  testing::insert_in_order(*engine, {5, 28, 19});
  std::vector<std::string> said;
  Trace const trace = engine->trace(Operation::insert, 10, 1);
  for (Step const& step : trace.steps) { said.push_back(step.text); }
  ASSERT_EQ(said.size(), 8u);
  EXPECT_THAT(said[0],
              HasSubstr("10 hashes to head 1: 10 mod 9 = 1. Head 1 leads to slot 3, the first of its 2 nodes"));
  EXPECT_THAT(said[1], HasSubstr("Slot 3 holds 19 (home 1), another key. Its link is next"));
  EXPECT_THAT(said[2], HasSubstr("Slot 3 links to slot 2"));
  EXPECT_THAT(said[3], HasSubstr("Slot 2 holds 28"));
  EXPECT_THAT(said[4], HasSubstr("Slot 4 is in no chain yet"));
  EXPECT_THAT(said[5], HasSubstr("Slot 4 now links to slot 3"));
  EXPECT_EQ(trace.steps[6].after->probe_length, 0u) << "its place before the head leads to it";
  EXPECT_THAT(said[7], HasSubstr("Head 1 now leads to slot 4"));
}

SLOTSCAPE_ON_EVERY_BACKEND(SeparateChainingTest);

/// --- every order of accesses; keys of head 1 of 4.
class SeparateChainingInterleavings : public ::testing::Test {
protected:
  using Words = std::vector<Narrow::Word>;
  using Results = std::vector<Result<Narrow>>;
  static constexpr Narrow::Key k = 13;
  static constexpr Narrow::Key l = 17;
  static constexpr Narrow::Key m = 21;

  ScheduledOperations<SeparateChaining> operations_{settings(4, 1)};

  /// After keys 1, 5 ... of the same head, as many as that, of which the first `erased` are erased again.
  Words start(Narrow::Key keys, Narrow::Key erased = 0) const
  {
    Words memory = operations_.memory({}, operations_.layout.metadata());
    for (Narrow::Key i = 0; i < keys; ++i) { races::run_alone(operations_.insert(1 + 4 * i, 1), memory); }
    for (Narrow::Key i = 0; i < erased; ++i) { races::run_alone(operations_.erase(1 + 4 * i), memory); }
    return memory;
  }
  /// Nodes in use, and the keys in them, in order; each key must be found where it is.
  void expect_nodes(Words memory, std::uint64_t used, std::vector<Narrow::Key> const& keys) const
  {
    auto const& layout = operations_.layout;
    View<SeparateChaining::Layout<Narrow>, HostMachine<Narrow>> const table{{memory.data(),
                                                                             memory.data() + layout.slots()},
                                                                            layout};
    std::uint64_t in_use = 0;
    std::vector<Narrow::Key> found;
    for (Slot node = 0; node < layout.slots(); ++node) {
      ASSERT_TRUE(SeparateChaining::is_valid(table, node, memory[node])) << "node " << node;
      in_use += memory[layout.slots() + layout.link(node)] != 0 ? 1 : 0;
      if (!SeparateChaining::describe(table, node, memory[node]).has_key) { continue; }
      found.push_back(key_of(memory[node]));
      ASSERT_EQ(SeparateChaining::find(table, found.back()).slot, node);
    }
    std::ranges::sort(found);
    ASSERT_EQ(found, keys);
    ASSERT_EQ(in_use, used);
    ASSERT_EQ(SeparateChaining::group_size(table, 1), used);
  }
};

TEST_F(SeparateChainingInterleavings, CopiesOfAKeyTakeOneNode)
{
  Interleavings all({operations_.insert(k, 10), operations_.insert(k, 11), operations_.insert(k, 12)},
                    [&](Words const& end, Results const& results) {
                      EXPECT_EQ(count(results, Outcome::inserted), 1);
                      EXPECT_EQ(count(results, Outcome::updated), 2);
                      expect_nodes(end, 4, {1, 5, 9, k});
                    });
  EXPECT_GT(all.explore(start(3)), 1u);
}

TEST_F(SeparateChainingInterleavings, DifferentKeysTakeANodeEach)
{
  Interleavings all({operations_.insert(k, 10), operations_.insert(l, 11), operations_.insert(m, 12)},
                    [&](Words const& end, Results const& results) {
                      EXPECT_EQ(count(results, Outcome::inserted), 3);
                      expect_nodes(end, 4, {1, k, l, m});
                    });
  EXPECT_GT(all.explore(start(1)), 1u);
}

TEST_F(SeparateChainingInterleavings, OneOfTwoKeysTakesTheLastNode)
{
  Interleavings all({operations_.insert(k, 10), operations_.insert(l, 11), operations_.insert(k, 12)},
                    [&](Words const& end, Results const& results) {
                      bool const has_k = results[1].outcome == Outcome::full;
                      EXPECT_EQ(results[0].outcome == Outcome::full, !has_k);
                      EXPECT_EQ(results[2].outcome == Outcome::full, !has_k);
                      expect_nodes(end, 4, has_k ? std::vector{1u, 5u, 9u, k} : std::vector{1u, 5u, 9u, l});
                    });
  EXPECT_GT(all.explore(start(3)), 1u);
}

TEST_F(SeparateChainingInterleavings, CopiesOfAKeyTakeOneNodeOfAnErasedKey)
{
  Interleavings all({operations_.insert(k, 10), operations_.insert(l, 11), operations_.insert(k, 12)},
                    [&](Words const& end, Results const& results) {
                      EXPECT_EQ(count(results, Outcome::inserted), 2);
                      EXPECT_EQ(count(results, Outcome::updated), 1);
                      expect_nodes(end, 3, {9, k, l});
                    });
  EXPECT_GT(all.explore(start(3, 2)), 1u);
}

TEST_F(SeparateChainingInterleavings, ThoseThatFindNoErasedKeyLeftAddNodes)
{
  Interleavings all({operations_.insert(k, 10), operations_.insert(l, 11), operations_.insert(k, 12)},
                    [&](Words const& end, Results const& results) {
                      EXPECT_EQ(count(results, Outcome::inserted), 2);
                      EXPECT_EQ(count(results, Outcome::updated), 1);
                      expect_nodes(end, 3, {5, k, l});
                    });
  EXPECT_GT(all.explore(start(2, 1)), 1u);
}

}  // namespace
}  // namespace slotscape::separate_chaining_tests
