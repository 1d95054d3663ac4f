#pragma once

#include "gpu/base/pair_format.hpp"
#include "gpu/multivalue/engine.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <ostream>
#include <string>
#include <vector>

namespace slotscape::multivalue::testing {

/// A backend, and a way to build with keys of one width: what each test runs for.
struct Subject {
  Backend backend;
  Construction construction;
  int key_bits;

  Settings settings() const { return {.construction = construction, .key_bits = key_bits}; }
};

inline std::vector<Subject> all_subjects()
{
  std::vector<Subject> subjects;
  for (Backend const backend : {Backend::cpu, Backend::cuda}) {
    for (int const bits : {32, 64}) {
      subjects.push_back({backend, Construction::count_scan_scatter, bits});
      subjects.push_back({backend, Construction::sort, bits});
    }
    subjects.push_back({backend, Construction::two_level_cuckoo, 32});
  }
  return subjects;
}

inline std::string describe(Subject const& subject)
{
  return std::string(subject.backend == Backend::cpu ? "cpu_" : "cuda_") +
         std::string(construction_names[static_cast<std::size_t>(subject.construction)]) + "_" +
         std::to_string(subject.key_bits);
}
inline void PrintTo(Subject const& subject, std::ostream* out)
{
  *out << describe(subject);
}
inline std::string subject_name(::testing::TestParamInfo<Subject> const& info)
{
  return describe(info.param);
}

/// A test body that runs for every subject, and is skipped, visibly, where there is no device for one.
class MultiValueTest : public ::testing::TestWithParam<Subject> {
protected:
  void SetUp() override
  {
    if (GetParam().backend == Backend::cuda && !why_no_cuda().empty()) { GTEST_SKIP() << why_no_cuda(); }
  }
  static std::unique_ptr<Engine> make() { return make_engine(GetParam().backend, GetParam().settings()); }
  static int bits() { return GetParam().key_bits; }
};

#define SLOTSCAPE_FOR_EVERY_CONSTRUCTION(Suite)                                                              \
  INSTANTIATE_TEST_SUITE_P(On, Suite, ::testing::ValuesIn(::slotscape::multivalue::testing::all_subjects()), \
                           ::slotscape::multivalue::testing::subject_name)

struct Pairs {
  std::vector<Key> keys;
  std::vector<Value> values;
};

/// How often keys occur among `pairs` pairs.
struct Distribution {
  enum class Kind : std::uint8_t {
    equal,  ///< each key `multiplicity` times
    drawn,  ///< one of pairs / multiplicity keys for each pair
    half,   ///< half of all pairs have one key, and the others a key each
    zipf    ///< the k-th of pairs / multiplicity keys with a probability of about 1 / k
  };
  std::string name;
  Kind kind;
  std::uint64_t pairs;
  std::uint64_t multiplicity;
};

/// Pairs in random order. Their values are their places, so that a pair that is lost, or there twice, is noticed.
Pairs draw(Distribution const& distribution, std::uint64_t seed, int key_bits);

/// The table holds these pairs: ranges, values, groups, statistics and the table of keys, against
/// std::unordered_multimap and itself. Pairs with keys that tables refuse must not be among them.
void expect_holds(Engine& engine, Pairs const& pairs);

}  // namespace slotscape::multivalue::testing
