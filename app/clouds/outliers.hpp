#pragma once

#include "app/clouds/point_cloud.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace slotscape::clouds {

/// A coordinate that many points share, far from all others, such as the −9999 of missing heights.
struct RepeatedCoordinate {
  std::size_t axis = 0;  ///< 0 is x
  double value = 0.0;
  std::uint64_t points = 0;

  friend bool operator==(RepeatedCoordinate const&, RepeatedCoordinate const&) = default;
};

/// A place, or a vertical line, with many points that were never measured, such as the 0 0 0 of beams that did not
/// return.
struct Pile {
  Position place;
  bool any_height = false;  ///< only x and y are equal
  std::uint64_t points = 0;

  friend bool operator==(Pile const&, Pile const&) = default;
};

/// Points so far from all others that they would shrink the others' scale needlessly, or points whose coordinates are
/// placeholders for missing data.
struct Outliers {
  std::vector<std::uint64_t> points;  ///< indices of the outliers, ascending
  double share = 1.0;                 ///< share of the total width that the other points fill
  std::vector<RepeatedCoordinate> repeated = {};
  std::optional<Pile> pile = {};
  std::string why_none = {};  ///< why there are none, if there are none
};

/// Searches each axis for outliers. The middle 98 % of the points is the reference; its widest side is the measure. All
/// positions must be usable. Outliers are:
/// - A pile: one place shared by a hundredth to nine tenths of the points, ten times as many as at any other place. It
///   is
///   either 0 0 0, or farther from the others than the measure. Likewise for x and y alone, if both are 0 and that is
///   as far away.
/// - One coordinate that many points share, up to half of all, if it is farther outside than the measure; the numbers
///   that usually stand for missing data (−9999, −32768 and the like) if they are farther outside than three times the
///   width along that axis, however many points have them.
/// - Points farther outside than the measure, if the others then fill less than a fifth of the total width.
/// - Up to one point in a thousand on each side (3 at least) beyond a gap of a quarter of the measure, such as birds,
///   if
///   the others then fill less than two thirds.
Outliers find_outliers(std::span<Position const> positions);

/// A note that says which outliers there are, and that they can be or were left out; if the user asked to ignore them
/// (`ignored`), also that there are none. Empty if there is nothing to say.
std::string note_of_outliers(Outliers const& found, std::uint64_t points, bool ignored);
/// Advice if a cloud is too wide for the request: "has 3 points far outside: --ignore-outliers, or …". Empty if it has
/// no outliers, or they were left out.
std::string advice_on_outliers(PointCloud const& cloud);

}  // namespace slotscape::clouds
