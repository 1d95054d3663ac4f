#include "app/cli/command_line.hpp"

#include "app/shell/run.hpp"
#include "tests/app/support/temporary_folder.hpp"
#include "tests/app/support/typed_words.hpp"

#include <gmock/gmock.h>

#include <string>
#include <vector>

namespace slotscape {
namespace {

using test::parse;
using test::Words;
using test::wrong_in;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

TEST(CommandLine, OpensTheWindowWithoutWords)
{
  Options const options = parse({}).value();
  EXPECT_EQ(options.verb, Verb::window);
  EXPECT_EQ(options.backend, BackendChoice::automatic);
  EXPECT_EQ(options.present, PresentChoice::automatic);
  EXPECT_FALSE(options.seed);
  EXPECT_FALSE(options.size_given);
}

TEST(CommandLine, OpensAScenarioByItsNameAlone)
{
  Options const options = parse({"tour.slotscape.json", "--size", "800x600"}).value();
  EXPECT_EQ(options.verb, Verb::open);
  EXPECT_EQ(options.scenario, "tour.slotscape.json");
  EXPECT_EQ(options.width, 800);
  EXPECT_EQ(parse({"PLAIN.JSON"}).value().verb, Verb::open);
}

TEST(CommandLine, ReadsARun)
{
  Options const options = parse({"run", "tour.json", "--headless", "--frames", "60", "--screenshot", "a.png", "--stats",
                                 "a.json", "--csv", "tables", "--record", "frames"})
                              .value();
  EXPECT_EQ(options.verb, Verb::run);
  EXPECT_EQ(options.scenario, "tour.json");
  EXPECT_TRUE(options.headless);
  EXPECT_EQ(options.frames, 60);
  EXPECT_EQ(options.screenshot, "a.png");
  EXPECT_EQ(options.stats, "a.json");
  EXPECT_EQ(options.csv, "tables");
  EXPECT_EQ(options.record, "frames");
}

TEST(CommandLine, ReadsHowASlideIsDrawn)
{
  Options const plain = parse({"run", "tour.json", "--slide", "a.svg"}).value();
  EXPECT_EQ(plain.slide, "a.svg");
  EXPECT_EQ(plain.slide_settings.width, 1920);
  EXPECT_EQ(plain.slide_settings.background, Background::light);
  Options const chosen = parse({"run", "tour.json", "--slide", "a.png", "--slide-size", "3840x2160", "--slide-scale",
                                "2.5", "--slide-background", "dark"})
                             .value();
  EXPECT_EQ(chosen.slide_settings.width, 3840);
  EXPECT_EQ(chosen.slide_settings.height, 2160);
  EXPECT_EQ(chosen.slide_settings.scale, 2.5);
  EXPECT_EQ(chosen.slide_settings.background, Background::dark);
  for (Words const& words :
       {Words{"--slide", "a.jpg"}, Words{"--slide-scale", "2"}, Words{"--slide", "a.png", "--slide-size", "10"},
        Words{"--slide", "a.png", "--slide-scale", "99"}, Words{"--slide", "a.png", "--slide-background", "pink"}}) {
    Words all{"run", "tour.json"};
    all.insert(all.end(), words.begin(), words.end());
    EXPECT_THROW(parse(all), Error) << words.back();
  }
}

TEST(CommandLine, TakesCommonOptionsOnBothSidesOfTheCommand)
{
  for (Words const& words : {Words{"--backend", "cpu", "--present", "staging", "--seed", "7", "--size", "800x600",
                                   "--config", "my.json", "run", "tour.json"},
                             Words{"run", "--backend", "cpu", "--present=staging", "tour.json", "--seed", "7", "--size",
                                   "800x600", "--config", "my.json"}}) {
    Options const options = parse(words).value();
    EXPECT_EQ(options.verb, Verb::run);
    EXPECT_EQ(options.scenario, "tour.json");
    EXPECT_EQ(options.backend, BackendChoice::cpu);
    EXPECT_EQ(options.present, PresentChoice::staging);
    EXPECT_EQ(options.seed, 7u);
    EXPECT_EQ(options.width, 800);
    EXPECT_EQ(options.height, 600);
    EXPECT_TRUE(options.size_given);
    EXPECT_EQ(options.config, "my.json");
  }
}

TEST(CommandLine, TakesATheme)
{
  EXPECT_FALSE(parse({}).value().theme);
  EXPECT_EQ(parse({}).value().language, "");
  EXPECT_EQ(parse({"lesson", "1", "--language", "de"}).value().language, "de");
  EXPECT_EQ(parse({"--theme", "light"}).value().theme, Background::light);
  EXPECT_EQ(parse({"run", "tour.json", "--theme", "dark"}).value().theme, Background::dark);
  EXPECT_THAT(wrong_in({"--theme", "blue"}), AllOf(HasSubstr("--theme: 'blue'"), HasSubstr("dark, light")));
}

TEST(CommandLine, ListsDevices)
{
  EXPECT_EQ(parse({"devices", "--backend", "cuda"}).value().verb, Verb::devices);
}

TEST(CommandLine, TakesDevicesByTheirNumbers)
{
  EXPECT_THAT(parse({"--device", "1"}).value().devices, ElementsAre(1));
  EXPECT_THAT(parse({"--device", "2,0"}).value().devices, ElementsAre(2, 0));
  EXPECT_THAT(parse({"devices"}).value().devices, IsEmpty());
  for (char const* const wrong : {"-1", "0,0", "0,", "a"}) {
    EXPECT_THAT(wrong_in({"--device", wrong}), HasSubstr("slotscape devices")) << wrong;
  }
  EXPECT_THAT(wrong_in({"--device", "1", "--backend", "cpu"}), HasSubstr("leave one of them out"));
}

TEST(CommandLine, AnswersHelpAndVersionAndStops)
{
  ::testing::internal::CaptureStdout();
  EXPECT_FALSE(parse({"--help"}));
  EXPECT_FALSE(parse({"run", "--help"}));
  EXPECT_FALSE(parse({"--version"}));
  EXPECT_THAT(::testing::internal::GetCapturedStdout(),
              AllOf(HasSubstr("--backend"), HasSubstr("--headless"), HasSubstr("slotscape " SLOTSCAPE_VERSION)));
}

TEST(CommandLine, RefusesWrongChoices)
{
  EXPECT_THAT(wrong_in({"--backend", "cudaa"}),
              AllOf(HasSubstr("--backend: 'cudaa'"), HasSubstr("did you mean 'cuda'"), HasSubstr("auto, cuda, cpu")));
  EXPECT_THAT(wrong_in({"--present", "host"}), HasSubstr("auto, interop, staging"));
}

TEST(CommandLine, RefusesWrongNumbers)
{
  EXPECT_THAT(wrong_in({"--seed=-1"}), HasSubstr("--seed: '-1'"));
  EXPECT_THAT(wrong_in({"--seed", "-1"}), HasSubstr("--seed"));
  EXPECT_THAT(wrong_in({"--seed", "x"}), HasSubstr("whole number"));
  for (char const* size : {"10x10", "1600", "1600x", "x1000", "99999x1000", "1600x1000x2", "a", "319x240"}) {
    EXPECT_THAT(wrong_in({"--size", size}), AllOf(HasSubstr("--size"), HasSubstr("320x240 to 16384x16384")));
  }
  for (char const* frames : {"0", "1000001", "two", "1.5"}) {
    EXPECT_THAT(wrong_in({"run", "a.json", "--frames", frames}),
                AllOf(HasSubstr("--frames"), HasSubstr("1 to 1000000")));
  }
}

TEST(CommandLine, RefusesWordsThatMeanNothing)
{
  EXPECT_THAT(wrong_in({"run"}), HasSubstr("slotscape run SCENARIO.json"));
  EXPECT_THAT(wrong_in({"run", "a.json", "b.json"}), HasSubstr("unexpected argument 'b.json'"));
  EXPECT_THAT(wrong_in({"run", "a.json", "--headles"}), HasSubstr("did you mean --headless?"));
  EXPECT_THAT(wrong_in({"--bakend", "cpu"}), HasSubstr("did you mean --backend?"));
  EXPECT_THAT(wrong_in({"--headless"}), HasSubstr("slotscape run SCENARIO.json --headless"));
  EXPECT_THAT(wrong_in({"tour.jso"}), HasSubstr("slotscape run tour.jso"));
  EXPECT_THAT(wrong_in({"a.json", "b.json"}), HasSubstr("unexpected argument 'b.json'"));
  EXPECT_THAT(wrong_in({"a.json", "run", "b.json"}), HasSubstr("unexpected argument 'a.json'"));
  EXPECT_THAT(wrong_in({"a.json", "--headless"}), HasSubstr("slotscape run SCENARIO.json --headless"));
  EXPECT_THAT(wrong_in({"devices", "a.json"}), HasSubstr("unexpected argument 'a.json'"));
  EXPECT_THAT(wrong_in({"fly"}), HasSubstr("run, serve, spatial, sparse, match"));
  EXPECT_THAT(wrong_in({"run", "a.json", "--stats", ""}), HasSubstr("--stats: the value is empty"));
  EXPECT_THAT(wrong_in({"run", "a.json", "--stats"}), HasSubstr("--stats"));
  EXPECT_THAT(wrong_in({"tune", "join", "--most-bytes", "-1"}), HasSubstr("--most-bytes: '-1' is invalid"));
  EXPECT_THAT(wrong_in({"tune", "cache", "--shards", "1,17"}), HasSubstr("--shards: '17' is invalid"));
  EXPECT_THAT(wrong_in({"tune", "cache", "--devices", "each"}), HasSubstr("add --shards, such as --shards 1,2"));
  EXPECT_THAT(wrong_in({"tune", "join", "--shards", "1,2"}), HasSubstr("do not go with a join"));
  EXPECT_THAT(wrong_in({"tune", "cache", "--shards", "2", "--devices", "each", "--keys-start", "spread"}),
              HasSubstr("leave --keys-start out"));
}

TEST(CommandLine, OpensAnyFileThatThereIs)
{
  test::TemporaryFolder const folder;
  std::filesystem::path const file = folder.write("orders.csv", "id\n1\n");
  Options const options = parse({file.c_str()}).value();
  EXPECT_EQ(options.verb, Verb::open);
  EXPECT_EQ(options.scenario, file);
  EXPECT_THAT(wrong_in({(folder / "other.csv").c_str()}), HasSubstr("there is no such file"));
  EXPECT_THAT(wrong_in({file.c_str(), file.c_str()}), HasSubstr("one file at a time"));
  std::filesystem::path const inside = folder / ".";
  EXPECT_THAT(wrong_in({inside.c_str()}), HasSubstr("is a folder: name a file in it"));
}

/// What is given as an input is never written to, whichever of the two is met first.
TEST(CommandLine, AnOutputIsNoInput)
{
  test::TemporaryFolder const folder;
  std::string const keys = folder.write("keys.txt", "1\n2\n3\n4\n").string();
  std::string const scenario = folder.write("keys.json", R"({"version": 1, "keys": {"file": "keys.txt"}})").string();
  auto const refused = [](Words const& words) {
    return test::message_of<Error>([&] {
      Options options = parse(words).value();
      options.backend = BackendChoice::cpu;
      if (options.bench) { options.bench->run(options.backend, {}); }
      if (options.tune) { options.tune->run(options.backend, {}, options.devices); }
      if (options.headless) { run_headless(options); }
    });
  };
  char const* const file = keys.c_str();
  char const* const set_up = scenario.c_str();
  for (char const* const output : {"--csv", "--json"}) {
    EXPECT_THAT(refused({"bench", "tables", "--slots", "64", "--keys", file, output, file}),
                HasSubstr("would be overwritten"));
    EXPECT_THAT(refused({"bench", "join", "--keys", file, "--probe-keys", file, output, file}),
                HasSubstr("would be overwritten"));
    EXPECT_THAT(refused({"tune", "--keys", file, output, file}), HasSubstr("would be overwritten"));
  }
  EXPECT_THAT(refused({"run", set_up, "--headless", "--stats", set_up}), HasSubstr("would be overwritten"));
  EXPECT_THAT(refused({"run", set_up, "--headless", "--stats", file}), HasSubstr("another path"));
  EXPECT_THAT(refused({"run", set_up, "--headless", "--record", file}), HasSubstr("cannot be written"));
  EXPECT_EQ(test::content_of(keys), "1\n2\n3\n4\n");
}

TEST(CommandLine, ChoosesTheLanguageBeforeItSaysWhatIsWrong)
{
  struct Chosen {
    std::string language;
    Verb verb = Verb::window;
  };
  auto const chosen_at = [](Words words) {
    words.insert(words.begin(), "slotscape");
    std::vector<Chosen> chosen;
    auto const note = [&](Options const& options) { chosen.push_back({options.language, options.verb}); };
    std::string const why = test::message_of<Error>(
        [&] { parse_command_line(static_cast<int>(words.size()), words.data(), scenes(), {}, note); });
    EXPECT_NE(why, "nothing was thrown");
    EXPECT_EQ(chosen.size(), 1u);
    return chosen.empty() ? Chosen{"none"} : chosen.front();
  };
  EXPECT_EQ(chosen_at({"--language", "de", "--sizee", "1"}).language, "de");
  EXPECT_EQ(chosen_at({"--size", "1x1", "--language", "de"}).language, "de");
  EXPECT_EQ(chosen_at({"run", "--language=de"}).language, "de");
  EXPECT_EQ(chosen_at({"run", "--sizee"}).language, "");
  EXPECT_EQ(chosen_at({"--language", "de", "bench", "tables", "--slots", "x"}).verb, Verb::bench);
  EXPECT_EQ(chosen_at({"tune", "--language", "de", "--nothing"}).verb, Verb::tune);
  EXPECT_EQ(chosen_at({"devices", "--nothing"}).verb, Verb::devices);
  EXPECT_EQ(chosen_at({"spatial", "--voxel", "x"}).verb, Verb::window);
}

}  // namespace
}  // namespace slotscape
