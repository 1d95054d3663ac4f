#pragma once

namespace slotscape::gl {

/// While it lives, depths are drawn as cameras give them: 1 at the near plane, 0 at infinity. For shaders that place
/// vertices by `clip_place` (shaders/depth.glsl).
class DepthFromZero {
public:
  DepthFromZero();
  ~DepthFromZero();
  DepthFromZero(DepthFromZero const&) = delete;
  DepthFromZero& operator=(DepthFromZero const&) = delete;

  /// Whether OpenGL itself takes such depths. Otherwise it has them from -1 to 1, and shaders convert, which costs
  /// precision far away.
  static bool is_native();
};

/// Clears the depths to infinity, and begins to test them: what is nearer is drawn. `end_depth_test` leaves OpenGL as
/// it was at first.
void begin_depth_test();
void end_depth_test();

}  // namespace slotscape::gl
