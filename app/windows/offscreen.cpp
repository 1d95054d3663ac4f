// Replaces app/gl/offscreen.cpp: OpenGL needs a window, which stays hidden; pictures are drawn into a framebuffer.

#include "app/gl/context.hpp"
#include "app/gl/framebuffer.hpp"
#include "app/gl/program.hpp"
#include "gpu/base/error.hpp"

#include <GLFW/glfw3.h>
#include <fmt/format.h>

#include <memory>
#include <optional>

namespace slotscape::gl {

namespace {

struct Destroy {
  void operator()(GLFWwindow* window) const { glfwDestroyWindow(window); }
};
using HiddenWindow = std::unique_ptr<GLFWwindow, Destroy>;

/// Makes the window's context current. GLFW stays initialised, because every context of the process shares it.
HiddenWindow open_hidden_window()
{
  static bool const has_library = glfwInit() == GLFW_TRUE;
  HiddenWindow window;
  if (has_library) {
    glfwDefaultWindowHints();
    glfwWindowHint(GLFW_VISIBLE, GLFW_FALSE);
    glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, 3);
    glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, 3);
    glfwWindowHint(GLFW_OPENGL_PROFILE, GLFW_OPENGL_CORE_PROFILE);
    glfwWindowHint(GLFW_OPENGL_DEBUG_CONTEXT, debug_context);
    window.reset(glfwCreateWindow(64, 64, "slotscape", nullptr, nullptr));
  }
  if (window == nullptr) {
    char const* reason = nullptr;
    glfwGetError(&reason);
    throw Error(fmt::format("Could not draw without a window: {}. {}", reason == nullptr ? "no reason given" : reason,
                            advice_for_old_opengl));
  }
  glfwMakeContextCurrent(window.get());
  return window;
}

class Offscreen final : public Context {
public:
  explicit Offscreen(Size size) : size_(size), window_(open_hidden_window())
  {
    if (wanted_dialect() == Dialect::es) { throw Error("On Windows, SLOTSCAPE_OPENGL=es needs a window: use 3.3."); }
    load_functions(glfwGetProcAddress, wanted_dialect());
    programs_.emplace();
    framebuffer_.emplace(size);
  }

  Size size() const override { return size_; }
  unsigned framebuffer() const override { return framebuffer_->name(); }
  float content_scale() const override { return 1.0f; }
  GLFWwindow* window() const override { return nullptr; }
  void present() override { glFinish(); }

private:
  Size size_;
  HiddenWindow window_;
  std::optional<SharedPrograms> programs_;
  std::optional<Framebuffer> framebuffer_;
};

}  // namespace

std::unique_ptr<Context> open_offscreen(Size size)
{
  return std::make_unique<Offscreen>(size);
}

}  // namespace slotscape::gl
