#include "app/gl/context.hpp"
#include "app/gl/program.hpp"
#include "gpu/base/error.hpp"

#include <GLFW/glfw3.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>

/// Declared as in <GLFW/glfw3native.h>, but without the X11 headers. Null if GLFW was built without X11.
extern "C" [[gnu::weak]] unsigned long glfwGetX11Window(GLFWwindow* window);

namespace slotscape::gl {

namespace {

constexpr std::string_view advice_for_no_display =
    "Start it in a graphical session (DISPLAY or WAYLAND_DISPLAY set), or draw without a window: "
    "slotscape run SCENARIO.json --headless --screenshot picture.png";

/// " This display offers OpenGL 2.1 Mesa 22.3.6 (softpipe)."; empty if there is no OpenGL.
std::string offered_opengl()
{
  glfwDefaultWindowHints();
  glfwWindowHint(GLFW_VISIBLE, GLFW_FALSE);
  GLFWwindow* const window = glfwCreateWindow(64, 64, "", nullptr, nullptr);
  if (window == nullptr) { return {}; }
  glfwMakeContextCurrent(window);
  auto* const get = reinterpret_cast<PFNGLGETSTRINGPROC>(glfwGetProcAddress("glGetString"));
  auto const text = [get](GLenum name) { return get ? reinterpret_cast<char const*>(get(name)) : nullptr; };
  char const* const version = text(GL_VERSION);
  char const* const renderer = text(GL_RENDERER);
  std::string offered =
      version && renderer ? fmt::format(" This display offers OpenGL {} ({}).", version, renderer) : "";
  glfwDestroyWindow(window);
  return offered;
}

[[noreturn]] void throw_glfw_error(std::string_view what)
{
  char const* description = nullptr;
  int const code = glfwGetError(&description);
  std::string const reason = description ? description : "no reason given";
  bool const too_old = code == GLFW_VERSION_UNAVAILABLE || code == GLFW_API_UNAVAILABLE;
  throw Error(fmt::format("{}: {}.{} {}", what, reason, too_old ? offered_opengl() : "",
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
  glfwWindowHintString(GLFW_X11_INSTANCE_NAME, "slotscape");  // without this hint, GLFW ignores the class
#ifdef GLFW_WAYLAND_APP_ID                                    // GLFW 3.4
  glfwWindowHintString(GLFW_WAYLAND_APP_ID, "slotscape");
#endif
}

void ask_for_opengl()
{
  glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, 3);
  glfwWindowHint(GLFW_OPENGL_DEBUG_CONTEXT, debug_context);
  if (wanted_dialect() == Dialect::es) {
    glfwWindowHint(GLFW_CLIENT_API, GLFW_OPENGL_ES_API);
    glfwWindowHint(GLFW_CONTEXT_CREATION_API, GLFW_EGL_CONTEXT_API);
    glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, 0);
    return;
  }
  glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, 3);
  glfwWindowHint(GLFW_OPENGL_PROFILE, GLFW_OPENGL_CORE_PROFILE);
  glfwWindowHint(GLFW_OPENGL_FORWARD_COMPAT, GLFW_TRUE);  // required on macOS
}

struct Rectangle {
  int x = 0;
  int y = 0;
  int width = 0;
  int height = 0;
};

/// The window's rectangle on the desktop, also in full screen.
Rectangle place_of(GLFWwindow* window)
{
  Rectangle place;
  glfwGetWindowPos(window, &place.x, &place.y);
  glfwGetWindowSize(window, &place.width, &place.height);
  return place;
}

Rectangle area_of(GLFWmonitor* monitor)
{
  Rectangle area;
  glfwGetMonitorPos(monitor, &area.x, &area.y);
  if (GLFWvidmode const* const mode = glfwGetVideoMode(monitor)) {
    area.width = mode->width;
    area.height = mode->height;
  }
  return area;
}

/// The part of the monitor that is not covered by task bars.
Rectangle work_area_of(GLFWmonitor* monitor)
{
  Rectangle area;
  glfwGetMonitorWorkarea(monitor, &area.x, &area.y, &area.width, &area.height);
  return area;
}

std::int64_t overlap(Rectangle const& a, Rectangle const& b)
{
  std::int64_t const width = std::min(a.x + a.width, b.x + b.width) - std::max(a.x, b.x);
  std::int64_t const height = std::min(a.y + a.height, b.y + b.height) - std::max(a.y, b.y);
  return width > 0 && height > 0 ? width * height : 0;
}

std::span<GLFWmonitor*> monitors()
{
  int count = 0;
  GLFWmonitor** const first = glfwGetMonitors(&count);
  return {first, static_cast<std::size_t>(count)};
}

/// The monitor that shows most of a rectangle; the primary monitor if none shows any of it; null if there are no
/// monitors.
GLFWmonitor* monitor_of(Rectangle const& place)
{
  GLFWmonitor* found = glfwGetPrimaryMonitor();
  for (GLFWmonitor* const each : monitors()) {
    if (overlap(place, area_of(each)) > overlap(place, area_of(found))) { found = each; }
  }
  return found;
}

/// A monitor that does not overlap the rectangle's own monitor; null: none.
GLFWmonitor* monitor_beside(Rectangle const& place)
{
  GLFWmonitor* const own = monitor_of(place);
  for (GLFWmonitor* const each : monitors()) {
    Rectangle const area = area_of(each);
    if (area.width > 0 && overlap(area, area_of(own)) == 0) { return each; }
  }
  return nullptr;
}

/// The rectangle itself, unless most of it is on no monitor, for example because that was unplugged.
Rectangle seen_place(Rectangle const& place)
{
  GLFWmonitor* const monitor = monitor_of(place);
  std::int64_t const half = std::int64_t{place.width} * place.height / 2;
  if (monitor == nullptr || overlap(place, area_of(monitor)) >= half) { return place; }
  Rectangle const room = work_area_of(monitor);
  return {room.x, room.y, std::min(place.width, room.width), std::min(place.height, room.height)};
}

class Window final : public Context {
public:
  Window(Size size, std::string const& title, bool fits_monitor) : library_(std::make_unique<Library>())
  {
    create(size, title, nullptr);
    if (fits_monitor) { fit_to_monitor(); }
    glfwSetWindowSizeLimits(window_.get(), min_size.width, min_size.height, GLFW_DONT_CARE, GLFW_DONT_CARE);
    glfwMakeContextCurrent(window_.get());
    load_functions(glfwGetProcAddress, wanted_dialect());
    programs_.emplace();
    glfwSwapInterval(1);
  }

  /// A second window, which shares the library that the first one has initialised.
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

  void poll() override { glfwPollEvents(); }
  void wait(double seconds) override { glfwWaitEventsTimeout(seconds); }
  bool closes() const override { return glfwWindowShouldClose(window_.get()) != 0; }
  void hide() override { glfwHideWindow(window_.get()); }
  void present() override
  {
    glfwSwapBuffers(window_.get());
    if (!glfwGetWindowAttrib(window_.get(), GLFW_VISIBLE)) glfwShowWindow(window_.get());
  }

  void toggle_full_screen() override
  {
    if (glfwGetWindowMonitor(window_.get()) != nullptr) {
      Rectangle const place = seen_place(restored_);
      glfwSetWindowMonitor(window_.get(), nullptr, place.x, place.y, place.width, place.height, GLFW_DONT_CARE);
      return;
    }
    Rectangle const place = place_of(window_.get());
    GLFWmonitor* const monitor = monitor_of(place);
    if (monitor == nullptr) { return; }
    restored_ = place;
    GLFWvidmode const& mode = *glfwGetVideoMode(monitor);
    glfwSetWindowMonitor(window_.get(), monitor, 0, 0, mode.width, mode.height, mode.refreshRate);
  }

private:
  /// `shares`: the window whose textures and other objects this one can use; null: none.
  void create(Size size, std::string const& title, GLFWwindow* shares)
  {
    ask_for_opengl();
    glfwWindowHint(GLFW_DEPTH_BITS, 0);
    glfwWindowHint(GLFW_STENCIL_BITS, 0);
    glfwWindowHint(GLFW_SCALE_TO_MONITOR, GLFW_TRUE);
    glfwWindowHint(GLFW_VISIBLE, GLFW_FALSE);  // until there is a frame to show
    glfwWindowHint(GLFW_AUTO_ICONIFY,
                   GLFW_FALSE);  // the audience's full screen stays visible while the presenter's window has the focus
    name_window();
    window_.reset(glfwCreateWindow(size.width, size.height, title.c_str(), nullptr, shares));
    if (!window_) throw_glfw_error("Could not open a window with OpenGL 3.3");
  }

  /// Shrinks a window that would extend beyond the monitor's work area.
  void fit_to_monitor()
  {
    GLFWmonitor* const monitor = glfwGetPrimaryMonitor();
    if (monitor == nullptr) { return; }
    Rectangle const room = work_area_of(monitor);
    Rectangle const wanted = place_of(window_.get());
    bool const known = room.width > 0 && room.height > 0;
    if (!known || (wanted.width <= room.width && wanted.height <= room.height)) { return; }
    put_into(room);
  }

  /// Places the window on another monitor than the first window; if there is none, the desktop decides.
  void place_beside(GLFWwindow* first)
  {
    GLFWmonitor* const monitor = monitor_beside(place_of(first));
    if (monitor == nullptr) { return; }
    put_into(work_area_of(monitor));
    glfwMaximizeWindow(window_.get());
  }

  void put_into(Rectangle const& room)
  {
    Rectangle const wanted = place_of(window_.get());
    glfwSetWindowSize(window_.get(), std::min(wanted.width, room.width), std::min(wanted.height, room.height));
    glfwSetWindowPos(window_.get(), room.x, room.y);
  }

  struct Destroy {
    void operator()(GLFWwindow* window) const { glfwDestroyWindow(window); }
  };

  std::unique_ptr<Library> library_;  ///< null for a second window
  std::unique_ptr<GLFWwindow, Destroy> window_;
  std::optional<SharedPrograms> programs_;  ///< none for a second window
  Rectangle restored_;                      ///< restored after full screen
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
