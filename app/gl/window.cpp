#include "app/gl/context.hpp"
#include "gpu/base/error.hpp"

#include <GLFW/glfw3.h>
#include <fmt/format.h>

#include <algorithm>

/// As <GLFW/glfw3native.h> declares it, without the headers of X. Null in a GLFW without X11.
extern "C" [[gnu::weak]] unsigned long glfwGetX11Window(GLFWwindow* window);

namespace slotscape::gl {

namespace {

constexpr std::string_view advice_for_no_display =
    "Start it in a graphical session (DISPLAY or WAYLAND_DISPLAY set), or draw without a window: "
    "slotscape run SCENARIO.json --headless --screenshot picture.png";

[[noreturn]] void throw_glfw_error(std::string_view what)
{
  char const* description = nullptr;
  int const code = glfwGetError(&description);
  bool const too_old = code == GLFW_VERSION_UNAVAILABLE || code == GLFW_API_UNAVAILABLE;
  throw Error(fmt::format("{}: {}. {}", what, description ? description : "no reason given",
                          too_old ? advice_for_old_opengl : advice_for_no_display));
}

/// Smaller windows leave no room for the slot map next to the panels.
constexpr Size min_size{640, 480};

class Library {
public:
  Library()
  {
    if (!glfwInit()) throw_glfw_error("Could not open a window");
  }
  ~Library() { glfwTerminate(); }
  Library(Library const&) = delete;
  Library& operator=(Library const&) = delete;
};

/// Tells the desktop which desktop file the window belongs to.
void name_window()
{
  glfwWindowHintString(GLFW_X11_CLASS_NAME, "slotscape");
  glfwWindowHintString(GLFW_X11_INSTANCE_NAME, "slotscape");  // without it, GLFW ignores the class
#ifdef GLFW_WAYLAND_APP_ID                                    // GLFW 3.4
  glfwWindowHintString(GLFW_WAYLAND_APP_ID, "slotscape");
#endif
}

class Window final : public Context {
public:
  Window(Size size, std::string const& title, bool fits_monitor)
  {
    glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, 4);
    glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, 5);
    glfwWindowHint(GLFW_OPENGL_PROFILE, GLFW_OPENGL_CORE_PROFILE);
    glfwWindowHint(GLFW_OPENGL_DEBUG_CONTEXT, debug_context);
    glfwWindowHint(GLFW_DEPTH_BITS, 0);
    glfwWindowHint(GLFW_STENCIL_BITS, 0);
    glfwWindowHint(GLFW_SCALE_TO_MONITOR, GLFW_TRUE);
    glfwWindowHint(GLFW_VISIBLE, GLFW_FALSE);  // until there is a frame to show
    name_window();
    window_.reset(glfwCreateWindow(size.width, size.height, title.c_str(), nullptr, nullptr));
    if (!window_) throw_glfw_error("Could not open a window with OpenGL 4.5");
    if (fits_monitor) { fit_to_monitor(); }
    glfwSetWindowSizeLimits(window_.get(), min_size.width, min_size.height, GLFW_DONT_CARE, GLFW_DONT_CARE);
    glfwMakeContextCurrent(window_.get());
    load_functions(glfwGetProcAddress);
    glfwSwapInterval(1);
  }

  Size size() const override
  {
    Size size{};
    glfwGetFramebufferSize(window_.get(), &size.width, &size.height);
    return size;
  }

  unsigned framebuffer() const override { return 0; }

  float content_scale() const override
  {
    float scale = 1.0f;
    glfwGetWindowContentScale(window_.get(), &scale, nullptr);
    return scale;
  }

  GLFWwindow* window() const override { return window_.get(); }

  unsigned long x11_window() const override { return glfwGetX11Window ? glfwGetX11Window(window_.get()) : 0; }

  bool poll() override
  {
    glfwPollEvents();
    return glfwWindowShouldClose(window_.get()) != 0;
  }
  void present() override
  {
    glfwSwapBuffers(window_.get());
    if (!glfwGetWindowAttrib(window_.get(), GLFW_VISIBLE)) glfwShowWindow(window_.get());
  }

private:
  /// A window that is larger than the part of the monitor that is free of bars would end beyond its edges.
  void fit_to_monitor()
  {
    GLFWmonitor* const monitor = glfwGetPrimaryMonitor();
    if (monitor == nullptr) { return; }
    int x = 0;
    int y = 0;
    Size room{};
    Size wanted{};
    glfwGetMonitorWorkarea(monitor, &x, &y, &room.width, &room.height);
    glfwGetWindowSize(window_.get(), &wanted.width, &wanted.height);
    bool const known = room.width > 0 && room.height > 0;
    if (!known || (wanted.width <= room.width && wanted.height <= room.height)) { return; }
    glfwSetWindowSize(window_.get(), std::min(wanted.width, room.width), std::min(wanted.height, room.height));
    glfwSetWindowPos(window_.get(), x, y);
  }

  struct Destroy {
    void operator()(GLFWwindow* window) const { glfwDestroyWindow(window); }
  };

  Library library_;
  std::unique_ptr<GLFWwindow, Destroy> window_;
};

}  // namespace

std::unique_ptr<Context> open_window(Size size, std::string const& title, bool fits_monitor)
{
  return std::make_unique<Window>(size, title, fits_monitor);
}

}  // namespace slotscape::gl
