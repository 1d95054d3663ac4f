#include "app/widgets/texture.hpp"

#include <glad/gl.h>

#include <array>

namespace slotscape {
namespace {

bool is_rgba(Texture::Kind kind)
{
  return kind == Texture::Kind::color || kind == Texture::Kind::cells;
}

}  // namespace

void Texture::release()
{
  if (texture_ != 0) { glDeleteTextures(1, &texture_); }
  texture_ = 0;
}

void Texture::upload(Kind kind, int width, int height, std::span<std::uint8_t const> bytes)
{
  if (texture_ == 0 || kind_ != kind || width_ != width || height_ != height) {
    release();
    kind_ = kind;
    width_ = width;
    height_ = height;
    glCreateTextures(GL_TEXTURE_2D, 1, &texture_);
    glTextureStorage2D(texture_, 1, is_rgba(kind) ? GL_RGBA8 : GL_R8, width, height);
    glTextureParameteri(texture_, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
    glTextureParameteri(texture_, GL_TEXTURE_MAG_FILTER, kind == Kind::cells ? GL_NEAREST : GL_LINEAR);
    glTextureParameteri(texture_, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
    glTextureParameteri(texture_, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
    constexpr std::array<GLint, 4> grey{GL_RED, GL_RED, GL_RED, GL_ONE};
    constexpr std::array<GLint, 4> mask{GL_ONE, GL_ONE, GL_ONE, GL_RED};
    if (kind == Kind::grey) { glTextureParameteriv(texture_, GL_TEXTURE_SWIZZLE_RGBA, grey.data()); }
    if (kind == Kind::mask) { glTextureParameteriv(texture_, GL_TEXTURE_SWIZZLE_RGBA, mask.data()); }
  }
  glBindBuffer(GL_PIXEL_UNPACK_BUFFER, 0);
  glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
  glTextureSubImage2D(texture_, 0, 0, 0, width, height, is_rgba(kind) ? GL_RGBA : GL_RED, GL_UNSIGNED_BYTE,
                      bytes.data());
}

}  // namespace slotscape
