#include "app/gl/context.hpp"

#include "gpu/base/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>

namespace slotscape::gl {

namespace {

void GLAD_API_PTR report_error(GLenum, GLenum, GLuint, GLenum severity, GLsizei, GLchar const* message, void const*)
{
  if (severity != GL_DEBUG_SEVERITY_NOTIFICATION) std::fprintf(stderr, "OpenGL: %s\n", message);
}

std::string text(GLenum name)
{
  auto const* const value = reinterpret_cast<char const*>(glGetString(name));
  return value ? value : "unknown";
}

constexpr GLenum unmasked_renderer = 0x9246;  ///< constant of the extension WEBGL_debug_renderer_info

/// The renderer's name; in WebGL, it is available only through an extension.
std::string renderer()
{
  bool const in_browser = text(GL_VERSION).find("WebGL") != std::string::npos;
  return in_browser ? fmt::format("{}, {}", text(GL_RENDERER), text(unmasked_renderer)) : text(GL_RENDERER);
}

}  // namespace

Dialect wanted_dialect()
{
  char const* const variable = std::getenv("SLOTSCAPE_OPENGL");
  std::string_view const wanted = variable != nullptr ? variable : "";
  if (wanted.empty()) { return Dialect::desktop; }
  if (wanted == "3.3") { return Dialect::plain; }
  if (wanted == "es") { return Dialect::es; }
  throw Error(fmt::format("SLOTSCAPE_OPENGL is '{}': use 3.3 or es, or unset it", wanted));
}

void load_functions(GLADloadfunc load, Dialect dialect)
{
  bool const is_es = dialect == Dialect::es;
  int const version = is_es ? gladLoadGLES2(load) : gladLoadGL(load);
  if (version == 0) { throw Error("Could not load the OpenGL functions. " + std::string(advice_for_old_opengl)); }
  if (version < (is_es ? GLAD_MAKE_VERSION(3, 0) : GLAD_MAKE_VERSION(3, 3))) {
    throw Error(fmt::format("OpenGL{} {}.{} ({}) is too old. {}", is_es ? " ES" : "", GLAD_VERSION_MAJOR(version),
                            GLAD_VERSION_MINOR(version), text(GL_RENDERER), advice_for_old_opengl));
  }
  GLAD_GL_ES_VERSION_3_0 = is_es ? 1 : 0;  // glad remembers values from earlier contexts
  if (dialect != Dialect::desktop) { GLAD_GL_ARB_clip_control = 0; }
  if (is_es) { return; }
  glEnable(GL_PROGRAM_POINT_SIZE);  // always on in ES
  if (debug_context && GLAD_GL_KHR_debug != 0) {
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
  return fmt::format("{}, OpenGL{} {}.{}", renderer(), GLAD_GL_ES_VERSION_3_0 != 0 ? " ES" : "", major, minor);
}

bool is_software_renderer(std::string_view name)
{
  constexpr std::array<std::string_view, 7> known{"llvmpipe",         "softpipe",     "swrast",
                                                  "SwiftShader",      "Basic Render", "Software Rasterizer",
                                                  "Software Renderer"};
  return std::ranges::any_of(known, [&](std::string_view each) { return name.find(each) != std::string_view::npos; });
}

bool draws_with_the_cpu()
{
  return is_software_renderer(renderer());
}

}  // namespace slotscape::gl
