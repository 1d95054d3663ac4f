#include "app/scenes/match/query_hand.hpp"
#include "app/shell/run.hpp"
#include "tests/app/scenes/match/match_scene.hpp"
#include "tests/app/support/temporary_folder.hpp"

#include <array>
#include <cmath>

namespace slotscape {
namespace {

using matching::MatchSettings;
using test::content_of;
using test::message_of;
using test::TemporaryFolder;
using ::testing::AllOf;
using ::testing::HasSubstr;

Options parse_options(std::vector<char const*> words)
{
  words.insert(words.begin(), {"slotscape", "match"});
  return parse_command_line(static_cast<int>(words.size()), words.data(), scenes()).value();
}
MatchSceneSettings parse(std::vector<char const*> const& words)
{
  return std::any_cast<MatchSetup>(parse_options(words).subcommand->set_up()).settings;
}

TEST(MatchCommandLine, OptionsAreRead)
{
  EXPECT_EQ(parse({}), first_match().settings);
  MatchSceneSettings const plain = parse({"map-2", "shapes-1"});
  EXPECT_EQ(plain.sources[0], "map-2");
  EXPECT_EQ(plain.sources[1], "shapes-1");
  EXPECT_EQ(plain.pose, QueryPose{});
  EXPECT_EQ(plain.matching, MatchSettings{});
  EXPECT_EQ(parse({"text-1"}).sources[1], "text-1") << "the reference itself";
  TemporaryFolder const video;
  for (char const* const name : {"1.png", "2.png", "3.png", "4.png"}) { video.write(name, "frame"); }
  std::string const frames = video.path().string();
  MatchSceneSettings const all =
      parse({frames.c_str(),    "map-2", "--method",  "sorting", "--smoothing",   "1.5", "--threshold",      "0.4",
             "--features",      "300",   "--bases",   "128",     "--query-bases", "64",  "--shortest-basis", "0.2",
             "--longest-basis", "0.6",   "--quantum", "0.05",    "--attempts",    "2",   "--turn",           "270",
             "--scale",         "0.5",   "--shift",   "12,-7.5", "--noise",       "0.3", "--occlusion",      "0.25",
             "--frame",         "4"});
  MatchSettings const wanted{.method = matching::Method::sorting,
                             .smoothing = 1.5,
                             .threshold = 0.4,
                             .features = 300,
                             .bases = 128,
                             .query_bases = 64,
                             .shortest_basis = 0.2,
                             .longest_basis = 0.6,
                             .quantum = 0.05,
                             .seed = 1,
                             .attempts = 2};
  EXPECT_EQ(all.matching, wanted);
  EXPECT_EQ(all.pose, (QueryPose{-90.0, 0.5, 12.0, -7.5, 0.3, 0.25}));
  EXPECT_EQ(all.frame, 3u);
  EXPECT_FALSE(all.playing);
}

TEST(MatchCommandLine, MistakesAreExplained)
{
  auto const error = [](std::vector<char const*> const& words) { return message_of<Error>([&] { parse(words); }); };
  EXPECT_THAT(error({"map-9"}), AllOf(HasSubstr("'map-9' is neither a file, nor a folder"), HasSubstr("map-1")));
  EXPECT_THAT(error({"map-1", "no_such_file.png"}), HasSubstr("no_such_file.png"));
  EXPECT_THAT(error({"--threshold", "2"}),
              HasSubstr("--threshold: '2' is invalid; it must be a number from 0.02 to 1"));
  EXPECT_THAT(error({"--method", "hasing"}), HasSubstr("did you mean 'hashing'"));
  EXPECT_THAT(error({"--bases", "9000"}), HasSubstr("1 to 8192"));
  for (char const* const shift : {"12", "12,", "a,b", "1,2,3", "nan,1", "99999999,0"}) {
    EXPECT_THAT(error({"--shift", shift}), HasSubstr("two numbers of pixels")) << shift;
  }
  EXPECT_THAT(error({"map-1", "--frame", "2"}), HasSubstr("there is 1 frame; choose one from 1 to 1"));
  EXPECT_THAT(error({"--shortest-basis", "0.8", "--longest-basis", "0.5"}), HasSubstr("shortest_basis"));
}

TEST(MatchCommandLine, RunsHeadless)
{
  TemporaryFolder const folder;
  std::string const picture = (folder / "match.png").string();
  std::string const statistics = (folder / "match.json").string();
  testing::internal::CaptureStdout();
  int const status = run_headless(
      parse_options({"map-3", "map-3", "--turn", "-30", "--scale", "1.25", "--backend", "cpu", "--headless", "--size",
                     "960x600", "--screenshot", picture.c_str(), "--stats", statistics.c_str()}));
  std::string const said = testing::internal::GetCapturedStdout();
  EXPECT_EQ(status, 0);
  EXPECT_THAT(said, AllOf(HasSubstr("match "), HasSubstr("rotated by 30.0°, scale 0.800")));
  EXPECT_GT(std::filesystem::file_size(picture), 20000u);
  Json const json = parse_json(content_of(statistics), statistics);
  EXPECT_EQ(json["match"]["found"], true);
  EXPECT_NEAR(json["match"]["rotation_degrees"].get<double>(), 30.0, 0.5);
  EXPECT_NEAR(json["match"]["scale"].get<double>(), 0.8, 0.01);
}

TEST(MatchText, HasNoNegativeZeros)
{
  EXPECT_EQ(text_of({-0.01, 1.0, -0.04, -1e-9}), "onto the reference: rotated by 0.0°, scale 1.000, shift (0.0, 0.0)");
  EXPECT_EQ(text_of({-0.06, 1.0, -0.0, -10.0}),
            "onto the reference: rotated by −0.1°, scale 1.000, shift (0.0, −10.0)");
}

TEST(MatchScenario, ComesBack)
{
  MatchSetup set_up;
  set_up.settings.sources = {"shapes-1", "/tmp/somewhere/query.png"};
  set_up.settings.frame = 7;
  set_up.settings.pose = {-12.5, 1.5, 3.0, -4.0, 0.1, 0.2};
  set_up.settings.matching = {.method = matching::Method::sorting,
                              .smoothing = 1.0,
                              .threshold = 0.3,
                              .features = 100,
                              .bases = 200,
                              .query_bases = 30,
                              .shortest_basis = 0.1,
                              .longest_basis = 0.9,
                              .quantum = 0.1,
                              .seed = 42,
                              .attempts = 5};
  set_up.settings.playing = set_up.settings.show_edges = set_up.settings.show_points = false;
  set_up.settings.show_overlay = set_up.settings.show_map = set_up.settings.show_votes = false;
  set_up.settings.fill_votes = false;
  set_up.settings.map.color_by = ColorBy::state;
  set_up.cell = matching::Bin{-3, 12};
  std::string const text = format_scenario({&test::entry("match"), set_up}, "/tmp/somewhere");
  EXPECT_THAT(text, HasSubstr("\"query.png\"")) << "relative to the scenario";
  auto const again = test::parse_setup<MatchSetup>(text, "s.json", "/tmp/somewhere");
  EXPECT_EQ(again.settings, set_up.settings);
  EXPECT_EQ(again.cell, set_up.cell);
  auto const wrong = [](std::string const& fields) {
    return message_of<Error>([&] { test::parse_setup<MatchSetup>(R"({ "version": 1, "match": )" + fields + " }"); });
  };
  EXPECT_THAT(wrong(R"({ "bases": 0 })"), AllOf(HasSubstr("match.bases"), HasSubstr("1 to 8192")));
  EXPECT_THAT(wrong(R"({ "shortest_basis": 0.9 })"), HasSubstr("shortest_basis must be less"));
  EXPECT_THAT(wrong(R"({ "treshold": 0.5 })"), HasSubstr("'threshold'"));
  EXPECT_THAT(wrong(R"({ "cell": [1, 2, 3] })"), HasSubstr("two numbers"));
  EXPECT_THAT(wrong(R"({ "reference": "" })"), HasSubstr("match.reference"));
}

TEST(MatchQueryHand, AGrabbedPointStaysUnderTheMouse)
{
  QueryPose const start{25.0, 0.8, 30.0, -10.0, 0.0, 0.0};
  matching::Picture const picture{640, 480, {}};
  auto const where = [&](QueryPose const& pose, double x, double y) {
    matching::Similarity const by = similarity_of(pose, picture);
    double const angle = by.rotation_degrees * std::acos(-1.0) / 180.0;
    return std::array{by.shift_x + by.scale * (std::cos(angle) * x + std::sin(angle) * y),
                      by.shift_y + by.scale * (-std::sin(angle) * x + std::cos(angle) * y)};
  };
  auto const corner = where(start, 0.0, 0.0);
  QueryPose const turned =
      QueryHand(QueryHand::Grip::turn_and_scale, start, 640, 480, corner[0], corner[1]).to(500.0, 40.0);
  EXPECT_NEAR(where(turned, 0.0, 0.0)[0], 500.0, 1e-6);
  EXPECT_NEAR(where(turned, 0.0, 0.0)[1], 40.0, 1e-6);
  QueryPose const moved = QueryHand(QueryHand::Grip::move, start, 640, 480, corner[0], corner[1]).to(100.0, 90.0);
  EXPECT_NEAR(where(moved, 0.0, 0.0)[0], 100.0, 1e-6);
  EXPECT_EQ(moved.scale, start.scale);
  QueryPose const only_turned = QueryHand(QueryHand::Grip::turn, start, 640, 480, 600.0, 230.0).to(350.0, 0.0);
  EXPECT_EQ(only_turned.scale, start.scale);
  EXPECT_NEAR(only_turned.turn, 25.0 + 90.0, 1.0) << "from the right of the middle to above it: counter-clockwise";
  EXPECT_LE(std::abs(whole_turns_removed(725.0)), 180.0);
}

}  // namespace
}  // namespace slotscape
