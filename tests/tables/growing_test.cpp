// Tables that grow by themselves, linear hashing and extendible hashing: bucket by bucket as on paper, batches as one
// key at a time, to the last bucket of their memory, and what step mode says of splits.

#include "gpu/tables/extendible.hpp"
#include "gpu/tables/linear_hashing.hpp"
#include "tests/engine/engine_fixture.hpp"
#include "tests/tables/insert_in_order.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <bit>
#include <map>
#include <optional>
#include <random>
#include <set>

namespace slotscape::growing_tests {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

using Keys = std::vector<Key>;

TableSettings linear(std::uint64_t slots, std::uint32_t initial, std::uint32_t keys_per_head = 1,
                     HashKind hash = HashKind::identity, std::uint32_t heads_at_once = 1)
{
  return {.family = "linear_hashing",
          .slots = slots,
          .hash = hash,
          .parameters = {{"initial_heads", initial},
                         {"keys_per_head", keys_per_head},
                         {"heads_at_once", heads_at_once},
                         {"nodes", 8}}};
}
TableSettings extendible(std::uint64_t slots, std::uint32_t bucket, HashKind hash = HashKind::identity,
                         std::uint32_t directory = 32)
{
  return {.family = "extendible",
          .slots = slots,
          .hash = hash,
          .parameters = {{"bucket", bucket}, {"directory", directory}}};
}

/// The keys of each head's chain, or of each entry's bucket, in their order.
std::vector<Keys> keys_by_head(Engine& engine)
{
  std::vector<Keys> all;
  for (std::vector<Slot> const& slots : engine.nodes_by_head()) {
    Keys& keys = all.emplace_back();
    for (SlotInfo const& slot : engine.slots(slots)) {
      if (slot.state == SlotState::live) { keys.push_back(slot.pair.key); }
    }
  }
  return all;
}
std::vector<std::set<Key>> sets_by_head(Engine& engine)
{
  std::vector<std::set<Key>> sets;
  for (Keys const& keys : keys_by_head(engine)) { sets.emplace_back(keys.begin(), keys.end()); }
  return sets;
}

Keys different_keys(std::size_t count, std::uint32_t seed)
{
  std::mt19937 random(seed);
  std::set<Key> seen;
  Keys keys;
  while (keys.size() != count) {
    Key const key = 1 + random() % 1'000'000;
    if (seen.insert(key).second) { keys.push_back(key); }
  }
  return keys;
}

using Chains = std::vector<std::vector<Slot>>;

/// Where the heads lead after the steps so far, `chains` before them.
std::vector<Chains> chains_by_step(Trace const& trace, Chains const& chains)
{
  std::vector<Chains> all{chains};
  for (Step const& step : trace.steps) { all.push_back(step.chains ? *step.chains : all.back()); }
  return all;
}

/// The steps of each insertion end with the chains that the table has afterwards.
void expect_steps_to_end_as_tables_do(Engine& engine, Keys const& keys)
{
  for (Key const key : keys) {
    std::vector<Chains> const by_step = chains_by_step(engine.trace(Operation::insert, key, 1), engine.nodes_by_head());
    testing::insert_in_order(engine, {key});
    ASSERT_EQ(by_step.back(), engine.nodes_by_head()) << key;
  }
}

Tally insert_together(Engine& engine, Keys const& keys)
{
  return engine.insert(keys, std::vector<Value>(keys.begin(), keys.end()));
}

/// Litwin's rules with lists: h(k) = k mod 2N while head k mod 2N exists, else k mod N.
class LinearOnPaper {
public:
  LinearOnPaper(std::size_t initial, std::size_t most, std::size_t keys_per_head, std::size_t heads_at_once = 1)
      : heads_(initial), most_(most), keys_per_head_(keys_per_head), heads_at_once_(heads_at_once)
  {
  }

  void insert(Key key)
  {
    Chain& chain = heads_[head_of(key)];
    if (std::ranges::find(chain, std::optional(key)) != chain.end()) { return; }
    auto const erased = std::ranges::find(chain, std::optional<Key>());
    if (erased != chain.end()) {
      *erased = key;
    } else {
      chain.insert(chain.begin(), key);
    }
    ++keys_;
    if (keys_ <= keys_per_head_ * heads_.size() && !is_round_begun()) { return; }
    if (heads_at_once_ == 1 && keys_ <= keys_per_head_ * heads_.size()) { return; }
    for (std::size_t splits = 0; heads_.size() < most_;) {
      split();
      if (++splits == heads_at_once_ || !is_round_begun()) { break; }
    }
  }
  void erase(Key key)
  {
    Chain& chain = heads_[head_of(key)];
    auto const place = std::ranges::find(chain, std::optional(key));
    if (place == chain.end()) { return; }
    place->reset();
    --keys_;
  }
  std::vector<Keys> keys() const
  {
    std::vector<Keys> all;
    for (Chain const& chain : heads_) {
      Keys& keys = all.emplace_back();
      for (std::optional<Key> const& key : chain) {
        if (key) { keys.push_back(*key); }
      }
    }
    return all;
  }

private:
  using Chain = std::vector<std::optional<Key>>;  ///< the first node first; nothing stands for an erased key

  std::size_t of_round() const { return std::bit_floor(heads_.size()); }
  bool is_round_begun() const { return heads_.size() != of_round(); }
  std::size_t head_of(Key key) const
  {
    std::size_t const head = key % (2 * of_round());
    return head < heads_.size() ? head : key % of_round();
  }
  void split()
  {
    std::size_t const next = heads_.size() - of_round();
    Chain const chain = std::exchange(heads_[next], {});
    heads_.emplace_back();
    for (std::optional<Key> const& key : chain) {
      if (!key) { continue; }
      Chain& to = heads_[head_of(*key)];
      to.insert(to.begin(), key);
    }
  }

  std::vector<Chain> heads_;
  std::size_t most_;
  std::size_t keys_per_head_;
  std::size_t heads_at_once_;  ///< 0: all of a round
  std::size_t keys_ = 0;
};

class LinearHashingTest : public testing::EngineTest {};

TEST_P(LinearHashingTest, HeadsAreSplitInTurn)
{
  auto const engine = make(linear(16, 2));
  std::vector<Keys> const at_first{{}, {}};
  EXPECT_EQ(keys_by_head(*engine), at_first);
  testing::insert_in_order(*engine, {5, 9});
  EXPECT_EQ(keys_by_head(*engine), (std::vector<Keys>{{}, {9, 5}}));
  testing::insert_in_order(*engine, {13});  // head 0 is split, though all keys are in chain 1
  EXPECT_EQ(keys_by_head(*engine), (std::vector<Keys>{{}, {13, 9, 5}, {}}));
  testing::insert_in_order(*engine, {15});  // head 1 is split: 5, 9 and 13 are 1 mod 4
  EXPECT_EQ(keys_by_head(*engine), (std::vector<Keys>{{}, {5, 9, 13}, {}, {15}}));
  testing::insert_in_order(*engine, {20, 30});  // the next round
  EXPECT_EQ(keys_by_head(*engine), (std::vector<Keys>{{}, {9}, {30}, {15}, {20}, {13, 5}}));
}

TEST_P(LinearHashingTest, HistoriesGoAsOnPaper)
{
  for (std::uint32_t const initial : LinearHashing::initial_choices) {
    for (std::uint32_t const keys_per_head : LinearHashing::key_choices) {
      auto const engine = make(linear(64, initial, keys_per_head));
      LinearOnPaper paper(initial, 64, keys_per_head);
      std::mt19937 random(initial * 10 + keys_per_head);
      for (int round = 0; round < testing::rounds(300); ++round) {
        Key const key = random() % 200;
        if (random() % 3 != 0) {
          Value const value = key;
          engine->insert(std::span(&key, 1), std::span(&value, 1));
          paper.insert(key);
        } else {
          engine->erase(std::span(&key, 1));
          paper.erase(key);
        }
        if (round % 10 == 0) { ASSERT_EQ(keys_by_head(*engine), paper.keys()) << initial << " " << keys_per_head; }
      }
      EXPECT_EQ(engine->check_invariants(), "");
    }
  }
}

TEST_P(LinearHashingTest, ARoundComesAtOnceOrBitByBit)
{
  for (std::uint32_t const heads_at_once : LinearHashing::pace_choices) {
    auto const engine = make(linear(64, 4, 1, HashKind::identity, heads_at_once));
    LinearOnPaper paper(4, 64, 1, heads_at_once);
    for (Key const key : different_keys(60, heads_at_once)) {
      testing::insert_in_order(*engine, {key});
      paper.insert(key);
      ASSERT_EQ(keys_by_head(*engine), paper.keys()) << heads_at_once;
    }
    EXPECT_EQ(engine->check_invariants(), "");
  }
}

TEST_P(LinearHashingTest, ABatchGrowsItAsItsKeysDoOneByOne)
{
  for (std::size_t const count : {3, 64, 65, 1000, 5000, 9000}) {
    Keys const keys = different_keys(count, 7);
    auto const engine = make(linear(4096, 4, 2, HashKind::murmur3));
    EXPECT_EQ(insert_together(*engine, keys)[Outcome::inserted], count);
    std::size_t const heads = std::clamp<std::size_t>((count + 1) / 2, 4, 4096);
    EXPECT_EQ(engine->nodes_by_head().size(), heads);
    EXPECT_EQ(engine->statistics().groups.histogram[0], [&] {
      std::uint64_t empty = 0;
      for (Keys const& chain : keys_by_head(*engine)) { empty += chain.empty() ? 1 : 0; }
      return empty;
    }());
    EXPECT_EQ(engine->check_invariants(), "");
    EXPECT_EQ(engine->find(keys)[Outcome::found], count);
  }
}

TEST_P(LinearHashingTest, NodesOfErasedKeysReturnToThePoolWhenTheirChainIsSplit)
{
  auto const engine = make(linear(64, 4));
  Keys const gone{4, 8, 12, 16};
  testing::insert_in_order(*engine, gone);
  engine->erase(gone);
  testing::insert_in_order(*engine, {1, 2, 3, 5, 6});  // head 0 is split with the last one
  EXPECT_EQ(engine->statistics().tombstones, 0u);
  EXPECT_EQ(engine->nodes_by_head().size(), 5u);
  EXPECT_EQ(engine->check_invariants(), "");
}

TEST_P(LinearHashingTest, StepsGoOnWithTheSplit)
{
  auto const engine = make(linear(16, 2));
  testing::insert_in_order(*engine, {5, 9, 13});
  Trace const trace = engine->trace(Operation::insert, 15, 1);
  EXPECT_EQ(trace.outcome, Outcome::inserted);
  EXPECT_EQ(trace.first_hash, "15 mod 2 = 1");
  EXPECT_THAT(trace.summary, HasSubstr("Head 1 was split: its keys are divided between it and the new head 3."));
  std::vector<std::string> of_keys;
  for (Step const& step : trace.steps) {
    if (step.place.line == std::string_view("move") && step.kind == Step::Kind::read) { of_keys.push_back(step.text); }
  }
  EXPECT_THAT(of_keys,
              ElementsAre(HasSubstr("holds 15, which now belongs to head 3"),
                          HasSubstr("holds 13, which stays with head 1"), HasSubstr("holds 9, which stays with head 1"),
                          HasSubstr("holds 5, which stays with head 1")));
  auto const of_line = [&](std::string_view line) {
    return std::ranges::count(trace.steps, line, [](Step const& step) { return std::string_view(step.place.line); });
  };
  EXPECT_EQ(of_line("relink"), 4);  // 15 is one of them
  EXPECT_EQ(of_line("heads"), 2);
  EXPECT_EQ(keys_by_head(*engine).size(), 3u) << "the table itself does not change";
}

TEST_P(LinearHashingTest, StepsShowWhereHeadsLead)
{
  auto const engine = make(linear(16, 2));
  testing::insert_in_order(*engine, {5, 9, 13});
  Trace const trace = engine->trace(Operation::insert, 15, 1);
  std::vector<std::size_t> heads;
  for (Chains const& chains : chains_by_step(trace, engine->nodes_by_head())) { heads.push_back(chains.size()); }
  EXPECT_EQ(heads.front(), 3u);
  EXPECT_EQ(heads.back(), 4u);
  EXPECT_TRUE(std::ranges::is_sorted(heads));
  auto const split = std::ranges::find(trace.steps, std::string_view("split"),
                                       [](Step const& step) { return std::string_view(step.place.line); });
  ASSERT_NE(split, trace.steps.end());
  ASSERT_NE(split->chains, nullptr) << "the new head is there from the first step of the split on";
  EXPECT_THAT(split->chains->back(), IsEmpty());
  for (std::uint32_t const at_once : {0u, 1u, 4u}) {
    SCOPED_TRACE(at_once);
    expect_steps_to_end_as_tables_do(*make(linear(64, 2, 1, HashKind::murmur3, at_once)), different_keys(60, 4));
  }
}

TEST_P(LinearHashingTest, BeginsAnewWhenItIsCleared)
{
  auto const engine = make(linear(256, 4));
  insert_together(*engine, different_keys(200, 1));
  EXPECT_EQ(engine->nodes_by_head().size(), 200u);
  engine->clear();
  EXPECT_EQ(keys_by_head(*engine), std::vector<Keys>(4));
  insert_together(*engine, different_keys(6, 1));
  EXPECT_EQ(engine->nodes_by_head().size(), 6u);
}

SLOTSCAPE_ON_EVERY_BACKEND(LinearHashingTest);

/// What extendible hashing makes of keys, in any order: a bucket is split as long as it has more keys than slots. For
/// each entry, by `depth` bits, the keys of its bucket.
std::vector<std::set<Key>> buckets_of(Keys const& keys, std::size_t bucket)
{
  std::map<std::pair<std::uint32_t, Key>, std::set<Key>> buckets{{{0, 0}, {keys.begin(), keys.end()}}};
  std::uint32_t depth = 0;
  while (true) {
    auto const full = std::ranges::find_if(buckets, [&](auto const& one) { return one.second.size() > bucket; });
    if (full == buckets.end()) { break; }
    auto const [place, all] = *full;
    auto const [bits, value] = place;
    buckets.erase(full);
    buckets[{bits + 1, value}];
    buckets[{bits + 1, value | Key{1} << bits}];
    for (Key const key : all) { buckets[{bits + 1, key % (Key{2} << bits)}].insert(key); }
    depth = std::max(depth, bits + 1);
  }
  std::vector<std::set<Key>> by_entry(std::size_t{1} << depth);
  for (auto const& [place, all] : buckets) {
    for (std::size_t entry = place.second; entry < by_entry.size(); entry += std::size_t{1} << place.first) {
      by_entry[entry] = all;
    }
  }
  return by_entry;
}

class ExtendibleTest : public testing::EngineTest {};

/// Ramakrishnan & Gehrke, Database Management Systems, 3rd edition, figures 11.1 to 11.5.
TEST_P(ExtendibleTest, DirectoryAndBucketsAreThoseOfTheTextbook)
{
  auto const engine = make(extendible(64, 4));
  testing::insert_in_order(*engine, {4, 12, 32, 16, 1, 5, 21, 10, 15, 7, 19, 13});
  using Set = std::set<Key>;
  EXPECT_EQ(sets_by_head(*engine), (std::vector<Set>{{32, 16, 4, 12}, {1, 5, 21, 13}, {10}, {15, 7, 19}}));
  testing::insert_in_order(*engine, {20});
  Set const a{32, 16};
  Set const a2{4, 12, 20};
  EXPECT_EQ(sets_by_head(*engine),
            (std::vector<Set>{a, {1, 5, 21, 13}, {10}, {15, 7, 19}, a2, {1, 5, 21, 13}, {10}, {15, 7, 19}}));
  testing::insert_in_order(*engine, {9});
  EXPECT_EQ(sets_by_head(*engine),
            (std::vector<Set>{a, {1, 9}, {10}, {15, 7, 19}, a2, {5, 21, 13}, {10}, {15, 7, 19}}));
  EXPECT_EQ(engine->check_invariants(), "");
}

TEST_P(ExtendibleTest, TheOrderOfKeysDoesNotMatter)
{
  for (std::uint32_t const bucket : {2, 3, 4, 8}) {
    Keys const keys = different_keys(60, bucket);
    auto const one_by_one = make(extendible(256, bucket));
    testing::insert_in_order(*one_by_one, keys);
    EXPECT_EQ(sets_by_head(*one_by_one), buckets_of(keys, bucket));
    auto const together = make(extendible(256, bucket));
    EXPECT_EQ(insert_together(*together, keys)[Outcome::inserted], keys.size());
    EXPECT_EQ(sets_by_head(*together), buckets_of(keys, bucket));
    EXPECT_EQ(together->check_invariants(), "");
  }
}

TEST_P(ExtendibleTest, LargeBatchesMakeTheSameBuckets)
{
  Keys const keys = different_keys(20'000, 3);
  auto const engine = make(extendible(1u << 16, 16));
  EXPECT_EQ(insert_together(*engine, keys)[Outcome::inserted], keys.size());
  EXPECT_EQ(sets_by_head(*engine), buckets_of(keys, 16));
  EXPECT_EQ(engine->check_invariants(), "");
}

TEST_P(ExtendibleTest, ManyCopiesOfAKeyAreOneKey)
{
  Keys keys;
  for (Key key = 1; key <= 40; ++key) { keys.insert(keys.end(), 500, key); }
  std::ranges::shuffle(keys, std::mt19937(5));
  auto const engine = make(extendible(256, 4));
  Tally const tally = insert_together(*engine, keys);
  EXPECT_EQ(tally[Outcome::inserted], 40u);
  EXPECT_EQ(tally[Outcome::updated], keys.size() - 40u);
  EXPECT_EQ(engine->statistics().live, 40u);
  EXPECT_EQ(engine->check_invariants(), "");
}

TEST_P(ExtendibleTest, KeysThatShareAllBitsAreFull)
{
  auto const engine = make(extendible(64, 4, HashKind::identity, 1));  // 16 buckets, and 16 entries at most
  Keys const keys{16, 32, 48, 64, 80, 96};
  Tally const tally = insert_together(*engine, keys);
  EXPECT_EQ(tally[Outcome::inserted], 4u);
  EXPECT_EQ(tally[Outcome::full], 2u);
  EXPECT_EQ(engine->nodes_by_head().size(), 16u);
  EXPECT_EQ(engine->statistics().live, 4u);
  EXPECT_EQ(insert_together(*engine, {1, 2, 3})[Outcome::inserted], 3u) << "others still find room";
  EXPECT_EQ(engine->check_invariants(), "");
}

TEST_P(ExtendibleTest, UsesItsLastBucket)
{
  auto const engine = make(extendible(16, 4));
  EXPECT_EQ(insert_together(*engine, {0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15})[Outcome::inserted], 16u);
  EXPECT_EQ(insert_together(*engine, {16})[Outcome::full], 1u);
  EXPECT_EQ(insert_together(*engine, {15})[Outcome::updated], 1u);
  Keys const gone{12};
  engine->erase(gone);
  EXPECT_EQ(insert_together(*engine, {16})[Outcome::inserted], 1u) << "the slot of an erased key";
  EXPECT_EQ(engine->check_invariants(), "");
}

TEST_P(ExtendibleTest, ErasedKeysAreDroppedBySplits)
{
  auto const engine = make(extendible(64, 2));
  testing::insert_in_order(*engine, {2, 4});
  Keys const gone{4};
  engine->erase(gone);
  testing::insert_in_order(*engine, {6});  // takes its slot
  EXPECT_EQ(engine->nodes_by_head().size(), 1u);
  testing::insert_in_order(*engine, {8});
  EXPECT_EQ(sets_by_head(*engine), (std::vector<std::set<Key>>{{8}, {}, {2, 6}, {}}));
}

TEST_P(ExtendibleTest, StepsShowTheDirectoryDouble)
{
  auto const engine = make(extendible(64, 2));
  testing::insert_in_order(*engine, {2, 4});
  Trace const trace = engine->trace(Operation::insert, 6, 1);
  EXPECT_EQ(trace.outcome, Outcome::inserted);
  EXPECT_THAT(trace.summary, HasSubstr("Its bucket was split 2 times. The directory has grown to 4 entries."));
  EXPECT_EQ(sets_by_head(*engine), (std::vector<std::set<Key>>{{2, 4}})) << "the table itself does not change";
  Slot last = 0;
  for (Step const& step : trace.steps) {
    if (step.after && step.after->pair.key == 6 && step.after->state == SlotState::live) { last = step.after->slot; }
  }
  testing::insert_in_order(*engine, {6});
  EXPECT_EQ(engine->slot(last).pair.key, Key{6}) << "it goes where the steps have put it";
}

TEST_P(ExtendibleTest, StepsShowWhereEntriesLead)
{
  auto const engine = make(extendible(64, 2));
  testing::insert_in_order(*engine, {2, 4});
  std::set<std::size_t> entries;
  for (Chains const& chains : chains_by_step(engine->trace(Operation::insert, 6, 1), engine->nodes_by_head())) {
    entries.insert(chains.size());
  }
  EXPECT_EQ(entries, (std::set<std::size_t>{1, 2, 4}));
  expect_steps_to_end_as_tables_do(*make(extendible(64, 4, HashKind::murmur3)), different_keys(40, 5));
}

TEST_P(ExtendibleTest, StepsSayWhatIsExhausted)
{
  auto const with_small_directory = make(extendible(64, 2, HashKind::identity, 1));
  testing::insert_in_order(*with_small_directory, {32, 64});
  EXPECT_THAT(with_small_directory->trace(Operation::insert, 96, 1).summary,
              HasSubstr("the directory has reached its maximum size"));
  auto const with_few_buckets = make(extendible(4, 2));
  testing::insert_in_order(*with_few_buckets, {1, 2, 3});
  EXPECT_THAT(with_few_buckets->trace(Operation::insert, 5, 1).summary,
              HasSubstr("there is no unused bucket to split it into"));
}

TEST_P(ExtendibleTest, StepsOfLargeDirectoriesEndAsTheTableDoes)
{
  auto const engine = make(extendible(1u << 12, 2));
  Keys const keys = different_keys(700, 9);
  for (Key const key : keys) {
    Value const value = key;
    if (key % 7 != 0) {
      engine->insert(std::span(&key, 1), std::span(&value, 1));
      continue;
    }
    Trace const trace = engine->trace(Operation::insert, key, value);
    Slot place = no_slot;
    for (Step const& step : trace.steps) {
      if (step.after && step.after->pair.key == key && step.after->state == SlotState::live) {
        place = step.after->slot;
      }
    }
    Tally const tally = engine->insert(std::span(&key, 1), std::span(&value, 1));
    ASSERT_EQ(tally[trace.outcome], 1u) << key;
    if (trace.outcome == Outcome::inserted) { ASSERT_EQ(engine->slot(place).pair.key, key); }
  }
  EXPECT_GT(engine->nodes_by_head().size(), 256u);
}

TEST(Extendible, SafeLoadsNeedDirectories)
{
  EXPECT_DOUBLE_EQ(Extendible::guarantees(extendible(1u << 20, 16)).safe_load, 0.5);
  EXPECT_LT(Extendible::guarantees(extendible(1u << 20, 2)).safe_load, 0.1);
  EXPECT_LT(Extendible::guarantees(extendible(1u << 20, 8, HashKind::murmur3, 1)).safe_load,
            Extendible::guarantees(extendible(1u << 20, 8, HashKind::murmur3, 8)).safe_load);
}

SLOTSCAPE_ON_EVERY_BACKEND(ExtendibleTest);

}  // namespace
}  // namespace slotscape::growing_tests
