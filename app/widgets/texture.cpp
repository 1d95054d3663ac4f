#include "app/widgets/texture.hpp"

#include "app/gl/texture.hpp"

#include <vector>

namespace slotscape {
namespace {

/// Expands to white or shades of grey: WebGL has no swizzles for single-channel textures.
std::vector<std::uint8_t> rgba_of(Texture::Kind kind, std::span<std::uint8_t const> bytes)
{
  std::vector<std::uint8_t> pixels;
  pixels.reserve(4 * bytes.size());
  for (std::uint8_t const byte : bytes) {
    std::uint8_t const shade = kind == Texture::Kind::grey ? byte : 255;
    std::uint8_t const opacity = kind == Texture::Kind::mask ? byte : 255;
    pixels.insert(pixels.end(), {shade, shade, shade, opacity});
  }
  return pixels;
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
    texture_ = gl::make_texture(gl::rgba8, {width, height}, kind == Kind::cells ? GL_NEAREST : GL_LINEAR);
  }
  std::vector<std::uint8_t> made;
  if (kind == Kind::grey || kind == Kind::mask) { bytes = made = rgba_of(kind, bytes); }
  glBindTexture(GL_TEXTURE_2D, texture_);
  glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, width, height, GL_RGBA, GL_UNSIGNED_BYTE, bytes.data());
}

}  // namespace slotscape
