#pragma once

#include "tests/library/case.hpp"
#include "tests/library/recorded.hpp"

#include <gtest/gtest.h>

#include <string>

namespace slotscape {

/// `scripts/stress` does the same for all families, for as long as wanted.
template <class Case>
class LibraryThreads : public testing::Test {
protected:
  void SetUp() override
  {
    if (std::string const why = Case::Backend::why_not(); !why.empty()) { GTEST_SKIP() << why; }
  }
  typename Case::Backend backend_;
};
TYPED_TEST_SUITE_P(LibraryThreads);

TYPED_TEST_P(LibraryThreads, MeetAtHotKeysAndTheirHistoriesAddUp)
{
  constexpr std::uint64_t variants = 12;
  for (std::uint64_t seed = 0; seed < variants; ++seed) {
    recorded::Checked const checked =
        recorded::check_promised<typename TypeParam::Backend, typename TypeParam::Family, typename TypeParam::Key>(
            this->backend_, seed, TypeParam::Backend::hot_operations);
    EXPECT_EQ(checked.fault, "") << "seed " << seed;
    EXPECT_GT(checked.operations, 500u);
  }
}

REGISTER_TYPED_TEST_SUITE_P(LibraryThreads, MeetAtHotKeysAndTheirHistoriesAddUp);

}  // namespace slotscape
