#pragma once

#include "app/gl/context.hpp"
#include "app/table_map/slot_map.hpp"

namespace slotscape {

/// A picture with its own depth buffer, multisampled if OpenGL can, that is copied to a part of another framebuffer.
class CanvasTarget {
public:
  CanvasTarget() = default;
  ~CanvasTarget() { release(); }
  CanvasTarget(CanvasTarget const&) = delete;
  CanvasTarget& operator=(CanvasTarget const&) = delete;

  /// Binds it, with a viewport of its size, and clears it; allocates only if size or samples change. Throws Error if
  /// there is not enough memory, and leaves the previous framebuffer bound.
  void begin(gl::Size size, bool multisampled);
  /// Copies it to the framebuffer and binds that again; `bottom`: bottom of the canvas in OpenGL's rows.
  void end(unsigned framebuffer, int left, int bottom);
  int samples() const { return samples_; }

private:
  void allocate();
  void release();

  gl::Size size_{0, 0};
  int samples_ = 0;  // 0: no multisampling
  unsigned framebuffer_ = 0;
  unsigned color_ = 0;
  unsigned depth_ = 0;
  unsigned resolved_framebuffer_ = 0;
  unsigned resolved_color_ = 0;
};

}  // namespace slotscape
