#include "app/gl/vertices.hpp"

#include <utility>

namespace slotscape::gl {

Vertices::Vertices(Each each, std::size_t stride, std::vector<Attribute> attributes)
    : stride_(stride), attributes_(std::move(attributes))
{
  glGenVertexArrays(1, &name_);
  glBindVertexArray(name_);
  for (GLuint location = 0; location < attributes_.size(); ++location) {
    glEnableVertexAttribArray(location);
    glVertexAttribDivisor(location, each == Each::instance ? 1 : 0);
  }
  unbind();
}

Vertices::~Vertices()
{
  glDeleteVertexArrays(1, &name_);
}

void Vertices::bind() const
{
  glBindVertexArray(name_);
}

void Vertices::bind(unsigned buffer, std::uint64_t first) const
{
  bind();
  glBindBuffer(GL_ARRAY_BUFFER, buffer);
  auto const stride = static_cast<GLsizei>(stride_);
  for (GLuint location = 0; location < attributes_.size(); ++location) {
    auto const& [type, count, as, at] = attributes_[location];
    // NOLINTNEXTLINE(performance-no-int-to-ptr): to OpenGL, an offset is a pointer
    auto* const in_buffer = reinterpret_cast<void const*>(first + at);
    if (as == Attribute::As::integers) {
      glVertexAttribIPointer(location, count, type, stride, in_buffer);
    } else {
      glVertexAttribPointer(location, count, type, as == Attribute::As::shares ? GL_TRUE : GL_FALSE, stride, in_buffer);
    }
  }
}

void Vertices::unbind()
{
  glBindVertexArray(0);
}

}  // namespace slotscape::gl
