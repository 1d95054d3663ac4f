#pragma once

#include "app/gl/context.hpp"
#include "app/gl/image.hpp"

namespace slotscape::gl {

/// A picture on its way from OpenGL to the host's memory: nobody waits for it meanwhile. The OpenGL context must be
/// current as long as it lives.
class ReadBack {
public:
  /// Of pictures of this size in pixels.
  explicit ReadBack(Size size);
  ~ReadBack();
  ReadBack(ReadBack const&) = delete;
  ReadBack& operator=(ReadBack const&) = delete;

  /// Asks for the part of the framebuffer whose lower left corner, counted from its own, is (x, y).
  void ask(unsigned framebuffer, int x, int y);
  /// Whether what was asked for is there, after a second if `waits`.
  bool arrived(bool waits) const;
  /// Writes it into `image`, top row first; false if OpenGL failed. Then another one can be asked for.
  bool take(Image& image);

private:
  Size size_;
  GLuint buffer_ = 0;
  GLsync fence_ = nullptr;
};

}  // namespace slotscape::gl
