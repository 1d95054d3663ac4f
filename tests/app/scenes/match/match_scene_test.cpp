#include "tests/app/scenes/match/match_scene.hpp"

#include "app/pictures/generated.hpp"
#include "app/pictures/transformed.hpp"
#include "tests/app/support/temporary_folder.hpp"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <numeric>

namespace slotscape {
namespace {

using matching::Method;
using test::content_of;
using test::message_of;
using test::TemporaryFolder;
using test::write_pgm;
using ::testing::AllOf;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::Gt;
using ::testing::HasSubstr;
using ::testing::Not;

using MatchScene = test::MatchSceneTest;

TEST_F(MatchScene, FindsTheTurnedCopyOfTheFirstStart)
{
  ASSERT_TRUE(state().found());
  QueryPose const pose = state().settings.pose;
  matching::Similarity const back = inverse_of(similarity_of(pose, *state().shown->pictures[0]));
  EXPECT_NEAR(transformation().rotation_degrees, -pose.turn, 1.0);
  EXPECT_NEAR(transformation().scale, 1.0 / pose.scale, 0.02);
  EXPECT_NEAR(transformation().shift_x, back.shift_x, 2.0);
  EXPECT_NEAR(transformation().shift_y, back.shift_y, 2.0);
  EXPECT_GT(snapshot().score(), snapshot().runner_up());
  EXPECT_EQ(app_->toasts().errors(), 0u);
}

TEST_F(MatchScene, SaysPlainlyWhenThereIsNoMatch)
{
  show_example(match_examples().back(), state().settings);
  frames(2);
  EXPECT_FALSE(state().found());
  EXPECT_THAT(scene().verdict(), HasSubstr("no match"));
  EXPECT_FALSE(state().overlaid()) << "nothing is laid over the reference";
}

TEST_F(MatchScene, TheMatchFollowsTheQuery)
{
  state().settings.pose = {.turn = 20.0};
  frames(1);
  EXPECT_NEAR(transformation().rotation_degrees, -20.0, 1.0);
  EXPECT_TRUE(snapshot().reused_table) << "the reference is the same";
  EXPECT_EQ(state().filled, 1.0) << "by hand, votes are there at once";
  state().settings.pose.shift_x = 25.0;
  frames(1);
  EXPECT_NEAR(transformation().rotation_degrees, -20.0, 1.0);
  state().settings.pose = {};
  frames(1);
  EXPECT_NEAR(transformation().scale, 1.0, 0.01);
  EXPECT_NEAR(transformation().shift_x, 0.0, 1.0);
}

TEST_F(MatchScene, SettingsMatchAgain)
{
  std::uint64_t const items = snapshot().items;
  state().settings.matching.bases = 256;
  frames(1);
  EXPECT_EQ(snapshot().bases[0], 256u);
  EXPECT_LT(snapshot().items, items);
  EXPECT_EQ(state().shown->votes.size(), snapshot().bases[0] * snapshot().bases[1]);
  state().settings.matching.features = 200;
  frames(1);
  EXPECT_LE(state().shown->features[0].size(), 200u);
  std::uint64_t const keys = snapshot().keys;
  state().settings.matching.quantum = 0.2;
  frames(1);
  EXPECT_LT(snapshot().keys, keys) << "larger cells are fewer";
  auto const bases = state().shown->bases[0];
  test::press(scene(), "S");
  frames(1);
  EXPECT_NE(state().shown->bases[0], bases);
  state().settings.matching.shortest_basis = 0.9;
  frames(1);
  EXPECT_EQ(app_->toasts().errors(), 1u) << "longer than the longest";
  EXPECT_LT(state().settings.matching.shortest_basis, 0.9) << "what was there before";
}

TEST_F(MatchScene, ADarkQueryHasADarkBorder)
{
  matching::Picture dark = pictures::make_builtin("shapes-1");
  for (std::uint8_t& pixel : dark.pixels) { pixel = static_cast<std::uint8_t>(pixel / 10); }
  matching::Picture const turned = posed(dark, {.turn = 45.0});
  EXPECT_LE(std::ranges::max(turned.pixels), std::ranges::max(dark.pixels));
}

TEST_F(MatchScene, EdgesAreThoseOfTheSmoothedPicture)
{
  auto const before = state().shown;
  state().settings.matching.seed = 2;
  frames(1);
  EXPECT_EQ(state().shown->edges[0], before->edges[0]) << "nothing is copied twice";
  state().settings.matching.smoothing = 4.0;
  frames(1);
  for (std::size_t const side : {0u, 1u}) { EXPECT_NE(*state().shown->edges[side], *before->edges[side]); }
}

TEST_F(MatchScene, MethodsFindTheSame)
{
  auto const hashed = state().shown;
  test::press(scene(), "X");
  frames(1);
  EXPECT_EQ(state().shown->query.matching.method, Method::sorting);
  EXPECT_EQ(snapshot().slots, 0u);
  EXPECT_EQ(scene().layout().map.canvas.width, 0) << "there is no table to show, from the next frame on";
  EXPECT_EQ(state().shown->votes, hashed->votes);
  EXPECT_EQ(transformation(), hashed->snapshot.candidates[0].transformation);
}

TEST_F(MatchScene, AChosenSlotTellsWhichBasesItsCellLists)
{
  finish();
  state().table.selection.pinned = 0;
  Slot slot = 0;
  for (; slot < 200 && !state().chosen; ++slot) {
    state().table.selection.pinned = slot;
    frames(1);
  }
  ASSERT_TRUE(state().chosen) << "half of the slots are full";
  ShownCell const cell = *state().chosen;
  ASSERT_FALSE(cell.bases.empty());
  EXPECT_LT(std::ranges::max(cell.bases), snapshot().bases[0]);
  double const quantum = state().shown->query.matching.quantum;
  auto const& features = state().shown->features[0];
  /// How many points have the cell's coordinates under a basis, up to this distance from its middle, in quanta.
  auto const points_under = [&](std::uint32_t basis, double reach) {
    auto const [first, second] = state().shown->bases[0][basis];
    matching::Feature const a = features[first];
    matching::Feature const b = features[second];
    double const along_x = b.x - a.x;
    double const along_y = b.y - a.y;
    double const per_cell = (along_x * along_x + along_y * along_y) * quantum;
    return std::ranges::count_if(features, [&](matching::Feature const& point) {
      double const x = point.x - (a.x + b.x) / 2.0f;
      double const y = point.y - (a.y + b.y) / 2.0f;
      double const u = (along_x * x + along_y * y) / per_cell;
      double const v = (along_x * y - along_y * x) / per_cell;
      return std::abs(u - cell.bin.u) <= reach && std::abs(v - cell.bin.v) <= reach;
    });
  };
  for (std::uint32_t basis = 0; basis < snapshot().bases[0]; ++basis) {
    auto const listed = std::ranges::count(cell.bases, basis);
    ASSERT_LE(listed, points_under(basis, 0.501)) << basis;
    ASSERT_GE(listed, points_under(basis, 0.499)) << basis;
  }
  EXPECT_EQ(std::any_cast<MatchSetup>(scene().set_up()).cell, cell.bin);
  state().settings.matching.features = 500;
  frames(2);
  ASSERT_TRUE(state().chosen) << "the same cell of another table";
  EXPECT_EQ(state().chosen->bin, cell.bin);
  test::press(scene(), "Esc");
  frames(1);
  EXPECT_FALSE(state().chosen);
}

TEST_F(MatchScene, VotesFillUpRowByRow)
{
  finish();
  test::press(scene(), "V");
  frames(2);
  double const filled = state().filled;
  EXPECT_GT(filled, 0.0);
  EXPECT_LT(filled, 1.0);
  ASSERT_TRUE(state().voting_basis());
  frames(1);
  EXPECT_GT(state().filled, filled);
  EXPECT_FALSE(scene().quiet());
  test::press(scene(), "V");
  frames(1);
  EXPECT_EQ(state().filled, 1.0);
  EXPECT_FALSE(state().voting_basis());
}

TEST_F(MatchScene, VotesAreShrunkToTheLargest)
{
  std::vector<std::uint32_t> const votes{1, 2, 3, 4, 9, 5, 6, 7, 8, 1, 1, 1};  // 2 x 6
  EXPECT_THAT(shrunk_votes(votes, 2, 6, 3, 1), testing::ElementsAre(7, 8, 9));
  EXPECT_THAT(shrunk_votes({1, 2}, 1, 2, 4, 2), testing::ElementsAre(1, 1, 2, 2, 1, 1, 2, 2));
}

TEST_F(MatchScene, OpensFilesAsReferenceAndQuery)
{
  TemporaryFolder const folder;
  auto const first = write_pgm(folder / "first.pgm", pictures::make_builtin("shapes-3"));
  auto const second = write_pgm(folder / "second.pgm", posed(pictures::make_builtin("shapes-3"), {.turn = 40.0}));
  app_->open_dropped({first, second});
  frames(3);
  EXPECT_EQ(state().settings.sources[0], first.string());
  EXPECT_EQ(state().settings.sources[1], second.string());
  ASSERT_TRUE(state().found());
  EXPECT_NEAR(transformation().rotation_degrees, -40.0, 1.0);
  app_->open(folder.write("broken.png", "not a picture"));
  frames(3);
  EXPECT_EQ(app_->toasts().errors(), 1u);
  EXPECT_THAT(app_->toasts().latest(), AllOf(HasSubstr("broken.png"), HasSubstr("PNG, JPEG, BMP or PGM")));
  EXPECT_EQ(state().settings.sources[0], first.string()) << "as it was";
  EXPECT_TRUE(state().found());
}

TEST_F(MatchScene, AFolderIsAVideo)
{
  TemporaryFolder const folder;
  std::filesystem::create_directory(folder / "frames");
  matching::Picture const picture = pictures::make_builtin("map-1");
  for (int i = 1; i <= 11; i += 5) {
    write_pgm(folder / ("frames/frame" + std::to_string(i) + ".pgm"), posed(picture, {.turn = 10.0 * i}));
  }
  state().settings.pose = {};
  state().settings.sources[1] = (folder / "frames").string();
  scene().finish_steps({});
  frames(1);
  EXPECT_EQ(state().frame_count, 3u);
  EXPECT_EQ(state().settings.frame, 2u) << "it plays to its end";
  ASSERT_EQ(state().video.size(), 3u);
  for (int i = 0; i < 3; ++i) {
    FrameRecord const& record = state().video.at(static_cast<std::size_t>(i));
    ASSERT_TRUE(record.found);
    EXPECT_NEAR(record.transformation.rotation_degrees, -10.0 * (1 + 5 * i), 1.0);
  }
  test::press(scene(), "Left");
  frames(1);
  EXPECT_EQ(state().shown->query.frame, 1u);
  EXPECT_FALSE(state().settings.playing);
  EXPECT_NEAR(transformation().rotation_degrees, -60.0, 1.0);
  SceneStatistics const statistics = scene().statistics({});
  EXPECT_EQ(statistics.json["video"].size(), 3u);
  EXPECT_EQ(statistics.json["video"][2]["frame"], 3);
  EXPECT_EQ(statistics.json["video"][1]["file"], "frame6.pgm");
  EXPECT_THAT(statistics.tables.back().second, HasSubstr("\n3,frame11.pgm,1,-11"));
  EXPECT_NEAR(statistics.json["video"][2]["rotation_degrees"].get<double>(), -110.0, 1.0);
  test::press(scene(), "Space");
  finish();
  EXPECT_EQ(state().settings.frame, 2u);
  app_->open(folder / "frames");
  frames(2);
  EXPECT_EQ(state().settings.sources[0], (folder / "frames").string()) << "a folder can be dropped";
}

/// Frames of a video, of which some are damaged, wherever these are.
class DamagedVideo : public MatchScene {
protected:
  void open_frames(std::vector<bool> const& are_sound)
  {
    std::filesystem::create_directory(folder_ / "frames");
    matching::Picture const picture = pictures::make_builtin("map-1");
    for (std::size_t i = 0; i < are_sound.size(); ++i) {
      std::string const name = fmt::format("frames/f{}.pgm", i + 1);
      if (are_sound[i]) {
        write_pgm(folder_ / name, posed(picture, {.turn = 10.0 * static_cast<double>(i + 1)}));
      } else {
        folder_.write(name, "P5 300 200 255\nno pixels");
      }
    }
    state().settings.pose = {};
    state().settings.sources[1] = (folder_ / "frames").string();
  }
  Json video() { return scene().statistics({}).json["video"]; }

  TemporaryFolder const folder_;
};

TEST_F(DamagedVideo, AFrameThatCannotBeReadCostsThatFrame)
{
  std::vector<bool> const are_sound{false, true, false, true, false};
  open_frames(are_sound);
  scene().finish_steps({});
  frames(1);
  EXPECT_EQ(app_->toasts().errors(), 0u);
  EXPECT_EQ(state().settings.frame, 4u) << "it plays to its end";
  Json const noted = video();
  ASSERT_EQ(noted.size(), are_sound.size());
  for (std::size_t i = 0; i < are_sound.size(); ++i) {
    Json const& frame = noted[i];
    SCOPED_TRACE(frame.dump());
    EXPECT_EQ(frame["file"], fmt::format("f{}.pgm", i + 1));
    ASSERT_EQ(frame.contains("error"), !are_sound[i]);
    if (!are_sound[i]) { continue; }
    EXPECT_NEAR(frame["rotation_degrees"].get<double>(), -10.0 * static_cast<double>(i + 1), 1.0);
  }
  EXPECT_EQ(state().count_video().matched, 2u);
  EXPECT_EQ(state().count_video().found, 2u);
  EXPECT_THAT(scene().findings(), ElementsAre(AllOf(HasSubstr("Skipped"), HasSubstr("f1.pgm")),
                                              AllOf(HasSubstr("Skipped"), HasSubstr("f3.pgm")),
                                              AllOf(HasSubstr("Skipped"), HasSubstr("f5.pgm"))));
  std::string const csv = scene().statistics({}).tables.back().second;
  EXPECT_THAT(csv, AllOf(HasSubstr(",error\n"), HasSubstr("\n3,f3.pgm,,,,,,,,,"), HasSubstr("\n4,f4.pgm,1,-39.999")));
  test::press(scene(), "Left");
  frames(1);
  EXPECT_EQ(state().shown->query.frame, 3u);
  test::press(scene(), "Left");
  frames(1);
  EXPECT_EQ(state().settings.frame, 2u) << "it can be passed by hand, too";
  state().settings.matching.threshold = 0.25;
  frames(2);
  EXPECT_EQ(state().settings.matching.threshold, 0.25) << "which costs no setting";
  EXPECT_EQ(app_->toasts().errors(), 0u);
  test::press(scene(), "Left");
  frames(1);
  EXPECT_EQ(state().shown->query.frame, 1u);
}

TEST_F(DamagedVideo, WithoutAnySoundFrameThereIsNoMatch)
{
  std::string const before = state().settings.sources[1];
  open_frames({false, false});
  EXPECT_THAT(message_of<Error>([&] { scene().finish_steps({}); }),
              AllOf(HasSubstr("None of 2 frames can be read"), HasSubstr("f1.pgm")));
  EXPECT_EQ(state().settings.sources[1], before);
}

TEST_F(DamagedVideo, OneThatIsAskedForAloneIsAnError)
{
  open_frames({true, false});
  state().settings.frame = 1;
  state().settings.playing = false;
  EXPECT_THAT(message_of<Error>([&] { scene().finish_steps({}); }),
              AllOf(HasSubstr("f2.pgm"), Not(HasSubstr("shown again"))));
}

TEST_F(MatchScene, WritesStatistics)
{
  TemporaryFolder const folder;
  app_->measurements().write(folder / "s.json", folder / "csv");
  Json const json = parse_json(content_of(folder / "s.json"), "s.json");
  EXPECT_EQ(json["backend"], "cpu");
  EXPECT_EQ(json["match"]["found"], true);
  EXPECT_NEAR(json["match"]["rotation_degrees"].get<double>(), -state().settings.pose.turn, 1.0);
  EXPECT_NEAR(json["match"]["scale"].get<double>(), 1.0 / state().settings.pose.scale, 0.02);
  EXPECT_EQ(json["match"]["shift"].size(), 2u);
  EXPECT_GT(json["match"]["score"], json["match"]["runner_up"]);
  std::uint64_t const votes = std::accumulate(state().shown->votes.begin(), state().shown->votes.end(), 0ull);
  EXPECT_EQ(json["votes"], votes);
  EXPECT_EQ(json["features"]["query"], state().shown->features[1].size());
  EXPECT_EQ(json["bases"], state().shown->bases[0].size());
  EXPECT_GE(json["table"]["slots"], json["table"]["keys"]);
  double const mean = json["table"]["multiplicity"]["mean"];
  EXPECT_NEAR(mean * json["table"]["keys"].get<double>(), json["table"]["items"].get<double>(), 1.0);
  EXPECT_GE(json["table"]["multiplicity"]["max"], mean);
  std::vector<std::uint64_t> const histogram = json["table"]["multiplicity"]["histogram"];
  EXPECT_EQ(std::accumulate(histogram.begin(), histogram.end(), std::uint64_t{0}), json["table"]["keys"]);
  double sum = 0.0;
  for (auto const name : matching::match_stage_names) { sum += json["stages_ms"][std::string(name)].get<double>(); }
  EXPECT_NEAR(json["stages_ms"]["total"].get<double>(), sum, 1e-6);
  EXPECT_GT(sum, 0.0);
  EXPECT_THAT(content_of(folder / "csv/stages.csv"), HasSubstr("votes,"));
  show_example(match_examples().back(), state().settings);
  frames(2);
  Json const none = scene().statistics({}).json["match"];
  EXPECT_EQ(none["found"], false);
  EXPECT_TRUE(none["scale"].is_null());
}

TEST_F(MatchScene, UndoTakesBackWhatTheUserChanged)
{
  QueryPose const first = state().settings.pose;
  state().settings.pose.turn = -50.0;
  frames(2);
  EXPECT_EQ(scene().undoes(), "moving the query");
  state().settings.matching.threshold = 0.5;
  frames(2);
  EXPECT_EQ(scene().undoes(), "changing a setting");
  scene().undo();
  scene().undo();
  frames(2);
  EXPECT_EQ(state().settings.pose, first);
  EXPECT_EQ(state().shown->query.matching.threshold, matching::MatchSettings{}.threshold);
  EXPECT_EQ(scene().undoes(), "");
  scene().redo();
  frames(2);
  EXPECT_EQ(state().settings.pose.turn, -50.0);
}

TEST_F(MatchScene, LongWorkGoesOnBesideTheFramesAndCanBeCancelled)
{
  scene().set_max_wait(0.0);
  finish();
  auto const shown = state().shown;
  state().settings.matching = {.features = 4096, .bases = 8192, .query_bases = 512};
  for (int i = 0; i < 10 && !state().progress; ++i) { frames(1); }
  ASSERT_TRUE(state().progress);
  EXPECT_EQ(state().shown, shown) << "frames show what was there before";
  EXPECT_FALSE(scene().quiet());
  test::press(scene(), "Esc");
  finish();
  EXPECT_EQ(state().settings.matching, matching::MatchSettings{});
  EXPECT_THAT(scene().notice(), HasSubstr("Cancelled"));
  EXPECT_TRUE(state().found());
}

TEST_F(MatchScene, AnotherQueryEndsLongWork)
{
  scene().set_max_wait(0.0);
  finish();
  state().settings.matching = {.features = 4096, .bases = 8192, .query_bases = 512};
  frames(6);
  state().settings.matching = {.seed = 5};
  finish();
  EXPECT_EQ(state().shown->query.matching.seed, 5u);
  EXPECT_EQ(snapshot().bases[0], 1024u);
  EXPECT_EQ(app_->toasts().errors(), 0u);
  EXPECT_EQ(scene().notice(), "");
}

TEST_F(MatchScene, PicturesWithoutEdgesAreNoMatch)
{
  TemporaryFolder const folder;
  auto const blank = write_pgm(folder / "blank.pgm", {32, 32, std::vector<std::uint8_t>(1024, 90)});
  state().settings.pose = {};  // turned, it would have the edges of its border
  for (std::size_t const side : {0u, 1u}) {
    state().settings.sources[side] = blank.string();
    frames(2);
    EXPECT_FALSE(state().found());
    EXPECT_EQ(state().shown->features[side].size(), 0u);
  }
  EXPECT_EQ(app_->toasts().errors(), 0u);
  EXPECT_NO_THROW(scene().statistics({}));
}

TEST_F(MatchScene, SlidesShowBothPictures)
{
  test::paint();
  TemporaryFolder const folder;
  app_->pictures().save_slide(folder / "slide.png", {});
  EXPECT_GT(std::filesystem::file_size(folder / "slide.png"), 20000u);
  EXPECT_THAT(message_of<Error>([&] { app_->pictures().save_slide(folder / "slide.svg", {}); }), HasSubstr(".png"));
}

TEST_F(MatchScene, PanelsAndKeysLeaveNoErrors)
{
  for (char const* const key : {"E", "P", "O",      "B",     "M", "C", "G",    "+",     "-",     "0", "[", "]",
                                "K", "J", "Period", "Comma", "N", "R", "Left", "Right", "Space", "M", "B"}) {
    test::press(scene(), key);
    frames(2);
  }
  EXPECT_EQ(app_->toasts().errors(), 0u);
  EXPECT_THAT(snapshot().features, Each(Gt(0u)));
}

TEST_F(MatchScene, FindingsOfBothPicturesReachTheStatistics)
{
  TemporaryFolder const folder;
  matching::Picture const picture = *state().shown->pictures[0];
  std::string deep = "P5 " + std::to_string(picture.width) + " " + std::to_string(picture.height) + " 65535\n";
  for (unsigned const grey : picture.pixels) {
    deep += {static_cast<char>(16 * grey >> 8), static_cast<char>(16 * grey & 255)};
  }
  MatchSetup set_up = first_match();
  set_up.settings.sources = {folder.write("deep.pgm", deep).string(),
                             write_pgm(folder / "plain.pgm", picture).string()};
  set_up.settings.pose = {};
  app_.reset();
  app_ = test::offscreen_app({1280, 720}, Scenario{&test::entry("match"), set_up});
  frames(3);
  EXPECT_TRUE(state().found()) << "the same picture, in 12 bits of 16";
  app_->measurements().write(folder / "statistics.json", {});
  EXPECT_THAT(content_of(folder / "statistics.json"),
              HasSubstr("deep.pgm: Only 12 of its 16 bits are used, so 4,095 is white."));
  EXPECT_THAT(scene().findings(), ::testing::SizeIs(1)) << "there is nothing to say of plain.pgm";
}

}  // namespace
}  // namespace slotscape
