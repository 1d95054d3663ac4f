#pragma once

#include "app/gl/program.hpp"
#include "app/gl/vertices.hpp"

#include <imgui.h>

namespace slotscape {

/// Draws the lists of the Dear ImGui context that is current at construction, in the current OpenGL context. To restore
/// OpenGL's state, ImGui's own backend queries some thirty values in every frame, and each query waits for the driver,
/// or, in a browser, for the GPU. This renderer queries nothing: it leaves blending and scissors disabled, and no
/// vertices bound.
class Renderer {
public:
  Renderer();
  /// The contexts of the construction must be current, and no frame may have begun.
  ~Renderer();
  Renderer(Renderer const&) = delete;
  Renderer& operator=(Renderer const&) = delete;

  /// Draws to the bound framebuffer.
  void draw(ImDrawData const& data) const;

private:
  void draw(ImDrawList const& list, float height) const;

  gl::Program program_{"gui"};
  gl::Vertices vertices_;
  unsigned corners_ = 0;
  unsigned elements_ = 0;
};

}  // namespace slotscape
