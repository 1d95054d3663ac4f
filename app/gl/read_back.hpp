#pragma once

#include "app/gl/context.hpp"
#include "app/gl/image.hpp"

namespace slotscape::gl {

/// An asynchronous transfer of a picture from OpenGL to host memory. The OpenGL context must be current during its
/// lifetime.
class ReadBack {
public:
  /// `size`: of the pictures, in pixels.
  explicit ReadBack(Size size);
  ~ReadBack();
  ReadBack(ReadBack const&) = delete;
  ReadBack& operator=(ReadBack const&) = delete;

  /// Requests the part of the framebuffer whose lower left corner, relative to the framebuffer's, is (x, y).
  void ask(unsigned framebuffer, int x, int y);
  /// Whether the requested picture has arrived; if `waits`, waits for up to a second.
  bool arrived(bool waits) const;
  /// Writes the picture into `image`, top row first; returns false if OpenGL failed. Another one can then be requested.
  bool take(Image& image);

private:
  Size size_;
  GLuint buffer_ = 0;
  GLsync fence_ = nullptr;
};

}  // namespace slotscape::gl
