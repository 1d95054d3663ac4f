#pragma once

#include "app/table_map/annotations.hpp"

#include <string>
#include <vector>

namespace slotscape {

/// Small labels beside places on a map, each with a leader line. They avoid each other and the canvas's edges if there
/// is room.
class Tags {
public:
  explicit Tags(Annotator const& on) : on_(on) {}

  /// Makes later labels keep `clear` pixels of distance from this place.
  void keep_clear(ImVec2 place, float clear)
  {
    taken_.push_back({{place.x - clear, place.y - clear}, {place.x + clear, place.y + clear}});
  }
  /// place: on the screen, with `clear` pixels around it kept free.
  void add(ImVec2 place, float clear, std::string const& text, ImU32 color);

private:
  struct Box {
    ImVec2 low;
    ImVec2 high;
  };
  Box box_at(ImVec2 place, float distance, int direction, ImVec2 size) const;
  bool is_free(Box const& box) const;

  Annotator const& on_;
  std::vector<Box> taken_;
};

}  // namespace slotscape
