#include "app/view3d/canvas_target.hpp"

#include "app/gl/texture.hpp"
#include "gpu/base/error.hpp"

#include <fmt/format.h>
#include <glad/gl.h>

#include <algorithm>

namespace slotscape {
namespace {

constexpr int wanted_samples = 4;

int supported_samples()
{
  GLint supported = 0;
  glGetIntegerv(GL_MAX_SAMPLES, &supported);
  int const samples = std::min(wanted_samples, supported);
  return samples > 1 ? samples : 0;
}

GLuint make_renderbuffer(GLenum format, gl::Size size, int samples)
{
  GLuint name = 0;
  glGenRenderbuffers(1, &name);
  glBindRenderbuffer(GL_RENDERBUFFER, name);
  glRenderbufferStorageMultisample(GL_RENDERBUFFER, samples, format, size.width, size.height);
  return name;
}

/// A framebuffer with two renderbuffers; depth may be 0. The framebuffer stays bound.
GLuint make_framebuffer(GLuint color, GLuint depth)
{
  GLuint name = 0;
  glGenFramebuffers(1, &name);
  glBindFramebuffer(GL_FRAMEBUFFER, name);
  glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, color);
  glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_RENDERBUFFER, depth);
  return name;
}

bool is_complete()
{
  return glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE;
}

/// Copies colours between framebuffers; the destination stays bound.
void copy(GLuint from, GLuint to, gl::Size size, int left, int bottom)
{
  auto const [width, height] = size;
  glBindFramebuffer(GL_READ_FRAMEBUFFER, from);
  glBindFramebuffer(GL_DRAW_FRAMEBUFFER, to);
  glBlitFramebuffer(0, 0, width, height, left, bottom, left + width, bottom + height, GL_COLOR_BUFFER_BIT, GL_NEAREST);
}

}  // namespace

void CanvasTarget::begin(gl::Size size, bool multisampled, unsigned destination)
{
  destination_ = destination;
  if (size != size_ || multisampled != multisampled_ || framebuffer_ == 0) {
    release();
    size_ = size;
    multisampled_ = multisampled;
    samples_ = multisampled ? supported_samples() : 0;
    allocate();
  }
  glBindFramebuffer(GL_FRAMEBUFFER, framebuffer_);
  glViewport(0, 0, size_.width, size_.height);
}

void CanvasTarget::end(int left, int bottom)
{
  // Samples are resolved first because a window's framebuffer may have another colour format.
  if (samples_ > 0) { copy(framebuffer_, resolved_framebuffer_, size_, 0, 0); }
  copy(samples_ > 0 ? resolved_framebuffer_ : framebuffer_, destination_, size_, left, bottom);
  glBindFramebuffer(GL_FRAMEBUFFER, destination_);
}

unsigned CanvasTarget::copy_depths()
{
  if (copied_framebuffer_ == 0) {
    copied_depths_ = gl::make_texture(gl::depth_of_float, size_, GL_NEAREST);
    glGenFramebuffers(1, &copied_framebuffer_);
    glBindFramebuffer(GL_FRAMEBUFFER, copied_framebuffer_);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_TEXTURE_2D, copied_depths_, 0);
    GLenum const no_color = GL_NONE;
    glDrawBuffers(1, &no_color);
    glReadBuffer(no_color);
  }
  auto const [width, height] = size_;
  glBindFramebuffer(GL_READ_FRAMEBUFFER, framebuffer_);
  glBindFramebuffer(GL_DRAW_FRAMEBUFFER, copied_framebuffer_);
  glBlitFramebuffer(0, 0, width, height, 0, 0, width, height, GL_DEPTH_BUFFER_BIT, GL_NEAREST);
  glBindFramebuffer(GL_FRAMEBUFFER, framebuffer_);
  return copied_depths_;
}

void CanvasTarget::allocate()
{
  while (glGetError() != GL_NO_ERROR) {}  // clears earlier errors
  color_ = make_renderbuffer(GL_RGBA8, size_, samples_);
  depth_ = make_renderbuffer(GL_DEPTH_COMPONENT32F, size_, samples_);
  framebuffer_ = make_framebuffer(color_, depth_);
  bool drawable = is_complete();
  if (samples_ > 0) {
    resolved_color_ = make_renderbuffer(GL_RGBA8, size_, 0);
    resolved_framebuffer_ = make_framebuffer(resolved_color_, 0);
    drawable = drawable && is_complete();
  }
  if (drawable && glGetError() == GL_NO_ERROR) { return; }
  release();
  glBindFramebuffer(GL_FRAMEBUFFER, destination_);
  throw Error(fmt::format("OpenGL could not allocate a picture of {}x{} pixels with depth: make the window smaller",
                          size_.width, size_.height));
}

void CanvasTarget::release()
{
  for (GLuint* const framebuffer : {&framebuffer_, &resolved_framebuffer_, &copied_framebuffer_}) {
    glDeleteFramebuffers(1, framebuffer);  // OpenGL ignores 0
    *framebuffer = 0;
  }
  for (GLuint* const renderbuffer : {&color_, &depth_, &resolved_color_}) {
    glDeleteRenderbuffers(1, renderbuffer);
    *renderbuffer = 0;
  }
  glDeleteTextures(1, &copied_depths_);
  copied_depths_ = 0;
}

}  // namespace slotscape
