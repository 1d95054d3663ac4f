#pragma once

#include "app/widgets/look.hpp"

#include <functional>
#include <string>
#include <vector>

namespace slotscape {

/// A starting point that the user can choose.
struct GalleryCard {
  std::string title;
  std::string about = {};  ///< a short description
  std::string note = {};   ///< at the right end: points
  std::string keys = {};   ///< keyboard shortcut; replaces the note if there is a keyboard
  float done = 0.0f;       ///< the user's progress, from 0 to 1
  std::function<void()> open;
};

struct GalleryShelf {
  std::string title;
  std::vector<GalleryCard> cards;
  float card_height = 0.0f;  ///< at scale 1
};

/// Lessons, tours, scenes and files to start from, on a page over the scene. In a narrow window, the shelves on the
/// right move below the others, and cards grow to fit their texts.
class Gallery {
public:
  void show(std::vector<GalleryShelf> left, std::vector<GalleryShelf> right);
  void close() { open_ = false; }
  bool open() const { return open_; }
  /// Draws one frame, with a switch for `at_start`. Returns the action that the user chose, which closes the gallery;
  /// empty if nothing was chosen.
  std::function<void()> draw(Look const& look, bool& at_start);

private:
  bool open_ = false;
  std::vector<GalleryShelf> left_;
  std::vector<GalleryShelf> right_;
};

}  // namespace slotscape
