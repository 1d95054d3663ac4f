#include "app/gl/context.hpp"

#include "gpu/base/error.hpp"

#include <fmt/format.h>

#include <cstdio>

namespace slotscape::gl {

namespace {

[[maybe_unused]] void GLAD_API_PTR report_error(GLenum, GLenum, GLuint, GLenum severity, GLsizei, GLchar const* message,
                                                void const*)
{
  if (severity != GL_DEBUG_SEVERITY_NOTIFICATION) std::fprintf(stderr, "OpenGL: %s\n", message);
}

std::string text(GLenum name)
{
  auto const* const value = reinterpret_cast<char const*>(glGetString(name));
  return value ? value : "unknown";
}

}  // namespace

void load_functions(GLADloadfunc load)
{
  int const version = gladLoadGL(load);
  if (version == 0) throw Error("Could not load the OpenGL functions. " + std::string(advice_for_old_opengl));
  if (version < GLAD_MAKE_VERSION(4, 5)) {
    throw Error(fmt::format("OpenGL {}.{} ({}) is too old. {}", GLAD_VERSION_MAJOR(version),
                            GLAD_VERSION_MINOR(version), text(GL_RENDERER), advice_for_old_opengl));
  }
  if constexpr (debug_context) {
    glEnable(GL_DEBUG_OUTPUT);
    glEnable(GL_DEBUG_OUTPUT_SYNCHRONOUS);
    glDebugMessageCallback(report_error, nullptr);
  }
}

std::string renderer_name()
{
  GLint major = 0;
  GLint minor = 0;
  glGetIntegerv(GL_MAJOR_VERSION, &major);
  glGetIntegerv(GL_MINOR_VERSION, &minor);
  return fmt::format("{}, OpenGL {}.{}", text(GL_RENDERER), major, minor);
}

}  // namespace slotscape::gl
