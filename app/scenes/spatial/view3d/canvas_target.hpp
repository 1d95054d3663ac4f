#pragma once

#include "app/gl/context.hpp"
#include "app/scenes/slots/slot_map.hpp"

namespace slotscape {

/// A picture with depth of its own, multisampled where OpenGL can, that goes to a part of another framebuffer.
class CanvasTarget {
public:
  CanvasTarget() = default;
  ~CanvasTarget() { release(); }
  CanvasTarget(CanvasTarget const&) = delete;
  CanvasTarget& operator=(CanvasTarget const&) = delete;

  /// Binds it, with a viewport of its size, and clears it; allocates only where size or samples are others.
  /// Throws Error where there is no memory for it, and leaves bound what was.
  void begin(gl::Size size, bool multisampled);
  /// Copies it to the framebuffer, which is bound again; `bottom`: of the canvas in OpenGL's rows.
  void end(unsigned framebuffer, int left, int bottom);
  int samples() const { return samples_; }

private:
  void allocate();
  void release();

  gl::Size size_{0, 0};
  int samples_ = 0;  // 0: none but the pixel itself
  unsigned framebuffer_ = 0;
  unsigned color_ = 0;
  unsigned depth_ = 0;
  unsigned resolved_framebuffer_ = 0;
  unsigned resolved_color_ = 0;
};

}  // namespace slotscape
