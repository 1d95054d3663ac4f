#include "app/gl/framebuffer.hpp"

#include "gpu/base/error.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace slotscape::gl {

Framebuffer::Framebuffer(Size size)
{
  GLint limit = 0;
  glGetIntegerv(GL_MAX_RENDERBUFFER_SIZE, &limit);
  if (std::min(size.width, size.height) < 1 || std::max(size.width, size.height) > limit) {
    throw Error(fmt::format("Cannot draw a picture of {}x{} pixels: each side must be 1 to {} pixels", size.width,
                            size.height, limit));
  }
  glGenRenderbuffers(1, &color_);
  glBindRenderbuffer(GL_RENDERBUFFER, color_);
  glRenderbufferStorage(GL_RENDERBUFFER, GL_RGBA8, size.width, size.height);
  glGenFramebuffers(1, &name_);
  glBindFramebuffer(GL_FRAMEBUFFER, name_);
  glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, color_);
  glViewport(0, 0, size.width, size.height);
}

Framebuffer::~Framebuffer()
{
  glDeleteFramebuffers(1, &name_);
  glDeleteRenderbuffers(1, &color_);
}

}  // namespace slotscape::gl
