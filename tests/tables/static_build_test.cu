// The builders of the static tables on a device: what they leave in its memory is read on the host.

#include "gpu/base/random.hpp"
#include "gpu/engine/run_operations.hpp"
#include "gpu/execution/cuda.cuh"
#include "gpu/tables/perfect_hash.hpp"
#include "gpu/tables/two_level_cuckoo.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <span>
#include <vector>

namespace slotscape {
namespace {

template <class T>
using Buffer = exec::Cuda::Buffer<T>;

/// Every key is found by the host in memory copied from the device, and nothing else is there.
template <class Family>
void expect_holds(typename Family::template Layout<Narrow> const& layout, std::vector<Narrow::Word>& words,
                  std::vector<std::uint64_t>& metadata, std::vector<std::uint32_t> const& keys)
{
  View<typename Family::template Layout<Narrow>, HostMachine<Narrow>> const table{{words.data(), metadata.data()},
                                                                                  layout};
  for (std::uint32_t const key : keys) {
    auto const result = Family::find(table, key);
    ASSERT_EQ(result.outcome, Outcome::found) << key;
    ASSERT_EQ(result.value, key / 2);
    ASSERT_TRUE(Family::is_valid(table, result.slot, words[result.slot]));
  }
  EXPECT_EQ(words.size() - static_cast<std::size_t>(std::ranges::count(words, Narrow::empty_word)), keys.size());
}

template <class Family>
void build_and_check(TableSettings const& settings, std::vector<std::uint32_t> const& keys)
{
  exec::Cuda exec;
  auto layout = Family::template layout<Narrow>(settings);
  std::vector<std::uint32_t> values(keys.size());
  std::ranges::transform(keys, values.begin(), [](std::uint32_t key) { return key / 2; });
  Buffer<std::uint32_t> device_keys(exec, keys.size());
  Buffer<std::uint32_t> device_values(exec, keys.size());
  exec.upload(device_keys.data(), std::span<std::uint32_t const>(keys));
  exec.upload(device_values.data(), std::span<std::uint32_t const>(values));
  Buffer<Narrow::Word> device_words(exec, layout.slots());
  Buffer<std::uint64_t> device_aux(exec, layout.metadata());
  exec.fill(device_words.data(), device_words.size(), Narrow::empty_word);
  exec.fill(device_aux.data(), device_aux.size(), std::uint64_t{0});
  Contents<Narrow> const pairs{device_keys.data(), device_values.data(), 0, keys.size()};
  ASSERT_EQ(Family::build(exec, layout, 1, pairs, device_words.data(), device_aux.data()), Built::done);

  std::vector<Narrow::Word> words(layout.slots());
  std::vector<std::uint64_t> metadata(layout.metadata());
  exec.download(std::span(words), static_cast<Narrow::Word const*>(device_words.data()));
  exec.download(std::span(metadata), static_cast<std::uint64_t const*>(device_aux.data()));
  expect_holds<Family>(layout, words, metadata, keys);
}

std::vector<std::uint32_t> some_keys(std::size_t count)
{
  Shuffle const shuffle = make_shuffle(5, Narrow::locked_key);
  std::vector<std::uint32_t> keys(count);
  for (std::size_t i = 0; i < count; ++i) { keys[i] = shuffle(static_cast<std::uint32_t>(i)); }
  return keys;
}

class StaticBuildOnCuda : public testing::Test {
protected:
  void SetUp() override
  {
    if (!why_no_cuda().empty()) { GTEST_SKIP() << why_no_cuda(); }
  }
};

constexpr std::size_t counts[] = {0, 1, 2, 31, 33, 512, 513, 160'000, 3'000'000};

TEST_F(StaticBuildOnCuda, TwoLevelCuckoo)
{
  for (std::size_t const count : counts) {
    SCOPED_TRACE(count);
    build_and_check<TwoLevelCuckoo>({.slots = count * 10 / 7}, some_keys(count));
  }
}

TEST_F(StaticBuildOnCuda, TwoLevelCuckooRestarts)
{
  std::vector<std::uint32_t> keys;
  for (std::uint32_t i = 0; i < 2000; ++i) { keys.push_back(i * 8); }  // all in bucket 0 by k mod 8
  build_and_check<TwoLevelCuckoo>({.slots = 8 * 576}, keys);
}

TEST_F(StaticBuildOnCuda, TwoLevelCuckooReseeds)
{
  std::vector<std::uint32_t> keys;  // of one residue modulo the first seed's prime
  for (std::uint32_t i = 0; i < 512; ++i) { keys.push_back(i * two_level::papers_prime); }
  build_and_check<TwoLevelCuckoo>({.slots = 576}, keys);
}

TEST_F(StaticBuildOnCuda, PerfectHashFks)
{
  for (std::size_t const count : counts) {
    SCOPED_TRACE(count);
    build_and_check<PerfectHash>({.slots = count * 100 / 45 + 16}, some_keys(count));
  }
}

TEST_F(StaticBuildOnCuda, PerfectHashPsh)
{
  for (std::size_t const count : counts) {
    SCOPED_TRACE(count);
    TableSettings const settings{.slots = std::max<std::uint64_t>(count, 1),
                                 .parameters = {{"variant", PerfectHash::variant_psh}}};
    build_and_check<PerfectHash>(settings, some_keys(count));
  }
}

}  // namespace
}  // namespace slotscape
