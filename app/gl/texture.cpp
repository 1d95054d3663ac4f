#include "app/gl/texture.hpp"

#include "gpu/base/error.hpp"

#include <fmt/format.h>

namespace slotscape::gl {
namespace {

constexpr int unit_of_texels = 1;

int limit_of(GLenum what)
{
  GLint limit = 0;
  glGetIntegerv(what, &limit);
  return limit;
}

[[noreturn]] void throw_no_room(std::uint64_t cells)
{
  throw Error(
      fmt::format("OpenGL has no room for a picture of {} million cells: make the window or the picture "
                  "smaller, or close other programs that use the GPU.",
                  (cells >> 20) + 1));
}

}  // namespace

unsigned make_texture(TexelFormat const& format, Size size, GLenum filter)
{
  GLuint name = 0;
  glGenTextures(1, &name);
  glBindTexture(GL_TEXTURE_2D, name);
  glTexImage2D(GL_TEXTURE_2D, 0, format.kept, size.width, size.height, 0, format.given, format.type, nullptr);
  bool const has_fractions = format.given == GL_RGBA;
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, has_fractions ? GL_LINEAR : GL_NEAREST);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, static_cast<GLint>(filter));
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
  return name;
}

bool TexelTexture::reads_buffers()
{
  constexpr int texels_of_a_large_screen = 1 << 25;
  return GLAD_GL_ES_VERSION_3_0 == 0 && limit_of(GL_MAX_TEXTURE_BUFFER_SIZE) >= texels_of_a_large_screen;
}

std::string TexelTexture::glsl()
{
  if (reads_buffers()) {
    return "#define texel_sampler usamplerBuffer\n#define fetch_texel(index) texelFetch(texels, int(index))\n";
  }
  return fmt::format(
      "#define texel_sampler usampler2D\n"
      "#define fetch_texel(index) texelFetch(texels, ivec2((index) % {0}u, (index) / {0}u), 0)\n",
      columns);
}

void TexelTexture::show(unsigned buffer, std::uint64_t count)
{
  if (!is_buffer_) { return copy_from(buffer, count); }
  if (count > static_cast<std::uint64_t>(limit_of(GL_MAX_TEXTURE_BUFFER_SIZE))) { throw_no_room(count); }
  glActiveTexture(GL_TEXTURE0 + unit_of_texels);
  if (name_ == 0) { glGenTextures(1, &name_); }
  glBindTexture(GL_TEXTURE_BUFFER, name_);
  glTexBuffer(GL_TEXTURE_BUFFER, static_cast<GLenum>(format_.kept), buffer);
  glActiveTexture(GL_TEXTURE0);
}

void TexelTexture::copy_from(unsigned buffer, std::uint64_t count)
{
  glActiveTexture(GL_TEXTURE0 + unit_of_texels);
  fit((count + columns - 1) / columns);
  glBindTexture(GL_TEXTURE_2D, name_);
  glBindBuffer(GL_PIXEL_UNPACK_BUFFER, buffer);
  auto const width = static_cast<GLsizei>(columns);
  auto const rows = static_cast<GLsizei>(count / columns);
  auto const rest = static_cast<GLsizei>(count % columns);
  std::uint64_t const texel = format_.given == GL_RG_INTEGER ? 8 : 16;
  if (rows > 0) { glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, width, rows, format_.given, format_.type, nullptr); }
  if (rest > 0) {
    // NOLINTNEXTLINE(performance-no-int-to-ptr): to OpenGL, an offset is a pointer
    auto* const in_buffer = reinterpret_cast<void const*>((count - count % columns) * texel);
    glTexSubImage2D(GL_TEXTURE_2D, 0, 0, rows, rest, 1, format_.given, format_.type, in_buffer);
  }
  glBindBuffer(GL_PIXEL_UNPACK_BUFFER, 0);
  glActiveTexture(GL_TEXTURE0);
}

void TexelTexture::bind(Program const& program) const
{
  glActiveTexture(GL_TEXTURE0 + unit_of_texels);
  glBindTexture(is_buffer_ ? GL_TEXTURE_BUFFER : GL_TEXTURE_2D, name_);
  glActiveTexture(GL_TEXTURE0);
  bind_none(program);
}

void TexelTexture::bind_none(Program const& program)
{
  glUniform1i(program.uniform("texels"), unit_of_texels);
}

/// Grows with the content, and is recreated if a small fraction of its size suffices, like the buffer (`SharedBuffer`).
void TexelTexture::fit(std::uint64_t rows)
{
  constexpr std::uint64_t always_kept = 16;
  constexpr std::uint64_t most_times = 8;
  if (name_ != 0 && rows <= rows_ && rows_ <= always_kept + most_times * rows) { return; }
  release();
  auto const largest = static_cast<std::uint64_t>(limit_of(GL_MAX_TEXTURE_SIZE));
  while (glGetError() != GL_NO_ERROR) {}  // clears errors left over from other code
  bool made = rows <= largest && columns <= largest;
  if (made) {
    name_ = make_texture(format_, {static_cast<int>(columns), static_cast<int>(rows)}, GL_NEAREST);
    made = glGetError() == GL_NO_ERROR;
  }
  if (!made) {
    release();
    throw_no_room(rows * columns);
  }
  rows_ = rows;
}

void TexelTexture::release()
{
  if (name_ != 0) { glDeleteTextures(1, &name_); }
  name_ = 0;
  rows_ = 0;
}

}  // namespace slotscape::gl
