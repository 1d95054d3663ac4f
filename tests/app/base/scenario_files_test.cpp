#include "app/base/scenario_files.hpp"

#include "tests/app/support/temporary_folder.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace slotscape {
namespace {

namespace fs = std::filesystem;

TEST(ScenarioFiles, AreLookedForBesideTheProgramThenInItsSourceTreeThenInTheUsualPlace)
{
  EXPECT_EQ(scenario_folders("/opt/slotscape/bin/slotscape"),
            (std::vector<fs::path>{"/opt/slotscape/share/slotscape", "/opt/assets", "/usr/share/slotscape"}));
  EXPECT_EQ(scenario_folders("/home/me/slotscape/build/release/slotscape")[1], "/home/me/slotscape/assets");
}

TEST(ScenarioFiles, AreFoundWithAndWithoutTheirEnding)
{
  test::TemporaryFolder const folder;
  fs::create_directories(folder / "second/tour");
  fs::path const file = folder.write("second/tour/one.slotscape.json", "{}");
  std::vector<fs::path> const folders{folder / "first", folder / "second"};
  EXPECT_EQ(find_scenario("tour/one", folders), file);
  EXPECT_EQ(find_scenario("tour/one.slotscape.json", folders), file);
  EXPECT_EQ(find_scenario(file, folders), file);
  EXPECT_EQ(find_scenario("tour/two", folders), "tour/two");
  EXPECT_EQ(find_scenario("tour", folders), "tour") << "a folder is no scenario";
}

TEST(ScenarioFiles, TheUsersOwnFileComesFirst)
{
  test::TemporaryFolder const folder;
  fs::create_directory(folder / "installed");
  folder.write("one.json", "{}");
  folder.write("installed/one.json", "{}");
  fs::path const before = fs::current_path();
  fs::current_path(folder.path());
  fs::path const found = find_scenario("one.json", std::vector<fs::path>{folder / "installed"});
  fs::current_path(before);
  EXPECT_EQ(found, "one.json");
}

}  // namespace
}  // namespace slotscape
