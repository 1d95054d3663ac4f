#pragma once

#include "app/gl/context.hpp"
#include "app/scene/commands.hpp"

#include <filesystem>
#include <vector>

namespace slotscape {

/// Window events since the last frame that ImGui does not track.
struct WindowEvents {
  std::vector<KeyPress> keys;
  std::vector<std::filesystem::path> dropped_files;
  bool double_click = false;  ///< of the left button; ImGui misses those within a slow frame
  double last_press = -1.0;   ///< of the left button, in GLFW's seconds
  int frames_since_press = 0;
};

/// Dear ImGui on one OpenGL context, with window events if it has a window.
class Gui {
public:
  explicit Gui(gl::Context& context);
  ~Gui();
  Gui(Gui const&) = delete;
  Gui& operator=(Gui const&) = delete;

  Look const& look() const { return look_; }
  /// The events since the last call.
  WindowEvents take_events();
  /// `scale` 0: follow the monitor. Takes effect with the next frame.
  void set_scale(float scale);
  /// Positions and sizes in the frame are in framebuffer pixels.
  void begin_frame(double elapsed_seconds);
  /// Ends the frame's layout; `draw` draws it to the bound framebuffer.
  void end_frame();
  void draw();

private:
  void rebuild_fonts();
  /// ImGui samples keys once a frame: holds a key pressed and released in between until the next frame.
  void hold_short_presses();

  gl::Context& context_;
  WindowEvents events_;
  std::vector<int> held_keys_;  ///< by hold_short_presses
  Look look_;
  float wanted_scale_ = 0.0f;
};

}  // namespace slotscape
