#include "gpu/base/progress.hpp"

#include <gmock/gmock.h>

namespace slotscape {
namespace {

TEST(Progress, ByDefaultNeitherReportsNorCancels)
{
  Progress const progress;
  progress.cancel();
  progress.begin("work");
  EXPECT_TRUE(progress.report(0.5));
  EXPECT_FALSE(progress.is_watched());
  EXPECT_FALSE(progress.cancelled());
  EXPECT_EQ(progress.share(), 0.0);
  EXPECT_EQ(progress.what(), "");
}

TEST(Progress, CopiesShareWhatIsReportedAndCancelled)
{
  Progress const owner = Progress::tracked();
  Progress const worker = owner;  // NOLINT(performance-unnecessary-copy-initialization): it is a copy that is tested
  worker.begin("insert 1000");
  EXPECT_TRUE(worker.report(0.25, 250));
  EXPECT_TRUE(worker.add(50));
  EXPECT_EQ(owner.snapshot().what, "insert 1000");
  EXPECT_EQ(owner.snapshot().share, 0.25);
  EXPECT_EQ(owner.snapshot().count, 300u);
  owner.cancel();
  EXPECT_FALSE(worker.report(0.5));
  EXPECT_THROW(worker.require(), Cancelled);
}

TEST(Progress, NeverGoesBackwardsUntilSomethingElseBegins)
{
  Progress const progress = Progress::tracked();
  progress.report(0.5);
  progress.report(0.25);
  EXPECT_EQ(progress.share(), 0.5);
  progress.report(1.5);
  EXPECT_EQ(progress.share(), 1.0);
  progress.begin("the rest");
  EXPECT_EQ(progress.share(), 0.0);
}

TEST(Progress, PartsReportTheirShareOfTheWhole)
{
  Progress const whole = Progress::tracked();
  Progress const second_half = whole.part(0.5, 1.0);
  second_half.report(0.5);
  EXPECT_DOUBLE_EQ(whole.share(), 0.75);
  second_half.part(0.5, 1.0).report(0.5);
  EXPECT_DOUBLE_EQ(whole.share(), 0.875);
  whole.cancel();
  EXPECT_TRUE(second_half.cancelled());
}

TEST(Progress, AWatchIsAskedUntilItCancels)
{
  int asked = 0;
  Progress const progress([&](Progress const& now) { return ++asked < 3 && now.share() < 0.9; });
  EXPECT_TRUE(progress.report(0.1));
  EXPECT_FALSE(progress.cancelled());
  EXPECT_FALSE(progress.report(0.2));
  EXPECT_FALSE(progress.report(0.3)) << "it stays cancelled";
  EXPECT_EQ(asked, 3);
}

}  // namespace
}  // namespace slotscape
