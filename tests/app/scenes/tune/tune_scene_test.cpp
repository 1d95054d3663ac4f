#include "tests/app/scenes/tune/tune_scene.hpp"
#include "app/base/files.hpp"
#include "app/tuning/candidates.hpp"
#include "tests/app/support/temporary_folder.hpp"

#include <algorithm>

namespace slotscape {
namespace {

using test::Planted;
using test::TemporaryFolder;
using test::TuneSceneTest;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::StartsWith;

TEST_F(TuneSceneTest, FindsThePlantedBestAndSaysSo)
{
  sweep();
  EXPECT_EQ(state().status.phase, tuning::Phase::done);
  EXPECT_EQ(winner().candidate.table.family, Planted::best_family);
  EXPECT_THAT(tuning::text_of(state().answer), HasSubstr("Cuckoo hashing"));
  EXPECT_TRUE(state().up_to_date());
  EXPECT_TRUE(scene().ready());
  EXPECT_EQ(app_->toasts().errors(), 0u);
}

TEST_F(TuneSceneTest, ResultsAreShownWhileTheSweepRuns)
{
  test::press(scene(), "Space");
  planted_.allow(4);
  ASSERT_TRUE(until([&] { return measured() == 4; }));
  frames(1);
  EXPECT_TRUE(state().sweeping);
  EXPECT_EQ(scene().plots().front().marks.size(), 4u);
  EXPECT_FALSE(state().answer.empty());
}

TEST_F(TuneSceneTest, PausesAndGoesOn)
{
  test::press(scene(), "Space");
  planted_.allow(3);
  ASSERT_TRUE(until([&] { return measured() == 3; }));
  test::press(scene(), "Space");
  ASSERT_TRUE(until([&] { return state().status.paused; }));
  planted_.allow(1'000'000);
  frames(20);
  EXPECT_LE(measured(), 4u) << "one may have been under way";
  EXPECT_TRUE(state().sweeping);
  test::press(scene(), "Space");
  ASSERT_TRUE(until([&] { return !state().sweeping; }));
  EXPECT_EQ(state().status.phase, tuning::Phase::done);
}

TEST_F(TuneSceneTest, ACancelledSweepKeepsWhatItFoundAndGoesOnFromThere)
{
  test::press(scene(), "Space");
  planted_.allow(5);
  ASSERT_TRUE(until([&] { return measured() == 5; }));
  EXPECT_TRUE(scene().cancellable());
  test::press(scene(), "Esc");
  ASSERT_TRUE(until([&] { return !state().sweeping; }));
  EXPECT_EQ(state().status.phase, tuning::Phase::cancelled);
  EXPECT_EQ(results().measured.size(), 5u);
  EXPECT_FALSE(state().answer.empty());
  sweep();
  EXPECT_EQ(planted_.known(), 5u);
  EXPECT_EQ(winner().candidate.table.family, Planted::best_family);
}

TEST_F(TuneSceneTest, AnotherWorkloadStartsAfresh)
{
  sweep();
  state().settings.workload.hit = 0.9;
  EXPECT_FALSE(state().up_to_date());
  frames(1);
  sweep();
  EXPECT_EQ(planted_.known(), 0u);
  EXPECT_TRUE(state().up_to_date());
}

TEST_F(TuneSceneTest, WaitsWhileAnotherSceneIsShown)
{
  test::press(scene(), "Space");
  planted_.allow(3);
  ASSERT_TRUE(until([&] { return measured() == 3; }));
  app_->show(test::entry("slots"));
  planted_.allow(1'000'000);
  frames(10);
  int const asked = planted_.asked();
  frames(10);
  EXPECT_EQ(planted_.asked(), asked);
  app_->show(test::entry("tune"));
  frames(1);
  EXPECT_GE(results().measured.size(), 3u);
  ASSERT_TRUE(until([&] { return !state().sweeping; }));
  EXPECT_EQ(state().status.phase, tuning::Phase::done);
}

TEST_F(TuneSceneTest, ADoubleClickOpensExactlyThatTable)
{
  sweep();
  std::size_t const index = state().choice.winner.value();
  TableSettings const table = winner().candidate.table;
  std::uint64_t const keys = results().different;
  click(mark_of(index), 2);
  ASSERT_EQ(app_->current_entry().name, "slots");
  auto& slots = test::scene_of<SlotsScene>(*app_);
  slots.finish_steps({});
  EXPECT_EQ(slots.simulation().engine().table(), make_engine(Backend::cpu, table)->table()) << "rounded to its buckets";
  EXPECT_EQ(slots.simulation().live(), keys);
  EXPECT_EQ(slots.state().settings.keys, test::small_workload().source);
  app_->show(test::entry("tune"));
  frames(2);
  EXPECT_EQ(winner().candidate.table, table) << "the results are still there";
}

/// On standard output, without a window.
TEST_F(TuneSceneTest, TellsItsAnswer)
{
  EXPECT_THAT(scene().told(), testing::IsEmpty());
  sweep();
  std::vector<std::string> const told = scene().told();
  ASSERT_EQ(told.size(), state().answer.size());
  EXPECT_EQ(told.front(), state().answer.front().text);
  EXPECT_THAT(told.front(), HasSubstr("operations a second"));
}

TEST_F(TuneSceneTest, PointingAtAMarkExplainsIt)
{
  sweep();
  std::size_t const index = state().choice.winner.value();
  move_to(mark_of(index));
  EXPECT_EQ(state().hovered, index);
  std::string told;
  for (MarkFact const& fact : facts_of(results(), winner())) { told += fact.name + " " + fact.figure + "\n"; }
  EXPECT_THAT(told, AllOf(HasSubstr("Throughput"), HasSubstr("/s ± 1.0 %"), HasSubstr("B/key"), HasSubstr("Hits")));
  EXPECT_THAT(what_was_timed(results(), winner()), HasSubstr("repeats"));
}

TEST_F(TuneSceneTest, WhatPapersPrintCanBeLaidOver)
{
  sweep();
  std::size_t const marks = scene().plots().front().marks.size();
  test::press(scene(), "P");
  frames(1);
  std::vector<tuning::PlotMark> const& all = scene().plots().front().marks;
  EXPECT_GT(all.size(), marks);
  ASSERT_TRUE(all.front().printed);
  EXPECT_THAT(tuning::text_of(state().printed.at(all.front().measured)), HasSubstr("Farrell 2020"));
  click(all.front().at);
  EXPECT_FALSE(state().selected) << "they are no tables of this device";
  EXPECT_THAT(tuning::pictures_without_numbers(), HasSubstr("Shortt 2020, figures 2 and 3"));
}

/// The slots are made up to whole buckets.
void expect_table(TableSettings const& table, TableSettings wanted)
{
  constexpr std::uint64_t largest_bucket = 32;
  EXPECT_GE(table.slots, wanted.slots);
  EXPECT_LT(table.slots, wanted.slots + largest_bucket);
  wanted.slots = table.slots;
  EXPECT_EQ(table, wanted) << wanted.family;
}

TEST_F(TuneSceneTest, TwoClicksCompare)
{
  sweep();
  std::size_t const first = state().choice.winner.value();
  std::size_t const second =
      state().choice.frontier.front() == first ? state().choice.frontier.back() : state().choice.frontier.front();
  ASSERT_NE(first, second);
  TableSettings const one = results().measured[first].candidate.table;
  TableSettings const other = results().measured[second].candidate.table;
  std::uint64_t const keys = results().different;
  click(mark_of(first));
  EXPECT_EQ(state().selected, first);
  click(mark_of(second));
  EXPECT_EQ(state().selected, second);
  EXPECT_EQ(state().compared, first);
  test::press(scene(), "C");
  frames(2);
  ASSERT_EQ(app_->current_entry().name, "compare");
  auto& compare = test::scene_of<CompareScene>(*app_);
  compare.finish_steps({});
  ASSERT_EQ(compare.simulation().tables(), 2u);
  expect_table(compare.simulation().engine(0).table(), one);
  expect_table(compare.simulation().engine(1).table(), other);
  EXPECT_EQ(compare.simulation().live(0), keys);
  EXPECT_EQ(compare.simulation().live(1), keys);
}

TEST_F(TuneSceneTest, WhatWasFoundCanBeTakenHome)
{
  TemporaryFolder const folder;
  sweep();
  state().ask(AskWhereToSave{TuneExport::csv});
  save_as(folder / "rows.csv");
  EXPECT_THAT(read_text_file(folder / "rows.csv"), AllOf(StartsWith("backend,"), HasSubstr("workload")));
  state().ask(AskWhereToSave{TuneExport::json});
  save_as(folder / "all.json");
  EXPECT_THAT(read_text_file(folder / "all.json"), HasSubstr("frontier"));
  state().ask(AskWhereToSave{TuneExport::html});
  save_as(folder / "page.html");
  EXPECT_THAT(read_text_file(folder / "page.html"), AllOf(HasSubstr("<svg"), HasSubstr("Cuckoo hashing")));
  state().ask(AskWhereToSave{TuneExport::markdown});
  save_as(folder / "page.md");
  EXPECT_THAT(read_text_file(folder / "page.md"), HasSubstr(".svg"));
  state().settings.code = tuning::CodeFor::cuda;
  state().ask(AskWhereToSave{TuneExport::code});
  save_as(folder / "table.cu");
  EXPECT_THAT(read_text_file(folder / "table.cu"), HasSubstr("__global__"));
  state().ask(AskWhereToSave{TuneExport::scenario});
  save_as(folder / "table.json");
  Scenario const scenario = read_scenario(scenes(), folder / "table.json");
  EXPECT_EQ(scenario.scene->name, "slots");
  EXPECT_EQ(std::any_cast<TableSetup>(scenario.set_up).settings.table, winner().candidate.table);
  state().ask(AskWhereToSavePlot{tuning::Plot::tradeoff});
  save_as(folder / "plot.svg");
  EXPECT_THAT(read_text_file(folder / "plot.svg"), HasSubstr("<svg"));
  state().ask(AskWhereToSavePlot{tuning::Plot::latency});
  test::paint();
  save_as(folder / "plot.png");
  EXPECT_THAT(read_text_file(folder / "plot.png"), HasSubstr("PNG"));
  app_->pictures().save_slide(folder / "slide.svg", {});
  EXPECT_THAT(read_text_file(folder / "slide.svg"), HasSubstr("<svg"));
  EXPECT_EQ(app_->toasts().errors(), 0u);
}

TEST_F(TuneSceneTest, ThereIsNothingToSaveBeforeASweep)
{
  state().ask(AskWhereToSave{TuneExport::csv});
  frames(1);
  EXPECT_THAT(app_->toasts().latest(), HasSubstr("There are no results yet"));
  EXPECT_THROW(scene().statistics({}), Error);
}

TEST_F(TuneSceneTest, ABadFileOfKeysIsRefusedByItsLine)
{
  TemporaryFolder const folder;
  tuning::Workload const before = state().settings.workload;
  app_->open(folder.write("keys.txt", "17\n42\nseven\n"));
  frames(1);
  EXPECT_THAT(app_->toasts().latest(), AllOf(HasSubstr("line 3"), HasSubstr("seven")));
  EXPECT_EQ(state().settings.workload, before);
}

TEST_F(TuneSceneTest, KeysComeFromAColumn)
{
  TemporaryFolder const folder;
  app_->open(folder.write("people.csv", "name,id,age\nAda,17,36\nAlan,42,41\nGrace,99,85\n"));
  frames(1);
  KeySettings const& keys = state().settings.workload.source;
  ASSERT_TRUE(keys.file_keys);
  EXPECT_EQ(keys.file_column, "id");
  EXPECT_EQ(*keys.file_keys, (std::vector<Key>{17, 42, 99}));
  EXPECT_EQ(state().settings.workload.name, "people");
  state().ask(UseColumn{"age"});
  frames(1);
  EXPECT_EQ(*keys.file_keys, (std::vector<Key>{36, 41, 85}));
  EXPECT_EQ(state().settings.workload.key_bits, 32);
  state().ask(UseColumn{"name"});
  frames(2);
  EXPECT_EQ(state().settings.workload.key_bits, 64) << "found from the data";
  EXPECT_THAT(app_->toasts().latest(), HasSubstr("the keys of column 'name' are texts, such as 'Ada'"));
  state().ask(UseColumn{"nothing"});
  frames(1);
  EXPECT_THAT(app_->toasts().latest(), HasSubstr("there is no column 'nothing'"));
  EXPECT_EQ(keys.file_column, "name") << "nothing changed";
}

/// What a person brought is never replaced by a pattern without a word.
TEST_F(TuneSceneTest, PresetsKeepAFileAndItsColumn)
{
  TemporaryFolder const folder;
  auto const file = folder.write("people.csv", "name,id,age\nAda,17,36\nAlan,42,41\nGrace,99,85\n");
  app_->open(file);
  frames(1);
  state().ask(UseColumn{"age"});
  frames(1);
  KeySettings const keys = state().settings.workload.source;
  for (tuning::Preset const& preset : tuning::presets()) {
    use_preset(state().settings, preset);
    tuning::Workload const& workload = state().settings.workload;
    EXPECT_EQ(workload.source, keys) << preset.name;
    EXPECT_EQ(workload.keys, 0u) << preset.name << ": all of the file";
    EXPECT_EQ(workload.combine, preset.workload.combine) << preset.name;
    EXPECT_EQ(workload.join.has_value(), preset.workload.join.has_value()) << preset.name;
    EXPECT_TRUE(has_preset(state().settings, preset)) << preset.name;
    EXPECT_NO_THROW(tuning::validate(workload)) << preset.name;
  }
  state().settings.workload.source.distribution = KeyDistribution::uniform;  // and the file once more
  app_->open(file);
  frames(1);
  EXPECT_EQ(state().settings.workload.source.file_column, "age") << "not the first one again";
  EXPECT_EQ(*state().settings.workload.source.file_keys, (std::vector<Key>{36, 41, 85}));
}

TEST_F(TuneSceneTest, TheProbeSideIsReadAgainByItsColumn)
{
  TemporaryFolder const folder;
  app_->open(folder.write("people.csv", "name,id,age\nAda,17,36\nAlan,42,41\nGrace,99,85\n"));
  frames(1);
  auto const orders = folder.write("orders.csv", "id,person\n1,17\n2,17\n3,99\n");
  auto const open_probe = [&] {
    state().ask(AskForProbe{});
    scene().advance(0.0);  // before a frame, in which the program asks for the file
    auto const question = scene().take_question();
    ASSERT_TRUE(question);
    question->use({orders});
    frames(1);
  };
  open_probe();
  state().ask(UseProbeColumn{"person"});
  frames(1);
  open_probe();
  EXPECT_EQ(state().settings.workload.join.value().probe.file_column, "person");
}

TEST_F(TuneSceneTest, TablesByOthersAreNotOpened)
{
  sweep();
  auto const theirs = std::ranges::find_if(results().measured, [](tuning::Measured const& each) {
    return tuning::is_by_others(each.candidate);
  });
  ASSERT_NE(theirs, results().measured.end());
  auto const index = static_cast<std::size_t>(theirs - results().measured.begin());
  state().ask(OpenInSlots{index});
  frames(1);
  EXPECT_THAT(app_->toasts().latest(), HasSubstr("can be measured, but not opened"));
  state().selected = index;
  state().ask(AskWhereToSave{TuneExport::scenario});
  EXPECT_THROW(scene().advance(0.0), Error);
  EXPECT_FALSE(scene().take_question()) << "refused before a name is typed";
  for (TuneView const view : {TuneView::tradeoff, TuneView::code}) {
    state().settings.view = view;
    frames(2);
  }
  EXPECT_EQ(facts_of(results(), *theirs).at(2).figure, "–") << "its load";
}

TEST_F(TuneSceneTest, ChangesCanBeUndone)
{
  test::press(scene(), "N");
  frames(2);
  EXPECT_EQ(state().settings.workload, tuning::presets().front().workload);
  EXPECT_EQ(scene().undoes(), "changing the workload");
  scene().undo();
  EXPECT_EQ(state().settings.workload, test::small_workload());
  scene().redo();
  EXPECT_EQ(state().settings.workload, tuning::presets().front().workload);
}

TEST_F(TuneSceneTest, TheTableOfAnotherSceneCanBeTheOneInUse)
{
  TableSetup other;
  other.settings.table.family = "robin_hood";
  other.settings.table.shards = 2;
  other.settings.drive.target_load = 0.7;
  SceneSetup const entered = test::entry("tune").enter(TuneSetup{}, {{other}, {}});
  auto const& set_up = std::any_cast<TuneSetup const&>(entered);
  ASSERT_TRUE(set_up.elsewhere);
  EXPECT_EQ(set_up.elsewhere->table.family, "robin_hood");
  EXPECT_EQ(set_up.elsewhere->table.shards, 2u);
  EXPECT_EQ(set_up.elsewhere->load, 0.7);
}

TEST_F(TuneSceneTest, NamedDevicesDivideTheTablesThatAreTried)
{
  SceneSetup any = TuneSetup{};
  test::entry("tune").use_devices(any, {3, 1});
  auto& set_up = std::any_cast<TuneSetup&>(any);
  EXPECT_EQ(set_up.settings.workload.division, tuning::over_devices({}, 2));
  EXPECT_EQ(set_up.devices, (std::vector<int>{3, 1}));
  set_up.settings.workload = tuning::presets().front().workload;
  ASSERT_TRUE(set_up.settings.workload.join);
  test::entry("tune").use_devices(any, {3, 1});
  EXPECT_FALSE(set_up.settings.workload.division.divides());
}

tuning::Workload divided_workload()
{
  tuning::Workload workload = test::small_workload();
  workload.division.shards = {1, 2};
  return workload;
}

class DividedTuneSceneTest : public TuneSceneTest {
protected:
  DividedTuneSceneTest() : TuneSceneTest(divided_workload()) {}
};

TEST_F(DividedTuneSceneTest, AMarkOfATableInShardsOpensThatTable)
{
  TemporaryFolder const folder;
  sweep();
  std::optional<std::size_t> divided;
  for (tuning::PlotMark const& mark : scene().plots().front().marks) {
    if (results().measured[mark.measured].candidate.table.shards == 2) { divided = mark.measured; }
  }
  ASSERT_TRUE(divided);
  state().ask(AskWhereToSavePlot{tuning::Plot::tradeoff});
  save_as(folder / "plot.svg");
  EXPECT_THAT(read_text_file(folder / "plot.svg"), HasSubstr("with a bar: in shards"));
  std::uint64_t const keys = results().different;
  state().ask(OpenInSlots{*divided});
  frames(2);
  ASSERT_EQ(app_->current_entry().name, "slots");
  auto& slots = test::scene_of<SlotsScene>(*app_);
  slots.finish_steps({});
  EXPECT_EQ(slots.simulation().engine().table().shards, 2u);
  EXPECT_EQ(slots.simulation().live(), keys);
}

/// Shards are about the devices, and a join has none.
TEST_F(DividedTuneSceneTest, PresetsKeepTheShards)
{
  for (tuning::Preset const& preset : tuning::presets()) {
    TuneSettings settings = state().settings;
    use_preset(settings, preset);
    EXPECT_TRUE(has_preset(settings, preset)) << preset.name;
    EXPECT_EQ(settings.workload.division.divides(), !preset.workload.join) << preset.name;
    EXPECT_NO_THROW(tuning::validate(settings.workload)) << preset.name;
  }
}

/// Keys of a file come along, unless there is a workload that somebody has chosen.
TEST_F(TuneSceneTest, KeysOfAFileComeAlong)
{
  test::TemporaryFolder const folder;
  TableSetup other;
  other.settings.keys = with_key_file({}, folder.write("orders.csv", "id\n3\n5\n18446744073709551\n"));
  other.settings.table.key_bits = 64;
  auto const entered_with = [&](TuneSetup const& own) {
    return std::any_cast<TuneSetup>(test::entry("tune").enter(own, {{other}, {}})).settings.workload;
  };
  tuning::Workload const taken = entered_with({});
  EXPECT_EQ(taken.source.file_keys, other.settings.keys.file_keys);
  EXPECT_EQ(taken.name, "The keys of orders.csv");
  EXPECT_EQ(taken.key_bits, 64);
  TuneSetup chosen;
  chosen.settings.workload = test::small_workload();
  EXPECT_EQ(entered_with(chosen), test::small_workload());
}

TEST_F(TuneSceneTest, AScenarioBringsItBack)
{
  TuneSetup set_up;
  set_up.settings.workload = test::small_workload();
  set_up.settings.workload.present = tuning::Present{.table = {.family = "robin_hood"}, .load = 0.6};
  set_up.settings.budget_seconds = 30.0;
  set_up.settings.view = TuneView::latency;
  set_up.start = true;
  std::string const text = format_scenario({&test::entry("tune"), set_up}, ".");
  auto const again = test::parse_setup<TuneSetup>(text);
  EXPECT_EQ(again.settings, set_up.settings);
  EXPECT_TRUE(again.start);
  EXPECT_THROW(test::parse_setup<TuneSetup>(R"({"version": 1, "tune": {"seconds": 0.5}})"), Error);
}

/// Sliders have the usual part of what files take.
class TuneBeyondSlidersTest : public TuneSceneTest {
protected:
  static tuning::Workload far_workload()
  {
    tuning::Workload workload = test::small_workload();
    workload.growth = 50.0;
    workload.max_bytes = 1000.0;
    workload.source.distribution = KeyDistribution::zipf;
    workload.source.zipf_exponent = 4.0;
    workload.present = tuning::Present{{}, 0.02};
    return workload;
  }
  TuneBeyondSlidersTest() : TuneSceneTest(far_workload()) {}
};

TEST_F(TuneBeyondSlidersTest, StaysAsItIsWhenItIsShown)
{
  EXPECT_EQ(state().settings.workload, far_workload());
}

TEST_F(TuneSceneTest, AScenarioMayHaveAJoinOrOperations)
{
  auto const joined = test::parse_setup<TuneSetup>(
      R"({"version": 1, "tune": {"workload": {"count": 500, "join": {"kind": "semi", "match": 0.25}}}})");
  ASSERT_TRUE(joined.settings.workload.join);
  EXPECT_EQ(joined.settings.workload.join->kind, joins::JoinKind::semi);
  auto const again = test::parse_setup<TuneSetup>(format_scenario({&test::entry("tune"), joined}, "."));
  EXPECT_EQ(again.settings, joined.settings);
  auto const operations = test::parse_setup<TuneSetup>(R"({"version": 1, "tune": {"workload": {"insert": 1}}})");
  EXPECT_FALSE(operations.settings.workload.join);
  EXPECT_FALSE(TuneSettings{}.workload.join) << "keys that are dropped on the scene are no build side unasked";
}

TEST_F(TuneSceneTest, AJoinOpensAsTheTableOfItsKeysThatIsProbed)
{
  state().settings.workload = test::small_workload();
  state().settings.workload.source = {};
  state().settings.workload.join = tuning::JoinSides{.match = 0.25};
  frames(1);
  sweep();
  TableSetup const opened = slots_setup(results(), 1, winner());
  EXPECT_EQ(opened.settings.drive.find, 1.0);
  EXPECT_EQ(opened.settings.drive.hit_share, 0.25);
  EXPECT_EQ(opened.settings.drive.insert, 0.0);
  ASSERT_EQ(opened.steps.size(), 1u);
  EXPECT_THAT(mix_text(results().workload, results().match), HasSubstr("an inner join of"));
  EXPECT_THAT(tuning::text_of(state().answer), HasSubstr("rows a second"));
  EXPECT_TRUE(state().up_to_date());
}

TEST_F(TuneSceneTest, ASetUpWithAStartSweepsWithoutAnybodyWatching)
{
  planted_.allow(1'000'000);
  TuneSetup set_up;
  set_up.settings.workload = test::small_workload();
  set_up.start = true;
  set_up.start_sweep = planted_.start_sweep();
  TuneScene alone(set_up, {});
  alone.finish_steps({});
  EXPECT_EQ(alone.state().status.phase, tuning::Phase::done);
  Json const json = alone.statistics({}).json;
  EXPECT_FALSE(json.empty());
  EXPECT_EQ(alone.statistics({}).tables.size(), 3u);
}

/// A legend that names families without a mark would promise more than the plot shows.
TEST_F(TuneSceneTest, EveryTableThatWorksHasAMark)
{
  sweep();
  state().settings.view = TuneView::tradeoff;
  frames(2);
  auto const works = [](tuning::Measured const& each) { return each.failed == 0 && !each.clogged_after; };
  EXPECT_EQ(static_cast<std::ptrdiff_t>(scene().plots().front().marks.size()),
            std::ranges::count_if(results().measured, works));
}

}  // namespace
}  // namespace slotscape
