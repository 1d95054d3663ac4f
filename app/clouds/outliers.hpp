#pragma once

#include "app/clouds/point_cloud.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace slotscape::clouds {

/// A coordinate that many points share, far from those of all others, such as the −9999 of missing heights.
struct RepeatedCoordinate {
  std::size_t axis = 0;  ///< 0 is x
  double value = 0.0;
  std::uint64_t points = 0;

  friend bool operator==(RepeatedCoordinate const&, RepeatedCoordinate const&) = default;
};

/// One place, or one vertical line, where many points are that were never measured, such as the 0 0 0 of beams that did
/// not return.
struct Pile {
  Position place;
  bool any_height = false;  ///< only x and y are the same
  std::uint64_t points = 0;

  friend bool operator==(Pile const&, Pile const&) = default;
};

/// Points so far from all others that these would be smaller than they need to be in one scale with them, or that have
/// no coordinates at all but a number that stands for missing ones.
struct Outliers {
  std::vector<std::uint64_t> points;  ///< their numbers, ascending
  double share = 1.0;                 ///< of the width of all, that the others fill
  std::vector<RepeatedCoordinate> repeated = {};
  std::optional<Pile> pile = {};
  std::string why_none = {};  ///< if there are none
};

/// Looks for them along each axis, compared with the middle 98 % of the points, whose widest side is the measure.
/// All must be usable. Outliers are:
/// - A pile: one place that a hundredth of the points or more share, up to nine tenths, and ten times as many as any
///   other. Either it is 0 0 0, or it is farther from the others than the measure. The same of x and y alone, if both
///   are 0 and that is so far.
/// - One coordinate that many points share, up to half of all, if it is farther outside than the measure; the numbers
///   that usually stand for missing data (−9999, −32768 and the like), if they are farther outside than three times the
///   side along that axis, and however many points have them.
/// - Points farther outside than the measure, as long as the others then fill less than a fifth of the width of all.
/// - Up to one point in a thousand on each side (3 at least) beyond a gap of a quarter of the measure, as birds are, as
///   long as the others then fill less than two thirds.
Outliers find_outliers(std::span<Position const> positions);

/// What to say about them: which there are, and that they can be or were left out; if somebody asked for that
/// (`ignored`), also that there are none. Empty if there is nothing to say.
std::string note_of_outliers(Outliers const& found, std::uint64_t points, bool ignored);
/// Where a cloud is too wide for what is asked: "has 3 points far outside: --ignore-outliers, or …". Empty if it has
/// none, or is without them.
std::string advice_on_outliers(PointCloud const& cloud);

}  // namespace slotscape::clouds
