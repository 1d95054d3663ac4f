#include "app/lessons/condition.hpp"
#include "app/lessons/expression.hpp"

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

}  // namespace
}  // namespace slotscape
