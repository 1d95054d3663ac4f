#pragma once

#include "app/gl/context.hpp"

namespace slotscape::gl {

/// An offscreen picture to draw to, bound at construction. The OpenGL context must be current during its lifetime.
class Framebuffer {
public:
  /// Throws Error if OpenGL does not support this size.
  explicit Framebuffer(Size size);
  ~Framebuffer();
  Framebuffer(Framebuffer const&) = delete;
  Framebuffer& operator=(Framebuffer const&) = delete;

  unsigned name() const { return name_; }

private:
  unsigned name_ = 0;
  unsigned color_ = 0;
};

/// Another drawing target in the current context, without a window.
class PictureContext final : public Context {
public:
  explicit PictureContext(Size size) : size_(size), framebuffer_(size) {}
  Size size() const override { return size_; }
  unsigned framebuffer() const override { return framebuffer_.name(); }
  float content_scale() const override { return 1.0f; }
  GLFWwindow* window() const override { return nullptr; }
  void present() override {}

private:
  Size size_;
  Framebuffer framebuffer_;
};

}  // namespace slotscape::gl
