#include "app/clouds/outliers.hpp"

#include "app/base/text.hpp"
#include "gpu/base/translation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

namespace slotscape::clouds {
namespace {

constexpr std::size_t axes = 3;
constexpr std::array<char, axes> axis_names{'x', 'y', 'z'};
constexpr std::size_t min_points = 100;         // needed for meaningful quantiles
constexpr std::size_t max_looked_at = 100'000;  // size of the sample that quantiles are taken from
constexpr std::size_t share_of_tail = 100;      // the middle excludes a hundredth of the points at each end

using Coordinates = std::array<double, axes>;

struct Range {
  double low = std::numeric_limits<double>::infinity();
  double high = -std::numeric_limits<double>::infinity();

  void add(double value)
  {
    low = std::min(low, value);
    high = std::max(high, value);
  }
  double width() const { return std::max(high - low, 0.0); }
  /// How far outside a value is; 0 inside.
  double distance(double value) const { return std::max({low - value, value - high, 0.0}); }
};
using Ranges = std::array<Range, axes>;

Coordinates parts(Position const& p)
{
  return {p.x, p.y, p.z};
}

double width_of(Ranges const& ranges)
{
  return std::ranges::max(ranges, {}, &Range::width).width();
}

/// The middle 98 % of ascending values, ignoring those from `first` up to `end`.
Range middle_of(std::vector<double> const& ascending, std::size_t first = 0, std::size_t end = 0)
{
  std::size_t const left_out = end - first;
  std::size_t const count = ascending.size() - left_out;
  std::size_t const cut = std::max<std::size_t>(count / share_of_tail, 1);
  if (count <= 2 * cut) { return {}; }
  auto const at = [&](std::size_t i) { return ascending[i < first ? i : i + left_out]; };
  return {at(cut), at(count - cut - 1)};
}

/// Numbers that programs write for missing data: ArcGIS, GDAL, 16-bit rasters, netCDF.
bool stands_for_no_data(double value)
{
  constexpr std::array<double, 10> numbers{-999.0,
                                           -9999.0,
                                           -99999.0,
                                           -999999.0,
                                           -32767.0,
                                           -32768.0,
                                           -2147483648.0,
                                           double{std::numeric_limits<float>::lowest()},
                                           double{std::numeric_limits<float>::max()},
                                           9.969209968386869e36};
  bool const may_be = value <= -999.0 || value > 1e36;
  return may_be && std::ranges::find(numbers, value) != numbers.end();
}

/// Determines what is usual from a sample of the points, and searches all points for outliers.
class Search {
public:
  explicit Search(std::span<Position const> positions) : positions_(positions), is_out_(positions.size(), false)
  {
    std::size_t const step = (positions.size() + max_looked_at - 1) / max_looked_at;
    for (std::size_t i = 0; i < positions.size(); i += step) { sample_.push_back(parts(positions[i])); }
    sampled_ = sample_.size();
  }

  void leave_out_pile()
  {
    pile_ = pile_at(most_frequent_place(), false);
    if (!pile_) { pile_ = pile_at(Position{}, true); }
    if (!pile_) { return; }
    for (std::size_t point = 0; point < positions_.size(); ++point) {
      if (!is_of_pile(positions_[point])) { continue; }
      is_out_[point] = true;
      ++pile_->points;
    }
    std::erase_if(sample_, [&](Coordinates const& at) { return is_of_pile({at[0], at[1], at[2]}); });
    sampled_ = sample_.size();
  }

  void leave_out_repeated()
  {
    constexpr int max_numbers = 8;  // numbers for missing data in one file
    note_no_data();
    for (int i = 0; i < max_numbers; ++i) {
      auto found = farthest_repeated();
      if (!found) { return; }
      for (std::size_t point = 0; point < positions_.size(); ++point) {
        if (parts(positions_[point])[found->axis] != found->value) { continue; }
        is_out_[point] = true;
        ++found->points;
      }
      std::erase_if(sample_, [&](Coordinates const& at) { return at[found->axis] == found->value; });
      std::erase(no_data_[found->axis], found->value);
      repeated_.push_back(*found);
    }
  }

  void leave_out_far()
  {
    Ranges const middles = middles_of_sample();
    double const measure = width_of(middles);
    if (!(measure > 0.0)) { return; }
    constexpr double max_share_of_many = 0.2;
    constexpr double max_share_of_few = 2.0 / 3.0;
    std::vector<std::uint64_t> far;
    for (std::uint64_t i = 0; i < positions_.size(); ++i) {
      if (!is_out_[i] && is_far(parts(positions_[i]), middles, measure)) { far.push_back(i); }
    }
    if (leave_out_if_below(max_share_of_many, far)) { return; }
    leave_out_if_below(max_share_of_few, isolated(middles, measure));
  }

  Outliers found() &&
  {
    Outliers outliers;
    for (std::uint64_t i = 0; i < positions_.size(); ++i) {
      if (is_out_[i]) { outliers.points.push_back(i); }
    }
    if (outliers.points.empty()) {
      outliers.why_none = why_none();
    } else {
      outliers.share = share_of_others();
      outliers.repeated = std::move(repeated_);
      outliers.pile = pile_;
    }
    return outliers;
  }

private:
  static bool is_at(Position const& point, Position const& place, bool any_height)
  {
    return point.x == place.x && point.y == place.y && (any_height || point.z == place.z);
  }
  bool is_of_pile(Position const& point) const { return is_at(point, pile_->place, pile_->any_height); }

  /// The most frequent place in the sample.
  std::optional<Position> most_frequent_place() const
  {
    constexpr std::size_t times_the_next = 10;
    std::vector<Coordinates> places = sample_;
    std::ranges::sort(places);
    std::size_t most = 0;
    std::size_t next = 0;
    Coordinates place{};
    for (std::size_t first = 0, end = 0; first < places.size(); first = end) {
      while (end < places.size() && places[end] == places[first]) { ++end; }
      next = std::max(next, std::min(most, end - first));
      if (end - first > most) {
        most = end - first;
        place = places[first];
      }
    }
    if (most < times_the_next * next) { return std::nullopt; }
    return Position{place[0], place[1], place[2]};
  }

  std::optional<Pile> pile_at(std::optional<Position> const& place, bool any_height) const
  {
    constexpr std::size_t min_points = 10;  // both in the pile and elsewhere
    if (!place) { return std::nullopt; }
    std::vector<Coordinates> others = sample_;
    std::erase_if(others, [&](Coordinates const& at) { return is_at({at[0], at[1], at[2]}, *place, any_height); });
    std::size_t const points = sample_.size() - others.size();
    if (points < std::max(min_points, sample_.size() / share_of_tail)) { return std::nullopt; }
    if (others.size() < std::max(min_points, sample_.size() / 10)) { return std::nullopt; }
    Ranges const middles = middles_of(others);
    bool const stands_for_none = !any_height && *place == Position{};
    bool const is_outside = is_far(parts(*place), middles, width_of(middles));
    if (!stands_for_none && !is_outside) { return std::nullopt; }
    return Pile{*place, any_height, 0};
  }

  static std::vector<double> ascending(std::vector<Coordinates> const& sample, std::size_t axis)
  {
    std::vector<double> values;
    values.reserve(sample.size());
    for (Coordinates const& at : sample) { values.push_back(at[axis]); }
    std::ranges::sort(values);
    return values;
  }

  static Ranges middles_of(std::vector<Coordinates> const& sample)
  {
    Ranges middles;
    for (std::size_t axis = 0; axis < axes; ++axis) { middles[axis] = middle_of(ascending(sample, axis)); }
    return middles;
  }
  Ranges middles_of_sample() const { return middles_of(sample_); }

  /// Searches all points, as so few may have these numbers that the sample contains none.
  void note_no_data()
  {
    for (Position const& position : positions_) {
      Coordinates const at = parts(position);
      for (std::size_t axis = 0; axis < axes; ++axis) {
        std::vector<double>& values = no_data_[axis];
        bool const is_new = stands_for_no_data(at[axis]) && std::ranges::find(values, at[axis]) == values.end();
        if (is_new) { values.push_back(at[axis]); }
      }
    }
  }

  std::optional<RepeatedCoordinate> farthest_repeated() const
  {
    std::optional<RepeatedCoordinate> farthest;
    double distance = 0.0;
    for (std::size_t axis = 0; axis < axes; ++axis) {
      std::vector<double> const values = ascending(sample_, axis);
      auto const look_at = [&](double value) {
        double const outside = how_far_outside(axis, values, value);
        if (outside <= distance) { return; }
        distance = outside;
        farthest = RepeatedCoordinate{axis, value, 0};
      };
      std::ranges::for_each(no_data_[axis], look_at);
      std::ranges::for_each(frequent(values), look_at);
    }
    return farthest;
  }

  /// Values shared by at least a hundredth of all points.
  static std::vector<double> frequent(std::vector<double> const& ascending)
  {
    std::size_t const min_count = std::max<std::size_t>(ascending.size() / share_of_tail, 3);
    std::vector<double> values;
    for (std::size_t first = 0, end = 0; first < ascending.size(); first = end) {
      while (end < ascending.size() && ascending[end] == ascending[first]) { ++end; }
      if (end - first >= min_count) { values.push_back(ascending[first]); }
    }
    return values;
  }

  /// The distance of a value from all others along its axis, if it is so far that it stands for missing data; otherwise
  /// 0.
  double how_far_outside(std::size_t axis, std::vector<double> const& ascending, double value) const
  {
    if (stands_for_no_data(value)) { return how_far_outside_data(ascending, value); }
    auto const first = static_cast<std::size_t>(std::ranges::lower_bound(ascending, value) - ascending.begin());
    auto const end = static_cast<std::size_t>(std::ranges::upper_bound(ascending, value) - ascending.begin());
    if (ascending.size() - (end - first) < sampled_ / 2) { return 0.0; }
    Range const others = middle_of(ascending, first, end);
    double const distance = others.distance(value);
    return distance > others.width() && distance > width_without(axis, value) ? distance : 0.0;
  }

  /// `how_far_outside` for a number that usually stands for missing data; other such numbers are ignored.
  double how_far_outside_data(std::vector<double> data, double value) const
  {
    constexpr double widths = 3.0;
    std::erase_if(data, stands_for_no_data);
    if (data.size() < std::max<std::size_t>(sampled_ / 10, 3)) { return 0.0; }
    Range const others = middle_of(data);
    double const distance = others.distance(value);
    return distance > widths * others.width() ? distance : 0.0;
  }

  double width_without(std::size_t axis, double value) const
  {
    double widest = 0.0;
    for (std::size_t other = 0; other < axes; ++other) {
      std::vector<double> values;
      for (Coordinates const& at : sample_) {
        if (at[axis] != value) { values.push_back(at[other]); }
      }
      std::ranges::sort(values);
      widest = std::max(widest, middle_of(values).width());
    }
    return widest;
  }

  static bool is_far(Coordinates const& at, Ranges const& middles, double measure)
  {
    for (std::size_t axis = 0; axis < axes; ++axis) {
      if (middles[axis].distance(at[axis]) > measure) { return true; }
    }
    return false;
  }

  /// The few points beyond a gap, at either end of each axis.
  std::vector<std::uint64_t> isolated(Ranges const& middles, double measure) const
  {
    constexpr std::size_t points_to_one = 1000;
    double const gap = measure / 4.0;
    std::size_t const few = std::max<std::size_t>(positions_.size() / points_to_one, 3);
    std::vector<std::uint64_t> all;
    for (std::size_t axis = 0; axis < axes; ++axis) {
      for (double const side : {-1.0, 1.0}) {
        double const end = side > 0.0 ? middles[axis].high : -middles[axis].low;
        auto const beyond = beyond_gap(axis, side, end, gap, few);
        all.insert(all.end(), beyond.begin(), beyond.end());
      }
    }
    std::ranges::sort(all);
    all.erase(std::unique(all.begin(), all.end()), all.end());
    return all;
  }

  /// `side`: 1 searches towards high coordinates, -1 towards low ones. `end`: where the middle of the points ends in
  /// this direction.
  std::vector<std::uint64_t> beyond_gap(std::size_t axis, double side, double end, double gap, std::size_t few) const
  {
    using Outer = std::pair<double, std::uint64_t>;
    std::vector<Outer> outer;
    double inner = end;
    for (std::uint64_t i = 0; i < positions_.size(); ++i) {
      if (is_out_[i]) { continue; }
      double const at = side * parts(positions_[i])[axis];
      if (at > end + gap) {
        outer.emplace_back(at, i);
      } else {
        inner = std::max(inner, at);
      }
    }
    std::ranges::sort(outer);
    std::size_t first = 0;
    if (outer.size() > few) {
      first = outer.size() - few;
      inner = outer[first - 1].first;
    }
    for (; first < outer.size(); ++first) {
      if (outer[first].first - inner > gap) { break; }
      inner = outer[first].first;
    }
    std::vector<std::uint64_t> points;
    for (; first < outer.size(); ++first) { points.push_back(outer[first].second); }
    return points;
  }

  bool leave_out_if_below(double max_share, std::vector<std::uint64_t> const& points)
  {
    if (points.empty()) { return false; }
    Ranges const before = ranges_of(false);
    for (std::uint64_t const point : points) { is_out_[point] = true; }
    if (width_of(ranges_of(false)) < max_share * width_of(before)) { return true; }
    for (std::uint64_t const point : points) { is_out_[point] = false; }
    return false;
  }

  Ranges ranges_of(bool with_outliers) const
  {
    Ranges ranges;
    for (std::uint64_t i = 0; i < positions_.size(); ++i) {
      if (is_out_[i] && !with_outliers) { continue; }
      Coordinates const at = parts(positions_[i]);
      for (std::size_t axis = 0; axis < axes; ++axis) { ranges[axis].add(at[axis]); }
    }
    return ranges;
  }

  double share_of_others() const { return width_of(ranges_of(false)) / width_of(ranges_of(true)); }

  std::string why_none() const
  {
    Ranges const middles = middles_of_sample();
    return tr("none of {} points lies far outside the middle 98 %, which span {:.4g} × {:.4g} × {:.4g}",
              grouped(positions_.size()), middles[0].width(), middles[1].width(), middles[2].width());
  }

  std::span<Position const> positions_;
  std::vector<bool> is_out_;
  std::vector<Coordinates> sample_;
  std::size_t sampled_ = 0;
  std::array<std::vector<double>, axes> no_data_;  ///< numbers that stand for missing data, along each axis
  std::vector<RepeatedCoordinate> repeated_;
  std::optional<Pile> pile_;
};

constexpr char const* how_to_leave_out = translatable("use --ignore-outliers, or 'Leave out' in the panel");

/// "z is −9999 in 1,000 of them, which stands for missing data."
std::string text_of(RepeatedCoordinate const& repeated)
{
  std::string const number =
      repeated.value < 0.0 ? fmt::format("−{}", -repeated.value) : fmt::format("{}", repeated.value);
  std::string const points = grouped(repeated.points);
  return stands_for_no_data(repeated.value)
             ? tr("{} is {} in {} of them, a placeholder for missing data", axis_names[repeated.axis], number, points)
             : tr("{} is {} in {} of them", axis_names[repeated.axis], number, points);
}

/// "550 of them lie at 0 0 0, where nothing was measured."
std::string text_of(Pile const& pile)
{
  std::string const points = grouped(pile.points);
  if (pile.any_height) { return tr("x and y are 0 in {} of them, a placeholder for missing data", points); }
  return tr("{} of them are at the same place, {} {} {}, a placeholder for missing data", points, pile.place.x,
            pile.place.y, pile.place.z);
}

/// Whether this is the coordinate of a pile, shared by no other points.
bool is_of(Pile const& pile, RepeatedCoordinate const& repeated)
{
  std::array<double, axes> const place{pile.place.x, pile.place.y, pile.place.z};
  return !pile.any_height && repeated.points == pile.points && repeated.value == place[repeated.axis];
}

}  // namespace

Outliers find_outliers(std::span<Position const> positions)
{
  if (positions.size() < min_points) {
    return {.points = {}, .why_none = tr("{} points are too few to tell", positions.size())};
  }
  Search search(positions);
  search.leave_out_pile();
  search.leave_out_repeated();
  search.leave_out_far();
  return std::move(search).found();
}

std::string note_of_outliers(Outliers const& found, std::uint64_t points, bool ignored)
{
  if (found.points.empty()) { return ignored ? tr("No outliers were found: {}", found.why_none) : std::string(); }
  constexpr double hardly_smaller = 0.9;
  std::string const out = grouped(found.points.size());
  std::string const all = grouped(points);
  double const width = 100.0 * found.share;
  bool const are_small = found.share < hardly_smaller;
  std::string text;
  if (ignored) {
    text = are_small ? tr("Left out {} of {} points far outside; the others span only {:.2g} % of the total width", out,
                          all, width)
                     : tr("Left out {} of {} points far outside", out, all);
  } else {
    text = are_small ? tr("{} of {} points lie far outside, and the others span only {:.2g} % of the total width", out,
                          all, width)
                     : tr("{} of {} points lie far outside", out, all);
  }
  if (found.pile) { text += "; " + text_of(*found.pile); }
  for (RepeatedCoordinate const& repeated : found.repeated) {
    bool const is_said = found.pile && is_of(*found.pile, repeated);
    if (!is_said) { text += "; " + text_of(repeated); }
  }
  return ignored ? text : fmt::format("{}: {}", text, tr(how_to_leave_out));
}

std::string advice_on_outliers(PointCloud const& cloud)
{
  if (cloud.outliers == 0 || cloud.without_outliers) { return {}; }
  return cloud.outliers == 1 ? tr("has a point far outside: {}", tr(how_to_leave_out))
                             : tr("has {} points far outside: {}", grouped(cloud.outliers), tr(how_to_leave_out));
}

}  // namespace slotscape::clouds
