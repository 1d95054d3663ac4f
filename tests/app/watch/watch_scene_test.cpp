#include "app/gui/gui.hpp"
#include "app/registry/scenes.hpp"
#include "app/scenes/compare/scene.hpp"
#include "app/scenes/tune/scene.hpp"
#include "app/scenes/watch/advice.hpp"
#include "app/scenes/watch/gui.hpp"
#include "app/scenes/watch/scene.hpp"
#include "app/shell/app.hpp"
#include "tests/app/watch/dumped_table.hpp"

#include <gmock/gmock.h>

#include <chrono>
#include <thread>

namespace slotscape {
namespace {

using test::DumpedTable;
using test::message_of;
using test::TemporaryFolder;
using ::testing::AnyOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr std::uint32_t table_slots = 1u << 14;

class WatchSceneTest : public testing::Test {
protected:
  static WatchSetup set_up_of(std::filesystem::path const& file, Json layout)
  {
    WatchSetup set_up;
    set_up.settings.files = {file.string()};
    set_up.settings.layout = std::move(layout);
    return set_up;
  }
  static Json preset() { return Json{{"preset", "SimpleGPUHashTable"}}; }
  void open(DumpedTable const& table, Json layout = preset())
  {
    show(set_up_of(folder_.write("table.npy", table.structured()), std::move(layout)));
  }
  void show(WatchSetup const& set_up)
  {
    Options options;
    options.backend = BackendChoice::cpu;
    app_ = std::make_unique<App>(gl::open_offscreen({1280, 720}), options, UserSettings{},
                                 Scenario{find_scene(scenes(), "watch"), set_up});
    frames(3);
  }
  void frames(int count)
  {
    for (int i = 0; i < count; ++i) { app_->frame(0.1); }
  }
  /// As if it had been typed.
  void find(Key key)
  {
    auto const pairs = std::make_shared<std::vector<Pair> const>(1, Pair{key, 0});
    state().table.ask(OnTyped{{.operation = Operation::find, .pairs = pairs}});
    frames(1);
  }
  WatchScene& scene() { return dynamic_cast<WatchScene&>(app_->current_scene()); }
  WatchState& state() { return scene().state(); }

  TemporaryFolder folder_;
  std::unique_ptr<App> app_;
};

TEST_F(WatchSceneTest, ShowsADump)
{
  open(DumpedTable(table_slots, table_slots / 2));
  EXPECT_TRUE(state().has_table);
  EXPECT_EQ(state().table.statistics.live, table_slots / 2);
  EXPECT_EQ(state().check.found, 1000u);
  EXPECT_EQ(state().table.foreign->theory, TheoryOf::linear_probing);
  EXPECT_THAT(state().advice, ElementsAre(HasSubstr("Nothing is wrong")));
  EXPECT_TRUE(scene().findings().empty());
  EXPECT_TRUE(scene().quiet());
  EXPECT_EQ(app_->toasts().errors(), 0u);
}

TEST_F(WatchSceneTest, FindsATypedKey)
{
  DumpedTable const table(table_slots, table_slots / 2);
  open(table);
  std::uint32_t const key = DumpedTable::key(77);
  find(key);
  auto const& lookup = state().table.selection.lookup;
  ASSERT_TRUE(lookup);
  EXPECT_EQ(lookup->path.value, 77u);
  EXPECT_EQ(lookup->path.slots.front(), DumpedTable::hash(key) & (table_slots - 1));
  EXPECT_EQ(lookup->path.slots.back(), table.place(key));
  EXPECT_EQ(app_->toasts().errors(), 0u);
}

TEST_F(WatchSceneTest, AWrongHashIsSaidAndTakenBack)
{
  Json layout = preset();
  layout["hash"] = {{"function", "xxhash_32"}};
  open(DumpedTable(table_slots, table_slots / 2), layout);
  EXPECT_TRUE(state().check.is_wrong());
  EXPECT_TRUE(state().homes_hidden);
  EXPECT_TRUE(state().table.foreign->measure.name.empty());
  EXPECT_THAT(scene().findings(), ElementsAre(HasSubstr("is the hash right? The preset 'SimpleGPUHashTable'")));
  EXPECT_THAT(state().advice, Contains(HasSubstr("does not find the keys")));
  state().ask(UseDescription{state().check.better.front().description});
  frames(2);
  EXPECT_FALSE(state().homes_hidden);
  EXPECT_EQ(state().check.found, 1000u);
  EXPECT_GT(state().table.statistics.probe_length.count, 0u);
}

TEST_F(WatchSceneTest, TombstonesAreSaid)
{
  DumpedTable table(table_slots, table_slots * 8 / 10);
  for (std::uint32_t i = 0; i < table_slots / 5; ++i) { table.erase(DumpedTable::key(i)); }
  open(table);
  EXPECT_EQ(state().table.statistics.tombstones, table_slots / 5);
  EXPECT_THAT(state().advice, Contains(HasSubstr("A fifth of the slots are tombstones: a rehash would")));
}

TEST_F(WatchSceneTest, WithoutAHashItSaysWhatIsMissing)
{
  Json layout = preset();
  layout["hash"] = "unknown";
  open(DumpedTable(table_slots, table_slots / 2), layout);
  EXPECT_EQ(state().table.settings.view.color_by, ColorBy::state);
  EXPECT_GT(state().table.statistics.clusters.count, 0u);
  EXPECT_THAT(state().advice, Contains(HasSubstr("the description has no \"hash\"")));
  find(1);
  EXPECT_EQ(app_->toasts().errors(), 1u);
}

TEST_F(WatchSceneTest, PauseLooksAtACopy)
{
  open(DumpedTable(table_slots, 100));
  state().ask(PauseWatch{});
  frames(1);
  EXPECT_TRUE(state().paused);
  std::this_thread::sleep_for(std::chrono::milliseconds(250));
  folder_.write("table.npy", DumpedTable(2 * table_slots, 200).structured());
  frames(2);
  EXPECT_EQ(state().table.statistics.live, 100u);
  state().ask(PauseWatch{});
  frames(2);
  EXPECT_FALSE(state().paused);
  EXPECT_EQ(state().table.statistics.live, 200u);
  EXPECT_EQ(state().table.settings.table.slots, 2 * table_slots);
}

TEST_F(WatchSceneTest, StatisticsAreThoseOfTheTable)
{
  open(DumpedTable(table_slots, table_slots / 2));
  SceneStatistics const written = scene().statistics({});
  Json const& json = written.json;
  EXPECT_EQ(json["table"]["live"], table_slots / 2);
  EXPECT_EQ(json["check"]["found"], 1000);
  EXPECT_EQ(json["probe_length"]["count"], table_slots / 2);
  EXPECT_NEAR(json["accesses"]["hits"]["mean"].get<double>(), json["theory"]["hit_accesses"].get<double>(), 0.1);
  EXPECT_EQ(json["description"]["preset"], "SimpleGPUHashTable");
  EXPECT_THAT(json["summary"].get<std::string>(), HasSubstr("α 0.50, 1.5 accesses a hit, 2."));
}

TEST_F(WatchSceneTest, ASavedSetupShowsTheSame)
{
  open(DumpedTable(table_slots, table_slots / 2));
  SceneEntry const& entry = *find_scene(scenes(), "watch");
  Json const json = entry.write(scene().set_up(), folder_.path());
  EXPECT_THAT(json["files"], ElementsAre("table.npy"));
  auto const source = std::make_shared<JsonSource>(JsonSource{"a.json", folder_.path()});
  auto const read = std::any_cast<WatchSetup>(entry.read(JsonNode(json, source)));
  EXPECT_EQ(read.settings, std::any_cast<WatchSetup>(scene().set_up()).settings);
}

TEST_F(WatchSceneTest, TheSameKeysGoToOtherScenes)
{
  open(DumpedTable(table_slots, table_slots / 2));
  auto const set_up = std::any_cast<TableSetup>(scene().set_up_for_others());
  EXPECT_EQ(set_up.settings.table.slots, table_slots);
  EXPECT_EQ(set_up.settings.table.family, "linear_probing");
  state().ask(SameKeysIn{"compare"});
  frames(40);
  auto& compared = dynamic_cast<CompareScene&>(app_->current_scene());
  compared.finish_steps({});
  EXPECT_EQ(compared.simulation().engine(0).counts().live, table_slots / 2);
  EXPECT_EQ(compared.simulation().engine(1).table().family, "segmented_cuckoo");
  EXPECT_EQ(compared.simulation().engine(1).counts().live, table_slots / 2);
}

TEST_F(WatchSceneTest, TuningTakesTheKeysAndTheTable)
{
  open(DumpedTable(table_slots, table_slots / 2));
  state().ask(SameKeysIn{"tune"});
  frames(3);
  auto& tune = dynamic_cast<TuneScene&>(app_->current_scene());
  auto const set_up = std::any_cast<TuneSetup>(tune.set_up());
  tuning::Workload const& workload = set_up.settings.workload;
  ASSERT_TRUE(workload.source.file_keys);
  EXPECT_EQ(workload.source.file_keys->size(), table_slots / 2);
  ASSERT_TRUE(workload.present);
  EXPECT_EQ(workload.present->table.family, "linear_probing");
  EXPECT_NEAR(workload.present->load, 0.5, 0.01);
}

TEST_F(WatchSceneTest, WithoutATableItSaysSo)
{
  show({});
  EXPECT_FALSE(state().has_table);
  EXPECT_THAT(message_of<Error>([&] { scene().statistics({}); }), HasSubstr("open one first"));
  EXPECT_EQ(app_->toasts().errors(), 0u);
}

TEST_F(WatchSceneTest, ADescriptionThatCannotBeTrueIsRefused)
{
  Json layout = preset();
  layout["slots"] = 2 * table_slots;
  WatchSetup const set_up = set_up_of(folder_.write("table.npy", DumpedTable(table_slots, 10).structured()), layout);
  auto const context = gl::open_offscreen({640, 480});
  DeviceFacts const device;
  EXPECT_THAT(message_of<Error>([&] { WatchScene(set_up, device); }), HasSubstr("end at byte"));
}

}  // namespace
}  // namespace slotscape
