#include "tests/app/scenes/spatial/models_view_fixture.hpp"

#include "app/gl/depth.hpp"
#include "gpu/base/error.hpp"

namespace slotscape::view3d_test {
namespace {

class OpenGLTest : public ModelsViewFixture {
protected:
  OpenGLTest() : ModelsViewFixture(Way::opengl) {}
};

TEST_P(ModelsViewTest, HighlightsAreSeenThroughTheModels)
{
  std::vector<Instance> wall;
  for (std::int32_t x = 0; x < 32; ++x) {
    for (std::int32_t z = 0; z < 32; ++z) { wall.push_back(voxel({x, 4, z}, status_paint(VoxelStatus::outside))); }
  }
  set(Model::a, wall);
  gl::Image const before = draw();
  Highlight const highlight{center_of({16, 20, 16}), {1.0f, 0.0f, 0.0f}};
  HighlightLine const line{center_of({16, 20, 16}), center_of({16, 20, 22}), {1.0f, 0.0f, 0.0f}};
  picture_.highlights = {&highlight, 1};
  picture_.lines = {&line, 1};
  gl::Image const image = draw();
  EXPECT_NE(pixel_at(image, center_of({16, 20, 20})), pixel_at(before, center_of({16, 20, 20})));
  int changed = 0;
  for (std::size_t i = 0; i < image.pixels.size(); i += 4) { changed += image.pixels[i] != before.pixels[i] ? 1 : 0; }
  EXPECT_GT(changed, 60);
  EXPECT_LT(changed, 2500);
}

TEST_P(ModelsViewTest, TheGridsBoxIsBehindTheModels)
{
  settings_.show_box = true;
  EXPECT_GT(covered(draw()), 300);
  set(Model::a, {voxel({16, 16, 16}, status_paint(VoxelStatus::outside))});
  look_at(center_of({16, 16, 16}), 60.0);
  EXPECT_TRUE(is_lit(pixel_at(draw(), center_of({16, 16, 16})), StatusColors::standard[VoxelStatus::outside]));
}

TEST_P(ModelsViewTest, DrawsToItsPartOfTheFramebufferOnly)
{
  set(Model::a, {voxel({16, 16, 16}, status_paint(VoxelStatus::intersection))});
  Rectangle const canvas{40, 100, 200, 150};
  for (bool const smooth : {false, true}) {
    settings_.smooth_on_cpu = smooth;
    camera_.set_canvas(canvas.width, canvas.height);
    gl::Image const image = draw(canvas);
    for (int y = 0; y < side; ++y) {
      for (int x = 0; x < side; ++x) {
        bool const in_canvas = x >= 40 && x < 240 && y >= 100 && y < 250;
        ASSERT_EQ(pixel(image, Point(x, y)) == glm::vec3(1.0f, 0.0f, 1.0f), !in_canvas) << x << ", " << y;
      }
    }
    Point const middle = *camera_.to_canvas(center_of({16, 16, 16}));
    EXPECT_TRUE(is_lit(pixel(image, middle + Point(40.0, 100.0)), StatusColors::standard[VoxelStatus::intersection]));
  }
}

TEST_P(ModelsViewTest, LeavesOpenGLAsItWas)
{
  set(Model::a, {voxel({16, 16, 16}, 0)});
  draw();
  GLint framebuffer = 0;
  GLint depth_mode = GL_NEGATIVE_ONE_TO_ONE;
  glGetIntegerv(GL_DRAW_FRAMEBUFFER_BINDING, &framebuffer);
  if (gl::DepthFromZero::is_native()) { glGetIntegerv(GL_CLIP_DEPTH_MODE, &depth_mode); }
  EXPECT_EQ(static_cast<unsigned>(framebuffer), context_->framebuffer());
  EXPECT_EQ(depth_mode, GL_NEGATIVE_ONE_TO_ONE);
  for (GLenum const state : {GL_DEPTH_TEST, GL_BLEND, GL_SCISSOR_TEST, GL_SAMPLE_ALPHA_TO_COVERAGE}) {
    EXPECT_FALSE(glIsEnabled(state)) << state;
  }
}

TEST_F(OpenGLTest, SaysWhatToDoAboutACanvasThatIsTooLarge)
{
  glBindFramebuffer(GL_FRAMEBUFFER, context_->framebuffer());
  EXPECT_THROW(view_->draw(picture_, settings_, camera_, {0, 0, 1 << 20, 1 << 20}, side), Error);
  GLint bound = 0;
  glGetIntegerv(GL_DRAW_FRAMEBUFFER_BINDING, &bound);
  EXPECT_EQ(static_cast<unsigned>(bound), context_->framebuffer());
  set(Model::a, {voxel({16, 16, 16}, status_paint(VoxelStatus::outside))});
  EXPECT_GT(covered(draw()), 0) << "smaller ones are drawn afterwards";
}

TEST_P(ModelsViewTest, SmoothEdgesMixColors)
{
  set(Model::a, {voxel({16, 16, 16}, status_paint(VoxelStatus::outside))});
  look_at(center_of({16, 16, 16}), 60.0);
  auto const dim_pixels = [this] {
    gl::Image const image = draw();
    int count = 0;
    for (int y = 0; y < side; ++y) {
      for (int x = 0; x < side; ++x) {
        float const green = pixel(image, Point(x, y)).g;
        count += green > 0.08f && green < 0.25f ? 1 : 0;
      }
    }
    return count;
  };
  settings_.smooth_edges = false;
  EXPECT_EQ(dim_pixels(), 0);
  settings_.smooth_edges = settings_.smooth_on_cpu = true;
  EXPECT_GT(dim_pixels(), 40);
}

}  // namespace
}  // namespace slotscape::view3d_test
