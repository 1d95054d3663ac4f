#pragma once

#include <glad/gl.h>

#include <cstdint>
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

/// A current OpenGL context with its functions loaded (glad): a GLFW window, offscreen through EGL without a display,
/// or, in a browser, the canvas of a web page.
class Context {
public:
  virtual ~Context() = default;
  virtual Size size() const = 0;             ///< framebuffer size in pixels
  virtual unsigned framebuffer() const = 0;  ///< OpenGL name of the framebuffer shown: 0 in a window
  virtual float content_scale() const = 0;   ///< scale of the monitor; 1 offscreen
  virtual GLFWwindow* window() const = 0;    ///< null offscreen
  /// The X11 ID of the window, for other programs; 0 if there is none.
  virtual unsigned long x11_window() const { return 0; }
  virtual void present() = 0;  ///< swaps buffers, or finishes the frame offscreen
  /// Processes pending events.
  virtual void poll() {}
  /// Waits for events or a timeout, then processes pending events.
  virtual void wait(double /*seconds*/) {}
  /// Whether the window should close.
  virtual bool closes() const { return false; }
  /// Hides the window.
  virtual void hide() {}
  /// Fills the monitor that shows most of the window, or restores the window's previous position.
  virtual void toggle_full_screen() {}
};

/// Throws Error that says what to do if there is no display or no OpenGL 3.3.
std::unique_ptr<Context> open_window(Size size, std::string const& title, bool fits_monitor);
std::unique_ptr<Context> open_offscreen(Size size);
/// A second window, on another monitor if there is one. Its context shares the first one's objects, is not made
/// current, and never waits for the display. Throws Error if the window cannot be opened, or if the first context has
/// no window.
std::unique_ptr<Context> open_window_beside(Context const& first, Size size, std::string const& title);

/// The dialects of OpenGL. The program uses the common subset of OpenGL 3.3 core and OpenGL ES 3.0, and so WebGL 2.
enum class Dialect : std::uint8_t {
  desktop,  ///< OpenGL 3.3 core, and newer functions if the driver has them
  plain,    ///< OpenGL 3.3 core, and nothing else
  es,       ///< OpenGL ES 3.0
};
/// The dialect requested by the environment variable SLOTSCAPE_OPENGL, for tests: "3.3", "es", or nothing. Throws Error
/// for anything else.
Dialect wanted_dialect();

/// The name of the current context's renderer: "llvmpipe (...), OpenGL 4.5".
std::string renderer_name();
/// Whether the current context renders on the CPU.
bool draws_with_the_cpu();
/// Whether a renderer of this name renders on the CPU. Browsers embed the driver's name in a name of their own.
bool is_software_renderer(std::string_view name);

#ifdef NDEBUG
inline constexpr bool debug_context = false;
#else
inline constexpr bool debug_context = true;  ///< OpenGL reports its errors on stderr
#endif

/// Advice for an OpenGL that is too old, for the end of an error message.
inline constexpr std::string_view advice_for_old_opengl =
    "Slotscape needs OpenGL 3.3: update the graphics driver, or use Mesa's software renderer by setting "
    "LIBGL_ALWAYS_SOFTWARE=1";

/// Loads the functions of the current context and prepares it. Throws Error if it is older than OpenGL 3.3 or ES 3.0.
void load_functions(GLADloadfunc load, Dialect dialect);

}  // namespace slotscape::gl
