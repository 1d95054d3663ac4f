#include "app/recording/frame_reader.hpp"

#include <cstring>
#include <utility>

namespace slotscape {
namespace {

constexpr std::size_t channels = 4;
constexpr GLuint64 long_enough = 1'000'000'000;  ///< nanoseconds that any frame arrives in

std::size_t row_bytes(gl::Size size)
{
  return static_cast<std::size_t>(size.width) * channels;
}

std::size_t picture_bytes(gl::Size size)
{
  return row_bytes(size) * static_cast<std::size_t>(size.height);
}

/// OpenGL's rows go upwards.
void copy_rows(std::uint8_t const* from, gl::Size size, std::uint8_t* to)
{
  std::size_t const row = row_bytes(size);
  for (int y = 0; y < size.height; ++y) {
    std::memcpy(to + static_cast<std::size_t>(y) * row, from + static_cast<std::size_t>(size.height - 1 - y) * row,
                row);
  }
}

}  // namespace

FrameReader::FrameReader(gl::Size size) : size_(size)
{
  for (Buffer& buffer : buffers_) {
    glCreateBuffers(1, &buffer.name);
    glNamedBufferStorage(buffer.name, static_cast<GLsizeiptr>(picture_bytes(size_)), nullptr,
                         GL_MAP_READ_BIT | GL_CLIENT_STORAGE_BIT);
  }
}

FrameReader::~FrameReader()
{
  for (Buffer const& buffer : buffers_) {
    if (buffer.arrived != nullptr) { glDeleteSync(buffer.arrived); }
    glDeleteBuffers(1, &buffer.name);
  }
}

void FrameReader::ask(unsigned framebuffer, int x, int y, double seconds)
{
  Buffer& buffer = buffers_[(first_ + asked_) % buffers_.size()];
  GLint previous = 0;
  glGetIntegerv(GL_READ_FRAMEBUFFER_BINDING, &previous);
  glBindFramebuffer(GL_READ_FRAMEBUFFER, framebuffer);
  glReadBuffer(framebuffer == 0 ? GL_BACK : GL_COLOR_ATTACHMENT0);
  glPixelStorei(GL_PACK_ALIGNMENT, 1);
  glBindBuffer(GL_PIXEL_PACK_BUFFER, buffer.name);
  glReadPixels(x, y, size_.width, size_.height, GL_RGBA, GL_UNSIGNED_BYTE, nullptr);
  glBindBuffer(GL_PIXEL_PACK_BUFFER, 0);
  glBindFramebuffer(GL_READ_FRAMEBUFFER, static_cast<GLuint>(previous));
  buffer.arrived = glFenceSync(GL_SYNC_GPU_COMMANDS_COMPLETE, 0);
  buffer.seconds = seconds;
  ++asked_;
}

std::optional<FrameReader::Frame> FrameReader::take(Wait wait, gl::Image& memory)
{
  if (asked_ == 0) { return std::nullopt; }
  Buffer& buffer = buffers_[first_];
  GLenum const state =
      glClientWaitSync(buffer.arrived, GL_SYNC_FLUSH_COMMANDS_BIT, wait == Wait::yes ? long_enough : 0);
  if (state == GL_TIMEOUT_EXPIRED && wait == Wait::no) { return std::nullopt; }
  glDeleteSync(std::exchange(buffer.arrived, nullptr));
  first_ = (first_ + 1) % buffers_.size();
  --asked_;
  std::size_t const bytes = picture_bytes(size_);
  void const* const pixels = glMapNamedBufferRange(buffer.name, 0, static_cast<GLsizeiptr>(bytes), GL_MAP_READ_BIT);
  if (pixels == nullptr) { return std::nullopt; }
  memory.width = size_.width;
  memory.height = size_.height;
  memory.pixels.resize(bytes);
  copy_rows(static_cast<std::uint8_t const*>(pixels), size_, memory.pixels.data());
  glUnmapNamedBuffer(buffer.name);
  return Frame{std::exchange(memory, {}), buffer.seconds};
}

}  // namespace slotscape
