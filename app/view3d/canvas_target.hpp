#pragma once

#include "app/gl/context.hpp"
#include "app/table_map/slot_map.hpp"

namespace slotscape {

/// A picture with its own depth buffer, multisampled if OpenGL supports it, that is copied into part of another
/// framebuffer.
class CanvasTarget {
public:
  CanvasTarget() = default;
  ~CanvasTarget() { release(); }
  CanvasTarget(CanvasTarget const&) = delete;
  CanvasTarget& operator=(CanvasTarget const&) = delete;

  /// Binds the target with a viewport of its size; allocates only if size or samples change. `destination`: the
  /// framebuffer that `end` copies to. Throws Error if there is not enough memory, and leaves the destination bound.
  void begin(gl::Size size, bool multisampled, unsigned destination);
  /// A texture of the depths drawn since `begin`, with one sample per pixel even if multisampled.
  unsigned copy_depths();
  /// Copies the picture and binds the destination; `bottom`: bottom of the canvas in OpenGL's rows.
  void end(int left, int bottom);
  int samples() const { return samples_; }

private:
  void allocate();
  void release();

  gl::Size size_{0, 0};
  bool multisampled_ = false;
  int samples_ = 0;  // 0: no multisampling
  unsigned destination_ = 0;
  unsigned framebuffer_ = 0;
  unsigned color_ = 0;
  unsigned depth_ = 0;
  unsigned resolved_framebuffer_ = 0;
  unsigned resolved_color_ = 0;
  unsigned copied_framebuffer_ = 0;  // for `copy_depths`
  unsigned copied_depths_ = 0;
};

}  // namespace slotscape
