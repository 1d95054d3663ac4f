#pragma once

#include "app/gl/read_back.hpp"

#include <array>
#include <optional>

namespace slotscape {

/// Reads pictures back from OpenGL without waiting for them: a few are on their way at once. The OpenGL context must be
/// current as long as it lives.
class FrameReader {
public:
  /// Of pictures of this size in pixels.
  explicit FrameReader(gl::Size size);

  struct Frame {
    gl::Image image;
    double seconds;  ///< as told to `ask`
  };
  /// Whether `take` must be called before `ask`.
  bool full() const { return asked_ == pictures_.size(); }
  /// Asks for the part of the framebuffer whose lower left corner, counted from its own, is (x, y).
  void ask(unsigned framebuffer, int x, int y, double seconds);
  /// The frame that was asked for first, which takes `memory`; none if it is not there yet and nobody waits, or if none
  /// was asked for.
  enum class Wait : bool { no, yes };
  std::optional<Frame> take(Wait wait, gl::Image& memory);

private:
  std::array<gl::ReadBack, 3> pictures_;
  std::array<double, 3> seconds_{};
  std::size_t first_ = 0;  ///< of those asked for
  std::size_t asked_ = 0;
};

}  // namespace slotscape
