// One model that is shown without a second one.

#include "app/scenes/spatial/coloring.hpp"
#include "app/scenes/spatial/placement.hpp"
#include "app/scenes/spatial/placing.hpp"
#include "tests/app/scenes/spatial/spatial_scene.hpp"
#include "tests/app/support/temporary_folder.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>

namespace slotscape {
namespace {

using spatial::Model;
using spatial::PaintBy;
using ::testing::Contains;
using ::testing::HasSubstr;

class Alone : public test::SpatialSceneTest {
protected:
  void SetUp() override
  {
    SpatialSceneSettings settings = test::small_settings();
    settings.models[Model::a] = fresh_model(tile("a.xyz", 0.0));
    settings.models[Model::b] = fresh_model(tile("b.xyz", 5.0));
    open(settings);
  }
  /// Points of one site.
  std::string tile(std::string_view name, double east)
  {
    std::string rows;
    for (int i = 0; i < 400; ++i) {
      int const row = i / 20;
      rows += fmt::format("{} {} {}\n", 500'000.0 + east + i % 20, 5'800'000.0 + row, 100 + i * 7 % 5);
    }
    return folder_.write(name, rows).string();
  }
  void show_alone(Model model)
  {
    state().ask(ShowAlone{model});
    frames(1);
    wait_for_models();
  }
  void add(Model model, std::string_view shape)
  {
    ModelSettings wanted = state().settings.models[model];
    wanted.source = shape;
    state().ask(UseModel{model, wanted});
    frames(1);
    wait_for_models();
  }
  std::uint64_t voxels(Model model) { return state().snapshot.models[model].voxels; }

  test::TemporaryFolder folder_;
};

TEST_F(Alone, TheOtherModelIsRemovedAndComesBack)
{
  state().settings.hashing.changes.shown = true;
  frames(2);
  SpatialSceneSettings const before = state().settings;
  ASSERT_EQ(placement_of(state()), PlacedAs::same_coordinates);
  for (Model const model : both_models) {
    show_alone(model);
    EXPECT_TRUE(is_one_alone(state()));
    EXPECT_EQ(shown_models(state()).front(), model);
    EXPECT_EQ(state().chosen, model);
    EXPECT_GT(voxels(model), 0u);
    EXPECT_EQ(voxels(spatial::other(model)), 0u);
    EXPECT_TRUE(stands_as_opened(state().settings.models[model])) << "it fills the scene";
    EXPECT_FALSE(state().settings.hashing.changes.shown);
    EXPECT_EQ(scene().undoes(), "removing a model");
    scene().undo();
    frames(1);
    wait_for_models();
    EXPECT_FALSE(is_one_alone(state()));
    EXPECT_EQ(state().settings, before);
    EXPECT_EQ(placement_of(state()), PlacedAs::same_coordinates);
  }
  scene().redo();
  frames(1);
  wait_for_models();
  EXPECT_TRUE(is_one_alone(state()));
}

TEST_F(Alone, NothingIsSaidOfInsideAndOutside)
{
  show_alone(Model::a);
  EXPECT_EQ(state().settings.view.paint_by, PaintBy::model);
  auto const offers_status = [&] {
    return std::ranges::any_of(color_choices(state()),
                               [](ColorChoice const& choice) { return choice.paint_by == PaintBy::status; });
  };
  EXPECT_FALSE(offers_status());
  EXPECT_THAT(scene().findings(), Contains(HasSubstr("Only one model is shown")));
  EXPECT_THAT(scene().findings(), Not(Contains(HasSubstr("inside"))));
  EXPECT_EQ(app_->toasts().errors(), 0u) << app_->toasts().latest();
}

TEST_F(Alone, ASecondModelIsAdded)
{
  for (std::string_view const shape : {"torus", "sphere"}) {
    SCOPED_TRACE(shape);
    show_alone(Model::a);
    ASSERT_TRUE(is_one_alone(state()));
    add(Model::b, shape);
    EXPECT_FALSE(is_one_alone(state()));
    EXPECT_EQ(state().settings.models[Model::b].source, shape);
    EXPECT_GT(voxels(Model::b), 0u);
  }
}

TEST_F(Alone, AFileThatWasRemovedReturnsToItsCoordinates)
{
  std::string const removed = state().settings.models[Model::b].source;
  show_alone(Model::a);
  add(Model::b, removed);
  EXPECT_EQ(placement_of(state()), PlacedAs::same_coordinates);
}

TEST_F(Alone, AShapeMayStandAloneToo)
{
  SpatialSceneSettings settings = test::small_settings();
  settings.models[Model::b] = stand_in();
  open(settings);
  EXPECT_TRUE(is_one_alone(state()));
  EXPECT_EQ(voxels(Model::b), 0u);
}

}  // namespace
}  // namespace slotscape
