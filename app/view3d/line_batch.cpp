#include "app/view3d/line_batch.hpp"

#include <glm/gtc/type_ptr.hpp>
#include <glm/mat4x4.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace slotscape {
namespace {

std::uint32_t rgba(Color const& color, float alpha)
{
  auto const byte = [](float channel) {
    return static_cast<std::uint32_t>(std::lround(std::clamp(channel, 0.0f, 1.0f) * 255.0f));
  };
  return byte(color.red) | byte(color.green) << 8 | byte(color.blue) << 16 | byte(alpha) << 24;
}

glm::vec3 to_float(spatial::Vector v)
{
  return {v.x, v.y, v.z};
}

}  // namespace

void begin_blending()
{
  glEnable(GL_BLEND);
  glBlendFuncSeparate(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA, GL_ZERO, GL_ONE);
}

LineBatch::LineBatch()
    : vertices_(gl::Vertices::Each::instance, sizeof(Line),
                {{.count = 3, .at = offsetof(Line, from)},
                 {.count = 1, .at = offsetof(Line, width)},
                 {.count = 3, .at = offsetof(Line, to)},
                 {GL_UNSIGNED_BYTE, 4, gl::Attribute::As::shares, offsetof(Line, color)}})
{
}

void LineBatch::add(spatial::Vector from, spatial::Vector to, Color const& color, float alpha, float width)
{
  lines_.push_back({to_float(from), width, to_float(to), rgba(color, alpha)});
}

void LineBatch::add_cube(spatial::Vector center, float side, Color const& color, float alpha, float width)
{
  auto const corner = [&](int bits) {
    auto const half = [&](int bit) { return (bits >> bit & 1) != 0 ? side / 2.0f : -side / 2.0f; };
    return center + spatial::Vector{half(0), half(1), half(2)};
  };
  for (int from = 0; from < 8; ++from) {
    for (int axis = 0; axis < 3; ++axis) {
      int const to = from | 1 << axis;
      if (to != from) { add(corner(from), corner(to), color, alpha, width); }
    }
  }
}

void DrawnCanvas::use(gl::Program const& program) const
{
  glUniform2i(program.uniform("corner"), left, bottom);
  glUniform2i(program.uniform("size"), size.width, size.height);
  texels.bind(program);
}

void LineBatch::draw(OrbitCamera const& camera, DrawnCanvas const* before)
{
  if (lines_.empty()) { return; }
  std::size_t const bytes = lines_.size() * sizeof(Line);
  buffer_.fit(bytes);
  buffer_.write(lines_.data(), bytes);
  program_.use();
  glm::mat4 const view(camera.view());
  glm::mat4 const projection(camera.projection());
  glUniformMatrix4fv(program_.uniform("view"), 1, GL_FALSE, glm::value_ptr(view));
  glUniformMatrix4fv(program_.uniform("projection"), 1, GL_FALSE, glm::value_ptr(projection));
  glUniform2f(program_.uniform("canvas"), static_cast<float>(camera.width()), static_cast<float>(camera.height()));
  glUniform1i(program_.uniform("behind_texels"), before != nullptr ? 1 : 0);
  if (before != nullptr) {
    before->use(program_);
  } else {
    gl::TexelTexture::bind_none(program_);
  }
  begin_blending();
  vertices_.bind(buffer_.name());
  glDrawArraysInstanced(GL_TRIANGLE_STRIP, 0, 4, static_cast<GLsizei>(lines_.size()));
  gl::Vertices::unbind();
  glDisable(GL_BLEND);
  lines_.clear();
}

}  // namespace slotscape
