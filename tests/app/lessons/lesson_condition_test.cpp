#include "app/lessons/condition.hpp"
#include "app/lessons/expression.hpp"
#include "gpu/engine/engine.hpp"

#include <gtest/gtest.h>

namespace slotscape {
namespace {

TEST(LessonCondition, ThatNearlyHoldsIsToldWithTheDigitsThatDiffer)
{
  using Relation = lessons::Condition::Relation;
  auto const finding = [](std::string const& of, Relation relation, std::string const& bound) {
    lessons::Variables const none;
    return lessons::check({"misses", "", of, {}, relation, bound}, {none});
  };
  lessons::Finding const near = finding("1.94476", Relation::equals, "31/16");
  EXPECT_FALSE(near.met);
  EXPECT_EQ(near.value, "1.94476");
  EXPECT_EQ(near.wanted, "exactly 1.9375");
  EXPECT_EQ(finding("1.0000001", Relation::below, "1").value, "1.0000001");
  EXPECT_EQ(finding("2", Relation::equals, "3").wanted, "exactly 3");
  EXPECT_TRUE(finding("1.9375", Relation::equals, "31/16").met);
}

TEST(LessonCondition, TellsAFamilyByItsTitleAndOnce)
{
  Json const statistics = Json::parse(R"({"table": {"family": "cuckoo"}})");
  lessons::Variables const none;
  lessons::Names const names{none, &statistics, &statistics};
  auto const finding = [&](std::string const& bound) {
    return lessons::check({"Family", "", "[table/family]", {}, lessons::Condition::Relation::is, bound}, names);
  };
  EXPECT_TRUE(finding("cuckoo").met);
  EXPECT_EQ(finding("cuckoo").value, "Cuckoo hashing");
  EXPECT_EQ(finding("cuckoo").wanted, "");
  EXPECT_FALSE(finding("swiss").met);
  EXPECT_EQ(finding("swiss").wanted, family_info("swiss").title);
}

}  // namespace
}  // namespace slotscape
