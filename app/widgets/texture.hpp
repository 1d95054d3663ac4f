#pragma once

#include <imgui.h>

#include <cstdint>
#include <span>

namespace slotscape {

/// A texture for Dear ImGui.
class Texture {
public:
  Texture() = default;
  ~Texture() { release(); }
  Texture(Texture const&) = delete;
  Texture& operator=(Texture const&) = delete;

  enum class Kind : std::uint8_t {
    grey,   ///< one byte per pixel
    mask,   ///< one byte per pixel: opacity of the drawing colour
    color,  ///< RGBA
    cells,  ///< RGBA; pixels stay sharp when enlarged
  };
  /// Replaces the content; top row first.
  void upload(Kind kind, int width, int height, std::span<std::uint8_t const> bytes);
  bool empty() const { return texture_ == 0; }
  ImTextureID id() const { return static_cast<ImTextureID>(texture_); }

private:
  void release();

  Kind kind_ = Kind::grey;
  int width_ = 0;
  int height_ = 0;
  unsigned texture_ = 0;
};

}  // namespace slotscape
