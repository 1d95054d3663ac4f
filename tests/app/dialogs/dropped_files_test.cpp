#include "app/dialogs/dropped_files.hpp"

#include "tests/app/scenes/spatial/spatial_scene.hpp"
#include "tests/app/support/temporary_folder.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>

namespace slotscape {
namespace {

using spatial::Model;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr std::string_view corners = "0 0 0\n1 0 0\n0 1 0\n0 0 1\n1 1 1\n";

class DroppedFiles : public test::SpatialSceneTest {
protected:
  Drop sort(Paths const& files, std::string_view shown) { return sort_dropped(files, test::entry(shown), scenes()); }

  test::TemporaryFolder folder_;
};

TEST_F(DroppedFiles, AreTakenAsFarAsTheyAreOfUse)
{
  Drop const drop = sort({"letter.docx", "a.ply", "b.xyz", folder_.path(), "c.obj"}, "spatial");
  EXPECT_EQ(drop.scene, &test::entry("spatial"));
  EXPECT_THAT(drop.files, ElementsAre("a.ply", "b.xyz"));
  EXPECT_THAT(drop.scenarios, IsEmpty());
  EXPECT_THAT(drop.left_out, testing::UnorderedElementsAre("letter.docx (not usable here)",
                                                           HasSubstr(" (a folder: drop its files instead)"),
                                                           "c.obj (no more than 2 at a time)"));
}

TEST_F(DroppedFiles, FindTheSceneThatOpensThem)
{
  EXPECT_EQ(sort({"a.ply", "b.ply"}, "slots").scene, &test::entry("spatial"));
  EXPECT_EQ(sort({"keys.u64", "a.ply"}, "slots").scene, &test::entry("slots"));
  EXPECT_THAT(sort({"keys.u64", "a.ply"}, "slots").left_out, ElementsAre("a.ply (not usable here)"));
  EXPECT_EQ(sort({"a.docx", "b.docx"}, "slots").scene, nullptr);
  Drop const scenarios = sort({"one.json", "two.json"}, "slots");
  EXPECT_THAT(scenarios.scenarios, ElementsAre("one.json"));
  EXPECT_THAT(scenarios.left_out, ElementsAre("two.json (one scenario at a time)"));
}

TEST_F(DroppedFiles, TablesFindTheSceneThatTheirColumnsAreFor)
{
  auto const customers = folder_.write("customers.csv", "name,id,amount\nAda,7,1.5\n");
  auto const ids = folder_.write("ids.csv", "7\n8\n");
  auto const cloud = folder_.write("cloud.csv", "time;X;Y;Z\n0;1;2;3\n");
  auto const bare = folder_.write("bare.csv", "1,2,3\n4,5,6\n");
  for (std::string_view const shown : {"slots", "compare", "tune"}) {
    EXPECT_EQ(sort({customers}, shown).scene, &test::entry(shown)) << shown;
    EXPECT_EQ(sort({ids}, shown).scene, &test::entry(shown)) << shown;
    EXPECT_EQ(sort({cloud}, shown).scene, &test::entry("spatial")) << shown;
    EXPECT_EQ(sort({bare}, shown).scene, &test::entry("spatial")) << shown;
  }
}

/// An array of one row, in the types of NumPy.
std::string array_of(std::string_view type, int columns, std::size_t bytes)
{
  std::string header = fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': (1, {}), }}\n", type, columns);
  std::string content("\x93NUMPY\x01\x00", 8);
  content += {static_cast<char>(header.size()), '\0'};
  return content + header + std::string(static_cast<std::size_t>(columns) * bytes, '\0');
}

TEST_F(DroppedFiles, ArraysFindTheSceneThatTheirNumbersAreFor)
{
  auto const points = folder_.write("points.npy", array_of("<f4", 3, 4));
  auto const sites = folder_.write("sites.npy", array_of("<i4", 4, 4));
  auto const keys = folder_.write("keys.npy", array_of("<u8", 1, 8));
  for (std::string_view const shown : {"slots", "compare", "match", "tune", "spatial"}) {
    EXPECT_EQ(sort({points}, shown).scene, &test::entry("spatial")) << shown;
    EXPECT_EQ(sort({sites}, shown).scene, &test::entry("sparse")) << shown;
  }
  EXPECT_EQ(sort({points}, "sparse").scene, &test::entry("sparse")) << "points fall into its grid";
  for (std::string_view const shown : {"spatial", "sparse", "tune"}) {
    EXPECT_NE(sort({keys}, shown).scene, &test::entry("spatial")) << shown;
    EXPECT_NE(sort({keys}, shown).scene, &test::entry("sparse")) << shown;
  }
  app_->open(points);
  frames(1);
  wait_for_models();
  EXPECT_EQ(state().settings.models[Model::a].source, points.string());
}

TEST_F(DroppedFiles, TwoModelsBecomeBoth)
{
  auto const first = folder_.write("first.xyz", corners);
  auto const second = folder_.write("second.xyz", corners);
  auto const third = folder_.write("third.xyz", corners);
  app_->open_dropped({folder_.write("notes.md", "notes"), first, second, third});
  EXPECT_THAT(app_->toasts().latest(), AllOf(HasSubstr("Not opened"), HasSubstr("notes.md"), HasSubstr("third.xyz")));
  frames(1);
  wait_for_models();
  EXPECT_EQ(state().settings.models[Model::a].source, first.string());
  EXPECT_EQ(state().settings.models[Model::b].source, second.string());
  EXPECT_EQ(state().snapshot.models[Model::b].points, 5u);
}

TEST_F(DroppedFiles, AFolderIsCalledAFolder)
{
  app_->open_dropped({folder_.path()});
  EXPECT_EQ(app_->toasts().errors(), 1u);
  EXPECT_THAT(app_->toasts().latest(), AllOf(HasSubstr(folder_.path().filename().string()), HasSubstr("a folder")));
}

TEST_F(DroppedFiles, AnErrorGoesWithTheNextAttempt)
{
  app_->open_dropped({folder_.path()});
  ASSERT_EQ(app_->toasts().errors(), 1u);
  app_->open_dropped({folder_.write("good.xyz", corners)});
  EXPECT_EQ(app_->toasts().errors(), 0u);
}

}  // namespace
}  // namespace slotscape
