#pragma once

#include "app/gl/read_back.hpp"

#include <array>
#include <optional>

namespace slotscape {

/// Reads pictures back from OpenGL asynchronously, several at a time. The OpenGL context must be current during its
/// lifetime.
class FrameReader {
public:
  /// `size`: of the pictures, in pixels.
  explicit FrameReader(gl::Size size);

  struct Frame {
    gl::Image image;
    double seconds;  ///< the time that was passed to `ask`
  };
  /// Whether `take` must be called before `ask`.
  bool full() const { return asked_ == pictures_.size(); }
  /// Requests the part of the framebuffer whose lower left corner, relative to the framebuffer's, is (x, y).
  void ask(unsigned framebuffer, int x, int y, double seconds);
  /// The frame that was requested first, which takes over `memory`; none if it has not arrived and `wait` is no, or if
  /// none was requested.
  enum class Wait : bool { no, yes };
  std::optional<Frame> take(Wait wait, gl::Image& memory);

private:
  std::array<gl::ReadBack, 3> pictures_;
  std::array<double, 3> seconds_{};
  std::size_t first_ = 0;  ///< index of the picture that was requested first
  std::size_t asked_ = 0;
};

}  // namespace slotscape
