#include "app/view3d/models_view.hpp"

#include "app/gl/depth.hpp"
#include "app/view3d/grid_box.hpp"
#include "gpu/spatial/footprints.hpp"

#include <glm/ext/matrix_transform.hpp>
#include <glm/geometric.hpp>
#include <glm/gtc/type_ptr.hpp>
#include <glm/mat3x3.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace slotscape {
namespace {

using spatial::Instance;

constexpr std::array<std::uint8_t, 18> visible_faces{7, 3, 1, 7, 1, 5, 7, 3, 2, 7, 2, 6, 7, 6, 4, 7, 4, 5};
constexpr float highlight_width = 2.0f;
constexpr float faint_alpha = 0.45f;  // for hidden highlights
constexpr int rim = 64;               // pixels around the canvas in which the centres of points may lie

std::vector<gl::Attribute> instance_attributes()
{
  using As = gl::Attribute::As;
  return {{.count = 3, .at = offsetof(Instance, position)},
          {GL_UNSIGNED_INT, 1, As::integers, offsetof(Instance, paint)},
          {GL_BYTE, 4, As::shares, offsetof(Instance, normal)}};
}

glm::vec3 to_vec(Color const& color)
{
  return {color.red, color.green, color.blue};
}

template <class Each, std::size_t Count>
void set_colors(int location, std::array<Each, Count> const& colors)
{
  std::array<glm::vec3, Count> values;
  std::ranges::transform(colors, values.begin(), to_vec);
  glUniform3fv(location, static_cast<GLsizei>(Count), glm::value_ptr(values[0]));
}

void set_vector(int location, glm::dvec3 const& v)
{
  glUniform3f(location, static_cast<float>(v.x), static_cast<float>(v.y), static_cast<float>(v.z));
}

/// The distance to the neighbours that a pixel is compared with: outlines have the same width on any screen.
int pixels_of_eye_dome(gl::Size size)
{
  constexpr int rows_of_a_pixel = 800;
  return std::max(1, std::min(size.width, size.height) / rows_of_a_pixel);
}

void add_highlights(LineBatch& lines, ModelsPicture const& picture, float alpha)
{
  float const side = 1.04f * picture.grid.voxel();
  for (Highlight const& each : picture.highlights) {
    lines.add_cube(each.center, side, each.color, alpha, highlight_width);
  }
  for (HighlightLine const& each : picture.lines) { lines.add(each.from, each.to, each.color, alpha, highlight_width); }
}

}  // namespace

glm::dvec3 key_light(OrbitCamera const& camera)
{
  return glm::normalize(0.62 * -camera.forward() + 0.62 * camera.up() - 0.48 * camera.right());
}

ModelsView::ModelsView()
    : on_cpu_(gl::draws_with_the_cpu()),
      palettes_(make_palette_texture()),
      cube_vertices_(gl::Vertices::Each::instance, sizeof(Instance), instance_attributes()),
      point_vertices_(gl::Vertices::Each::vertex, sizeof(Instance), instance_attributes())
{
  glGenBuffers(1, &cube_corners_);
  cube_vertices_.bind();
  glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, cube_corners_);
  glBufferData(GL_ELEMENT_ARRAY_BUFFER, sizeof visible_faces, visible_faces.data(), GL_STATIC_DRAW);
  gl::Vertices::unbind();
}

ModelsView::~ModelsView()
{
  glDeleteBuffers(1, &cube_corners_);
  glDeleteTextures(1, &palettes_);
}

void ModelsView::reload_if_changed()
{
  cubes_.reload_if_changed();
  points_.reload_if_changed();
  drawn_.reload_if_changed();
  eye_dome_.reload_if_changed();
  lines_.reload_if_changed();
}

void ModelsView::draw(ModelsPicture const& picture, ModelsViewSettings const& settings, OrbitCamera const& camera,
                      Rectangle const& canvas, int framebuffer_height)
{
  if (canvas.width < 1 || canvas.height < 1) { return; }
  glDisable(GL_BLEND);
  glDisable(GL_SCISSOR_TEST);
  int const bottom = framebuffer_height - canvas.y - canvas.height;
  gl::Size const size{canvas.width, canvas.height};
  if (picture.texels != 0) {
    texels_.show(picture.texels, static_cast<std::uint64_t>(size.width) * static_cast<std::uint64_t>(size.height));
    return draw_drawn(picture, settings, camera, {texels_, canvas.x, bottom, size});
  }
  GLint framebuffer = 0;
  glGetIntegerv(GL_DRAW_FRAMEBUFFER_BINDING, &framebuffer);
  bool const smooth = settings.smooth_edges && (!on_cpu_ || settings.smooth_on_cpu);
  target_.begin(size, smooth, static_cast<unsigned>(framebuffer));
  glClearColor(picture.background.red, picture.background.green, picture.background.blue, 1.0f);
  glClear(GL_COLOR_BUFFER_BIT);
  gl::DepthFromZero const depths;
  gl::begin_depth_test();
  draw_models(picture, settings, camera, false);
  glDepthMask(GL_FALSE);
  if (settings.eye_dome) { draw_eye_dome(size); }
  if (settings.show_box) { add_grid_box(lines_, picture.grid, camera); }
  lines_.draw(camera);
  if (settings.ghosts) {
    begin_blending();
    draw_models(picture, settings, camera, true);
  }
  add_highlights(lines_, picture, 1.0f);
  lines_.draw(camera);
  glDisable(GL_DEPTH_TEST);
  add_highlights(lines_, picture, faint_alpha);
  lines_.draw(camera);
  gl::end_depth_test();
  target_.end(canvas.x, bottom);
}

void ModelsView::draw_eye_dome(gl::Size size)
{
  glBindTexture(GL_TEXTURE_2D, target_.copy_depths());
  eye_dome_.use();
  glUniform1i(eye_dome_.uniform("depths"), 0);
  glUniform1i(eye_dome_.uniform("eye_dome"), pixels_of_eye_dome(size));
  glDisable(GL_DEPTH_TEST);
  glEnable(GL_BLEND);
  glBlendFunc(GL_ZERO, GL_SRC_COLOR);
  whole_canvas_.bind();
  glDrawArrays(GL_TRIANGLES, 0, 3);
  gl::Vertices::unbind();
  glDisable(GL_BLEND);
  glEnable(GL_DEPTH_TEST);
}

/// Needs no depth buffer: lines look up the depths in front of them.
void ModelsView::draw_drawn(ModelsPicture const& picture, ModelsViewSettings const& settings, OrbitCamera const& camera,
                            DrawnCanvas const& canvas)
{
  gl::DepthFromZero const depths;
  glViewport(canvas.left, canvas.bottom, canvas.size.width, canvas.size.height);
  drawn_.use();
  canvas.use(drawn_);
  glUniform1i(drawn_.uniform("eye_dome"), settings.eye_dome ? pixels_of_eye_dome(canvas.size) : 0);
  glUniform3f(drawn_.uniform("background"), picture.background.red, picture.background.green, picture.background.blue);
  whole_canvas_.bind();
  glDrawArrays(GL_TRIANGLES, 0, 3);
  gl::Vertices::unbind();
  if (settings.show_box) { add_grid_box(lines_, picture.grid, camera); }
  add_highlights(lines_, picture, 1.0f);
  lines_.draw(camera, &canvas);
  add_highlights(lines_, picture, faint_alpha);
  lines_.draw(camera);
}

ModelsView::Shape ModelsView::shape_of(ModelsPicture const& picture, ModelsViewSettings const& settings,
                                       OrbitCamera const& camera) const
{
  if (settings.kind == spatial::InstanceKind::points) { return Shape::points; }
  double const around = 0.5 * std::sqrt(3.0) * static_cast<double>(picture.grid.extent);
  double const nearest = std::max(camera.depth({}) - around, 1e-9);
  double const max_pixels = static_cast<double>(picture.grid.voxel()) * camera.pixels_per_unit(nearest);
  return max_pixels < static_cast<double>(spatial::like_points) ? Shape::points : Shape::cubes;
}

gl::Program const& ModelsView::program_of(Shape shape) const
{
  return shape == Shape::points ? points_ : cubes_;
}

void ModelsView::draw_models(ModelsPicture const& picture, ModelsViewSettings const& settings,
                             OrbitCamera const& camera, bool ghosts)
{
  Shape const shape = shape_of(picture, settings, camera);
  program_of(shape).use();
  set_paint(program_of(shape), picture, settings, camera, ghosts);
  set_geometry(shape, picture, settings, camera);
  bind_palettes(program_of(shape), palettes_);
  // With alpha to coverage, points are cut along their circles.
  bool const cuts_rims = shape == Shape::points && !ghosts && target_.samples() > 0;
  if (cuts_rims) { glEnable(GL_SAMPLE_ALPHA_TO_COVERAGE); }
  auto const width = static_cast<GLsizei>(camera.width());
  auto const height = static_cast<GLsizei>(camera.height());
  if (shape != Shape::cubes) { glViewport(-rim, -rim, width + 2 * rim, height + 2 * rim); }
  gl::Vertices const& vertices = shape == Shape::cubes ? cube_vertices_ : point_vertices_;
  for (ModelInstances const& model : picture.models.of) {
    std::uint64_t const first = ghosts ? model.shown : 0;
    auto const count = static_cast<GLsizei>(ghosts ? model.count - model.shown : model.shown);
    if (count == 0) { continue; }
    vertices.bind(model.buffer, first * sizeof(Instance));
    if (shape == Shape::cubes) {
      glDrawElementsInstanced(GL_TRIANGLES, static_cast<GLsizei>(visible_faces.size()), GL_UNSIGNED_BYTE, nullptr,
                              count);
    } else {
      glDrawArrays(GL_POINTS, 0, count);
    }
  }
  gl::Vertices::unbind();
  glViewport(0, 0, width, height);
  if (cuts_rims) { glDisable(GL_SAMPLE_ALPHA_TO_COVERAGE); }
}

void ModelsView::set_paint(gl::Program const& program, ModelsPicture const& picture, ModelsViewSettings const& settings,
                           OrbitCamera const& camera, bool ghosts) const
{
  glUniform1i(program.uniform("paint_by"), static_cast<int>(settings.paint_by));
  glUniform1i(program.uniform("palette_row"), static_cast<int>(settings.palette));
  glUniform1f(program.uniform("scale_max"), static_cast<float>(std::max(picture.scale_max, 1.0)));
  glUniform1i(program.uniform("log_scale"), settings.is_log_scale(picture.scale_max) ? 1 : 0);
  set_colors(program.uniform("status_colors"), status_colors(settings, picture.of_changes).of);
  set_colors(program.uniform("model_colors"), model_colors);
  set_colors(program.uniform("nowhere_color"), std::array{theme::outside_grid});
  set_colors(program.uniform("neutral_color"), std::array{neutral_color});
  glUniform1i(program.uniform("shows_colours"), picture.shows_colors ? 1 : 0);
  glUniform1f(program.uniform("alpha"), ghosts ? ghost_alpha : 1.0f);
  set_vector(program.uniform("key_light"), key_light(camera));
}

void ModelsView::set_geometry(Shape shape, ModelsPicture const& picture, ModelsViewSettings const& settings,
                              OrbitCamera const& camera) const
{
  gl::Program const& program = program_of(shape);
  float const voxel = picture.grid.voxel();
  // OpenGL culls points with centres outside the viewport, so it is larger than the canvas.
  double const margin = shape == Shape::cubes ? 0.0 : 2.0 * rim;
  glm::dvec3 const share{camera.width() / (camera.width() + margin), camera.height() / (camera.height() + margin), 1.0};
  glm::dmat4 const projection = glm::scale(glm::dmat4(1.0), share) * camera.projection();
  glm::mat4 const directions(projection * glm::dmat4(glm::dmat3(camera.view())));
  glUniformMatrix4fv(program.uniform("projection_of_directions"), 1, GL_FALSE, glm::value_ptr(directions));
  set_vector(program.uniform("eye"), camera.eye());
  glUniform1f(program.uniform("pixels_per_unit"), static_cast<float>(camera.pixels_per_unit(1.0)));
  if (shape == Shape::points) {
    bool const as_points = settings.kind == spatial::InstanceKind::points;
    float const least = as_points ? settings.min_pixels : 1.0f;
    glUniform1f(program.uniform("diameter"), voxel * (as_points ? settings.point_size : spatial::voxel_as_square));
    glUniform2f(program.uniform("pixel_limits"), least, std::max(least, settings.max_pixels));
    return;
  }
  glUniform1f(program.uniform("voxel"), voxel);
}

}  // namespace slotscape
