#pragma once

#include "app/gl/context.hpp"
#include "app/gl/program.hpp"

#include <cstdint>
#include <string>

namespace slotscape::gl {

/// A texture's format, in OpenGL's terms.
struct TexelFormat {
  GLint kept;
  GLenum given;
  GLenum type;
};
inline constexpr TexelFormat rgba8{GL_RGBA8, GL_RGBA, GL_UNSIGNED_BYTE};
inline constexpr TexelFormat two_words{GL_RG32UI, GL_RG_INTEGER, GL_UNSIGNED_INT};
inline constexpr TexelFormat depth_of_float{GL_DEPTH_COMPONENT32F, GL_DEPTH_COMPONENT, GL_FLOAT};
inline constexpr TexelFormat four_words{GL_RGBA32UI, GL_RGBA_INTEGER, GL_UNSIGNED_INT};

/// A texture without mipmaps, clamped to its edges; `filter`: for magnification, GL_NEAREST or GL_LINEAR. It is bound
/// on return; its content is undefined. The caller deletes it.
unsigned make_texture(TexelFormat const& format, Size size, GLenum filter);

/// 32-bit words in an OpenGL buffer that shaders read by index, through `texel_sampler` and `fetch_texel`. On desktops,
/// shaders read the buffer directly (a texture buffer). WebGL has no texture buffers, so the buffer is copied to a
/// texture. The OpenGL context must be current during its lifetime.
class TexelTexture {
public:
  static constexpr std::uint64_t columns = 4096;  ///< texels per row of the copy

  /// `format`: two_words or four_words.
  explicit TexelTexture(TexelFormat const& format) : format_(format), is_buffer_(reads_buffers()) {}
  ~TexelTexture() { release(); }
  TexelTexture(TexelTexture const&) = delete;
  TexelTexture& operator=(TexelTexture const&) = delete;

  /// Whether shaders of this context can read buffers.
  static bool reads_buffers();
  /// The GLSL code at the start of shaders that read texels.
  static std::string glsl();

  /// Shows the first `count` texels of the buffer. Throws Error, and leaves the texture empty, if there is not enough
  /// memory or they do not fit into a texture.
  void show(unsigned buffer, std::uint64_t count);
  /// Binds the texture to the uniform `texels` of the program, which must be in use.
  void bind(Program const& program) const;
  /// For a program that has the uniform but will not read it; otherwise the uniform might refer to a texture of another
  /// type.
  static void bind_none(Program const& program);

private:
  void copy_from(unsigned buffer, std::uint64_t count);
  void fit(std::uint64_t rows);
  void release();

  TexelFormat format_;
  bool is_buffer_;
  unsigned name_ = 0;
  std::uint64_t rows_ = 0;  ///< rows of the copy
};

}  // namespace slotscape::gl
