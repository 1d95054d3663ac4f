// Replaces window.cpp and offscreen.cpp when the program is compiled for browsers.

#include "app/gl/context.hpp"
#include "app/gl/program.hpp"
#include "gpu/base/error.hpp"

#include <GLFW/glfw3.h>
#include <emscripten/html5.h>

#include <memory>
#include <optional>

namespace slotscape::gl {

namespace {

/// The address of a WebGL 2 function; null if WebGL 2 lacks it.
GLADapiproc function_named(char const* name)
{
  return reinterpret_cast<GLADapiproc>(emscripten_webgl_get_proc_address(name));
}

/// The canvas of a web page. The browser shows the frame when its function returns, and calls the function again for
/// the next frame: nothing here waits.
class Page final : public Context {
public:
  Page(Size size, std::string const& title)
  {
    if (!glfwInit()) { throw Error("Could not use the page's canvas: the browser lets nothing draw on it."); }
    for (int const part : {GLFW_DEPTH_BITS, GLFW_STENCIL_BITS, GLFW_ALPHA_BITS, GLFW_SAMPLES}) {
      glfwWindowHint(part, 0);
    }
    window_ = glfwCreateWindow(size.width, size.height, title.c_str(), nullptr, nullptr);
    if (window_ == nullptr) {
      throw Error("This browser offers no WebGL 2: update it, or allow hardware acceleration in its settings.");
    }
    glfwMakeContextCurrent(window_);
    emscripten_webgl_enable_extension(emscripten_webgl_get_current_context(), "WEBGL_debug_renderer_info");
    load_functions(function_named, Dialect::es);
    programs_.emplace();
  }

  Size size() const override
  {
    Size size{};
    glfwGetFramebufferSize(window_, &size.width, &size.height);
    return size;
  }
  unsigned framebuffer() const override { return 0; }
  float content_scale() const override { return static_cast<float>(emscripten_get_device_pixel_ratio()); }
  GLFWwindow* window() const override { return window_; }
  void present() override {}

private:
  GLFWwindow* window_ = nullptr;  ///< lives as long as the page
  std::optional<SharedPrograms> programs_;
};

}  // namespace

std::unique_ptr<Context> open_window(Size size, std::string const& title, bool /*fits_monitor*/)
{
  return std::make_unique<Page>(size, title);
}

std::unique_ptr<Context> open_window_beside(Context const& /*first*/, Size /*size*/, std::string const& /*title*/)
{
  throw Error("In a browser, there is no second window.");
}

std::unique_ptr<Context> open_offscreen(Size /*size*/)
{
  throw Error("In a browser, pictures are drawn on the page's canvas only.");
}

}  // namespace slotscape::gl
