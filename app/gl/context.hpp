#pragma once

#include <functional>
#include <memory>
#include <string>

struct GLFWwindow;

namespace slotscape::gl {

struct Size {
  int width;
  int height;
  friend bool operator==(Size const&, Size const&) = default;
};

/// A current OpenGL 4.5 core context with its functions loaded (glad): a GLFW window, or offscreen through EGL with no
/// display at all.
class Context {
public:
  virtual ~Context() = default;
  virtual Size size() const = 0;             ///< of the framebuffer, in pixels
  virtual unsigned framebuffer() const = 0;  ///< OpenGL name of what is shown: 0 in a window
  virtual float content_scale() const = 0;   ///< of the monitor; 1 offscreen
  virtual GLFWwindow* window() const = 0;    ///< null offscreen
  virtual void present() = 0;                ///< swaps buffers, or finishes the frame offscreen
};

/// Throws Error that says what to do where there is no display or no OpenGL 4.5.
std::unique_ptr<Context> open_window(Size size, std::string const& title);
std::unique_ptr<Context> open_offscreen(Size size);

/// "llvmpipe (...), OpenGL 4.5" of the current context.
std::string renderer_name();

}  // namespace slotscape::gl
