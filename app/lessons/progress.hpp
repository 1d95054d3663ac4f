#pragma once

#include "app/base/fields.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace slotscape::lessons {

/// A student's progress in a lesson.
struct Progress {
  std::string lesson;           ///< the lesson's name; the path of a lesson that is not bundled
  std::uint64_t seed = 0;       ///< of the student's variants; 0: not drawn yet
  std::uint64_t page = 0;       ///< number of the page, from 0
  std::vector<int> points;      ///< points of each page; may be shorter than the lesson
  std::vector<int> tries;       ///< tries for each page: answers, plus one for a hint
  std::vector<int> others;      ///< for each page, the number of variants of its question before the current one
  std::vector<int> shown = {};  ///< for each page, the variant (from 1) whose answer was revealed; 0: none

  bool operator==(Progress const&) const = default;
};

inline constexpr int max_points = 2;  ///< for a page solved at the first try; later tries get 1

int points_of(Progress const& progress);

/// The progress in the lesson of this name; an empty one if there is none.
Progress find_progress(std::vector<Progress> const& all, std::string_view lesson);
/// Stores the progress, replacing an earlier one for the same lesson.
void keep(Progress const& progress, std::vector<Progress>& all);

}  // namespace slotscape::lessons

namespace slotscape {

template <>
std::span<Field<lessons::Progress> const> fields_of();

}  // namespace slotscape
