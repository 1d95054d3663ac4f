#pragma once

#include "app/scenes/match/matcher.hpp"
#include "app/widgets/texture.hpp"

#include <cstdint>

namespace slotscape {

/// A picture reduced to its size on the screen, by whole factors: the means, or the maxima, of square blocks.
enum class Shrink : std::uint8_t { mean, largest };
matching::Picture shrunk(matching::Picture const& picture, std::uint32_t factor, Shrink how);

/// The texture of a picture, or of its edges, at its size on the screen: reads no more than it must, and uploads
/// nothing twice.
class PictureTexture {
public:
  enum class Content : std::uint8_t { grey, edges };
  explicit PictureTexture(Content content) : content_(content) {}

  /// scale: screen pixels per pixel of the picture. threshold: edges below this share of the strongest are left out.
  void show(SharedPicture const& picture, double scale, double threshold = 0.0);
  bool empty() const { return texture_.empty(); }
  ImTextureID id() const { return texture_.id(); }
  /// Texture coordinates of the picture's lower right corner: the last blocks may extend beyond it.
  ImVec2 end() const { return end_; }

private:
  struct Shown {
    SharedPicture picture;
    std::uint32_t factor = 1;
    bool wide = false;  ///< edges are two pixels wide, so that they stay visible when reduced
    double threshold = 0.0;
    friend bool operator==(Shown const&, Shown const&) = default;
  };
  Content content_;
  ImVec2 end_{1.0f, 1.0f};
  Shown shown_;
  Texture texture_;
};

}  // namespace slotscape
