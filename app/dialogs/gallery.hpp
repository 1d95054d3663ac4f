#pragma once

#include "app/widgets/look.hpp"

#include <functional>
#include <string>
#include <vector>

namespace slotscape {

/// Something to begin with.
struct GalleryCard {
  std::string title;
  std::string about = {};  ///< what is there
  std::string note = {};   ///< at the right end: points
  std::string keys = {};   ///< that do the same; instead of a note, where there is a keyboard
  float done = 0.0f;       ///< how much of it the user has done, from 0 to 1
  std::function<void()> open;
};

struct GalleryShelf {
  std::string title;
  std::vector<GalleryCard> cards;
  float card_height = 0.0f;  ///< at scale 1
};

/// Lessons, tours, scenes and files to begin with, on a page over the scene. In a narrow window the shelves on the
/// right lie below the others, and cards are as high as their texts.
class Gallery {
public:
  void show(std::vector<GalleryShelf> left, std::vector<GalleryShelf> right);
  void close() { open_ = false; }
  bool open() const { return open_; }
  /// Draws one frame, with a switch for `at_start`. Returns what the user chose, which closes the gallery; empty if
  /// nothing was chosen.
  std::function<void()> draw(Look const& look, bool& at_start);

private:
  bool open_ = false;
  std::vector<GalleryShelf> left_;
  std::vector<GalleryShelf> right_;
};

}  // namespace slotscape
