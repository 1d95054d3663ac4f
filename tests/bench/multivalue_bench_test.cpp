#include "gpu/bench/multivalue_bench.hpp"

#include "gpu/base/error.hpp"
#include "gpu/bench/multivalue_bench_of.hpp"
#include "gpu/execution/backend.hpp"
#include "gpu/execution/cpu.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace slotscape::bench::multivalue_bench_tests {
namespace {

using multivalue::Construction;
using ::testing::HasSubstr;

class EveryMultiValueBackend : public ::testing::TestWithParam<Backend> {
protected:
  void SetUp() override
  {
    if (GetParam() == Backend::cuda && !why_no_cuda().empty()) { GTEST_SKIP() << why_no_cuda(); }
  }
  MultiValueCase subject(Construction construction, int key_bits) const
  {
    return {{.construction = construction, .key_bits = key_bits}, false, 100'000, 8, false};
  }
};
INSTANTIATE_TEST_SUITE_P(On, EveryMultiValueBackend, ::testing::Values(Backend::cpu, Backend::cuda),
                         [](auto const& info) { return info.param == Backend::cpu ? "cpu" : "cuda"; });

TEST_P(EveryMultiValueBackend, BuildsAndLooksUpAsOftenAsWanted)
{
  for (Construction const construction :
       {Construction::count_scan_scatter, Construction::two_level_cuckoo, Construction::sort}) {
    for (int const bits : {32, 64}) {
      if (bits == 64 && construction == Construction::two_level_cuckoo) { continue; }
      for (bool const half : {false, true}) {
        MultiValueCase wanted = subject(construction, bits);
        wanted.half = half;
        auto const bench = make_multivalue_bench(GetParam(), wanted);
        for (std::uint64_t seed = 1; seed <= 2; ++seed) {
          auto const run = bench->run(seed, {});
          ASSERT_TRUE(run);
          EXPECT_GT(run->build_seconds, 0.0);
          EXPECT_GT(run->retrieve_seconds, 0.0);
          EXPECT_NEAR(static_cast<double>(run->distinct), 12'500.0, 300.0);
        }
        EXPECT_GT(bench->memory_bytes(), 100'000u * static_cast<unsigned>(bits) / 8);
      }
    }
  }
}

TEST_P(EveryMultiValueBackend, ComparesWithCubWhereThatRuns)
{
  MultiValueCase wanted = subject(Construction::sort, 32);
  wanted.by_cub = true;
  if (GetParam() == Backend::cpu) {
    EXPECT_THROW(make_multivalue_bench(GetParam(), wanted), Error);
    return;
  }
  EXPECT_TRUE(make_multivalue_bench(GetParam(), wanted)->run(1, {}));
}

TEST_P(EveryMultiValueBackend, RefusesWhatNoTableTakes)
{
  EXPECT_THROW(make_multivalue_bench(GetParam(), subject(Construction::two_level_cuckoo, 64)), Error);
  MultiValueCase many = subject(Construction::sort, 32);
  many.pairs = multivalue::max_pairs + 1;
  EXPECT_THROW(make_multivalue_bench(GetParam(), many), Error);
}

/// Another table's results, of which one is spoilt.
class Liar {
public:
  enum class Lie : std::uint8_t { none, twice, other_group, range };
  using Table = multivalue::MultiValueTable<exec::Cpu, Narrow>;

  Liar(exec::Cpu& exec, Lie lie)
      : honest_(multivalue::make_table<exec::Cpu, Narrow>(exec, {.construction = Construction::sort})), lie_(lie)
  {
  }
  multivalue::BuildReport build(std::uint32_t const* keys, std::uint32_t const* values, std::uint64_t count)
  {
    auto const report = honest_->build(keys, values, count);
    auto const groups = honest_->groups();
    values_.assign(groups.values, groups.values + count);
    if (lie_ == Lie::twice) { values_[5] = values_[4]; }
    if (lie_ == Lie::other_group) { std::swap(values_[groups.offsets[7]], values_[groups.offsets[9]]); }
    return report;
  }
  void retrieve(std::uint32_t const* keys, std::uint64_t count, multivalue::Range* out)
  {
    honest_->retrieve(keys, count, out);
    if (lie_ == Lie::range) { ++out[count / 2].count; }
  }
  multivalue::GroupsView<Narrow> groups() const
  {
    auto groups = honest_->groups();
    groups.values = values_.data();
    return groups;
  }
  std::uint64_t distinct() const { return honest_->distinct(); }
  std::uint64_t memory_bytes() const { return honest_->memory_bytes(); }

private:
  std::unique_ptr<Table> honest_;
  std::vector<std::uint32_t> values_;
  Lie lie_;
};

TEST(MultiValueBench, FindsOutWrongAnswers)
{
  for (Liar::Lie const lie : {Liar::Lie::none, Liar::Lie::twice, Liar::Lie::other_group, Liar::Lie::range}) {
    MultiValueCase const subject{{.construction = Construction::sort}, false, 10'000, 8, false};
    MultiValueBenchOf<exec::Cpu, Narrow, Liar> bench(subject, [lie](exec::Cpu& exec) {
      return std::make_unique<Liar>(exec, lie);
    });
    try {
      bench.run(1, {});
      EXPECT_EQ(lie, Liar::Lie::none) << "the lie was believed";
    } catch (Error const& error) {
      EXPECT_NE(lie, Liar::Lie::none) << error.what();
      EXPECT_THAT(error.what(), HasSubstr("gave wrong answers"));
    }
  }
}

}  // namespace
}  // namespace slotscape::bench::multivalue_bench_tests
