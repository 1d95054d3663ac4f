#pragma once

#include "app/gl/context.hpp"
#include "app/gl/program.hpp"

#include <cstdint>
#include <string>

namespace slotscape::gl {

/// What a texture is made of, as OpenGL names it.
struct TexelFormat {
  GLint kept;
  GLenum given;
  GLenum type;
};
inline constexpr TexelFormat rgba8{GL_RGBA8, GL_RGBA, GL_UNSIGNED_BYTE};
inline constexpr TexelFormat two_words{GL_RG32UI, GL_RG_INTEGER, GL_UNSIGNED_INT};
inline constexpr TexelFormat four_words{GL_RGBA32UI, GL_RGBA_INTEGER, GL_UNSIGNED_INT};

/// A texture without mipmaps, whose edges go on outside of it; `filter`: of where it is made larger, GL_NEAREST or
/// GL_LINEAR. It is bound when this returns; its content is undefined. The caller deletes it.
unsigned make_texture(TexelFormat const& format, Size size, GLenum filter);

/// Words of 32 bits that shaders read by their number, from an OpenGL buffer: `texel_sampler` and `fetch_texel` in
/// shaders. Desktops read the buffer where it is (a texture buffer). WebGL has none: there, it is copied to a texture.
/// The OpenGL context must be current as long as it lives.
class TexelTexture {
public:
  static constexpr std::uint64_t columns = 4096;  ///< texels of a row, where they are copied

  /// two_words or four_words.
  explicit TexelTexture(TexelFormat const& format) : format_(format), is_buffer_(reads_buffers()) {}
  ~TexelTexture() { release(); }
  TexelTexture(TexelTexture const&) = delete;
  TexelTexture& operator=(TexelTexture const&) = delete;

  /// Whether shaders of this context read buffers.
  static bool reads_buffers();
  /// What shaders begin with to read texels: GLSL.
  static std::string glsl();

  /// Shows the first `count` texels of the buffer. Throws Error if there is no memory, or if they are more than a
  /// texture holds; then it is empty.
  void show(unsigned buffer, std::uint64_t count);
  /// Binds it for the uniform `texels` of the program, which is in use.
  void bind(Program const& program) const;
  /// For a program that has the uniform, but will not read it: without this, it could be bound to a texture of another
  /// kind.
  static void bind_none(Program const& program);

private:
  void copy_from(unsigned buffer, std::uint64_t count);
  void fit(std::uint64_t rows);
  void release();

  TexelFormat format_;
  bool is_buffer_;
  unsigned name_ = 0;
  std::uint64_t rows_ = 0;  ///< of a copy
};

}  // namespace slotscape::gl
