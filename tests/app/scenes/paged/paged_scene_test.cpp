#include "app/scenes/paged/scene.hpp"
#include "app/shell/run.hpp"
#include "gpu/base/error.hpp"
#include "tests/app/support/program.hpp"
#include "tests/app/support/temporary_folder.hpp"
#include "tests/app/support/typed_words.hpp"

#include <gmock/gmock.h>

#include <filesystem>
#include <sstream>

namespace slotscape {
namespace {

using ::testing::HasSubstr;

class PagedSceneTest : public testing::Test {
protected:
  PagedSceneTest() : app_(test::offscreen_app({960, 640}, Scenario{&test::entry("paged"), PagedSceneSettings{}}))
  {
    settle();
  }
  void settle()
  {
    for (int frame = 0; frame < 20'000 && (frame < 2 || !scene().quiet()); ++frame) { app_->frame(1.0 / 60.0); }
    ASSERT_TRUE(scene().quiet());
  }
  void open(std::string const& fields)
  {
    app_->open(files_.write("paged.json", R"({ "version": 1, "paged": )" + fields + " }"));
  }
  PagedScene& scene() { return test::scene_of<PagedScene>(*app_); }
  Json shown() { return scene().statistics({}).json; }
  std::uint64_t keys_in_pages()
  {
    std::string const table = scene().statistics({}).tables.front().second;
    std::uint64_t sum = 0;
    std::istringstream lines(table);
    for (std::string line; std::getline(lines, line);) {
      if (line.front() != 'p') { sum += std::stoull(line.substr(line.find(',') + 1)); }
    }
    return sum;
  }

  test::TemporaryFolder files_;
  std::unique_ptr<App> app_;
};

TEST_F(PagedSceneTest, IsBroughtToTheLoadThatIsAskedForUpAndDown)
{
  open(R"({ "slots": 120000, "pages": 5, "load_factor": 0.25, "key_bits": 32 })");
  settle();
  EXPECT_EQ(shown()["keys"], 30'000);
  EXPECT_EQ(keys_in_pages(), 30'000u);
  EXPECT_EQ(shown()["calls"][0]["what"], "inserting");
  scene().settings().load_factor = 0.8;
  settle();
  EXPECT_EQ(shown()["keys"], 96'000);
  EXPECT_EQ(shown()["calls"][0]["keys"], 66'000) << "only those that were missing";
  scene().settings().load_factor = 0.1;
  settle();
  EXPECT_EQ(shown()["keys"], 12'000);
  EXPECT_EQ(keys_in_pages(), 12'000u);
  EXPECT_EQ(shown()["calls"][0]["what"], "erasing");
  scene().settings().load_factor = 0.0;
  settle();
  EXPECT_EQ(shown()["keys"], 0);
  EXPECT_EQ(keys_in_pages(), 0u);
}

/// Pages are of whole buckets: the table has more slots than were asked for.
TEST_F(PagedSceneTest, TheLoadIsThatOfTheSlotsItHas)
{
  open(R"({ "slots": 5000, "pages": 300, "load_factor": 0.5 })");
  settle();
  auto const slots = shown()["slots"].get<std::uint64_t>();
  EXPECT_GT(slots, 6000u);
  EXPECT_EQ(shown()["keys"], slots / 2);
  EXPECT_EQ(keys_in_pages(), slots / 2);
}

TEST_F(PagedSceneTest, LookupsAreMadeAtEachPressAndChecked)
{
  open(R"({ "slots": 48000, "pages": 4, "load_factor": 0.5, "lookups": 10000 })");
  settle();
  EXPECT_FALSE(shown().contains("lookups"));
  test::press(scene(), "L");
  settle();
  EXPECT_EQ(shown()["lookups"], (Json{{"asked", 10'000}, {"found", 10'000}, {"right", 10'000}}));
  test::press(scene(), "M");
  settle();
  EXPECT_EQ(shown()["lookups"], (Json{{"asked", 10'000}, {"found", 0}, {"right", 10'000}}));
  EXPECT_EQ(shown()["keys"], 24'000);
}

TEST_F(PagedSceneTest, SaysThatThereAreFewerKeysThanLookupsWereAskedFor)
{
  open(R"({ "slots": 3000, "pages": 3, "load_factor": 0.5, "lookups": 5000 })");
  settle();
  EXPECT_TRUE(scene().findings().empty());
  test::press(scene(), "L");
  settle();
  EXPECT_EQ(shown()["lookups"]["asked"], shown()["keys"]);
  EXPECT_THAT(scene().findings(), testing::ElementsAre(HasSubstr("5,000 lookups were requested, but there are only")));
  test::press(scene(), "M");
  settle();
  EXPECT_EQ(shown()["lookups"]["asked"], 5000);
  EXPECT_TRUE(scene().findings().empty());
}

TEST_F(PagedSceneTest, EscLeavesTheTableAsItWas)
{
  open(R"({ "slots": 4800000, "pages": 40, "load_factor": 0.1 })");
  settle();
  app_->scene_host().set_max_wait(0.0);
  scene().settings().load_factor = 0.9;
  app_->frame(1.0 / 60.0);
  ASSERT_TRUE(scene().cancellable());
  scene().cancel();
  settle();
  EXPECT_THAT(scene().notice(), HasSubstr("Cancelled"));
  EXPECT_EQ(shown()["keys"], 480'000);
  EXPECT_EQ(keys_in_pages(), 480'000u);
  test::press(scene(), "L");
  settle();
  EXPECT_EQ(shown()["lookups"]["right"], shown()["lookups"]["asked"]);
}

TEST_F(PagedSceneTest, WhatTheHostHasNoMemoryForIsSaidAndWhatWasThereStays)
{
  open(R"({ "slots": 48000, "pages": 4, "load_factor": 0.5 })");
  settle();
  scene().settings().table.slots = max_paged_slots;
  scene().settings().table.pages = 512;
  settle();
  EXPECT_THAT(app_->toasts().latest(), HasSubstr("MiB"));
  EXPECT_EQ(scene().settings().table.slots, 48000u);
  EXPECT_EQ(shown()["keys"], 24'000);
}

TEST(PagedCommandLine, RunsWithoutAWindow)
{
  test::TemporaryFolder const outputs;
  std::string const statistics = (outputs / "paged.json").string();
  std::string const picture = (outputs / "paged.png").string();
  run_headless(test::parse({"paged",         "--slots",   "216000",          "--pages",   "9",       "--load-factor",
                            "0.7",           "--look-up", "present",         "--lookups", "5000",    "--around-mean",
                            "--backend",     "cpu",       "--headless",      "--size",    "640x480", "--screenshot",
                            picture.c_str(), "--stats",   statistics.c_str()})
                   .value());
  Json const written = parse_json(test::content_of(statistics), "");
  EXPECT_EQ(written["keys"], 151'200);
  EXPECT_EQ(written["lookups"]["right"], 5'000);
  EXPECT_GT(std::filesystem::file_size(picture), 1000u);
  EXPECT_THAT(test::message_of<Error>([] {
                test::parse({"paged", "--pages", "513"}).value().subcommand->set_up();
              }),
              HasSubstr("1 to 512"));
}

}  // namespace
}  // namespace slotscape
