#pragma once

#include "app/widgets/look.hpp"

#include <cstddef>
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
  std::string title;  ///< empty: no heading
  std::vector<GalleryCard> cards;
};

/// A way to start.
struct GalleryPart {
  std::string title;
  std::vector<GalleryShelf> shelves;
  std::size_t columns = 1;  ///< number of columns of cards, if the window is wide
};

/// Lessons, tours, scenes and files to start from, on a page over the scene. The parts are side by side or, in a narrow
/// window, in tabs.
class Gallery {
public:
  void show(std::vector<GalleryPart> parts);
  void close() { open_ = false; }
  bool open() const { return open_; }
  /// Draws one frame, with a switch for `at_start`. Returns the action that the user chose, which closes the gallery;
  /// empty if nothing was chosen.
  std::function<void()> draw(Look const& look, bool& at_start);

private:
  bool open_ = false;
  std::vector<GalleryPart> parts_;
};

}  // namespace slotscape
