// docs/adding-a-scene.md says the truth: its code is the code here, which is built and run as it says.

#include "app/registry/scenes.hpp"
#include "app/shell/app.hpp"
#include "app/shell/run.hpp"
#include "gpu/base/error.hpp"
#include "tests/app/support/temporary_folder.hpp"
#include "tests/support/page_code.hpp"
#include "tests/support/paths.hpp"

#include <gmock/gmock.h>

#include <algorithm>

namespace slotscape {
namespace {

using test::code_in;
using test::content_of;
using test::message_of;
using test::TemporaryFolder;
using test::without_blank_lines;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

std::filesystem::path const project = test::in_project();
std::filesystem::path const folder = project / "tests/adding_a_scene";

std::optional<Options> parse(std::vector<char const*> words)
{
  words.insert(words.begin(), "slotscape");
  return parse_command_line(static_cast<int>(words.size()), words.data(), scenes());
}

TEST(AddingAScene, ThePageIsTheCode)
{
  std::string const page = content_of(project / "docs/adding-a-scene.md");
  EXPECT_EQ(code_in(page, "cpp"), without_blank_lines(content_of(folder / "birthday.cpp")));
  EXPECT_EQ(code_in(page, "cmake"), content_of(folder / "scenes.cmake"));
}

TEST(AddingAScene, TakesAtMostAHundredAndFiftyLinesAndOneOfRegistration)
{
  EXPECT_LE(std::ranges::count(content_of(folder / "birthday.cpp"), '\n'), 150);
  EXPECT_EQ(std::ranges::count(content_of(folder / "scenes.cmake"), '\n'), 1);
}

TEST(AddingAScene, TheProgramKnowsItByItsLine)
{
  std::vector<std::string_view> names;
  for (SceneEntry const& scene : scenes()) { names.push_back(scene.name); }
  EXPECT_THAT(names, ElementsAre("slots", "compare", "spatial", "sparse", "match", "tune", "races", "watch", "paged",
                                 "neighbours", "particles", "birthday"));
}

TEST(AddingAScene, RunsHeadlessByItsSubcommand)
{
  TemporaryFolder const outputs;
  std::string const picture = (outputs / "birthday.png").string();
  std::string const statistics = (outputs / "birthday.json").string();
  std::string const tables = (outputs / "csv").string();
  run_headless(parse({"birthday", "--slots", "1000", "--backend", "cpu", "--headless", "--size", "640x480",
                      "--screenshot", picture.c_str(), "--stats", statistics.c_str(), "--csv", tables.c_str()})
                   .value());
  EXPECT_GT(std::filesystem::file_size(picture), 1000u);
  Json const json = parse_json(content_of(statistics), statistics);
  EXPECT_EQ(json["slots"], 1000);
  EXPECT_GT(json["keys"], 1);
  EXPECT_LT(json["keys"], 250) << "not more than one time in 10^13";
  EXPECT_NEAR(json["expected_keys"].get<double>(), 40.3, 0.1);
  EXPECT_THAT(content_of(outputs / "csv/birthday.csv"), HasSubstr("slots,keys\n1000,"));
  EXPECT_THAT(message_of<Error>([&] { parse({"birthday", "--slots", "5"}); }), HasSubstr("--slots"));
  EXPECT_THAT(message_of<Error>([&] { parse({"fly"}); }),
              HasSubstr("run, serve, spatial, sparse, match, races, watch, paged, neighbours, particles, birthday"));
}

TEST(AddingAScene, ComesBackFromScenariosAndSettings)
{
  std::string const text = R"({ "version": 1, "birthday": { "slots": 64, "seed": 9 } })";
  Scenario const scenario = parse_scenario(scenes(), text, "birthday.json", ".");
  EXPECT_EQ(scenario.scene->name, "birthday");
  EXPECT_EQ(parse_json(format_scenario(scenario), ""), parse_json(text, ""));
  auto const wrong = [](std::string const& fields) {
    return message_of<Error>(
        [&] { parse_scenario(scenes(), R"({ "version": 1, "birthday": )" + fields + " }", "b.json", "."); });
  };
  EXPECT_THAT(wrong(R"({ "slots": 5 })"), AllOf(HasSubstr("b.json: birthday.slots: 5"), HasSubstr("16 to 4096")));
  EXPECT_THAT(wrong(R"({ "slot": 64 })"), AllOf(HasSubstr("birthday.slot"), HasSubstr("'slots'")));

  TemporaryFolder const settings;
  save_settings(settings / "s.json", {.scene = "birthday", .set_ups = {{"birthday", scenario.set_up}}}, scenes());
  auto const [loaded, messages] = load_settings(settings / "s.json", scenes());
  EXPECT_THAT(messages, IsEmpty());
  EXPECT_EQ(format_scenario({scenario.scene, loaded.set_ups.at("birthday")}), format_scenario(scenario));
}

TEST(AddingAScene, OpensInTheProgramBesideTheOthers)
{
  Options options;
  options.backend = BackendChoice::cpu;
  App app(gl::open_offscreen({640, 480}), options, {});
  TemporaryFolder const files;
  app.open(files.write("b.json", R"({ "version": 1, "birthday": { "slots": 64, "seed": 9 } })"));
  EXPECT_EQ(app.current_entry().name, "birthday");
  EXPECT_EQ(app.toasts().latest(), "Opened b.json");
  for (int frame = 0; frame < 64; ++frame) { app.frame(0.1); }
  EXPECT_TRUE(app.current_scene().quiet()) << "two keys share a home";
  ASSERT_EQ(app.current_scene().commands().size(), 1u);
  app.current_scene().commands().front().run();
  EXPECT_FALSE(app.current_scene().quiet()) << "other keys go in";
  app.show(scenes().front());
  app.frame(0.1);
  app.show(*find_scene(scenes(), "birthday"));
  EXPECT_THAT(format_scenario({&app.current_entry(), app.current_scene().set_up()}), HasSubstr("10"));
  EXPECT_EQ(app.toasts().errors(), 0u);
}

}  // namespace
}  // namespace slotscape
