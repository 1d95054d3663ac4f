// Tables that are many times as large as a GPU's L2 cache, in which lookups go another way (`FindMany`).

#include "gpu/base/random.hpp"
#include "tests/library/on_cuda.cuh"

#include <gtest/gtest.h>

namespace slotscape {
namespace {

template <class Key>
struct DistinctKeys {
  std::uint64_t first;

  SLOTSCAPE_HOST_DEVICE Key operator[](std::uint64_t i) const
  {
    return static_cast<Key>(sizeof(Key) == 8 ? random64(7, first + i) : (first + i) * 0x9e3779b1u & 0x7fffffffu);
  }
};
template <class Keys>
struct ValuesOf {
  Keys keys;

  SLOTSCAPE_HOST_DEVICE auto operator[](std::uint64_t i) const { return keys[i] >> 1; }
};
/// Every eighth key comes twice, one after the other.
template <class Key>
struct RepeatedKeys {
  DistinctKeys<Key> keys;

  SLOTSCAPE_HOST_DEVICE Key operator[](std::uint64_t i) const { return keys[i - i / 9]; }
};
template <class Key>
struct CountWrong {
  DistinctKeys<Key> keys;
  Key const* values;
  bool are_there;
  std::uint64_t* wrong;

  __device__ void operator()(std::uint64_t i) const
  {
    Key const expected = are_there ? ValuesOf<DistinctKeys<Key>>{keys}[i] : FormatOf<Key>::empty_value;
    if (values[i] != expected) { exec::fetch_add(*wrong, std::uint64_t{1}); }
  }
};

template <class Key>
class LibraryLargeTable : public ::testing::Test {
protected:
  using Table = CudaTable<families::segmented_cuckoo, Key>;
  using Keys = DistinctKeys<Key>;

  void SetUp() override
  {
    if (std::string const why = OnCuda::why_not(); !why.empty()) { GTEST_SKIP() << why; }
    int device = 0;
    int cache = 0;
    SLOTSCAPE_CUDA_CHECK(cudaGetDevice(&device));
    SLOTSCAPE_CUDA_CHECK(cudaDeviceGetAttribute(&cache, cudaDevAttrL2CacheSize, device));
    slots_ = (caches_of_large + 2) * static_cast<std::uint64_t>(cache) / (2 * sizeof(Key));
    std::size_t free = 0;
    std::size_t total = 0;
    SLOTSCAPE_CUDA_CHECK(cudaMemGetInfo(&free, &total));
    if (free / 4 < slots_ * 2 * sizeof(Key)) { GTEST_SKIP() << "There is too little memory for a table that large."; }
  }

  /// Looks them up: all are there, or none.
  void expect(Table& table, Keys const& keys, std::uint64_t count, bool are_there)
  {
    OnCuda::Array<Key> found(count);
    OnCuda::Array<std::uint64_t> wrong(std::vector<std::uint64_t>{0});
    EXPECT_EQ(table.find(keys, found.data(), count), are_there ? count : 0);
    OnCuda{}.for_each(count, CountWrong<Key>{keys, found.data(), are_there, wrong.data()});
    EXPECT_EQ(wrong.host().front(), 0u);
  }

  std::uint64_t slots_ = 0;
};
using Widths = ::testing::Types<std::uint32_t, std::uint64_t>;
TYPED_TEST_SUITE(LibraryLargeTable, Widths);

TYPED_TEST(LibraryLargeTable, FindsWhatIsThereAfterCopiesWereMerged)
{
  using Keys = typename TestFixture::Keys;
  using Repeated = RepeatedKeys<TypeParam>;
  using Table = typename TestFixture::Table;
  std::uint64_t const count = this->slots_ / 10 * 8;  // a multiple of 8
  Table table({.slots = this->slots_}, OnCuda::stream());
  Repeated const keys{Keys{1}};
  ASSERT_EQ(table.insert(keys, ValuesOf<Repeated>{keys}, count + count / 8 - 1).inserted, count);
  this->expect(table, Keys{1}, count, true);
  this->expect(table, Keys{1 + count}, count / 4, false);
}

TYPED_TEST(LibraryLargeTable, FindsWhatIsThereAlsoAfterErasures)
{
  using Keys = typename TestFixture::Keys;
  using Values = ValuesOf<Keys>;
  using Table = typename TestFixture::Table;
  std::uint64_t const count = this->slots_ / 10 * 9;
  Table table({.slots = this->slots_}, OnCuda::stream());
  Keys const keys{1};
  Keys const absent{1 + count};
  ASSERT_EQ(table.insert(keys, Values{keys}, count, {.distinct = true}).inserted, count);
  this->expect(table, keys, count, true);
  this->expect(table, absent, count / 4, false);
  std::uint64_t const erased = count / 3;
  ASSERT_EQ(table.erase(keys, erased), erased);
  Keys const left{1 + erased};
  this->expect(table, keys, erased, false);
  this->expect(table, left, count - erased, true);
  ASSERT_EQ(table.insert(absent, Values{absent}, erased / 2).inserted, erased / 2);
  this->expect(table, left, count - erased, true);
  this->expect(table, absent, erased / 2, true);
}

/// One key for each number, none of them twice, and its value.
struct KeysInOrder {
  std::uint64_t first;
  std::uint32_t* keys;
  std::uint32_t* values;

  __device__ void operator()(std::uint64_t i) const
  {
    keys[i] = static_cast<std::uint32_t>(first + i);
    values[i] = keys[i] >> 1;
  }
};
struct CountOthers {
  KeysInOrder expected;
  std::uint32_t const* values;
  std::uint64_t* wrong;

  __device__ void operator()(std::uint64_t i) const
  {
    if (values[i] != expected.values[i]) { exec::fetch_add(*wrong, std::uint64_t{1}); }
  }
};

// 2^32 slots, of which one table cannot have so many.
TEST(LibraryLargeShards, HaveMoreSlotsThanOneTable)
{
  if (std::string const why = OnCuda::why_not(); !why.empty()) { GTEST_SKIP() << why; }
  constexpr std::uint64_t slots = 2 * max_slots;
  constexpr std::uint64_t batch = std::uint64_t{1} << 28;
  constexpr std::uint64_t batches = 10;  // 2.7 billion keys
  std::size_t free = 0;
  std::size_t total = 0;
  SLOTSCAPE_CUDA_CHECK(cudaMemGetInfo(&free, &total));
  if (free < slots * 8 + 80 * batch) { GTEST_SKIP() << "There is too little memory for a table that large."; }

  using Table = CudaShardedTable<families::segmented_cuckoo, std::uint32_t>;
  Table table({.slots = slots}, {.shards = 2}, OnCuda::stream());
  EXPECT_EQ(table.slots(), slots);
  OnCuda::Array<std::uint32_t> keys(batch), values(batch), found(batch);
  OnCuda::Array<std::uint64_t> wrong(std::vector<std::uint64_t>{0});
  auto const keys_of = [&](std::uint64_t number) {
    KeysInOrder const in_order{number * batch, keys.data(), values.data()};
    OnCuda{}.for_each(batch, in_order);
    return in_order;
  };
  for (std::uint64_t i = 0; i < batches; ++i) {
    keys_of(i);
    ASSERT_EQ(table.insert(keys.data(), values.data(), batch, {.distinct = true}).inserted, batch) << i;
  }
  EXPECT_EQ(table.size(), batches * batch);
  for (std::uint64_t i = 0; i < batches; ++i) {
    KeysInOrder const expected = keys_of(i);
    ASSERT_EQ(table.find(keys.data(), found.data(), batch), batch) << i;
    OnCuda{}.for_each(batch, CountOthers{expected, found.data(), wrong.data()});
  }
  EXPECT_EQ(wrong.host().front(), 0u);
  keys_of(batches);
  EXPECT_EQ(table.find(keys.data(), found.data(), batch), 0u) << "absent";
}

}  // namespace
}  // namespace slotscape
