#pragma once

#include "app/gl/context.hpp"
#include "app/gl/image.hpp"

#include <glad/gl.h>

#include <array>
#include <optional>

namespace slotscape {

/// Reads pictures back from OpenGL without waiting for them: a few are on their way at once. The OpenGL context must be
/// current as long as it lives.
class FrameReader {
public:
  /// Of pictures of this size in pixels.
  explicit FrameReader(gl::Size size);
  ~FrameReader();
  FrameReader(FrameReader const&) = delete;
  FrameReader& operator=(FrameReader const&) = delete;

  struct Frame {
    gl::Image image;
    double seconds;  ///< as told to `ask`
  };
  /// Whether `take` must be called before `ask`.
  bool full() const { return asked_ == buffers_.size(); }
  /// Asks for the part of the framebuffer whose lower left corner, counted from its own, is (x, y).
  void ask(unsigned framebuffer, int x, int y, double seconds);
  /// The frame that was asked for first, which takes `memory`; none if it is not there yet and nobody waits, or if none
  /// was asked for.
  enum class Wait : bool { no, yes };
  std::optional<Frame> take(Wait wait, gl::Image& memory);

private:
  struct Buffer {
    GLuint name = 0;
    GLsync arrived = nullptr;
    double seconds = 0.0;
  };

  gl::Size size_;
  std::array<Buffer, 3> buffers_;
  std::size_t first_ = 0;  ///< of those asked for
  std::size_t asked_ = 0;
};

}  // namespace slotscape
