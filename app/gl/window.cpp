#include "app/gl/context.hpp"
#include "gpu/base/error.hpp"

#include <GLFW/glfw3.h>
#include <fmt/format.h>

#include <algorithm>
#include <memory>

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

struct Rectangle {
  int x = 0;
  int y = 0;
  int width = 0;
  int height = 0;
};

/// On the desktop; of a window that fills a monitor, too.
Rectangle place_of(GLFWwindow* window)
{
  Rectangle place;
  glfwGetWindowPos(window, &place.x, &place.y);
  glfwGetWindowSize(window, &place.width, &place.height);
  return place;
}

class Window final : public Context {
public:
  Window(Size size, std::string const& title, bool fits_monitor) : library_(std::make_unique<Library>())
  {
    create(size, title, nullptr);
    if (fits_monitor) { fit_to_monitor(); }
    glfwSetWindowSizeLimits(window_.get(), min_size.width, min_size.height, GLFW_DONT_CARE, GLFW_DONT_CARE);
    glfwMakeContextCurrent(window_.get());
    load_functions(glfwGetProcAddress);
    glfwSwapInterval(1);
  }

  /// Beside another one, which has the library.
  Window(Size size, std::string const& title, GLFWwindow* first)
  {
    create(size, title, first);
    place_beside(first);
    glfwMakeContextCurrent(window_.get());
    glfwSwapInterval(0);
    glfwMakeContextCurrent(first);
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
  /// `shares`: the window whose textures and the like it can use; null: none.
  void create(Size size, std::string const& title, GLFWwindow* shares)
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
    window_.reset(glfwCreateWindow(size.width, size.height, title.c_str(), nullptr, shares));
    if (!window_) throw_glfw_error("Could not open a window with OpenGL 4.5");
  }

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

  /// On the first monitor where the other window is not; where there is none, the desktop decides.
  void place_beside(GLFWwindow* first)
  {
    Rectangle const other = place_of(first);
    int count = 0;
    GLFWmonitor** const monitors = glfwGetMonitors(&count);
    for (int i = 0; i < count; ++i) {
      Rectangle room;
      glfwGetMonitorWorkarea(monitors[i], &room.x, &room.y, &room.width, &room.height);
      int const x = other.x + other.width / 2 - room.x;
      int const y = other.y + other.height / 2 - room.y;
      bool const has_first = x >= 0 && x < room.width && y >= 0 && y < room.height;
      if (has_first || room.width == 0) { continue; }
      glfwSetWindowPos(window_.get(), room.x, room.y);
      glfwMaximizeWindow(window_.get());
      return;
    }
  }

  struct Destroy {
    void operator()(GLFWwindow* window) const { glfwDestroyWindow(window); }
  };

  std::unique_ptr<Library> library_;  ///< null in a second window
  std::unique_ptr<GLFWwindow, Destroy> window_;
};

}  // namespace

std::unique_ptr<Context> open_window(Size size, std::string const& title, bool fits_monitor)
{
  return std::make_unique<Window>(size, title, fits_monitor);
}

std::unique_ptr<Context> open_window_beside(Context const& first, Size size, std::string const& title)
{
  if (first.window() == nullptr) { throw Error("There is no window to open another one beside."); }
  return std::make_unique<Window>(size, title, first.window());
}

}  // namespace slotscape::gl
