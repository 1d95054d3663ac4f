#include "app/shell/run.hpp"
#include "gpu/base/error.hpp"
#include "tests/app/support/program.hpp"
#include "tests/app/support/temporary_folder.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>

namespace slotscape {
namespace {

using spatial::Model;
using test::message_of;
using test::TemporaryFolder;
using ::testing::AllOf;
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::Not;
using Words = std::vector<std::string>;

Options parse(Words const& words)
{
  std::vector<char const*> all{"slotscape", "spatial"};
  for (std::string const& word : words) { all.push_back(word.c_str()); }
  return parse_command_line(static_cast<int>(all.size()), all.data(), scenes()).value();
}

SpatialSceneSettings settings_of(Options const& options)
{
  return std::any_cast<SpatialSetup>(options.subcommand->set_up()).settings;
}

std::string wrong_in_words(Words const& words)
{
  return message_of<Error>([&] { parse(words); });
}

TEST(SpatialOptions, OpensOnTwoShapesInMotion)
{
  Options const options = parse({});
  EXPECT_EQ(options.verb, Verb::scene);
  EXPECT_EQ(options.scene->name, "spatial");
  SpatialSceneSettings const settings = settings_of(options);
  EXPECT_NE(settings.models[Model::a].source, settings.models[Model::b].source);
  EXPECT_TRUE(settings.animation.running);
  EXPECT_NE(settings.animation.motion, Motion::still);
  EXPECT_EQ(settings.hashing.grid.side, 128u);
  EXPECT_EQ(settings.models[Model::a].points, 160000u);
}

TEST(SpatialOptions, ReadsAllOfThem)
{
  Options const options =
      parse({"torus",          "gyroid",        "--grid",  "256",       "--points",   "5000",      "--table",
             "linear_probing", "--load-factor", "0.8",     "--animate", "2.5",        "--boolean", "a_minus_b",
             "--color",        "probe_length",  "--seed",  "9",         "--headless", "--frames",  "3",
             "--screenshot",   "p.png",         "--stats", "s.json",    "--record",   "frames",    "--save-result",
             "r.ply",          "--save-voxels", "v.ply"});
  SpatialSceneSettings const settings = settings_of(options);
  EXPECT_EQ(settings.models[Model::a].source, "torus");
  EXPECT_EQ(settings.models[Model::b].source, "gyroid");
  EXPECT_EQ(settings.models[Model::b].points, 5000u);
  EXPECT_EQ(settings.hashing.grid.side, 256u);
  EXPECT_EQ(settings.hashing.family, "linear_probing");
  EXPECT_EQ(settings.hashing.load_factor, 0.8);
  EXPECT_EQ(settings.animation.time, 2.5);
  EXPECT_EQ(settings.boolean, spatial::Boolean::a_minus_b);
  EXPECT_EQ(settings.view.paint_by, spatial::PaintBy::probe_length);
  EXPECT_EQ(options.seed, 9u);
  EXPECT_TRUE(options.headless);
  EXPECT_EQ(options.frames, 3);
  auto const outputs = options.subcommand->outputs();
  EXPECT_EQ(outputs.at(0).second, "r.ply");
  EXPECT_EQ(outputs.at(1).second, "v.ply");
}

TEST(SpatialOptions, AnAttributeIsWhatToColorBy)
{
  ModelsViewSettings const view = settings_of(parse({"--attribute", "intensity"})).view;
  EXPECT_EQ(view.paint_by, spatial::PaintBy::attribute);
  EXPECT_EQ(view.attribute, "intensity");
  EXPECT_EQ(settings_of(parse({"--color", "attribute"})).view.attribute, "") << "the first that there is";
  EXPECT_THAT(wrong_in_words({"--color", "slot", "--attribute", "intensity"}), HasSubstr("--color attribute"));
}

TEST(SpatialOptions, TheAnimationReachesItsTimeWithThePicture)
{
  Options const options = parse({"--animate", "2.5"});
  Scenario const scenario = scenario_of(options, 0.5).value();
  EXPECT_DOUBLE_EQ(std::any_cast<SpatialSetup const&>(scenario.set_up).settings.animation.time, 2.0);
}

/// Headless, a picture shows a saved set-up, and saves it again, at the time at which it was saved.
TEST(SpatialOptions, ASavedAnimationIsOpenedAtItsTime)
{
  TemporaryFolder const folder;
  SpatialSetup set_up;
  for (ModelSettings& model : set_up.settings.models.of) { model.points = 500; }
  set_up.settings.hashing.grid.side = 32;
  set_up.settings.turntable = true;
  set_up.camera = OrbitPlace{.yaw = 1.0, .distance = 3.0};
  AnimationSettings& animation = set_up.settings.animation;
  for (bool const running : {true, false}) {
    SCOPED_TRACE(running);
    animation = {.motion = Motion::spin, .running = running, .speed = 2.0, .time = 3.25};
    std::filesystem::path const scenario = folder / fmt::format("{}.json", running);
    write_scenario(scenario, test::spatial_scenario(set_up));
    for (char const* const frames : {"1", "4"}) {
      std::filesystem::path const saved = folder / fmt::format("{}-{}.json", running, frames);
      std::vector<std::string> const words{"slotscape", "run",     scenario.string(), "--headless",
                                           "--size",    "320x240", "--backend",       "cpu",
                                           "--frames",  frames,    "--save-setup",    saved.string()};
      std::vector<char const*> all;
      std::ranges::transform(words, std::back_inserter(all), [](std::string const& word) { return word.c_str(); });
      run_headless(parse_command_line(static_cast<int>(all.size()), all.data(), scenes()).value());
      auto const again = test::parse_setup<SpatialSetup>(test::content_of(saved));
      EXPECT_NEAR(again.settings.animation.time, animation.time, 1e-9);
      EXPECT_EQ(again.settings.animation.running, running);
      EXPECT_NEAR(again.camera.value().yaw, set_up.camera->yaw, 1e-9);
    }
  }
}

TEST(SpatialOptions, TakesFilesByTheirWholePath)
{
  TemporaryFolder const folder;
  std::string const file = (folder / "points.xyz").string();
  std::ofstream(file) << "0 0 0\n";
  EXPECT_EQ(settings_of(parse({file, "sphere"})).models[Model::a].source, file);
}

TEST(SpatialOptions, ModelsFromFilesStandStillUnlessAskedToMove)
{
  TemporaryFolder const folder;
  std::string const file = folder.write("points.xyz", "0 0 0\n").string();
  EXPECT_FALSE(settings_of(parse({"sphere", file})).animation.moves());
  EXPECT_TRUE(settings_of(parse({"sphere", "torus"})).animation.moves());
  EXPECT_TRUE(settings_of(parse({"sphere", file, "--animate", "2"})).animation.moves());
}

TEST(SpatialOptions, TwoFilesKeepTheirCoordinatesOrEachItsOwn)
{
  TemporaryFolder const folder;
  std::string const file = folder.write("points.xyz", "0 0 0\n").string();
  EXPECT_EQ(settings_of(parse({file, file})).same_coordinates, std::nullopt);
  EXPECT_EQ(settings_of(parse({file, file, "--same-coordinates"})).same_coordinates, true);
  EXPECT_EQ(settings_of(parse({file, file, "--own-coordinates"})).same_coordinates, false);
  EXPECT_THAT(wrong_in_words({file, file, "--own-coordinates", "--same-coordinates"}), HasSubstr("-coordinates"));
  EXPECT_THAT(wrong_in_words({file, "sphere", "--same-coordinates"}),
              AllOf(HasSubstr("two files"), HasSubstr("sphere")));
  EXPECT_THAT(wrong_in_words({"--same-coordinates"}), HasSubstr("two files"));
  SpatialSceneSettings const moved = settings_of(parse({file, file, "--same-coordinates", "--animate", "2"}));
  EXPECT_EQ(moved.same_coordinates, true);
  EXPECT_TRUE(moved.animation.moves());
}

TEST(SpatialOptions, AFineGridBringsTheTableThatCanHaveIt)
{
  EXPECT_EQ(settings_of(parse({"--grid", "2048"})).hashing.family, "linear_probing");
  EXPECT_THAT(wrong_in_words({"--grid", "2048", "--table", "two_level_cuckoo"}), HasSubstr("linear_probing"));
}

TEST(SpatialOptions, RefuseAVectorSlideBeforeTheyComputeAnything)
{
  EXPECT_THAT(wrong_in_words({"torus", "sphere", "--slide", "a.svg"}), AllOf(HasSubstr("--slide"), HasSubstr("PNG")));
  EXPECT_NO_THROW(parse({"torus", "sphere", "--slide", "a.png"}));
}

TEST(SpatialOptions, ModelsFillTheViewIfTheyAreAskedTo)
{
  auto const fits = [](Words const& words) {
    return std::any_cast<SpatialSetup>(parse(words).subcommand->set_up()).fits;
  };
  EXPECT_EQ(fits({"torus", "sphere"}), std::nullopt);
  EXPECT_EQ(fits({"torus", "sphere", "--fit"}), true);
  EXPECT_EQ(fits({"torus", "sphere", "--no-fit"}), false);
}

TEST(SpatialOptions, HideStatuses)
{
  std::uint8_t const hidden = settings_of(parse({"torus", "sphere", "--hide", "intersection,b,a_unknown"})).hidden;
  EXPECT_THAT(names_of_parts(hidden), ::testing::ElementsAre("b", "a_intersection", "a_unknown"));
  for (int parts = 0; parts < 256; ++parts) {
    std::uint8_t again = 0;
    for (std::string const& name : names_of_parts(static_cast<std::uint8_t>(parts))) { again |= *parts_of_name(name); }
    ASSERT_EQ(again, parts);
  }
  EXPECT_THAT(message_of<Error>([] {
                settings_of(parse({"torus", "sphere", "--hide", "intersection,"}));
              }),
              AllOf(HasSubstr("--hide: there is no status ''"), HasSubstr("intersection")));
}

TEST(SpatialOptions, HideKindsOfChanges)
{
  Words const words{"torus", "sphere", "--changes", "--hide", "a_and_b,too_few_points_of_b,intersection"};
  std::uint8_t const hidden = settings_of(parse(words)).hidden;
  EXPECT_THAT(names_of_parts(hidden, true), ::testing::ElementsAre("a_and_b", "too_few_points_of_b"));
  EXPECT_THAT(names_of_parts(*parts_of_name("only_a", true), true), ::testing::ElementsAre("only_a"));
  EXPECT_THAT(names_of_parts(spatial::ShownParts::bit_of(Model::a, spatial::VoxelStatus::inside), true),
              ::testing::ElementsAre("only_a"))
      << "B has nothing that only A has";
  EXPECT_THAT(wrong_in_words({"torus", "sphere", "--hide", "only_a"}), HasSubstr("--changes"));
  EXPECT_THAT(wrong_in_words({"torus", "sphere", "--changes", "--hide", "only"}),
              AllOf(HasSubstr("no status 'only'"), HasSubstr("only_a")));
}

TEST(SpatialOptions, RefuseWhatWouldDoNothing)
{
  EXPECT_THAT(wrong_in_words({"torus", "sphere", "--changes", "--boolean", "a_minus_b"}),
              AllOf(HasSubstr("--changes and --boolean"), HasSubstr("--hide")));
  EXPECT_THAT(wrong_in_words({"torus", "sphere", "--min-points", "3"}),
              AllOf(HasSubstr("--min-points"), HasSubstr("add --changes")));
  EXPECT_THAT(wrong_in_words({"torus", "sphere", "--same-neighbours"}),
              AllOf(HasSubstr("--same-neighbours"), HasSubstr("add --changes")));
  EXPECT_THAT(wrong_in_words({"torus", "sphere", "--hash", "identity"}), HasSubstr("--table linear_probing"));
  EXPECT_EQ(settings_of(parse({"torus", "sphere", "--hash", "identity", "--table", "linear_probing"})).hashing.hash,
            HashKind::identity);
  EXPECT_THAT(wrong_in_words({"scene.json"}), HasSubstr("slotscape run scene.json"));
}

/// Of two shapes that move: there is nothing to play before.
TEST(SpatialOptions, ARecordingHasAsManyPicturesAsAsked)
{
  TemporaryFolder const folder;
  std::string const scenario = folder
                                   .write("moving.json", R"({"version": 1, "spatial": {"grid": {"side": 32},
                                       "a": {"source": "torus", "points": 2000},
                                       "b": {"source": "sphere", "points": 2000}}})")
                                   .string();
  auto const run = [&](Words words, std::string const& name) {
    Words const common{"slotscape", "run",     scenario,    "--headless", "--frames",     "3",
                       "--size",    "480x320", "--backend", "cpu",        "--save-setup", folder / (name + ".json")};
    words.insert(words.begin(), common.begin(), common.end());
    std::vector<char const*> all;
    for (std::string const& word : words) { all.push_back(word.c_str()); }
    run_headless(parse_command_line(static_cast<int>(all.size()), all.data(), scenes()).value());
  };
  run({"--record", folder / "film", "--save-result", folder / "r.ply"}, "recorded");
  run({}, "drawn");
  auto const pictures = std::filesystem::directory_iterator(folder / "film");
  EXPECT_EQ(std::distance(begin(pictures), end(pictures)), 3);
  auto const time_in = [&](std::string_view file) {
    return test::parse_setup<SpatialSetup>(test::content_of(folder / file)).settings.animation.time;
  };
  EXPECT_NEAR(time_in("recorded.json"), 2.0 / 60.0, 1e-6) << "its first picture is as saved";
  EXPECT_NEAR(time_in("drawn.json"), 0.0, 1e-6);
  EXPECT_GT(std::filesystem::file_size(folder / "r.ply"), 10'000u) << "'run' writes models, too";
}

TEST(SpatialOptions, OneModelStandsAlone)
{
  TemporaryFolder const folder;
  std::string const file = folder.write("one.xyz", "0 0 0\n1 0 0\n0 1 0\n0 0 1\n").string();
  Options const options = parse({file});
  SpatialSceneSettings const settings = settings_of(options);
  EXPECT_EQ(settings.models[Model::a].source, file);
  EXPECT_EQ(settings.models[Model::b].source, "sphere");
  EXPECT_EQ(settings.boolean, spatial::Boolean::both);
  EXPECT_EQ(settings.animation.motion, Motion::still);
  auto const app = test::offscreen_app({640, 480}, test::spatial_scenario({settings, {}, Model::b}));
  app->frame(0.1);
  auto& scene = test::scene_of<SpatialScene>(*app);
  EXPECT_THAT(scene.findings(), Contains(AllOf(HasSubstr("Only one model"), HasSubstr("as B"))));
  spatial::Vector const place = settings.models[Model::b].place.translation;
  EXPECT_GT(length(place) - settings.models[Model::b].place.scale, settings.models[Model::a].place.scale);
  spatial::ModelSnapshot const& absent = scene.state().snapshot.models[Model::b];
  EXPECT_EQ(absent.voxels + absent.points + absent.outside_grid, 0u) << "it is not there until it is moved";
  EXPECT_THAT(scene.findings(), Not(Contains(HasSubstr("outside the grid"))));
  EXPECT_EQ(std::any_cast<SpatialSetup>(options.subcommand->set_up()).stands_in, Model::b);
  EXPECT_EQ(std::any_cast<SpatialSetup>(parse({file, "torus"}).subcommand->set_up()).stands_in, std::nullopt);
  auto const own_colors = [](Words const& words) {
    return std::any_cast<SpatialSetup>(parse(words).subcommand->set_up()).own_colors;
  };
  EXPECT_TRUE(own_colors({file}));
  EXPECT_FALSE(own_colors({file, "--color", "status"}));
  EXPECT_FALSE(own_colors({file, "torus"}));
}

TEST(SpatialOptions, EachFileHasItsUnit)
{
  TemporaryFolder const folder;
  std::string const file = folder.write("points.xyz", "0 0 0\n").string();
  SpatialSceneSettings const settings = settings_of(parse({file, file, "--unit-b", "us_survey_ft"}));
  EXPECT_EQ(settings.models[Model::a].unit, clouds::FileUnit::as_is);
  EXPECT_EQ(settings.models[Model::b].unit, clouds::FileUnit::survey_foot);
  EXPECT_THAT(wrong_in_words({file, file, "--unit-a", "miles"}), AllOf(HasSubstr("--unit-a"), HasSubstr("mm")));
  EXPECT_THAT(wrong_in_words({file, "torus", "--unit-b", "mm"}),
              AllOf(HasSubstr("--unit-b"), HasSubstr("built-in shape")));
}

TEST(SpatialOptions, SayWhatWouldBeRight)
{
  EXPECT_THAT(wrong_in_words({"sphre", "torus"}), AllOf(HasSubstr("sphre"), HasSubstr("did you mean 'sphere'")));
  EXPECT_THAT(wrong_in_words({"sphere", "torus", "cube"}), HasSubstr("unexpected argument 'cube'"));
  EXPECT_THAT(wrong_in_words({"--grid", "31"}), AllOf(HasSubstr("--grid"), HasSubstr("32"), HasSubstr("4096")));
  EXPECT_THAT(wrong_in_words({"--grid", "many"}), HasSubstr("'many'"));
  EXPECT_THAT(wrong_in_words({"--points", "0"}), HasSubstr("--points"));
  EXPECT_THAT(wrong_in_words({"--table", "robin_hood"}), HasSubstr("linear_probing"));
  EXPECT_THAT(wrong_in_words({"--animate", "-1"}), HasSubstr("--animate"));
  EXPECT_THAT(wrong_in_words({"--animate", "nan"}), HasSubstr("--animate"));
  EXPECT_THAT(wrong_in_words({"--boolean", "xor"}), HasSubstr("union"));
  EXPECT_THAT(wrong_in_words({"--color", "red"}), HasSubstr("status"));
  EXPECT_THAT(wrong_in_words({"--load-factor", "1.5"}), HasSubstr("0.95"));
  EXPECT_THAT(wrong_in_words({"--gird", "64"}), HasSubstr("--grid"));
  EXPECT_THAT(wrong_in_words({"--screenshot", ""}), HasSubstr("empty"));
}

TEST(SpatialOptions, AreRefusedElsewhere)
{
  std::array<char const*, 5> const words{"slotscape", "run", "a.json", "--grid", "64"};
  EXPECT_THAT(message_of<Error>([&] { parse_command_line(static_cast<int>(words.size()), words.data(), scenes()); }),
              HasSubstr("slotscape spatial --grid"));
}

}  // namespace
}  // namespace slotscape
