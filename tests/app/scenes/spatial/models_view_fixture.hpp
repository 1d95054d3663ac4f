#pragma once

#include "app/gl/context.hpp"
#include "app/gl/image.hpp"
#include "app/view3d/host_drawing.hpp"

#include <glad/gl.h>
#include <gtest/gtest.h>
#include <glm/geometric.hpp>

#include <memory>
#include <span>
#include <string>
#include <vector>

namespace slotscape::view3d_test {

using spatial::Cell;
using spatial::Instance;
using spatial::Model;
using spatial::Paint;
using spatial::Vector;
using spatial::VoxelStatus;

inline constexpr int side = 400;
inline constexpr spatial::VoxelGrid grid{32, 3.0f};

inline std::uint32_t status_paint(VoxelStatus status)
{
  return static_cast<std::uint32_t>(status) << Paint::status_shift;
}

inline Vector center_of(Cell cell)
{
  auto const middle = [](std::int32_t at) { return static_cast<float>(at) + 0.5f; };
  return grid.to_world({middle(cell.x), middle(cell.y), middle(cell.z)});
}

inline Instance voxel(Cell cell, std::uint32_t paint)
{
  return {center_of(cell), paint, 0};
}

inline glm::vec3 as_vec(Color const& color)
{
  return {color.red, color.green, color.blue};
}

/// Who draws the models.
enum class Way : std::uint8_t { opengl, kernels };

/// Hand-made instances, drawn offscreen.
class ModelsViewFixture : public testing::Test {
protected:
  explicit ModelsViewFixture(Way way) : way_(way) {}
  void SetUp() override
  {
    context_ = gl::open_offscreen({side, side});
    view_ = std::make_unique<ModelsView>();
    host_drawing_ = std::make_unique<HostDrawing>();
    glGenBuffers(2, buffers_);
    settings_.show_box = false;
  }
  void TearDown() override
  {
    EXPECT_EQ(glGetError(), static_cast<GLenum>(GL_NO_ERROR));
    glDeleteBuffers(2, buffers_);
    host_drawing_.reset();
    view_.reset();
    context_.reset();
  }

  void set(Model model, std::vector<Instance> const& instances)
  {
    auto const index = static_cast<std::size_t>(model);
    glBindBuffer(GL_ARRAY_BUFFER, buffers_[index]);
    glBufferData(GL_ARRAY_BUFFER, static_cast<GLsizeiptr>(instances.size() * sizeof(Instance)), instances.data(),
                 GL_DYNAMIC_DRAW);
    picture_.models[model] = {buffers_[index], instances.size(), instances.size()};
    instances_[model] = instances;
  }

  gl::Image draw(Rectangle const& canvas = {0, 0, side, side})
  {
    glBindFramebuffer(GL_FRAMEBUFFER, context_->framebuffer());
    glClearColor(1.0f, 0.0f, 1.0f, 1.0f);
    glClear(GL_COLOR_BUFFER_BIT);
    if (way_ == Way::kernels) { draw_with_kernels(); }
    view_->draw(picture_, settings_, camera_, canvas, side);
    context_->present();
    return gl::read_pixels(context_->framebuffer(), 0, 0, side, side);
  }

  void draw_with_kernels()
  {
    for (Model const model : {Model::a, Model::b}) {
      ModelInstances const& drawn = picture_.models[model];
      host_drawing_->set(model, std::span(instances_[model]).first(drawn.count), drawn.shown);
    }
    picture_.texels = host_drawing_->draw(picture_, settings_, camera_);
  }

  static glm::vec3 pixel(gl::Image const& image, Point at)
  {
    auto const x = static_cast<std::size_t>(at.x);
    auto const y = static_cast<std::size_t>(at.y);
    std::size_t const start = (y * static_cast<std::size_t>(image.width) + x) * 4;
    return glm::vec3(image.pixels[start], image.pixels[start + 1], image.pixels[start + 2]) / 255.0f;
  }
  glm::vec3 pixel_at(gl::Image const& image, Vector point) const { return pixel(image, *camera_.to_canvas(point)); }

  static bool is_background(glm::vec3 const& seen) { return glm::distance(seen, as_vec(canvas_color)) < 0.01f; }
  /// Of that colour, in some light.
  static bool is_lit(glm::vec3 const& seen, Color const& color)
  {
    glm::vec3 const full = as_vec(color);
    float const shade = glm::dot(seen, full) / glm::dot(full, full);
    return shade > 0.3f && shade < 1.3f && glm::distance(seen, shade * full) < 0.04f;
  }
  static int covered(gl::Image const& image)
  {
    int count = 0;
    for (int y = 0; y < image.height; ++y) {
      for (int x = 0; x < image.width; ++x) { count += is_background(pixel(image, Point(x, y))) ? 0 : 1; }
    }
    return count;
  }
  /// Brings the point to the middle of the canvas, where a voxel is so many pixels wide.
  void look_at(Vector point, double pixels)
  {
    OrbitPlace place = camera_.home();
    place.target = to_glm(point);
    place.distance = camera_.pixels_per_unit(1.0) * static_cast<double>(grid.voxel()) / pixels;
    camera_.look(place);
  }

  Way way_;
  std::unique_ptr<gl::Context> context_;
  std::unique_ptr<ModelsView> view_;
  std::unique_ptr<HostDrawing> host_drawing_;
  spatial::PerModel<std::vector<Instance>> instances_;
  unsigned buffers_[2] = {0, 0};
  OrbitCamera camera_{3.0, side, side};
  ModelsViewSettings settings_;
  ModelsPicture picture_{.grid = grid, .models = {}, .scale_max = 1.0, .highlights = {}, .lines = {}};
};

class ModelsViewTest : public ModelsViewFixture, public testing::WithParamInterface<Way> {
protected:
  ModelsViewTest() : ModelsViewFixture(GetParam()) {}
};

inline std::string name_of(testing::TestParamInfo<Way> const& info)
{
  return info.param == Way::opengl ? "opengl" : "kernels";
}

}  // namespace slotscape::view3d_test
