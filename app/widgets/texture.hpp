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
    grey,   ///< a byte a pixel
    mask,   ///< a byte a pixel: opacity of the colour that it is drawn in
    color,  ///< RGBA
    cells,  ///< RGBA, whose pixels stay sharp where they are made larger
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
