#include "app/gl/program.hpp"

#include "app/base/files.hpp"
#include "app/gl/depth.hpp"
#include "app/gl/embedded.hpp"
#include "app/gl/texture.hpp"
#include "gpu/base/error.hpp"

#include <fmt/format.h>
#include <glad/gl.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <sstream>
#include <stdexcept>
#include <system_error>
#include <utility>

namespace slotscape::gl {

namespace fs = std::filesystem;

namespace {

struct Stage {
  GLenum type;
  char const* extension;
};
constexpr std::array stages{Stage{GL_VERTEX_SHADER, "vert"}, Stage{GL_FRAGMENT_SHADER, "frag"}};

/// The folder in which a developer edits shaders; empty: use the embedded shaders.
fs::path shader_folder()
{
  char const* const folder = std::getenv("SLOTSCAPE_SHADERS");
  return folder ? folder : "";
}

std::string source_name(std::string const& name, Stage const& stage)
{
  return fmt::format("{}.{}", name, stage.extension);
}

std::string read_source(std::string const& file)
{
  fs::path const folder = shader_folder();
  return folder.empty() ? std::string(embedded_text("shaders/" + file)) : read_text_file(folder / file);
}

/// The name between the quotes of `#include "FILE"`; empty for other lines.
std::string_view included_file(std::string_view line)
{
  constexpr std::string_view start = "#include \"";
  if (!line.starts_with(start) || !line.ends_with('"') || line.size() <= start.size()) { return {}; }
  return line.substr(start.size(), line.size() - start.size() - 1);
}

std::string with_includes(std::string const& source)
{
  std::istringstream lines(source);
  std::string complete;
  int number = 0;
  for (std::string line; std::getline(lines, line);) {
    ++number;
    auto const file = included_file(line);
    if (file.empty()) {
      complete.append(line).append("\n");
    } else {
      complete += fmt::format("#line 1\n{}#line {}\n", read_source(std::string(file)), number + 1);
    }
  }
  return complete;
}

/// The first lines of every shader: the version, the default precision required by ES, and the properties of the
/// context.
std::string preamble()
{
  bool const is_es = GLAD_GL_ES_VERSION_3_0 != 0;
  std::string text = is_es ? "#version 300 es\n" : "#version 330 core\n";
  for (char const* const type : {"float", "int", "sampler2D", "usampler2D"}) {
    if (is_es) { text += fmt::format("precision highp {};\n", type); }
  }
  return text + TexelTexture::glsl() +
         fmt::format("const bool depth_from_zero = {};\n#line 1\n", DepthFromZero::is_native());
}

/// The time of the latest edit in the folder, as a shader may include any of its files.
fs::file_time_type newest_edit()
{
  fs::file_time_type newest = fs::file_time_type::min();
  std::error_code missing;  // an editor may be replacing a file
  for (auto const& entry : fs::directory_iterator(shader_folder(), missing)) {
    auto const edit = entry.last_write_time(missing);
    if (!missing) { newest = std::max(newest, edit); }
  }
  return newest;
}

/// An OpenGL shader or program that is deleted unless it is released.
class Object {
public:
  Object(GLuint name, void (*destroy)(GLuint)) : name_(name), destroy_(destroy) {}
  ~Object() { destroy_(name_); }  // OpenGL ignores 0
  Object(Object&& other) noexcept : name_(std::exchange(other.name_, 0)), destroy_(other.destroy_) {}
  Object& operator=(Object&&) = delete;

  GLuint name() const { return name_; }
  GLuint release() { return std::exchange(name_, 0); }

private:
  GLuint name_;
  void (*destroy_)(GLuint);
};

Object compile(std::string const& name, Stage const& stage)
{
  std::string const file = source_name(name, stage);
  std::string const source = preamble() + with_includes(read_source(file));
  char const* const text = source.c_str();
  Object shader(glCreateShader(stage.type), [](GLuint shader) { glDeleteShader(shader); });
  glShaderSource(shader.name(), 1, &text, nullptr);
  glCompileShader(shader.name());
  GLint compiled = GL_FALSE;
  glGetShaderiv(shader.name(), GL_COMPILE_STATUS, &compiled);
  if (!compiled) {
    std::array<char, 4096> log{};
    glGetShaderInfoLog(shader.name(), static_cast<GLsizei>(log.size()), nullptr, log.data());
    throw Error(fmt::format("Could not compile the shader {}:\n{}", file, log.data()));
  }
  return shader;
}

GLuint link(std::string const& name)
{
  Object program(glCreateProgram(), [](GLuint program) { glDeleteProgram(program); });
  for (Stage const& stage : stages) {
    glAttachShader(program.name(), compile(name, stage).name());  // the program keeps the attached shader alive
  }
  glLinkProgram(program.name());
  GLint linked = GL_FALSE;
  glGetProgramiv(program.name(), GL_LINK_STATUS, &linked);
  if (!linked) {
    std::array<char, 4096> log{};
    glGetProgramInfoLog(program.name(), static_cast<GLsizei>(log.size()), nullptr, log.data());
    throw Error(fmt::format("Could not link the shader program {}:\n{}", name, log.data()));
  }
  return program.release();
}

/// The programs of the current context; per thread, like OpenGL's current context.
thread_local SharedPrograms* current_programs = nullptr;

}  // namespace

SharedPrograms::SharedPrograms()
{
  current_programs = this;
}

SharedPrograms::~SharedPrograms()
{
  if (current_programs == this) { current_programs = nullptr; }
}

unsigned SharedPrograms::named(std::string const& name)
{
  auto found = linked_.find(name);
  if (found == linked_.end()) { found = linked_.emplace(name, link(name)).first; }
  return found->second;
}

/// While shaders are being edited, programs are not shared.
Program::Program(std::string name)
    : name_(std::move(name)),
      is_shared_(current_programs != nullptr && shader_folder().empty()),
      program_(is_shared_ ? current_programs->named(name_) : link(name_))
{
  if (!shader_folder().empty()) { newest_edit_ = newest_edit(); }
}

Program::~Program()
{
  if (!is_shared_) { glDeleteProgram(program_); }
}

void Program::use() const
{
  glUseProgram(program_);
}

void Program::reload_if_changed()
{
  if (shader_folder().empty()) { return; }
  auto const edit = newest_edit();
  if (edit == newest_edit_) { return; }
  newest_edit_ = edit;
  GLuint const fresh = link(name_);
  locations_.clear();
  glDeleteProgram(std::exchange(program_, fresh));
}

int Program::uniform(std::string_view name) const
{
  auto found = locations_.find(name);
  if (found == locations_.end()) {
    std::string const text(name);
    GLint const location = glGetUniformLocation(program_, text.c_str());
    if (location < 0) { throw std::logic_error(fmt::format("the shader {} has no uniform '{}'", name_, name)); }
    found = locations_.emplace(text, location).first;
  }
  return found->second;
}

}  // namespace slotscape::gl
