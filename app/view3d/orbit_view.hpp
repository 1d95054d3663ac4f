#pragma once

#include "app/view3d/host_drawing.hpp"
#include "app/view3d/orbit_mouse.hpp"

#include <imgui.h>

#include <optional>
#include <span>

namespace slotscape {

/// Instances with their own colours in a cube of space, and the camera that orbits it. The OpenGL context must be
/// current at construction, in `set` and `draw_picture`, and at destruction.
class OrbitView {
public:
  /// `extent`: side of the cube.
  explicit OrbitView(float extent);

  /// The paint of an instance is 0xRRGGBB. The first `shown` instances are shown, the others are ghosts.
  void set(std::span<spatial::Instance const> instances, std::uint64_t shown);
  /// Sets the canvas. The camera shows the whole cube until the user moves it.
  void place(Rectangle const& canvas, double elapsed_seconds);
  /// Draws with OpenGL. `picture`: everything except the instances and their colouring.
  void draw_picture(ModelsPicture picture, ModelsViewSettings settings, int framebuffer_height);
  /// Begins a Dear ImGui window over the picture, in which the mouse drives the camera. `id`: a unique name. Call
  /// ImGui::End afterwards.
  void begin(char const* id, ImGuiButtonFlags buttons = ImGuiButtonFlags_MouseButtonLeft |
                                                        ImGuiButtonFlags_MouseButtonRight |
                                                        ImGuiButtonFlags_MouseButtonMiddle);

  OrbitCamera& camera() { return camera_; }
  OrbitCamera const& camera() const { return camera_; }
  OrbitMouse& mouse() { return mouse_; }
  OrbitMouse const& mouse() const { return mouse_; }
  Rectangle const& canvas() const { return canvas_; }
  /// The canvas's top left corner on the screen.
  ImVec2 corner() const { return {static_cast<float>(canvas_.x), static_cast<float>(canvas_.y)}; }

private:
  OrbitCamera camera_;
  OrbitPlace opened_;  ///< initial place of the camera
  OrbitMouse mouse_;
  ModelsView view_;
  std::optional<HostDrawing> host_drawing_;  ///< used if OpenGL runs on the CPU
  SharedBuffer buffer_;                      ///< holds the instances if OpenGL runs on the GPU
  ModelInstances instances_;
  Rectangle canvas_;
};

}  // namespace slotscape
