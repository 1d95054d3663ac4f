#include "app/shell/settings_file.hpp"

#include "gpu/base/error.hpp"
#include "tests/app/support/program.hpp"
#include "tests/app/support/temporary_folder.hpp"

#include <gmock/gmock.h>

#include <limits>

#include <stdlib.h>

namespace slotscape {
namespace {

using test::content_of;
using test::message_of;
using test::TemporaryFolder;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

TableSetup changed_setup()
{
  TableSetup set_up;
  set_up.settings.table.slots = 1024;
  set_up.settings.table.hash = HashKind::fibonacci;
  set_up.settings.keys.distribution = KeyDistribution::strided;
  set_up.settings.keys.stride = 256;
  set_up.settings.drive.frame_budget_ms = 5.5;
  set_up.settings.view.palette = Palette::turbo;
  return set_up;
}

UserSettings changed_settings()
{
  UserSettings settings;
  settings.set_ups["slots"] = changed_setup();
  settings.ui_scale = 1.25f;
  settings.window_width = 1234;
  settings.window_height = 777;
  settings.panels.plots = false;
  settings.panels.all_settings = true;
  settings.panels.widths = {400.0f, 500.5f};
  settings.key_list = true;
  settings.desktop_file_dialog = false;
  settings.theme = Background::light;
  settings.language = "de";
  settings.gallery = false;
  settings.recent = {"/lectures/two.slotscape.json", "/lectures/one.slotscape.json"};
  return settings;
}

TEST(SettingsFile, ComesBackAsItWasSaved)
{
  TemporaryFolder const folder;
  UserSettings const saved = changed_settings();
  save_settings(folder / "new/settings.json", saved, scenes());
  auto const [loaded, messages] = load_settings(folder / "new/settings.json", scenes());
  EXPECT_THAT(messages, IsEmpty());
  EXPECT_EQ(format_scenario({&test::entry("slots"), loaded.set_ups.at("slots")}),
            format_scenario(test::slots_scenario(changed_setup())));
  EXPECT_EQ(loaded.ui_scale, saved.ui_scale);
  EXPECT_EQ(loaded.window_width, saved.window_width);
  EXPECT_EQ(loaded.window_height, saved.window_height);
  EXPECT_EQ(loaded.panels.plots, saved.panels.plots);
  EXPECT_EQ(loaded.panels.all_settings, saved.panels.all_settings);
  EXPECT_EQ(loaded.panels.widths.left, saved.panels.widths.left);
  EXPECT_EQ(loaded.panels.widths.right, saved.panels.widths.right);
  EXPECT_EQ(loaded.key_list, saved.key_list);
  EXPECT_EQ(loaded.desktop_file_dialog, saved.desktop_file_dialog);
  EXPECT_EQ(loaded.theme, saved.theme);
  EXPECT_EQ(loaded.language, saved.language);
  EXPECT_EQ(loaded.gallery, saved.gallery);
  EXPECT_EQ(loaded.recent, saved.recent);
  EXPECT_EQ(loaded.panels.controls, saved.panels.controls);
}

TEST(SettingsFile, IsNotMissedOnTheFirstStart)
{
  TemporaryFolder const folder;
  auto const [loaded, messages] = load_settings(folder / "settings.json", scenes());
  EXPECT_THAT(messages, IsEmpty());
  EXPECT_EQ(loaded.window_width, UserSettings{}.window_width);
}

TEST(SettingsFile, IsSetAsideWhereBroken)
{
  TemporaryFolder const folder;
  for (char const* aside : {"settings.json.broken", "settings.json.broken-2", "settings.json.broken-3"}) {
    folder.write("settings.json", R"({ "version": 1, "table": )");
    auto const [loaded, messages] = load_settings(folder / "settings.json", scenes());
    EXPECT_THAT(messages.at(0), AllOf(HasSubstr("line 1"), HasSubstr(aside)));
    EXPECT_FALSE(std::filesystem::exists(folder / "settings.json"));
    EXPECT_THAT(content_of(folder / aside), HasSubstr("version"));
  }
}

TEST(SettingsFile, IsSetAsideWhereItIsOfAnotherKind)
{
  TemporaryFolder const folder;
  for (char const* content : {R"({ "version": 2 })", "[]", "", R"({ "ui_scale": 1 })"}) {
    folder.write("settings.json", content);
    EXPECT_THAT(load_settings(folder / "settings.json", scenes()).messages.at(0), HasSubstr("settings.json.broken"))
        << content;
  }
}

TEST(SettingsFile, AWrongFieldCostsItselfAlone)
{
  struct Case {
    std::string field;
    std::string named;
  };
  for (auto const& [field, named] : {
           Case{R"("ui_scale": "big")", "ui_scale"},
           Case{R"("window": { "width": -4264, "height": -1 })", "window.width: -4264 is invalid"},
           Case{R"("window": { "width": 900, "height": -1 })", "window.height"},
           Case{R"("window": 7)", "window"},
           Case{R"("panels": { "plots": false, "plot": true })", "panels.plot: unknown field"},
           Case{R"("panels": { "plots": false, "left_width": 1e300 })", "panels.left_width"},
           Case{R"("theme": "pink")", "theme"},
           Case{R"("language": "zz")", "language"},
           Case{R"("scene": "nothing")", "scene"},
           Case{R"("lessons": [ { "lesson": "a", "page": -1 }, { "lesson": "b", "page": 2 } ])", "lessons[0].page"},
           Case{R"("drive": { "rate": -5 })", "drive.rate"},
           Case{R"("drive": { "insert": 0, "find": 0, "erase": 0 })", "drive"},
           Case{R"("view": { "palette": "none" })", "view.palette"},
           Case{R"("nonsense": 5)", "nonsense"},
           Case{R"("spatial": { "nonsense": 5 })", "spatial.nonsense"},
           Case{R"("spatial": { "grid": "a" })", "spatial"},
           Case{R"("compare": { "tables": [ { "family": "none" }, {} ] })", "compare.tables[0].family"},
           Case{R"("compare": 5)", "compare"},
       }) {
    TemporaryFolder const folder;
    folder.write("settings.json", R"({ "version": 1, "gallery": false, "recent": [ "/a", 5, "/b" ], "seed": 77,
                                       "table": { "slots": 512 }, )" +
                                      field + " }");
    auto const [loaded, messages] = load_settings(folder / "settings.json", scenes());
    ASSERT_EQ(messages.size(), 1u) << field;
    EXPECT_THAT(messages[0], AllOf(HasSubstr(named), HasSubstr("recent[1]"))) << field;
    EXPECT_TRUE(std::filesystem::exists(folder / "settings.json"));
    EXPECT_FALSE(loaded.gallery) << field;
    EXPECT_EQ(loaded.recent, (std::vector<std::string>{"/a", "/b"})) << field;
    TableSceneSettings const slots = std::any_cast<TableSetup>(loaded.set_ups.at("slots")).settings;
    EXPECT_EQ(slots.seed, 77u) << field;
    EXPECT_EQ(slots.table.slots, 512u) << field;
    EXPECT_GE(loaded.window_width, 320) << field;
    EXPECT_GE(loaded.window_height, 240) << field;
    if (field.starts_with("\"panels")) { EXPECT_FALSE(loaded.panels.plots); }
    if (field.starts_with("\"lessons")) {
      ASSERT_EQ(loaded.lessons.size(), 2u);
      EXPECT_EQ(loaded.lessons[1].page, 2u);
    }
  }
}

TEST(SettingsFile, NeverHoldsWhatItWouldNotReadAgain)
{
  TemporaryFolder const folder;
  UserSettings broken = changed_settings();
  broken.window_width = -4264;
  broken.window_height = -1;
  broken.ui_scale = std::numeric_limits<float>::quiet_NaN();
  broken.panels.widths.left = std::numeric_limits<float>::infinity();
  lessons::Progress& progress = broken.lessons.emplace_back();
  progress.lesson = "hashing";
  progress.points = {1, -7};
  TableSetup set_up = changed_setup();
  set_up.camera.zoom = std::numeric_limits<float>::quiet_NaN();
  broken.set_ups["slots"] = set_up;
  broken.recent = {
      "/lectures/gr\xf6\xdf"
      "e.json",
      "/b"};
  save_settings(folder / "settings.json", broken, scenes());
  auto const [loaded, messages] = load_settings(folder / "settings.json", scenes());
  EXPECT_THAT(messages, IsEmpty());
  EXPECT_EQ(loaded.window_width, UserSettings{}.window_width);
  EXPECT_EQ(loaded.window_height, UserSettings{}.window_height);
  EXPECT_EQ(loaded.ui_scale, 0.0f);
  EXPECT_EQ(loaded.panels.widths.right, 500.5f);
  EXPECT_EQ(loaded.theme, Background::light);
  EXPECT_EQ(loaded.recent.size(), 2u);
  ASSERT_EQ(loaded.lessons.size(), 1u);
  EXPECT_EQ(loaded.lessons[0].lesson, "hashing");
  EXPECT_EQ(std::any_cast<TableSetup>(loaded.set_ups.at("slots")).settings.keys.stride, 256u);
}

TEST(SettingsFile, ASceneThatCannotBeWrittenCostsItselfAlone)
{
  TemporaryFolder const folder;
  UserSettings settings = changed_settings();
  TableSetup set_up = changed_setup();
  set_up.settings.keys.distribution = KeyDistribution::file;  // without a file
  settings.set_ups["slots"] = set_up;
  EXPECT_THAT(message_of<Error>([&] { save_settings(folder / "settings.json", settings, scenes()); }),
              HasSubstr("without the file's name"));
  auto const [loaded, messages] = load_settings(folder / "settings.json", scenes());
  EXPECT_THAT(messages, IsEmpty());
  EXPECT_EQ(loaded.recent, settings.recent);
  EXPECT_EQ(loaded.window_width, 1234);
}

TEST(SettingsFile, NeverMovesAFolder)
{
  TemporaryFolder const folder;
  EXPECT_THAT(load_settings(folder.path(), scenes()).messages.at(0), HasSubstr("could not be renamed"));
  EXPECT_TRUE(std::filesystem::exists(folder.path()));
}

TableSetup with_keys_of(std::filesystem::path const& file)
{
  TableSetup set_up = changed_setup();
  set_up.settings.keys.distribution = KeyDistribution::file;
  set_up.settings.keys.file_name = file;
  return set_up;
}

TEST(SettingsFile, OutlivesItsKeyFile)
{
  TemporaryFolder const folder;
  UserSettings saved;
  saved.set_ups["slots"] = with_keys_of(folder.write("keys.txt", "1\n2\n"));
  save_settings(folder / "settings.json", saved, scenes());
  auto const with_keys = load_settings(folder / "settings.json", scenes());
  EXPECT_THAT(with_keys.messages, IsEmpty());
  auto const keys_in = [](LoadedSettings const& loaded) {
    return std::any_cast<TableSetup>(loaded.settings.set_ups.at("slots")).settings.keys;
  };
  EXPECT_EQ(keys_in(with_keys).distribution, KeyDistribution::file);
  EXPECT_EQ(keys_in(with_keys).file_keys->size(), 2u);

  std::filesystem::remove(folder / "keys.txt");
  auto const without = load_settings(folder / "settings.json", scenes());
  EXPECT_THAT(without.messages.at(0), HasSubstr("keys.txt"));
  EXPECT_EQ(keys_in(without).distribution, KeyDistribution::uniform);
  EXPECT_EQ(keys_in(without).stride, 256u);
  EXPECT_TRUE(std::filesystem::exists(folder / "settings.json"));
}

TEST(SettingsFile, OutlivesTheKeyFileOfAnyScene)
{
  TemporaryFolder const folder;
  UserSettings saved = changed_settings();
  CompareSetup compare;
  compare.shared = with_keys_of(folder.write("keys.txt", "1\n2\n"));
  compare.tables = compared_with(compare.shared.settings.table, {});
  saved.set_ups["compare"] = compare;
  save_settings(folder / "settings.json", saved, scenes());
  std::filesystem::remove(folder / "keys.txt");
  auto const [loaded, messages] = load_settings(folder / "settings.json", scenes());
  EXPECT_THAT(messages.at(0), HasSubstr("keys.txt"));
  EXPECT_EQ(loaded.ui_scale, 1.25f) << "nothing else is lost";
  EXPECT_EQ(std::any_cast<TableSetup>(loaded.set_ups.at("slots")).settings.table.slots, 1024u);
  auto const kept = std::any_cast<CompareSetup>(loaded.set_ups.at("compare"));
  EXPECT_EQ(kept.tables, compare.tables);
  EXPECT_EQ(kept.shared.settings.keys.distribution, KeyDistribution::uniform);
}

TEST(SettingsFile, LiesInTheXdgFolder)
{
  setenv("HOME", "/home/ada", 1);
  unsetenv("XDG_CONFIG_HOME");
  EXPECT_EQ(settings_path({}), "/home/ada/.config/slotscape/settings.json");
  setenv("XDG_CONFIG_HOME", "relative/is/ignored", 1);
  EXPECT_EQ(settings_path({}), "/home/ada/.config/slotscape/settings.json");
  setenv("XDG_CONFIG_HOME", "/etc/ada", 1);
  EXPECT_EQ(settings_path({}), "/etc/ada/slotscape/settings.json");
  EXPECT_EQ(settings_path("mine.json"), "mine.json");
}

TEST(SettingsFile, SaysWhereItCannotBeSaved)
{
  TemporaryFolder const folder;
  folder.write("file", "");
  EXPECT_THAT(message_of<Error>([&] { save_settings(folder / "file/settings.json", {}, scenes()); }),
              HasSubstr("cannot be written"));
}

}  // namespace
}  // namespace slotscape
