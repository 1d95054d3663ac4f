#include "app/gl/read_back.hpp"

#include <cstring>
#include <utility>

namespace slotscape::gl {
namespace {

constexpr std::size_t bytes_of_a_pixel = 4;
constexpr GLuint64 long_enough = 1'000'000'000;  ///< nanoseconds; any frame arrives by then

std::size_t row_bytes(Size size)
{
  return static_cast<std::size_t>(size.width) * bytes_of_a_pixel;
}

std::size_t picture_bytes(Size size)
{
  return row_bytes(size) * static_cast<std::size_t>(size.height);
}

/// OpenGL stores rows from the bottom up.
void copy_rows(std::uint8_t const* from, Size size, std::uint8_t* to)
{
  std::size_t const row = row_bytes(size);
  for (int y = 0; y < size.height; ++y) {
    std::memcpy(to + static_cast<std::size_t>(y) * row, from + static_cast<std::size_t>(size.height - 1 - y) * row,
                row);
  }
}

}  // namespace

ReadBack::ReadBack(Size size) : size_(size)
{
  glGenBuffers(1, &buffer_);
  glBindBuffer(GL_PIXEL_PACK_BUFFER, buffer_);
  glBufferData(GL_PIXEL_PACK_BUFFER, static_cast<GLsizeiptr>(picture_bytes(size_)), nullptr, GL_STREAM_READ);
  glBindBuffer(GL_PIXEL_PACK_BUFFER, 0);
}

ReadBack::~ReadBack()
{
  if (fence_ != nullptr) { glDeleteSync(fence_); }
  glDeleteBuffers(1, &buffer_);
}

void ReadBack::ask(unsigned framebuffer, int x, int y)
{
  GLint previous = 0;
  glGetIntegerv(GL_READ_FRAMEBUFFER_BINDING, &previous);
  glBindFramebuffer(GL_READ_FRAMEBUFFER, framebuffer);
  glReadBuffer(framebuffer == 0 ? GL_BACK : GL_COLOR_ATTACHMENT0);
  glPixelStorei(GL_PACK_ALIGNMENT, 1);
  glBindBuffer(GL_PIXEL_PACK_BUFFER, buffer_);
  glReadPixels(x, y, size_.width, size_.height, GL_RGBA, GL_UNSIGNED_BYTE, nullptr);
  glBindBuffer(GL_PIXEL_PACK_BUFFER, 0);
  glBindFramebuffer(GL_READ_FRAMEBUFFER, static_cast<GLuint>(previous));
  fence_ = glFenceSync(GL_SYNC_GPU_COMMANDS_COMPLETE, 0);
}

bool ReadBack::arrived(bool waits) const
{
  GLenum const state = glClientWaitSync(fence_, GL_SYNC_FLUSH_COMMANDS_BIT, waits ? long_enough : 0);
  return state != GL_TIMEOUT_EXPIRED;
}

bool ReadBack::take(Image& image)
{
  glDeleteSync(std::exchange(fence_, nullptr));
  std::size_t const bytes = picture_bytes(size_);
  glBindBuffer(GL_PIXEL_PACK_BUFFER, buffer_);
  void const* const pixels = glMapBufferRange(GL_PIXEL_PACK_BUFFER, 0, static_cast<GLsizeiptr>(bytes), GL_MAP_READ_BIT);
  if (pixels != nullptr) {
    image.width = size_.width;
    image.height = size_.height;
    image.pixels.resize(bytes);
    copy_rows(static_cast<std::uint8_t const*>(pixels), size_, image.pixels.data());
    glUnmapBuffer(GL_PIXEL_PACK_BUFFER);
  }
  glBindBuffer(GL_PIXEL_PACK_BUFFER, 0);
  return pixels != nullptr;
}

}  // namespace slotscape::gl
