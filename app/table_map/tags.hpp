#pragma once

#include "app/table_map/annotations.hpp"

#include <string>
#include <vector>

namespace slotscape {

/// Small labels beside places of a map, each with a leader to its place. They keep clear of each other and of the
/// canvas's edges if there is room.
class Tags {
public:
  explicit Tags(Annotator const& on) : on_(on) {}

  /// Later labels leave `clear` pixels around this place free.
  void keep_clear(ImVec2 place, float clear)
  {
    taken_.push_back({{place.x - clear, place.y - clear}, {place.x + clear, place.y + clear}});
  }
  /// place: on the screen; `clear` pixels around it stay free.
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
