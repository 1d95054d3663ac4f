#include "app/view3d/canvas_target.hpp"

#include "gpu/base/error.hpp"

#include <fmt/format.h>
#include <glad/gl.h>

#include <algorithm>

namespace slotscape {
namespace {

constexpr int wanted_samples = 4;

int supported_samples()
{
  GLint color = 0;
  GLint depth = 0;
  glGetInternalformativ(GL_RENDERBUFFER, GL_RGBA8, GL_SAMPLES, 1, &color);
  glGetInternalformativ(GL_RENDERBUFFER, GL_DEPTH_COMPONENT32F, GL_SAMPLES, 1, &depth);
  int const samples = std::min({wanted_samples, color, depth});
  return samples > 1 ? samples : 0;
}

GLuint make_renderbuffer(GLenum format, gl::Size size, int samples)
{
  GLuint name = 0;
  glCreateRenderbuffers(1, &name);
  glNamedRenderbufferStorageMultisample(name, samples, format, size.width, size.height);
  return name;
}

bool is_complete(GLuint framebuffer)
{
  return glCheckNamedFramebufferStatus(framebuffer, GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE;
}

}  // namespace

void CanvasTarget::begin(gl::Size size, bool multisampled)
{
  int const samples = multisampled ? supported_samples() : 0;
  if (size != size_ || samples != samples_ || framebuffer_ == 0) {
    release();
    size_ = size;
    samples_ = samples;
    allocate();
  }
  glBindFramebuffer(GL_FRAMEBUFFER, framebuffer_);
  glViewport(0, 0, size_.width, size_.height);
}

void CanvasTarget::end(unsigned framebuffer, int left, int bottom)
{
  auto const [width, height] = size_;
  if (samples_ > 0) {
    // Samples are resolved here because a window's framebuffer may have another colour format.
    glBlitNamedFramebuffer(framebuffer_, resolved_framebuffer_, 0, 0, width, height, 0, 0, width, height,
                           GL_COLOR_BUFFER_BIT, GL_NEAREST);
  }
  unsigned const from = samples_ > 0 ? resolved_framebuffer_ : framebuffer_;
  glBlitNamedFramebuffer(from, framebuffer, 0, 0, width, height, left, bottom, left + width, bottom + height,
                         GL_COLOR_BUFFER_BIT, GL_NEAREST);
  glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
}

void CanvasTarget::allocate()
{
  while (glGetError() != GL_NO_ERROR) {}  // clears errors of others
  color_ = make_renderbuffer(GL_RGBA8, size_, samples_);
  depth_ = make_renderbuffer(GL_DEPTH_COMPONENT32F, size_, samples_);
  glCreateFramebuffers(1, &framebuffer_);
  glNamedFramebufferRenderbuffer(framebuffer_, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, color_);
  glNamedFramebufferRenderbuffer(framebuffer_, GL_DEPTH_ATTACHMENT, GL_RENDERBUFFER, depth_);
  if (samples_ > 0) {
    resolved_color_ = make_renderbuffer(GL_RGBA8, size_, 0);
    glCreateFramebuffers(1, &resolved_framebuffer_);
    glNamedFramebufferRenderbuffer(resolved_framebuffer_, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, resolved_color_);
  }
  bool const drawable =
      glGetError() == GL_NO_ERROR && is_complete(framebuffer_) && (samples_ == 0 || is_complete(resolved_framebuffer_));
  if (drawable) { return; }
  release();
  throw Error(fmt::format("OpenGL could not allocate a picture of {}x{} pixels with depth: make the window smaller",
                          size_.width, size_.height));
}

void CanvasTarget::release()
{
  for (GLuint* const framebuffer : {&framebuffer_, &resolved_framebuffer_}) {
    glDeleteFramebuffers(1, framebuffer);  // OpenGL ignores 0
    *framebuffer = 0;
  }
  for (GLuint* const renderbuffer : {&color_, &depth_, &resolved_color_}) {
    glDeleteRenderbuffers(1, renderbuffer);
    *renderbuffer = 0;
  }
}

}  // namespace slotscape
