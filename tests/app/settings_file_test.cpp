#include "app/settings_file.hpp"

#include "app/scenario/scenario.hpp"
#include "gpu/error.hpp"
#include "tests/app/temporary_folder.hpp"

#include <gmock/gmock.h>

#include <stdlib.h>

namespace slotscape {
namespace {

using test::content_of;
using test::message_of;
using test::TemporaryFolder;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

UserSettings changed_settings()
{
  UserSettings settings;
  settings.slots.table.slots = 1024;
  settings.slots.table.hash = HashKind::fibonacci;
  settings.slots.keys.distribution = KeyDistribution::strided;
  settings.slots.keys.stride = 256;
  settings.slots.drive.frame_budget_ms = 5.5;
  settings.slots.view.palette = Palette::turbo;
  settings.ui_scale = 1.25f;
  settings.window_width = 1234;
  settings.window_height = 777;
  settings.show_plots = false;
  settings.show_keys_help = true;
  return settings;
}

TEST(SettingsFile, ComesBackAsItWasSaved)
{
  TemporaryFolder const folder;
  UserSettings const saved = changed_settings();
  save_settings(folder / "new/settings.json", saved);
  auto const [loaded, message] = load_settings(folder / "new/settings.json");
  EXPECT_THAT(message, IsEmpty());
  EXPECT_EQ(format_scenario({loaded.slots, {}}), format_scenario({saved.slots, {}}));
  EXPECT_EQ(loaded.ui_scale, saved.ui_scale);
  EXPECT_EQ(loaded.window_width, saved.window_width);
  EXPECT_EQ(loaded.window_height, saved.window_height);
  EXPECT_EQ(loaded.show_plots, saved.show_plots);
  EXPECT_EQ(loaded.show_keys_help, saved.show_keys_help);
  EXPECT_EQ(loaded.show_controls, saved.show_controls);
}

TEST(SettingsFile, IsNotMissedOnTheFirstStart)
{
  TemporaryFolder const folder;
  auto const [loaded, message] = load_settings(folder / "settings.json");
  EXPECT_THAT(message, IsEmpty());
  EXPECT_EQ(loaded.window_width, UserSettings{}.window_width);
}

TEST(SettingsFile, IsSetAsideWhereBroken)
{
  TemporaryFolder const folder;
  for (char const* aside : {"settings.json.broken", "settings.json.broken-2", "settings.json.broken-3"}) {
    folder.write("settings.json", R"({ "version": 1, "table": )");
    auto const [loaded, message] = load_settings(folder / "settings.json");
    EXPECT_THAT(message, AllOf(HasSubstr("line 1"), HasSubstr(aside)));
    EXPECT_FALSE(std::filesystem::exists(folder / "settings.json"));
    EXPECT_THAT(content_of(folder / aside), HasSubstr("version"));
  }
}

TEST(SettingsFile, IsSetAsideWithAWrongField)
{
  TemporaryFolder const folder;
  for (char const* content :
       {R"({ "version": 2 })", R"({ "version": 1, "ui_scale": "big" })", "[]", "",
        R"({ "version": 1, "window": { "width": -4 } })", R"({ "version": 1, "panels": { "plot": true } })"}) {
    folder.write("settings.json", content);
    EXPECT_THAT(load_settings(folder / "settings.json").message, HasSubstr("settings.json.broken")) << content;
  }
}

TEST(SettingsFile, NeverMovesAFolder)
{
  TemporaryFolder const folder;
  EXPECT_THAT(load_settings(folder.path()).message, HasSubstr("could not be set aside"));
  EXPECT_TRUE(std::filesystem::exists(folder.path()));
}

TEST(SettingsFile, OutlivesItsKeyFile)
{
  TemporaryFolder const folder;
  UserSettings saved = changed_settings();
  saved.slots.keys.distribution = KeyDistribution::file;
  saved.slots.keys.file_name = folder.write("keys.txt", "1\n2\n");
  save_settings(folder / "settings.json", saved);
  auto const with_keys = load_settings(folder / "settings.json");
  EXPECT_THAT(with_keys.message, IsEmpty());
  EXPECT_EQ(with_keys.settings.slots.keys.distribution, KeyDistribution::file);
  EXPECT_EQ(with_keys.settings.slots.keys.file_keys->size(), 2u);

  std::filesystem::remove(folder / "keys.txt");
  auto const without = load_settings(folder / "settings.json");
  EXPECT_THAT(without.message, HasSubstr("keys.txt"));
  EXPECT_EQ(without.settings.slots.keys.distribution, KeyDistribution::uniform);
  EXPECT_EQ(without.settings.slots.keys.stride, 256u);
  EXPECT_TRUE(std::filesystem::exists(folder / "settings.json"));
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
  EXPECT_THAT(message_of<Error>([&] { save_settings(folder / "file/settings.json", {}); }),
              HasSubstr("cannot be written"));
}

}  // namespace
}  // namespace slotscape
