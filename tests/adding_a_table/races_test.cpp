#include "gpu/races/judge.hpp"

#include <gtest/gtest.h>

namespace slotscape::races {
namespace {

TEST(XorProbing, HasOnlyLegalHistoriesWhereInsertsOfOneKeyMeetAmongTombstones)
{
  TableSettings const settings{.family = "xor_probing",
                               .slots = 8,
                               .deletion = Deletion::tombstone_reuse,
                               .hash = HashKind::identity};
  std::vector<Call> const before{{Operation::insert, 5, 1}, {Operation::insert, 21, 1}, {Operation::erase, 5}};
  std::vector<Call> const calls{{Operation::insert, 13, 10}, {Operation::insert, 13, 11}, {Operation::insert, 29, 12}};
  Report const report = explore({make_shared_table(settings, before), calls});
  EXPECT_TRUE(report.legal()) << report.verdict.fault;
  EXPECT_GT(report.findings.ends, 1u);
}

}  // namespace
}  // namespace slotscape::races
