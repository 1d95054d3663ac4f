#pragma once

#include "app/gl/context.hpp"

#include <imgui.h>

#include <filesystem>
#include <vector>

namespace slotscape {

/// The interface's fonts and scale, for whoever draws.
struct Look {
  float scale = 1.0f;
  ImFont* body = nullptr;
  ImFont* small = nullptr;
  ImFont* large = nullptr;
  ImFont* caption = nullptr;  ///< to be read from the back of a lecture room

  float operator()(float points) const { return points * scale; }  ///< a length at scale 1, in pixels
};

/// A key that went down, with GLFW's number. ImGui alone would miss one that is let go within a slow frame.
struct KeyPress {
  int key;
  bool control;
};

/// What happened to the window since the last frame, besides what ImGui keeps itself.
struct WindowEvents {
  std::vector<KeyPress> keys;
  std::vector<std::filesystem::path> dropped_files;
  bool double_click = false;  ///< of the left button; ImGui alone would miss one within a slow frame
  double last_press = -1.0;   ///< of the left button, in GLFW's seconds
  int frames_since_press = 0;
};

/// Dear ImGui over one OpenGL context: window events where there is a window, none offscreen.
class Gui {
public:
  explicit Gui(gl::Context& context);
  ~Gui();
  Gui(Gui const&) = delete;
  Gui& operator=(Gui const&) = delete;

  Look const& look() const { return look_; }
  /// Those since the last call.
  WindowEvents take_events();
  /// `scale` 0: that of the monitor. Takes effect with the next frame.
  void set_scale(float scale);
  /// Positions and sizes of the frame are in pixels of the framebuffer.
  void begin_frame(double elapsed_seconds);
  /// Ends the frame's layout; `draw` puts it on the bound framebuffer.
  void end_frame();
  void draw();

private:
  void rebuild_fonts();
  /// ImGui looks at keys once a frame: one that came and went since then is held down for it until the next frame.
  void hold_short_presses();

  gl::Context& context_;
  WindowEvents events_;
  std::vector<int> held_keys_;  ///< by hold_short_presses
  Look look_;
  float wanted_scale_ = 0.0f;
};

}  // namespace slotscape
