#include "app/gui/gui.hpp"
#include "app/registry/scenes.hpp"
#include "app/scenes/watch/gui.hpp"
#include "app/scenes/watch/scene.hpp"
#include "app/shell/app.hpp"
#include "app/watch/description_json.hpp"
#include "tests/app/support/program.hpp"
#include "tests/app/watch/dumped_table.hpp"

#include <gmock/gmock.h>

namespace slotscape {
namespace {

using test::DumpedTable;
using ::testing::Contains;
using ::testing::HasSubstr;

constexpr std::uint32_t live_slots = 4096;

/// What a program shows and says, played by the test.
struct Played {
  std::string bytes;
  std::string layout = R"({"preset": "SimpleGPUHashTable", "slots": 4096})";
  std::vector<watch::Event> events;
  bool moved = false;
  bool alive = true;
};

class PlayedSource final : public watch::Source {
public:
  explicit PlayedSource(Played& played) : played_(&played) {}

  Backend backend() const override { return Backend::cpu; }
  std::string name() const override { return "customers"; }
  std::string description() const override { return played_->layout; }
  std::span<watch::Array const> arrays() override
  {
    arrays_.clear();
    if (!played_->bytes.empty()) {
      arrays_.push_back({"slots", reinterpret_cast<std::byte const*>(played_->bytes.data()), played_->bytes.size()});
    }
    return arrays_;
  }
  bool refresh() override { return std::exchange(played_->moved, false); }
  std::vector<watch::Event> take_events() override { return std::exchange(played_->events, {}); }
  std::string manner() const override { return "played"; }
  bool alive() const override { return played_->alive; }

private:
  Played* played_;
  std::vector<watch::Array> arrays_;
};

class LiveSourceTest : public testing::Test {
protected:
  void SetUp() override
  {
    app_ = test::offscreen_app({1280, 720}, Scenario{&test::entry("watch"), WatchSetup{}});
    played_.bytes = DumpedTable(live_slots, 1000).raw();
  }
  void watch()
  {
    scene().watch_source(std::make_unique<PlayedSource>(played_), true);
    frames(2);
  }
  void frames(int count)
  {
    for (int i = 0; i < count; ++i) { app_->frame(0.1); }
  }
  WatchScene& scene() { return dynamic_cast<WatchScene&>(app_->current_scene()); }
  WatchState& state() { return scene().state(); }

  Played played_;
  std::unique_ptr<App> app_;
};

TEST_F(LiveSourceTest, ChangesAreSeen)
{
  watch();
  EXPECT_EQ(state().table.statistics.live, 1000u);
  EXPECT_FALSE(scene().quiet());
  std::string const fuller = DumpedTable(live_slots, 2000).raw();
  played_.bytes.replace(0, fuller.size(), fuller);  // in the same place
  frames(30);
  EXPECT_EQ(state().table.statistics.live, 2000u);
  EXPECT_GT(state().history.samples().size(), 1u);
  EXPECT_FALSE(history_charts(state()).empty());
}

/// A copy of a large table takes several frames, and can be cancelled.
TEST_F(LiveSourceTest, PauseLooksAtACopyThatIsMadeBesideTheFrames)
{
  constexpr std::uint32_t many = 1u << 22;
  DumpedTable const table(many, 1000);
  played_.bytes = table.raw();
  played_.layout = fmt::format(R"({{"preset": "SimpleGPUHashTable", "slots": {}}})", many);
  watch();
  app_->scene_host().set_max_wait(0.0);
  state().ask(PauseWatch{});
  frames(1);
  ASSERT_TRUE(state().copied) << "16 of 32 MiB";
  EXPECT_TRUE(scene().cancellable());
  scene().cancel();
  frames(1);
  EXPECT_FALSE(state().copied || state().paused);
  state().ask(PauseWatch{});
  for (int i = 0; i < 100 && !state().paused; ++i) { frames(1); }
  ASSERT_TRUE(state().paused);
  EXPECT_FALSE(scene().cancellable());
  std::string const fuller = DumpedTable(many, 2000).raw();
  played_.bytes.replace(0, fuller.size(), fuller);
  frames(20);
  EXPECT_EQ(state().table.statistics.live, 1000u);
  state().ask(PauseWatch{});
  frames(20);
  EXPECT_FALSE(state().paused);
  EXPECT_EQ(state().table.statistics.live, 2000u);
}

/// Not only while it goes on: what was changed last fades, too, and then the window rests.
TEST_F(LiveSourceTest, RecentChangesFade)
{
  watch();
  state().table.settings.view.color_by = ColorBy::recent;
  frames(3);
  EXPECT_EQ(state().table.settings.view.color_by, ColorBy::recent);
  std::string const fuller = DumpedTable(live_slots, 1500).raw();
  played_.bytes.replace(0, fuller.size(), fuller);
  played_.alive = false;
  frames(2);
  EXPECT_FALSE(scene().quiet());
  frames(20);
  EXPECT_TRUE(scene().quiet());
}

TEST_F(LiveSourceTest, ATableMovesAndItsMarksStay)
{
  watch();
  played_.bytes = DumpedTable(2 * live_slots, 3000).raw();
  played_.layout = R"({"preset": "SimpleGPUHashTable", "slots": 8192})";
  played_.moved = true;
  played_.events = {{watch::Event::Kind::mark, "after epoch 3", 0.2}, {watch::Event::Kind::moved, "rehash", 0.2}};
  frames(30);
  EXPECT_EQ(state().table.settings.table.slots, 2u * live_slots);
  EXPECT_EQ(state().table.statistics.live, 3000u);
  ASSERT_EQ(state().history.marks().size(), 2u);
  EXPECT_EQ(state().history.marks()[0].text, "after epoch 3");
  EXPECT_EQ(app_->toasts().errors(), 0u);
}

TEST_F(LiveSourceTest, TheLastStateStays)
{
  watch();
  played_.alive = false;
  played_.events = {{watch::Event::Kind::ended, "", 1.0}};
  frames(3);
  EXPECT_TRUE(state().has_table);
  EXPECT_EQ(state().table.statistics.live, 1000u);
  EXPECT_THAT(scene().notice(), HasSubstr("has ended. Its last state is kept."));
  EXPECT_TRUE(scene().quiet());
}

TEST_F(LiveSourceTest, AnEndThatIsNotAsItShouldBeIsSaid)
{
  watch();
  played_.alive = false;
  played_.events = {{watch::Event::Kind::ended, "The program has ended without notice.", 1.0}};
  frames(3);
  EXPECT_EQ(scene().notice(), "'customers': The program has ended without notice. Its last state is kept.");
}

TEST_F(LiveSourceTest, MemoryThatIsGoneIsLetGo)
{
  watch();
  played_.bytes.clear();
  played_.moved = true;
  frames(2);
  EXPECT_FALSE(state().has_table);
  EXPECT_THAT(state().problem, HasSubstr("has not shown its memory yet"));
  played_.bytes = DumpedTable(live_slots, 50).raw();
  played_.moved = true;
  frames(2);
  EXPECT_TRUE(state().has_table);
  EXPECT_EQ(state().table.statistics.live, 50u);
}

TEST_F(LiveSourceTest, ADescriptionThatLiesIsSaidAndForgivenLater)
{
  played_.layout = R"({"preset": "SimpleGPUHashTable", "slots": 1000000})";
  watch();
  EXPECT_FALSE(state().has_table);
  EXPECT_THAT(state().problem, HasSubstr("end at byte"));
  played_.layout = "{ rubbish";
  played_.moved = true;
  frames(2);
  EXPECT_THAT(state().problem, HasSubstr("customers"));
  played_.layout = R"({"preset": "SimpleGPUHashTable", "slots": 4096})";
  played_.moved = true;
  frames(2);
  EXPECT_TRUE(state().has_table);
  EXPECT_EQ(app_->toasts().errors(), 0u);
}

TEST_F(LiveSourceTest, AnEmptyTableIsCheckedOnceItHasKeys)
{
  played_.bytes = DumpedTable(live_slots, 0).raw();
  watch();
  EXPECT_EQ(state().check.sampled, 0u);
  EXPECT_THAT(state().advice, Contains(HasSubstr("is empty")));
  std::string const filled = DumpedTable(live_slots, 1500).raw();
  played_.bytes.replace(0, filled.size(), filled);
  frames(40);
  EXPECT_EQ(state().check.sampled, 1000u);
  EXPECT_EQ(state().check.found, 1000u);
}

TEST_F(LiveSourceTest, WhileItIsPausedTheTableMayMove)
{
  watch();
  state().ask(PauseWatch{});
  frames(1);
  played_.bytes.assign(played_.bytes.size(), '\xff');
  played_.bytes.clear();
  played_.bytes.shrink_to_fit();
  played_.moved = true;
  frames(5);
  EXPECT_TRUE(state().paused);
  EXPECT_EQ(state().table.statistics.live, 1000u);
  state().ask(PauseWatch{});
  frames(2);
  EXPECT_FALSE(state().has_table);
}

/// Statistics are of one moment, and the table is followed after them as before.
TEST_F(LiveSourceTest, StatisticsAreOfACopy)
{
  watch();
  Json const json = scene().statistics({}).json;
  EXPECT_EQ(json["table"]["live"], 1000);
  EXPECT_EQ(json["source"]["reached_by"], "played");
  frames(2);
  EXPECT_FALSE(state().paused);
  EXPECT_EQ(state().table.statistics.live, 1000u);
}

}  // namespace
}  // namespace slotscape
