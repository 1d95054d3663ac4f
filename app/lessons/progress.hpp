#pragma once

#include "app/base/fields.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace slotscape::lessons {

/// How far a student is in a lesson.
struct Progress {
  std::string lesson;           ///< its name; the path of one that did not come with the program
  std::uint64_t seed = 0;       ///< of the student's variants; 0: none was drawn yet
  std::uint64_t page = 0;       ///< from 0
  std::vector<int> points;      ///< of each page; may be shorter than the lesson
  std::vector<int> tries;       ///< the same: answers, and a hint as one more
  std::vector<int> others;      ///< the same: questions like the page's first that came before the present one
  std::vector<int> shown = {};  ///< the same: of which the answer was shown unasked, counted from 1; 0: of none

  bool operator==(Progress const&) const = default;
};

inline constexpr int max_points = 2;  ///< of a page: right at the first try; 1 is for a later one

int points_of(Progress const& progress);

/// The progress in the lesson of this name, among others; an empty one if there is none.
Progress find_progress(std::vector<Progress> const& all, std::string_view lesson);
/// Puts it in its place among others.
void keep(Progress const& progress, std::vector<Progress>& all);

}  // namespace slotscape::lessons

namespace slotscape {

template <>
std::span<Field<lessons::Progress> const> fields_of();

}  // namespace slotscape
