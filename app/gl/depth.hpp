#pragma once

namespace slotscape::gl {

/// During its lifetime, depths are drawn as cameras produce them: 1 at the near plane, 0 at infinity. For shaders that
/// place vertices by `clip_place` (shaders/depth.glsl).
class DepthFromZero {
public:
  DepthFromZero();
  ~DepthFromZero();
  DepthFromZero(DepthFromZero const&) = delete;
  DepthFromZero& operator=(DepthFromZero const&) = delete;

  /// Whether OpenGL supports such depths directly. Otherwise its depths range from -1 to 1, and shaders convert them,
  /// which costs precision at a distance.
  static bool is_native();
};

/// Clears the depth buffer to infinity and enables the depth test: nearer fragments are drawn. `end_depth_test`
/// restores OpenGL's initial state.
void begin_depth_test();
void end_depth_test();

}  // namespace slotscape::gl
