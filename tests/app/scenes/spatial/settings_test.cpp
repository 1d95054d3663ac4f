#include "gpu/base/error.hpp"
#include "tests/app/support/program.hpp"
#include "tests/app/support/temporary_folder.hpp"

#include <gmock/gmock.h>

namespace slotscape {
namespace {

using spatial::Model;
using test::message_of;
using test::TemporaryFolder;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

SpatialSetup changed_setup()
{
  SpatialSetup set_up;
  SpatialSceneSettings& settings = set_up.settings;
  settings.models[Model::a].source = "gyroid";
  settings.models[Model::a].points = 5000;
  settings.models[Model::a].unit = clouds::FileUnit::survey_foot;
  settings.models[Model::b].place.translation = {0.25f, -0.5f, 0.125f};
  settings.models[Model::b].place.rotation = {{{{0.0f, -1.0f, 0.0f}, {1.0f, 0.0f, 0.0f}, {0.0f, 0.0f, 1.0f}}}};
  settings.models[Model::b].place.scale = 0.5f;
  settings.same_coordinates = false;
  settings.seed = 7;
  settings.hashing.grid = {.side = 2048, .extent = 4.0f};
  settings.hashing.family = "linear_probing";
  settings.hashing.hash = HashKind::identity;
  settings.hashing.load_factor = 0.8;
  settings.hashing.max_restarts = 2;
  settings.boolean = spatial::Boolean::b_minus_a;
  settings.hidden = 0x9b;
  settings.section = {.shown = true,
                      .low = {-0.5f, -0.25f, 0.1f},
                      .high = {0.3f, 0.7f, 0.2f},
                      .cuts = true,
                      .normal = {0.6f, 0.0f, -0.8f},
                      .offset = 0.15f};
  set_up.fits = false;
  settings.animation = {.motion = Motion::wobble, .running = false, .speed = 2.0, .time = 3.5};
  settings.view.kind = spatial::InstanceKind::points;
  settings.view.paint_by = spatial::PaintBy::attribute;
  settings.view.attribute = "intensity";
  settings.view.color_blind = true;
  settings.view.ghosts = true;
  settings.view.eye_dome = false;
  settings.maps.palette = Palette::turbo;
  settings.show_maps = false;
  settings.turntable = true;
  set_up.camera = OrbitPlace{{0.1, 0.2, 0.3}, 0.5, -0.25, 6.0};
  return set_up;
}

void expect_same(SpatialSetup const& read, SpatialSetup const& written)
{
  SpatialSceneSettings const& a = read.settings;
  SpatialSceneSettings const& b = written.settings;
  for (Model const model : {Model::a, Model::b}) {
    EXPECT_EQ(a.models[model].source, b.models[model].source);
    EXPECT_EQ(a.models[model].points, b.models[model].points);
    EXPECT_EQ(a.models[model].unit, b.models[model].unit);
    EXPECT_EQ(a.models[model].place.translation, b.models[model].place.translation);
    EXPECT_EQ(a.models[model].place.scale, b.models[model].place.scale);
    for (std::size_t row = 0; row < 3; ++row) {
      EXPECT_LT(length(a.models[model].place.rotation.rows[row] - b.models[model].place.rotation.rows[row]), 1e-6f);
    }
  }
  EXPECT_EQ(a.same_coordinates, b.same_coordinates);
  EXPECT_EQ(a.seed, b.seed);
  EXPECT_EQ(a.hashing, b.hashing);
  EXPECT_EQ(a.boolean, b.boolean);
  EXPECT_EQ(a.hidden, b.hidden);
  EXPECT_EQ(a.section, b.section);
  EXPECT_EQ(read.fits, written.fits);
  EXPECT_EQ(a.animation, b.animation);
  EXPECT_EQ(a.view, b.view);
  EXPECT_EQ(a.maps.palette, b.maps.palette);
  EXPECT_EQ(a.show_maps, b.show_maps);
  EXPECT_EQ(a.turntable, b.turntable);
  EXPECT_EQ(read.camera.has_value(), written.camera.has_value());
}

std::string wrong_in(std::string const& spatial)
{
  return message_of<Error>([&] { test::parse_setup<SpatialSetup>(R"({"version": 1, "spatial": )" + spatial + "}"); });
}

TEST(SpatialSettings, ComeBackFromAScenario)
{
  for (SpatialSetup const& set_up : {SpatialSetup{}, changed_setup()}) {
    std::string const text = format_scenario(test::spatial_scenario(set_up));
    expect_same(test::parse_setup<SpatialSetup>(text), set_up);
  }
}

TEST(SpatialSettings, ComeBackFromTheUsersSettings)
{
  TemporaryFolder const folder;
  UserSettings saved;
  saved.scene = "spatial";
  saved.set_ups["spatial"] = changed_setup();
  save_settings(folder / "settings.json", saved, scenes());
  auto const [loaded, messages] = load_settings(folder / "settings.json", scenes());
  EXPECT_THAT(messages, IsEmpty());
  EXPECT_EQ(loaded.scene, "spatial");
  expect_same(std::any_cast<SpatialSetup>(loaded.set_ups.at("spatial")), changed_setup());
}

TEST(SpatialSettings, TakeEveryPlaceThatTheWindowDoes)
{
  for (double const extent : {min_extent, max_extent}) {
    for (double const distance : {0.0, 1e9}) {
      SpatialSetup written;
      written.settings.hashing.grid.extent = static_cast<float>(extent);
      OrbitCamera camera(extent);
      camera.look({{1e9, -1e9, 1e9}, 0.5, 0.25, distance});
      written.camera = camera.place();
      auto const farthest = static_cast<float>(farthest_model * extent);
      written.settings.models[Model::a].place.translation = {farthest, -farthest, farthest};
      auto const read = test::parse_setup<SpatialSetup>(format_scenario(test::spatial_scenario(written)));
      expect_same(read, written);
      EXPECT_NEAR(read.camera->distance, written.camera->distance, 1e-9);
      EXPECT_EQ(read.camera->target, written.camera->target);
    }
  }
}

// Rotations are matrices of floats, and their angles never those that were typed.
TEST(SpatialSettings, AnglesAreWrittenAsTheyWereTyped)
{
  auto const written_after = [](std::string const& angles) {
    auto const read = test::parse_setup<SpatialSetup>(
        R"({"version": 1, "spatial": {"a": {"source": "models/cat.ply", "turned": )" + angles + "}}}");
    Json const scenario = parse_json(format_scenario(test::spatial_scenario(read)), "it");
    return scenario["spatial"]["a"]["turned"];
  };
  EXPECT_EQ(written_after("[1, 0, 45]"), parse_json("[1.0, 0.0, 45.0]", "it"));
  EXPECT_EQ(written_after("[-12.5, 33.25, 170]"), parse_json("[-12.5, 33.25, 170.0]", "it"));
  for (double angle = -179.0; angle < 180.0; angle += 0.7) {
    Json const once = written_after(Json({angle / 3.0, angle / 2.1, angle}).dump());
    EXPECT_EQ(written_after(once.dump()), once) << angle;
  }
}

TEST(SpatialSettings, FindFilesOfModelsBesideTheScenario)
{
  auto const read = test::parse_setup<SpatialSetup>(R"({"version": 1, "spatial": {"a": {"source": "models/cat.ply"}}})",
                                                    "s.json", "/there");
  EXPECT_EQ(read.settings.models[Model::a].source, "/there/models/cat.ply");
  EXPECT_THAT(format_scenario(test::spatial_scenario(read)), HasSubstr("/there/models/cat.ply"));
}

TEST(SpatialSettings, NameWhatIsWrong)
{
  EXPECT_THAT(wrong_in(R"({"grid": {"side": 16}})"), HasSubstr("spatial.grid.side"));
  EXPECT_THAT(wrong_in(R"({"grid": {"side": 2048}})"), AllOf(HasSubstr("spatial"), HasSubstr("linear_probing")));
  EXPECT_THAT(wrong_in(R"({"table": {"family": "cuckoo"}})"), HasSubstr("two_level_cuckoo"));
  EXPECT_THAT(wrong_in(R"({"section": {"box": [0, 0, 0, 1, 1]}})"), HasSubstr("six numbers"));
  EXPECT_THAT(wrong_in(R"({"section": {"box": [0, 0, 0, 1, -1, 1]}})"), HasSubstr("lowest corner comes first"));
  EXPECT_THAT(wrong_in(R"({"section": {"plane": [0, 0, 0, 1]}})"), HasSubstr("must not all be 0"));
  EXPECT_THAT(wrong_in(R"({"boolean": "xor"})"), AllOf(HasSubstr("spatial.boolean"), HasSubstr("union")));
  EXPECT_THAT(wrong_in(R"({"hidden": ["outsied"]})"),
              AllOf(HasSubstr("spatial.hidden[0]"), HasSubstr("'outside'"), HasSubstr("a_intersection")));
  EXPECT_THAT(wrong_in(R"({"a": {"points": 0}})"), HasSubstr("spatial.a.points"));
  EXPECT_THAT(wrong_in(R"({"a": {"position": [0, 1]}})"), HasSubstr("three numbers"));
  EXPECT_THAT(wrong_in(R"({"motion": "spin"})"), HasSubstr("motion"));
  EXPECT_THAT(wrong_in(R"({"animation": {"speed": 0}})"), HasSubstr("spatial.animation.speed"));
}

TEST(SpatialSettings, StandAloneInAScenario)
{
  EXPECT_THAT(message_of<Error>(
                  [] { test::parse_setup<SpatialSetup>(R"({"version": 1, "spatial": {}, "table": {"slots": 64}})"); }),
              HasSubstr("table"));
}

TEST(SpatialSettings, TheOtherTableTakesWhatItCanHave)
{
  spatial::SpatialSettings hashing = changed_setup().settings.hashing;
  exchange_table(hashing);
  EXPECT_EQ(hashing.family, "two_level_cuckoo");
  EXPECT_NO_THROW(spatial::validate(hashing));
  EXPECT_EQ(hashing.grid.side, spatial::max_narrow_grid_side);
  EXPECT_LE(hashing.load_factor, spatial::max_two_level_load);
  exchange_table(hashing);
  EXPECT_EQ(hashing.family, "linear_probing");
}

}  // namespace
}  // namespace slotscape
