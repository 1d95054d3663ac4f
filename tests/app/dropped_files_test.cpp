#include "app/dropped_files.hpp"

#include "tests/app/spatial/spatial_scene.hpp"
#include "tests/app/temporary_folder.hpp"

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
  EXPECT_THAT(drop.left_out, testing::UnorderedElementsAre("letter.docx (of no use here)",
                                                           HasSubstr(" (a folder: drop the files in it)"),
                                                           "c.obj (no more than 2 at a time)"));
}

TEST_F(DroppedFiles, FindTheSceneThatOpensThem)
{
  EXPECT_EQ(sort({"a.ply", "b.ply"}, "slots").scene, &test::entry("spatial"));
  EXPECT_EQ(sort({"keys.u64", "a.ply"}, "slots").scene, &test::entry("slots"));
  EXPECT_THAT(sort({"keys.u64", "a.ply"}, "slots").left_out, ElementsAre("a.ply (of no use here)"));
  EXPECT_EQ(sort({"a.docx", "b.docx"}, "slots").scene, nullptr);
  Drop const scenarios = sort({"one.json", "two.json"}, "slots");
  EXPECT_THAT(scenarios.scenarios, ElementsAre("one.json"));
  EXPECT_THAT(scenarios.left_out, ElementsAre("two.json (one scenario at a time)"));
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
