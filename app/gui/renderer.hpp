#pragma once

#include "app/gl/program.hpp"
#include "app/gl/vertices.hpp"

#include <imgui.h>

namespace slotscape {

/// Draws the lists of the Dear ImGui context that is current at its construction, with the OpenGL context that is.
/// ImGui's own backend asks OpenGL for some thirty values in every frame to restore them; such a question waits for the
/// driver, in a browser for the GPU. This one asks for none: it leaves blending and scissors off, and no vertices
/// bound.
class Renderer {
public:
  Renderer();
  /// The same contexts must be current, and no frame begun.
  ~Renderer();
  Renderer(Renderer const&) = delete;
  Renderer& operator=(Renderer const&) = delete;

  /// To the bound framebuffer.
  void draw(ImDrawData const& data) const;

private:
  void draw(ImDrawList const& list, float height) const;

  gl::Program program_{"gui"};
  gl::Vertices vertices_;
  unsigned corners_ = 0;
  unsigned elements_ = 0;
};

}  // namespace slotscape
