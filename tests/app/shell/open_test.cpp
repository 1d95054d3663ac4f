#include "app/simulation/families.hpp"
#include "tests/app/support/program.hpp"
#include "tests/app/support/temporary_folder.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <imgui_internal.h>

namespace slotscape {
namespace {

using test::scene_of;

using test::TemporaryFolder;
using testing::HasSubstr;
using testing::UnorderedElementsAre;

/// The program, drawn offscreen, with 500 keys in a table of 1024 slots.
class OpenTest : public testing::Test {
protected:
  void SetUp() override
  {
    app_ = test::offscreen_app({640, 480}, test::slots_scenario({.slots = 1024}));
    scene().simulation().submit(BatchRequest::inserts(500));
    work();
  }

  SlotsScene& scene() { return scene_of<SlotsScene>(*app_); }

  void work()
  {
    scene().finish_steps({});
    app_->frame(0.0);
  }

  void expect_nothing_lost()
  {
    work();
    EXPECT_EQ(scene().state().statistics.live, 500u);
    EXPECT_EQ(scene().state().settings.table.slots, 1024u);
    EXPECT_EQ(scene().state().settings.keys.distribution, KeyDistribution::uniform);
  }

  TemporaryFolder folder_;
  std::unique_ptr<App> app_;
};

TEST_F(OpenTest, AScenarioMakesItsTableAndDoesItsSteps)
{
  app_->open(folder_.write("one.json", R"({ "version": 1,
    "table": { "family": "linear_probing", "slots": 4096, "deletion": "tombstone_reuse", "hash": "murmur3" },
    "steps": [ { "op": "insert", "count": 1000, "keys": "sequential" } ],
    "view": { "color_by": "state" } })"));
  work();
  EXPECT_EQ(app_->toasts().latest(), "Opened one.json");
  EXPECT_EQ(scene().state().statistics.slots, 4096u);
  EXPECT_EQ(scene().state().statistics.live, 1000u);
  EXPECT_EQ(scene().state().settings.view.color_by, ColorBy::state);
}

/// What was noticed in each file, and that one of them had fewer keys than were asked for.
TEST_F(OpenTest, AScenarioOfSeveralKeyFilesTellsOfEach)
{
  folder_.write("orders.csv", "id,n\n1,1\n,2\n2,3\n3,4\n");
  folder_.write("lookups.txt", "3\n1\n77\n18446744073709551615\n");
  app_->open(folder_.write("two.json", R"({ "version": 1,
    "table": { "slots": 64, "key_bits": 64 }, "keys": { "file": "orders.csv", "column": "id" },
    "steps": [ { "op": "insert", "count": 3 },
               { "op": "set_keys", "keys": { "file": "lookups.txt" } },
               { "op": "find", "count": 10, "keys": "stream" } ] })"));
  work();
  Json const lookups = scene().statistics({}).json["operations"].back()["outcomes"];
  EXPECT_EQ(lookups["found"], 2);
  EXPECT_EQ(lookups["missing"], 1);
  EXPECT_THAT(scene().findings(),
              UnorderedElementsAre(HasSubstr("orders.csv: 1 empty cell of column 'id' was left out"),
                                   HasSubstr("lookups.txt: 1 key was left out"),
                                   HasSubstr("3 of 10 lookups were done: all 3 keys of lookups.txt have been used")));
}

TEST_F(OpenTest, AScenarioOfKeyFilesOfTwoKindsSaysWhyNothingIsFound)
{
  folder_.write("ids.csv", "id\n1\n2\n3\n");
  folder_.write("names.csv", "name\nanna\nberta\n");
  app_->open(folder_.write("two.json", R"({ "version": 1, "table": { "slots": 64, "key_bits": 64 },
    "keys": { "file": "ids.csv", "column": "id" },
    "steps": [ { "op": "insert", "count": 3 },
               { "op": "set_keys", "keys": { "file": "names.csv", "column": "name" } },
               { "op": "find", "count": 2, "keys": "stream" } ] })"));
  work();
  EXPECT_THAT(scene().findings(), testing::Contains(HasSubstr("Texts never match numbers")));
}

/// What was kept for this start has a name that says nothing to its user.
TEST_F(OpenTest, WhatWasThereLastComesBackUnderNoName)
{
  auto const kept = folder_.write("settings.last.slotscape.json", R"({ "version": 1, "table": { "slots": 64 } })");
  app_->offer_last_session(kept, false);
  EXPECT_FALSE(app_->toasts().says("Resume last session")) << "as beside a shared table";
  app_->offer_last_session(kept, true);
  EXPECT_EQ(app_->toasts().latest(), "Resume last session: Ctrl+G, or the File menu.");
  app_->open(std::filesystem::weakly_canonical(kept));
  work();
  EXPECT_EQ(scene().state().settings.table.slots, 64u);
  EXPECT_EQ(app_->toasts().latest(), "Back where you were");
  folder_.write("settings.last.slotscape.json", "{");
  app_->open(std::filesystem::weakly_canonical(kept));
  EXPECT_THAT(app_->toasts().latest(), testing::StartsWith("Could not restore your last session; nothing changed."));
}

TEST_F(OpenTest, FilesOutsideTheFolderOfAScenarioAreAskedAbout)
{
  auto const press = [&](ImGuiKey key) {
    for (bool const down : {true, false}) {
      ImGui::GetIO().AddKeyEvent(key, down);
      app_->frame(0.02);
    }
  };
  auto const open = [&](std::filesystem::path const& file) {
    app_->open(file);
    for (int i = 0; i < 3; ++i) { app_->frame(0.02); }
    EXPECT_NE(ImGui::GetTopMostPopupModal(), nullptr);
  };
  folder_.write("keys.txt", "7\n8\n");
  std::filesystem::create_directory(folder_ / "in");
  auto const file = folder_.write("in/one.json", R"({ "version": 1, "keys": { "file": "../keys.txt" } })");
  open(file);
  press(ImGuiKey_Escape);
  EXPECT_EQ(ImGui::GetTopMostPopupModal(), nullptr);
  expect_nothing_lost();
  open(file);
  press(ImGuiKey_Enter);  // which presses what is the default
  EXPECT_EQ(ImGui::GetTopMostPopupModal(), nullptr);
  expect_nothing_lost();
  open(file);
  press(ImGuiKey_LeftArrow);
  press(ImGuiKey_Space);
  work();
  EXPECT_EQ(app_->toasts().latest(), "Opened one.json");
  EXPECT_EQ(scene().state().settings.keys.distribution, KeyDistribution::file);
  EXPECT_EQ(scene().state().settings.keys.file_keys->size(), 2u);
}

TEST_F(OpenTest, AKeyFileBecomesTheSourceOfKeys)
{
  app_->open(folder_.write("keys.txt", "11\n0x16\n33\n"));
  EXPECT_EQ(app_->toasts().latest(), "Opened keys.txt");
  app_->frame(0.0);
  work();
  EXPECT_EQ(scene().state().settings.keys.distribution, KeyDistribution::file);
  std::vector<Key> keys;
  for (Pair const& pair : scene().simulation().engine().pairs()) { keys.push_back(pair.key); }
  EXPECT_THAT(keys, testing::UnorderedElementsAre(11u, 22u, 33u));
}

/// Complete, at rest, and the same each time: what else was in the table can be brought back.
TEST_F(OpenTest, TheKeysOfAFileAreInsertedAndNothingElseGoesOn)
{
  scene().state().settings.drive.running = true;
  app_->open(folder_.write("keys.txt", "11\n22\n33\n22\n"));
  app_->frame(0.0);
  work();
  app_->frame(1.0);
  app_->frame(1.0);
  EXPECT_FALSE(scene().state().settings.drive.running);
  EXPECT_EQ(scene().simulation().engine().counts().live, 3u);
  EXPECT_EQ(scene().simulation().engine().counts().tombstones, 0u);
  EXPECT_EQ(scene().notice(), "The table holds all 4 keys of keys.txt; 3 of them are distinct.");
  auto const set_up = std::any_cast<TableSetup>(scene().set_up());
  EXPECT_EQ(set_up.settings.keys.distribution, KeyDistribution::file) << "which tuning takes over";

  std::string many;
  for (int i = 0; i < 2000; ++i) { many += fmt::format("{}\n", i + 1); }
  scene().state().settings.drive.target_load = 0.5;
  app_->open(folder_.write("many.txt", many));
  app_->frame(0.0);
  work();
  app_->frame(1.0);
  EXPECT_EQ(scene().simulation().engine().counts().live, 512u);
  EXPECT_THAT(scene().notice(),
              HasSubstr("holds the first 512 of 2,000 keys of many.txt. For more, choose more slots"));
  for (int steps = 0; steps < 8 && scene().simulation().engine().counts().live != 500; ++steps) {
    scene().undo();  // of settings, too
    work();
  }
  EXPECT_EQ(scene().simulation().engine().counts().live, 500u);
}

TEST_F(OpenTest, OfAnyOtherFileTheUserIsToldAndNothingIsLost)
{
  std::vector<std::filesystem::path> const others{
      folder_.write("picture.gif", std::string_view("GIF89a\x10\0\x10\0\x80\0\0", 13)),
      folder_.write("letter.txt", "Dear reader,\n"),
      folder_.write("empty.txt", ""),
      folder_.write("broken.json", "{ \"version\": 1, "),
      folder_.write("other.json", R"({ "name": "not a scenario" })"),
      folder_.write("family.json", R"({ "version": 1, "table": { "family": "none", "slots": 16 } })"),
      folder_.path(),
      folder_ / "missing.txt",
  };
  for (std::filesystem::path const& file : others) {
    app_->toasts().dismiss_all();
    app_->open(file);
    EXPECT_EQ(app_->toasts().errors(), 1u) << file;
    EXPECT_THAT(app_->toasts().latest(), HasSubstr(file.filename().string()));
    EXPECT_THAT(app_->toasts().latest(), HasSubstr("nothing changed"));
    expect_nothing_lost();
  }
}

/// Whoever opened the file was told then. At each later start, nobody opens it.
TEST_F(OpenTest, WhatIsToBeSaidOfAKeyFileIsNotSaidAgainAtTheNextStart)
{
  app_->open(folder_.write("keys.txt", "-5\n17\n-1\n"));
  app_->frame(0.0);
  work();
  std::string const finding = scene().findings().front();
  ASSERT_THAT(finding, HasSubstr("2 keys are negative"));
  UserSettings const settings = app_->user_settings();
  app_.reset();
  app_ = test::offscreen_app({640, 480}, std::nullopt, settings);
  testing::internal::CaptureStderr();
  for (int frame = 0; frame < 3; ++frame) { work(); }
  EXPECT_THAT(scene().findings(), testing::Contains(finding));
  EXPECT_NE(app_->toasts().latest(), finding);
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
  app_->open(folder_ / "keys.txt");
  testing::internal::CaptureStderr();
  for (int frame = 0; frame < 3; ++frame) { work(); }
  EXPECT_THAT(testing::internal::GetCapturedStderr(), HasSubstr(finding)) << "who opens it again is told again";
}

TEST_F(OpenTest, WideKeysGetATableOfTheirWidth)
{
  app_->open(folder_.write("keys.txt", "-5\n17\n-1\n"));
  app_->frame(0.0);
  work();
  EXPECT_EQ(scene().state().settings.table.key_bits, 64);
  EXPECT_EQ(scene().state().statistics.live, 3u) << "none is refused";
  EXPECT_EQ(scene().state().settings.keys.distribution, KeyDistribution::file);
  EXPECT_EQ(scene().state().settings.view.keys_as, KeyStyle::with_sign);
  EXPECT_THAT(scene().findings(), testing::ElementsAre(HasSubstr("keys.txt: 2 keys are negative")));
  app_->open(folder_.write("large.txt", "18446744073709551000\n12\n"));
  app_->frame(0.0);
  work();
  EXPECT_EQ(scene().state().settings.view.keys_as, KeyStyle::numbers) << "and not -616: that was the file before";
  app_->open(folder_ / "keys.txt");
  app_->frame(0.0);
  work();
  TableSettings narrow = scene().state().settings.table;
  narrow.key_bits = 32;
  ask_for_table(scene().state(), narrow);
  app_->frame(0.0);
  work();
  EXPECT_THAT(app_->toasts().latest(), HasSubstr("tables with 32-bit keys take keys up to"));
  EXPECT_EQ(scene().state().settings.table.key_bits, 64) << "nothing changed";
}

TEST_F(OpenTest, AFamilyOf32BitKeysSaysSo)
{
  scene().state().ask(ReplaceTables{{.family = "cuckoo", .slots = 1024}, 1});
  std::string narrow;
  for (std::string const& name : family_names()) {
    if (!family_info(name).wide && family_info(name).slot_counts == SlotCounts::any) { narrow = name; }
  }
  if (narrow.empty()) { GTEST_SKIP() << "every family has wide keys"; }
  scene().state().requests.clear();
  scene().state().ask(ReplaceTables{{.family = narrow, .slots = 1024}, 1});
  app_->frame(0.0);
  work();
  app_->open(folder_.write("keys.txt", "5000000000\n"));
  EXPECT_THAT(app_->toasts().latest(), HasSubstr("stores 32-bit keys only"));
  EXPECT_EQ(scene().state().settings.keys.distribution, KeyDistribution::uniform);
}

TEST_F(OpenTest, AScenarioFindsTheWidthOfItsKeysOrSaysWhatContradictsThem)
{
  folder_.write("keys.csv", "id;n\n5000000000;1\n;2\n7;3\n");
  app_->open(folder_.write("one.json", R"({ "version": 1, "keys": { "file": "keys.csv", "column": "id" },
                                            "steps": [ { "op": "insert", "count": 2 } ] })"));
  work();
  EXPECT_EQ(scene().state().settings.table.key_bits, 64);
  EXPECT_EQ(scene().state().statistics.live, 2u);
  EXPECT_THAT(scene().findings(), testing::Contains(HasSubstr("1 empty cell of column 'id' was left out")));
  app_->open(folder_.write("two.json", R"({ "version": 1, "table": { "key_bits": 32 },
                                            "keys": { "file": "keys.csv", "column": "id" } })"));
  EXPECT_THAT(app_->toasts().latest(), HasSubstr("keys: they need 64 bits"));
  app_->open(folder_.write("three.json", R"({ "version": 1, "tables": [ {}, { "family": "cuckoo" } ],
                                              "keys": { "file": "keys.csv", "column": "id" } })"));
  EXPECT_EQ(app_->current_entry().name, "compare");
  EXPECT_EQ(app_->toasts().latest(), "Opened three.json");
}

}  // namespace
}  // namespace slotscape
