#pragma once

#include <glad/gl.h>

#include <functional>
#include <memory>
#include <string>
#include <string_view>

struct GLFWwindow;

namespace slotscape::gl {

struct Size {
  int width;
  int height;
  friend bool operator==(Size const&, Size const&) = default;
};

/// A current OpenGL 4.5 core context with its functions loaded (glad): a GLFW window, or offscreen through EGL without
/// a display.
class Context {
public:
  virtual ~Context() = default;
  virtual Size size() const = 0;             ///< framebuffer size in pixels
  virtual unsigned framebuffer() const = 0;  ///< OpenGL name of the framebuffer shown: 0 in a window
  virtual float content_scale() const = 0;   ///< scale of the monitor; 1 offscreen
  virtual GLFWwindow* window() const = 0;    ///< null offscreen
  /// The window's name on the X server, for other programs; 0 without one.
  virtual unsigned long x11_window() const { return 0; }
  virtual void present() = 0;  ///< swaps buffers, or finishes the frame offscreen
  /// Takes what the user has done, outside of the program's loop; returns whether the window is to be closed.
  virtual bool poll() { return false; }
  /// Fills the monitor that has most of the window, or returns to where it was.
  virtual void toggle_full_screen() {}
};

/// Throws Error that says what to do if there is no display or no OpenGL 4.5.
std::unique_ptr<Context> open_window(Size size, std::string const& title, bool fits_monitor);
std::unique_ptr<Context> open_offscreen(Size size);
/// A second window, on another monitor than the first if there is one. Its context, which shares what the first one
/// has, does not become current, and never waits for the display. Throws Error if it cannot be opened, or if the first
/// one is none.
std::unique_ptr<Context> open_window_beside(Context const& first, Size size, std::string const& title);

/// "llvmpipe (...), OpenGL 4.5" of the current context.
std::string renderer_name();

#ifdef NDEBUG
inline constexpr bool debug_context = false;
#else
inline constexpr bool debug_context = true;  ///< OpenGL reports its errors on stderr
#endif

/// Advice for an OpenGL that is too old, for the end of an error message.
inline constexpr std::string_view advice_for_old_opengl =
    "Slotscape needs OpenGL 4.5: update the graphics driver, or use Mesa's software renderer by setting "
    "LIBGL_ALWAYS_SOFTWARE=1";

/// Loads the functions of the current context. Throws Error if it is older than OpenGL 4.5.
void load_functions(GLADloadfunc load);

}  // namespace slotscape::gl
