// The passes of partitioned batches with a thread of the system for each thread of a block: what a GPU runs at once
// meets here, too, at locks, claims and cursors.

#include "gpu/engine/segment_passes.hpp"
#include "gpu/execution/cpu.hpp"
#include "gpu/tables/segmented_cuckoo.hpp"

#include "tests/engine/engine_fixture.hpp"

#include <atomic>
#include <barrier>
#include <map>
#include <set>
#include <thread>

namespace slotscape::testing {
namespace {

/// Each thread runs the whole pass; steps end at a barrier.
template <int Threads>
struct ThreadBlock {
  static constexpr int size = Threads;
  template <class T>
  struct PerThread {
    T value{};
    T& operator[](int) { return value; }
  };

  int thread;
  std::barrier<>* barrier;

  template <class F>
  void for_each_thread(F const& f) const
  {
    f(thread);
    barrier->arrive_and_wait();
  }
  std::uint32_t add(std::uint32_t& shared, std::uint32_t more) const { return exec::fetch_add(shared, more); }
  void add_of_all(std::uint32_t& shared, std::uint32_t mine) const { exec::fetch_add(shared, mine); }
  std::uint32_t set_bits(std::uint32_t& shared, std::uint32_t bits) const
  {
    return std::atomic_ref(shared).fetch_or(bits, std::memory_order_acquire);
  }
  void clear_bits(std::uint32_t& shared, std::uint32_t bits) const
  {
    std::atomic_ref(shared).fetch_and(~bits, std::memory_order_release);
  }
  template <class T>
  T compare_exchange(T& shared, T expected, T desired) const
  {
    return exec::compare_exchange(shared, expected, desired);
  }
  void fence() const { std::atomic_thread_fence(std::memory_order_seq_cst); }
  void exclusive_sums(std::uint32_t* numbers, int count) const
  {
    for_each_thread([&](int t) {
      if (t == 0) { exec::HostBlock<Threads>{}.exclusive_sums(numbers, count); }
    });
  }

  template <class Pass>
  static void run(std::uint64_t block, Pass const& pass)
  {
    auto shared = std::make_unique<typename Pass::Shared>();
    std::barrier<> barrier(Threads);
    std::vector<std::jthread> threads;
    threads.reserve(Threads);
    for (int t = 0; t < Threads; ++t) {
      threads.emplace_back([&, t] { pass(block, ThreadBlock{t, &barrier}, *shared); });
    }
  }
};
using Block = ThreadBlock<8>;

using Family = SegmentedCuckoo;
using Layout = Family::Layout<Narrow>;
using Word = Narrow::Word;

std::vector<Narrow::Key> some_keys(std::size_t count, unsigned seed)
{
  std::mt19937 random(seed);
  std::vector<Key> const keys = random_keys(count, random);
  return {keys.begin(), keys.end()};
}

/// A table of one segment and a batch of its keys.
class SegmentThreads : public ::testing::Test {
protected:
  void SetUp() override
  {
#if defined(__SANITIZE_THREAD__)
    GTEST_SKIP() << "a lookup reads slots that other keys take meanwhile, as a GPU's words allow";
#endif
    words.assign(layout.slots(), Narrow::empty_word);
    metadata.assign(layout.metadata(), 0);
  }

  template <class Pass, class Item>
  segment_passes::Counts apply(std::vector<Item> items, std::vector<Outcome>& outcomes, bool fresh,
                               Combine combine = Combine::replace)
  {
    outcomes.assign(items.size(), Outcome::rejected);
    std::vector<std::uint32_t> numbers(items.size());
    std::iota(numbers.begin(), numbers.end(), 0u);
    return apply<Pass>(std::move(items), numbers.data(), outcomes.data(), fresh, combine);
  }
  /// Without numbers, outcomes are not written.
  template <class Pass, class Item>
  segment_passes::Counts apply(std::vector<Item> items, std::uint32_t* numbers, Outcome* outcomes, bool fresh,
                               Combine combine)
  {
    std::vector<std::uint32_t> const starts{0, static_cast<std::uint32_t>(items.size())};
    segment_passes::Counts counts{};
    left = 0;
    segment_passes::Shares<Narrow, Item> const shares{
        {items.data(), numbers}, starts.data(), starts.data() + 1, outcomes, nullptr, &left, &counts};
    if constexpr (std::is_same_v<Item, Word>) {
      Block::run(0, Pass{layout, words.data(), metadata.data(), fresh, shares, nullptr, combine});
    } else {
      Block::run(0, Pass{layout, words.data(), metadata.data(), shares});
    }
    return counts;
  }

  std::uint64_t of(segment_passes::Counts const& counts, Outcome outcome) const
  {
    return counts.outcomes[static_cast<std::size_t>(outcome)];
  }

  /// Every key once, where a lookup finds it.
  void expect_keys(std::vector<Narrow::Key> expected)
  {
    View<Layout, HostMachine<Narrow>> const table{{words.data(), metadata.data()}, layout};
    std::vector<Narrow::Key> keys;
    for (Slot slot = 0; slot < words.size(); ++slot) {
      ASSERT_TRUE(Family::is_valid(table, slot, words[slot])) << "slot " << slot;
      if (words[slot] == Narrow::empty_word) { continue; }
      keys.push_back(key_of(words[slot]));
      ASSERT_EQ(Family::find(table, exec::HostLanes<8>{}, keys.back()).slot, slot) << "key " << keys.back();
    }
    std::ranges::sort(keys);
    std::ranges::sort(expected);
    EXPECT_EQ(keys, expected);
  }

  static std::vector<Word> pairs_of(std::vector<Narrow::Key> const& keys)
  {
    std::vector<Word> pairs;
    pairs.reserve(keys.size());
    for (Narrow::Key const key : keys) { pairs.push_back(pack(key, static_cast<std::uint32_t>(pairs.size()))); }
    return pairs;
  }

  using Insert = segment_passes::Insert<Family, Narrow, false>;
  using InsertCopies = segment_passes::Insert<Family, Narrow, true>;
  using Erase = segment_passes::Erase<Family, Narrow>;

  Layout const layout = Family::layout<Narrow>({.family = "segmented_cuckoo", .slots = 1024});
  std::vector<Word> words;
  std::vector<std::uint64_t> metadata;
  std::uint32_t left = 0;
};

TEST_F(SegmentThreads, DistinctKeysFillASegmentInTwoSteps)
{
  for (unsigned seed = 0; seed < static_cast<unsigned>(rounds(40)); ++seed) {
    SetUp();
    std::vector<Narrow::Key> const keys = some_keys(980, seed);
    std::vector<Narrow::Key> const half(keys.begin(), keys.begin() + 500);
    std::vector<Outcome> outcomes;
    EXPECT_EQ(of(apply<Insert>(pairs_of(half), outcomes, true), Outcome::inserted), half.size());
    auto const counts = apply<Insert>(pairs_of(keys), outcomes, false);
    ASSERT_EQ(left, 0u);
    EXPECT_EQ(of(counts, Outcome::updated), half.size());
    EXPECT_EQ(of(counts, Outcome::inserted), keys.size() - half.size());
    for (std::size_t i = 0; i < keys.size(); ++i) {
      ASSERT_EQ(outcomes[i], i < half.size() ? Outcome::updated : Outcome::inserted);
    }
    expect_keys(keys);
    for (Word const word : words) {
      if (word != Narrow::empty_word) { ASSERT_EQ(keys[value_of(word)], key_of(word)); }
    }
    if (HasFailure()) { return; }
  }
}

TEST_F(SegmentThreads, CopiesMeetAtTheLockOfTheirFirstBucket)
{
  for (unsigned seed = 0; seed < static_cast<unsigned>(rounds(40)); ++seed) {
    for (std::size_t const distinct : {3u, 60u, 960u}) {
      SetUp();
      std::vector<Narrow::Key> const keys = some_keys(distinct, seed);
      std::vector<Narrow::Key> batch;
      for (std::size_t i = 0; i < 6000; ++i) { batch.push_back(keys[i / 8 % distinct]); }
      std::vector<Outcome> outcomes;
      auto const counts = apply<InsertCopies>(pairs_of(batch), outcomes, true);
      std::set<Narrow::Key> const placed(batch.begin(), batch.end());
      ASSERT_EQ(left, 0u);
      EXPECT_EQ(of(counts, Outcome::inserted), placed.size());
      EXPECT_EQ(of(counts, Outcome::updated), batch.size() - placed.size());
      std::map<Narrow::Key, int> inserted;
      for (std::size_t i = 0; i < batch.size(); ++i) { inserted[batch[i]] += outcomes[i] == Outcome::inserted; }
      for (auto const& [key, times] : inserted) { ASSERT_EQ(times, 1) << "key " << key; }
      expect_keys({placed.begin(), placed.end()});
      for (Word const word : words) {
        if (word != Narrow::empty_word) { ASSERT_EQ(batch[value_of(word)], key_of(word)); }
      }
      if (HasFailure()) { return; }
    }
  }
}

TEST_F(SegmentThreads, EveryCopyOfAKeyIsCounted)
{
  for (unsigned seed = 0; seed < static_cast<unsigned>(rounds(40)); ++seed) {
    for (std::size_t const distinct : {3u, 60u, 960u}) {
      SetUp();
      std::vector<Word> batch;
      std::map<Narrow::Key, std::uint32_t> counts;
      std::vector<Narrow::Key> const keys = some_keys(distinct, seed);
      for (std::size_t i = 0; i < 6000; ++i) {
        Narrow::Key const key = keys[i / 8 % distinct];
        batch.push_back(pack(key, std::uint32_t{1}));
        ++counts[key];
      }
      std::vector<Outcome> outcomes;
      apply<InsertCopies>(batch, outcomes, true, Combine::add);
      ASSERT_EQ(left, 0u);
      std::size_t live = 0;
      for (Word const word : words) {
        if (word == Narrow::empty_word) { continue; }
        ASSERT_EQ(value_of(word), counts.at(key_of(word))) << "key " << key_of(word);
        ++live;
      }
      ASSERT_EQ(live, counts.size());
    }
  }
}

TEST_F(SegmentThreads, CopiesAreMergedInTheEndIfThereIsRoomForThem)
{
  for (unsigned seed = 0; seed < static_cast<unsigned>(rounds(40)); ++seed) {
    for (auto const& [distinct, copies] : {std::pair{600u, 300u}, {300u, 500u}, {940u, 20u}, {960u, 5000u}}) {
      SetUp();
      std::vector<Narrow::Key> const keys = some_keys(distinct, seed);
      std::map<Narrow::Key, std::uint32_t> counts;
      auto const batch_of = [&](std::size_t first, std::size_t end, std::size_t more) {
        std::vector<Word> batch;
        for (std::size_t i = first; i < end + more; ++i) {
          Narrow::Key const key = keys[i < end ? i : first + (i - end) * 7 % (end - first)];
          batch.push_back(pack(key, std::uint32_t{1}));
          ++counts[key];
        }
        return batch;
      };
      std::uint64_t inserted = 0;
      std::uint64_t updated = 0;
      for (bool const fresh : {true, false}) {  // the second batch has keys of the first, too
        auto const batch = fresh ? batch_of(0, distinct / 2, copies / 4) : batch_of(distinct / 4, distinct, copies);
        auto const result = apply<InsertCopies>(batch, nullptr, nullptr, fresh, Combine::add);
        ASSERT_EQ(left, 0u);
        inserted += of(result, Outcome::inserted);
        updated += of(result, Outcome::updated);
        if (!fresh) { EXPECT_EQ(result.in_vain, copies > 4000 ? 1u : 0u) << "few copies find room, many do not"; }
      }
      EXPECT_EQ(inserted, distinct);
      EXPECT_EQ(updated, distinct / 2 - distinct / 4 + copies / 4 + copies);
      expect_keys(keys);
      for (Word const word : words) {
        if (word != Narrow::empty_word) { ASSERT_EQ(value_of(word), counts.at(key_of(word))) << key_of(word); }
      }
      if (HasFailure()) { return; }
    }
  }
}

TEST_F(SegmentThreads, ASegmentThatOverflowsIsLeftAsItWas)
{
  std::vector<Outcome> outcomes;
  std::vector<Narrow::Key> const before = some_keys(600, 1);
  apply<Insert>(pairs_of(before), outcomes, true);
  std::vector<Word> const old = words;
  std::vector<std::uint64_t> const old_bits = metadata;
  for (std::size_t const more : {500u, 2000u}) {
    for (bool const copies : {false, true}) {
      std::vector<Word> const pairs = pairs_of(some_keys(more, 2));
      auto const counts = copies ? apply<InsertCopies>(pairs, outcomes, false) : apply<Insert>(pairs, outcomes, false);
      EXPECT_EQ(left, 1u);
      EXPECT_EQ(of(counts, Outcome::full), more);
      EXPECT_EQ(of(counts, Outcome::inserted) + of(counts, Outcome::updated), 0u);
      EXPECT_EQ(std::ranges::count(outcomes, Outcome::full), static_cast<std::ptrdiff_t>(more));
      EXPECT_EQ(words, old);
      EXPECT_EQ(metadata, old_bits);
    }
  }
}

TEST_F(SegmentThreads, OfThreadsThatEraseOneKeyOneIsTheFirst)
{
  for (unsigned seed = 0; seed < static_cast<unsigned>(rounds(20)); ++seed) {
    SetUp();
    std::vector<Narrow::Key> const keys = some_keys(900, seed);
    std::vector<Outcome> outcomes;
    apply<Insert>(pairs_of(keys), outcomes, true);
    std::vector<Narrow::Key> batch;
    for (std::size_t i = 0; i < 4000; ++i) { batch.push_back(keys[i / 8]); }
    auto const counts = apply<Erase>(batch, outcomes, false);
    EXPECT_EQ(of(counts, Outcome::erased), 500u);
    EXPECT_EQ(of(counts, Outcome::missing), 3500u);
    std::map<Narrow::Key, int> erased;
    for (std::size_t i = 0; i < batch.size(); ++i) { erased[batch[i]] += outcomes[i] == Outcome::erased; }
    for (auto const& [key, times] : erased) { ASSERT_EQ(times, 1) << "key " << key; }
    expect_keys({keys.begin() + 500, keys.end()});
  }
}

/// Runs all blocks of a pass, one after another.
template <int Threads, class Pass>
void run_blocks(std::uint64_t count, Pass const& pass)
{
  for (std::uint64_t b = 0; b < count; ++b) { ThreadBlock<Threads>::run(b, pass); }
}

/// A batch of pairs for a table of many segments, and what its partition works on.
class PartitionThreads : public ::testing::Test {
protected:
  template <class Fold>
  using First = partition::ScatterBatch<Layout, Narrow, Operation::insert, true, Fold>;
  template <class Fold>
  using Second = partition::ScatterGroups<Layout, Narrow, Operation::insert, true, Fold>;
  using Folding = partition::Folding<Narrow, Operation::insert>;
  static constexpr std::uint32_t tile = First<partition::NoFolding>::OneTile::size;

  void count_segments()
  {
    run_blocks<8>(3, partition::Count<Layout, Narrow>{layout, batch(), keys.size() / 3 + 1, starts.data()});
    exec::Cpu().prefix_sums(starts.data(), starts.size());
    std::copy_n(starts.begin(), layout.segments, cursors.begin());
    for (std::uint32_t i = 0; i <= groups.count(); ++i) { partition::PlanGroups{plan(), tile}(i); }
    exec::Cpu().prefix_sums(tiles.data(), tiles.size());
    make_buffers(keys.size());
  }
  void make_rooms()
  {
    auto const rooms = partition::Rooms::of(keys.size(), groups, tile);
    for (std::uint32_t i = 0; i <= layout.segments; ++i) { partition::PlanRooms{plan(), rooms}(i); }
    make_buffers(rooms.items(groups));
  }
  template <class Fold = partition::NoFolding>
  void scatter(Fold const& fold = {})
  {
    std::uint64_t const blocks = keys.size() / tile + 1;
    run_blocks<partition::threads>(blocks, First<Fold>{layout, batch(), Outcome::inserted, groups, plan().of_groups,
                                                       items(0), &rejected, fold});
    run_blocks<partition::threads>(tiles.back(), Second<Fold>{layout, groups, plan().of_groups, tiles.data(),
                                                              plan().of_segments, items(0), items(1), fold});
  }

  void expect_all_but(std::size_t refused) const
  {
    std::set<std::uint32_t> found;
    for (std::uint32_t segment = 0; segment < layout.segments; ++segment) {
      ASSERT_LE(cursors[segment], starts[segment + 1]);
      for (std::uint32_t i = starts[segment]; i < cursors[segment]; ++i) {
        std::uint32_t const number = numbers[1][i];
        ASSERT_EQ(layout.segment(key_of(pairs[1][i])), segment);
        ASSERT_EQ(pairs[1][i], pack(keys[number], values[number]));
        ASSERT_TRUE(found.insert(number).second);
      }
    }
    EXPECT_EQ(found.size(), keys.size() - 1);
    EXPECT_FALSE(found.contains(static_cast<std::uint32_t>(refused))) << "it has no segment";
  }

  Batch<Narrow> batch()
  {
    return {keys.size(), nullptr, keys.data(), values.data(), outcomes.data(), nullptr, true, OperationMask::inserts};
  }
  partition::Plan plan()
  {
    return {groups,
            {group_cursors.data(), group_starts.data(), &overflowed},
            {cursors.data(), starts.data(), &overflowed},
            group_starts.data(),
            starts.data(),
            tiles.data()};
  }

  Layout const layout =
      Family::layout<Narrow>({.family = "segmented_cuckoo", .slots = 1u << 17, .parameters = {{"segment", 128}}});
  partition::Groups const groups = partition::Groups::of(layout.segments);
  std::vector<Narrow::Key> keys = some_keys(30'000, 5);
  std::vector<Narrow::Value> values{keys.begin(), keys.end()};
  std::vector<Outcome> outcomes = std::vector<Outcome>(keys.size());
  std::vector<std::uint32_t> starts = std::vector<std::uint32_t>(layout.segments + 1), cursors = starts;
  std::vector<std::uint32_t> group_starts = std::vector<std::uint32_t>(groups.count() + 1),
                             group_cursors = group_starts;
  std::vector<std::uint32_t> tiles = group_starts;
  std::array<std::vector<Word>, 2> pairs;
  std::array<std::vector<std::uint32_t>, 2> numbers;
  std::uint64_t rejected = 0;
  std::uint32_t overflowed = 0;

private:
  void make_buffers(std::size_t count)
  {
    for (auto& buffer : pairs) { buffer.assign(count, Narrow::empty_word); }
    for (auto& buffer : numbers) { buffer.assign(count, 0); }
  }
  partition::Items<Word> items(std::size_t pass) { return {pairs[pass].data(), numbers[pass].data()}; }
};

TEST_F(PartitionThreads, KeepsEveryItemAndItsNumberWithCountsAndWithRooms)
{
  ASSERT_FALSE(groups.one_pass());
  values[17] = Narrow::empty_value;
  keys[18] = Narrow::empty_key;
  for (bool const counted : {true, false}) {
    SCOPED_TRACE(counted);
    counted ? count_segments() : make_rooms();
    rejected = 0;
    scatter();
    EXPECT_EQ(overflowed, 0u);
    EXPECT_EQ(rejected, 2u);
    EXPECT_EQ(outcomes[16], Outcome::inserted);
    EXPECT_EQ(outcomes[17], Outcome::rejected);
    EXPECT_EQ(outcomes[18], Outcome::rejected);
    expect_all_but(18);
  }
}

TEST_F(PartitionThreads, CopiesThatMeetInATileBecomeOneThatBringsAllTheirValues)
{
  for (std::size_t i = 0; i < 20'000; ++i) { keys[i] = keys[keys.size() - 1 - i % 50]; }
  std::map<Narrow::Key, std::uint64_t> sums;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    values[i] = 1 + static_cast<std::uint32_t>(i % 7);
    sums[keys[i]] += values[i];
  }
  make_rooms();
  std::uint32_t seen = 0;
  scatter(Folding{Combine::add, outcomes.data(), &seen});
  EXPECT_GE(seen, partition::few_copies);
  EXPECT_EQ(overflowed, 0u) << "the copies would not fit";
  std::size_t arrived = 0;
  for (std::uint32_t segment = 0; segment < layout.segments; ++segment) {
    for (std::uint32_t i = starts[segment]; i < cursors[segment]; ++i) {
      ASSERT_EQ(layout.segment(key_of(pairs[1][i])), segment);
      ASSERT_EQ(key_of(pairs[1][i]), keys[numbers[1][i]]);
      ASSERT_EQ(outcomes[numbers[1][i]], Outcome::inserted) << "what has become of it is not known yet";
      sums[key_of(pairs[1][i])] -= value_of(pairs[1][i]);
      ++arrived;
    }
  }
  for (auto const& [key, rest] : sums) { ASSERT_EQ(rest, 0u) << "key " << key; }
  EXPECT_EQ(std::ranges::count(outcomes, Outcome::updated), std::ssize(keys) - static_cast<std::ptrdiff_t>(arrived));
  EXPECT_LT(arrived, sums.size() + 1000);
}

TEST_F(PartitionThreads, ARoomThatIsTooSmallIsReportedAndNothingIsWrittenPastIt)
{
  for (std::size_t const copies : {200u, 20'000u}) {  // too many for a segment, and for a group of them
    std::fill_n(keys.begin(), copies, keys.back());
    overflowed = 0;
    make_rooms();
    scatter();
    EXPECT_EQ(overflowed, 1u);
    for (std::uint32_t segment = 0; segment < layout.segments; ++segment) {
      for (std::uint32_t i = starts[segment]; i < starts[segment + 1]; ++i) {
        if (pairs[1][i] != Narrow::empty_word) { ASSERT_EQ(layout.segment(key_of(pairs[1][i])), segment); }
      }
    }
  }
}

}  // namespace
}  // namespace slotscape::testing
