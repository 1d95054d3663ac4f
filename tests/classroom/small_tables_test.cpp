// Small tables begin so that one can follow their keys one by one.

#include "app/simulation/small_keys.hpp"
#include "tests/app/support/program.hpp"

#include <gmock/gmock.h>

namespace slotscape {
namespace {

using test::parse_setup;
using test::scene_of;
using ::testing::Each;
using ::testing::HasSubstr;
using ::testing::Lt;

class SmallTables : public testing::Test {
protected:
  void show(Scenario const& scenario)
  {
    app_ = test::offscreen_app({1280, 720}, scenario);
    frames(3);
  }
  void frames(int count)
  {
    for (int i = 0; i < count; ++i) { app_->frame(0.05); }
    scene().finish_steps({});
    app_->frame(0.05);
  }
  SlotsScene& scene() { return scene_of<SlotsScene>(*app_); }
  TableSceneSettings const& settings() { return scene().state().settings; }
  std::vector<Key> keys()
  {
    std::vector<Key> keys;
    for (Pair const& pair : scene().simulation().engine().pairs()) { keys.push_back(pair.key); }
    return keys;
  }

  std::unique_ptr<App> app_;
};

TEST_F(SmallTables, OfAFileBeginSlowly)
{
  auto const small = parse_setup<TableSetup>(R"({ "version": 1, "table": { "slots": 11 } })");
  EXPECT_EQ(small.settings.drive.rate, 1.0);
  EXPECT_EQ(small.settings.drive.batch, 1u);
  EXPECT_TRUE(are_small(small.settings.keys));
  auto const typed = parse_setup<TableSetup>(
      R"({ "version": 1, "table": { "slots": 11 }, "steps": [ { "op": "insert", "keys": [5] } ] })");
  EXPECT_TRUE(are_small(typed.settings.keys)) << "its steps draw none";
  auto const drawn = parse_setup<TableSetup>(
      R"({ "version": 1, "table": { "slots": 11 }, "steps": [ { "op": "insert", "count": 5 } ] })");
  EXPECT_FALSE(are_small(drawn.settings.keys)) << "its keys stay the same";
  auto const given = parse_setup<TableSetup>(R"({ "version": 1, "table": { "slots": 11 },
      "keys": { "distribution": "sequential" }, "drive": { "rate": 50, "batch": 4 } })");
  EXPECT_EQ(given.settings.keys.distribution, KeyDistribution::sequential);
  EXPECT_EQ(given.settings.drive.rate, 50.0);
  EXPECT_EQ(given.settings.drive.batch, 4u);
  auto const large = parse_setup<TableSetup>(R"({ "version": 1, "table": { "slots": 128 } })");
  EXPECT_EQ(large.settings.drive.rate, DriveSettings{}.rate);
  EXPECT_EQ(large.settings.drive.batch, 16u);
  EXPECT_FALSE(are_small(large.settings.keys));
}

TEST_F(SmallTables, InTheWindowBeginSlowly)
{
  show(test::slots_scenario({.slots = 65536}));
  scene().state().settings.drive.full_speed = true;
  frames(1);
  ask_for_table(scene().state(), {.slots = 11});
  frames(2);
  EXPECT_EQ(settings().drive.rate, 1.0);
  EXPECT_FALSE(settings().drive.full_speed);
  test::press(scene(), "I");
  frames(2);
  EXPECT_EQ(keys().size(), 1u);
  EXPECT_THAT(keys(), Each(Lt(100u)));
  scene().state().ask(Undo{});
  scene().state().ask(Undo{});
  frames(2);
  EXPECT_EQ(settings().table.slots, 65536u);
  EXPECT_EQ(settings().drive.batch, DriveSettings{}.batch);
  EXPECT_TRUE(settings().drive.full_speed);
}

TEST_F(SmallTables, ThatBecomeLargeRunAsUsual)
{
  show({&test::entry("slots"), parse_setup<TableSetup>(R"({ "version": 1, "table": { "slots": 16 } })")});
  ask_for_table(scene().state(), {.slots = 1024});
  frames(2);
  EXPECT_EQ(settings().drive, DriveSettings{});
  EXPECT_FALSE(are_small(settings().keys));
}

/// A table whose keys are kept gets no others, however small it becomes.
TEST_F(SmallTables, KeepTheirKeys)
{
  show(test::slots_scenario({.slots = 128}));
  scene().state().act(BatchRequest::inserts(5));
  frames(2);
  auto const before = keys();
  scene().state().act(Rehash{16});
  frames(2);
  EXPECT_THAT(keys(), testing::UnorderedElementsAreArray(before));
  EXPECT_EQ(settings().drive.batch, 1u);
  EXPECT_EQ(settings().drive.rate, 1.0);
}

TEST_F(SmallTables, SayHowManyKeysFoundNoPlace)
{
  show(test::slots_scenario({.slots = 11}));
  scene().state().act(BatchRequest::inserts(4096));
  frames(2);
  EXPECT_THAT(scene().notice(), HasSubstr("4,085 keys did not fit"));
  scene().state().act(BatchRequest::erases(2));
  frames(2);
  EXPECT_EQ(scene().notice(), "") << "it was about the batch before";
}

}  // namespace
}  // namespace slotscape
