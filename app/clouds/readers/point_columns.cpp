#include "app/clouds/readers/point_columns.hpp"

#include "app/base/text.hpp"
#include "app/clouds/readers/text.hpp"
#include "gpu/base/translation.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace slotscape::clouds {

namespace {

bool is_direction(Vector v)
{
  return std::abs(spatial::length(v) - 1.0f) < 0.02f;
}

template <class Holds>
bool all_of(Attribute const& column, Holds const& holds)
{
  for (std::size_t i = 0; i < column.count(); ++i) {
    if (!holds(column[i])) { return false; }
  }
  return true;
}

/// Whether some value is too large for a class or a return number.
bool is_above_classes(Attribute const& column)
{
  return !all_of(column, [](double number) { return number <= 31.0; });
}

bool is_whole(Attribute const& column)
{
  return column.type() != NumberType::float64;
}

/// Whether the columns hold bytes, or bytes divided by 255 with three decimals or more.
bool are_colors(std::span<Attribute const> three)
{
  if (std::ranges::all_of(three, [](Attribute const& part) { return part.type() == NumberType::uint8; })) {
    return std::ranges::all_of(three, is_above_classes);
  }
  return std::ranges::all_of(three, [](Attribute const& part) {
    return all_of(part, [](double share) {
      double const byte = 255.0 * share;
      return share >= 0.0 && share <= 1.0 && std::abs(byte - std::round(byte)) < 0.15;
    });
  });
}

/// Whether the value grows by 1 in each row, so that it numbers the points.
bool counts_up(Attribute const& column)
{
  for (std::size_t i = 1; i < column.count(); ++i) {
    if (column[i] != column[i - 1] + 1.0) { return false; }
  }
  return column.count() > 1;
}

bool is_intensity(Attribute const& column)
{
  if (!is_whole(column)) {
    return all_of(column, [](double share) { return share >= 0.0 && share <= 1.0; });
  }
  bool const words = all_of(column, [](double number) { return number >= 0.0 && number <= 65535.0; });
  return words && is_above_classes(column) && !counts_up(column);
}

/// Scanners write intensities before colours in any range.
bool is_intensity_before_colors(Attribute const& column)
{
  return !is_whole(column) || (!counts_up(column) && (column.type() == NumberType::int32 || is_above_classes(column)));
}

/// Whether a column after a colour channel like `part` is the opacity of points that are all opaque.
bool is_opaque(Attribute const& column, Attribute const& part)
{
  double const full = part.type() == NumberType::uint8 ? 255.0 : 1.0;
  return all_of(column, [&](double number) { return number == full; });
}

/// The names of unnamed columns, inferred from their values; empty if they are ambiguous. `counted`: the file begins
/// with its number of points; such files have an intensity before the colours.
std::vector<std::string> names_by_numbers(std::span<Attribute const> columns, bool counted)
{
  std::vector<std::string> color{"red", "green", "blue"};
  if (columns.size() == 1) { return {counted || is_intensity(columns[0]) ? "intensity" : ""}; }
  if (columns.size() == 3 && are_colors(columns)) { return color; }
  if (columns.size() != 4) { return {}; }
  bool const at_end = are_colors(columns.last(3));
  bool const at_front = are_colors(columns.first(3));
  if (at_front && !counted && is_opaque(columns[3], columns[0]) && !is_opaque(columns[0], columns[0])) {
    return {"red", "green", "blue", "alpha"};
  }
  if (at_end && (counted || !at_front)) {
    return {counted || is_intensity_before_colors(columns[0]) ? "intensity" : "", "red", "green", "blue"};
  }
  return at_front && !at_end && !counted ? color : std::vector<std::string>();
}

}  // namespace

PointColumns::PointColumns(Layout layout) : layout_(std::move(layout))
{
  if (layout_.roles.has_place()) {
    for (std::size_t axis = 0; axis < 3; ++axis) { place_[axis] = *layout_.roles.place[axis]; }
  }
  for (std::size_t column = 0; column < layout_.columns; ++column) {
    if (std::ranges::find(place_, column) != place_.end()) { continue; }
    further_.push_back({column, Attribute(std::string(), NumberType::float64)});
  }
  if (layout_.roles.in_degrees) { geometry_.system.unit = "degrees"; }
}

void PointColumns::add(std::span<std::optional<double> const> row)
{
  geometry_.positions.push_back({*row[place_[0]], *row[place_[1]], *row[place_[2]]});
  for (Column& column : further_) {
    auto const number = column.index < row.size() ? row[column.index] : std::nullopt;
    if (!number) { ++column.without; }
    column.numbers.add(number.value_or(std::numeric_limits<double>::quiet_NaN()));
  }
  longer_rows_ += row.size() > layout_.columns;
}

bool PointColumns::are_normals(std::size_t first) const
{
  if (further_.size() < first + 3) { return false; }
  for (std::size_t row = 0; row < rows(); ++row) {
    if (!is_direction(to_vector(
            {further_[first].numbers[row], further_[first + 1].numbers[row], further_[first + 2].numbers[row]}))) {
      return false;
    }
  }
  return true;
}

/// Turns columns of normals into normals rather than attributes.
void PointColumns::take_normals()
{
  std::array<std::size_t, 3> columns{3, 4, 5};
  if (layout_.roles.has_normal()) {
    for (std::size_t axis = 0; axis < 3; ++axis) { columns[axis] = *layout_.roles.normal[axis]; }
  } else if (has_names() || !are_normals(0)) {
    return;
  }
  std::array<Attribute const*, 3> parts{};
  for (std::size_t axis = 0; axis < 3; ++axis) {
    auto const found = std::ranges::find(further_, columns[axis], &Column::index);
    if (found == further_.end() || found->without > 0) { return; }
    parts[axis] = &found->numbers;
  }
  geometry_.normals.reserve(rows());
  for (std::size_t row = 0; row < rows(); ++row) {
    geometry_.normals.push_back(to_vector({(*parts[0])[row], (*parts[1])[row], (*parts[2])[row]}));
  }
  std::erase_if(further_,
                [&](Column const& column) { return std::ranges::find(columns, column.index) != columns.end(); });
}

std::string PointColumns::name_of(Column const& column) const
{
  bool const named = column.index < layout_.names.size() && !layout_.names[column.index].empty();
  return named ? layout_.names[column.index] : fmt::format("column_{}", column.index + 1);
}

void PointColumns::take_attributes()
{
  for (Column const& column : further_) {
    if (column.without == 0) { continue; }
    geometry_.notes.push_back(tr("Skipped the column '{}': {} of {} rows have no number in it", name_of(column),
                                 grouped(column.without), grouped(rows())));
  }
  std::erase_if(further_, [](Column const& column) { return column.without > 0; });
  for (Column const& column : further_) {
    geometry_.attributes.push_back(column.numbers.narrowed().named(name_of(column)));
  }
  if (!has_names()) {
    auto const names = names_by_numbers(geometry_.attributes, layout_.counted);
    for (std::size_t i = 0; i < names.size(); ++i) {
      if (!names[i].empty()) { geometry_.attributes[i] = geometry_.attributes[i].named(names[i]); }
    }
  }
  if (longer_rows_ > 0) {
    geometry_.notes.push_back(tr("Skipped everything after column {} in {}: the first row has no more columns",
                                 layout_.columns, tr_plural("{} row", "{} rows", longer_rows_, grouped(longer_rows_))));
  }
}

/// Rejects files whose first column numbers the rows, before coordinates with decimals.
void PointColumns::refuse_counting(Source const& source) const
{
  constexpr std::size_t enough_rows = 16;
  auto const& positions = geometry_.positions;
  if (has_names() || layout_.roles.has_place() || further_.empty() || rows() < enough_rows) { return; }
  for (std::size_t row = 1; row < rows(); ++row) {
    if (positions[row].x != positions[row - 1].x + 1.0) { return; }
  }
  auto const has_decimals = [](double number) { return number != std::floor(number); };
  bool const counts = !has_decimals(positions[0].x) && std::ranges::any_of(positions, [&](Position const& position) {
    return has_decimals(position.y);
  }) && std::ranges::any_of(positions, [&](Position const& position) { return has_decimals(position.z); });
  if (!counts) { return; }
  source.fail(
      "its first column numbers the rows, so it cannot be x; name the columns in a first line, such as 'id x y z' or "
      "'x y z value'");
}

Geometry PointColumns::geometry(Source const& source) &&
{
  refuse_counting(source);
  take_normals();
  take_attributes();
  return std::move(geometry_);
}

}  // namespace slotscape::clouds
