#pragma once

#include "app/gl/context.hpp"
#include "app/gl/program.hpp"
#include "app/gl/texture.hpp"
#include "app/gl/vertices.hpp"
#include "app/table_map/palette.hpp"
#include "app/view3d/orbit_camera.hpp"
#include "gpu/interop/shared_buffer.hpp"

#include <glm/vec4.hpp>

#include <vector>

namespace slotscape {

/// A picture with depths drawn by kernels, and its position in the framebuffer.
struct DrawnCanvas {
  gl::TexelTexture const& texels;  ///< as `CanvasTexel`
  int left = 0;
  int bottom = 0;
  gl::Size size;

  /// Sets the uniforms of shaders/texels.glsl.
  void use(gl::Program const& program) const;
};

/// Blends colours from here on; the framebuffer keeps its alpha, so that saved pictures are opaque.
void begin_blending();

/// Lines of constant width on the screen; meant for few lines, collected on the CPU in each frame.
class LineBatch {
public:
  LineBatch();

  /// `width` in pixels.
  void add(spatial::Vector from, spatial::Vector to, Color const& color, float alpha, float width);
  void add_cube(spatial::Vector center, float side, Color const& color, float alpha, float width);
  /// Draws the added lines, blended, and clears them. Depth is tested according to OpenGL's state, and against
  /// `before`, if given.
  void draw(OrbitCamera const& camera, DrawnCanvas const* before = nullptr);
  void reload_if_changed() { program_.reload_if_changed(); }

private:
  struct Line {
    glm::vec3 from;
    float width;
    glm::vec3 to;
    std::uint32_t color;  // RGBA, red in the lowest byte
  };

  gl::Program program_{"lines"};
  SharedBuffer buffer_;
  gl::Vertices vertices_;
  std::vector<Line> lines_;
};

}  // namespace slotscape
