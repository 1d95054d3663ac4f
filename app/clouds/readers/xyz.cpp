#include "app/base/text.hpp"
#include "app/clouds/readers/readers.hpp"
#include "app/clouds/readers/text.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <span>

namespace slotscape::clouds {

namespace {

constexpr std::string_view separators = " \t\r\v\f,;";
constexpr std::size_t columns_read = 6;

std::string_view without_comment(std::string_view line)
{
  return trimmed(line.substr(0, std::min(line.find('#'), line.find("//"))));
}

struct Row {
  std::array<double, columns_read> numbers{};
  std::size_t columns = 0;
  std::string_view wrong;  ///< a word among the first three that is not a number
};

Row row_of(std::string_view line)
{
  Row row;
  while (row.columns < columns_read) {
    std::string_view const word = next_word(line, separators);
    if (word.empty()) { break; }
    std::optional<double> const number = number_in(word);
    if (!number) {
      if (row.columns < 3) { row.wrong = word; }
      break;
    }
    row.numbers[row.columns++] = *number;
  }
  return row;
}

bool is_direction(Vector v)
{
  return std::abs(spatial::length(v) - 1.0f) < 0.02f;
}

/// What the lines before the first point contain.
struct Heading {
  std::vector<std::string> names;       ///< of the columns
  std::optional<std::uint64_t> points;  ///< how many points follow
};

std::vector<std::string> names_in(std::string_view line)
{
  std::vector<std::string> names;
  for (std::string_view word = next_word(line, separators); !word.empty(); word = next_word(line, separators)) {
    std::string name = lower_case(word);
    std::ranges::replace_if(
        name, [](unsigned char letter) { return std::isalnum(letter) == 0; }, '_');
    names.push_back(std::move(name));
  }
  return names;
}

bool all_of(Attribute const& column, bool (*holds)(double))
{
  for (std::size_t i = 0; i < column.count(); ++i) {
    if (!holds(column[i])) { return false; }
  }
  return true;
}

/// Classes and numbers of returns are no larger.
bool is_above_classes(Attribute const& column)
{
  return !all_of(column, [](double number) { return number <= 31.0; });
}

bool is_whole(Attribute const& column)
{
  return column.type() != NumberType::float64;
}

/// Bytes, or bytes divided by 255, with three decimals or more.
bool are_colours(std::span<Attribute const> three)
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

/// One more in each row: it numbers the points.
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

/// Before colours, scanners write it in whatever range they have.
bool is_intensity_before_colours(Attribute const& column)
{
  return !is_whole(column) || (!counts_up(column) && (column.type() == NumberType::int32 || is_above_classes(column)));
}

/// What the columns of a file without names can only be, by their numbers; empty where they can be something else.
/// `counted`: the file begins with its number of points; such files have an intensity before the colours.
std::vector<std::string> names_by_numbers(std::span<Attribute const> columns, bool counted)
{
  std::vector<std::string> colour{"red", "green", "blue"};
  if (columns.size() == 1) { return {counted || is_intensity(columns[0]) ? "intensity" : ""}; }
  if (columns.size() == 3 && are_colours(columns)) { return colour; }
  if (columns.size() != 4) { return {}; }
  bool const at_end = are_colours(columns.last(3));
  bool const at_front = are_colours(columns.first(3));
  if (at_end && (counted || !at_front)) {
    return {counted || is_intensity_before_colours(columns[0]) ? "intensity" : "", "red", "green", "blue"};
  }
  return at_front && !at_end && !counted ? colour : std::vector<std::string>();
}

/// The columns after x y z that have a number in every row.
class FurtherColumns {
public:
  void add(std::string_view line, bool first)
  {
    for (std::size_t column = 0; column < coordinates; ++column) { next_word(line, separators); }
    std::size_t column = 0;
    while (first || column < columns_.size()) {
      auto const number = number_in(next_word(line, separators));
      if (!number) { break; }
      if (first) { columns_.emplace_back(std::string(), NumberType::float64); }
      columns_[column++].add(*number);
    }
    columns_.erase(columns_.begin() + static_cast<std::ptrdiff_t>(column), columns_.end());
  }
  /// Without the first of them, if these are normals.
  std::vector<Attribute> attributes(std::size_t normals, Heading const& heading) const
  {
    std::vector<Attribute> found;
    for (std::size_t i = normals; i < columns_.size(); ++i) { found.push_back(columns_[i].narrowed()); }
    std::vector<std::string> names;
    if (heading.names.empty()) {
      names = names_by_numbers(found, heading.points.has_value());
    } else if (heading.names.size() > coordinates + normals) {
      names.assign(heading.names.begin() + static_cast<std::ptrdiff_t>(coordinates + normals), heading.names.end());
    }
    for (std::size_t i = 0; i < found.size(); ++i) {
      bool const named = i < names.size() && !names[i].empty();
      found[i] = found[i].named(named ? names[i] : fmt::format("column_{}", coordinates + normals + i + 1));
    }
    return found;
  }

private:
  static constexpr std::size_t coordinates = 3;
  std::vector<Attribute> columns_;
};

}  // namespace

Geometry read_xyz(Source const& source)
{
  Geometry geometry;
  Heading heading;
  FurtherColumns further;
  bool directions = true;
  Lines lines(source);
  while (auto const line = lines.next()) {
    std::string_view const text = without_comment(*line);
    if (text.empty()) { continue; }
    Row const row = row_of(text);
    bool const first = geometry.positions.empty();
    if (first && !row.wrong.empty() && row.columns == 0 && heading.names.empty()) {
      heading.names = names_in(text);
      continue;
    }
    if (std::string_view rest = text; first && row.columns == 1 && row.wrong.empty() && !heading.points) {
      heading.points = count_in(next_word(rest));
      if (heading.points) { continue; }
    }
    if (!row.wrong.empty()) {
      source.fail("line {}: {} is not a number; write one point per line, as x y z", lines.number(),
                  in_quotes(row.wrong));
    }
    if (row.columns < 3) {
      source.fail("line {}: {} has {} of 3 coordinates; write one point per line, as x y z", lines.number(),
                  in_quotes(text), row.columns);
    }
    auto const& n = row.numbers;
    geometry.positions.push_back({n[0], n[1], n[2]});
    further.add(text, first);
    Vector const direction = to_vector({n[3], n[4], n[5]});
    directions = directions && row.columns == columns_read && is_direction(direction);
    if (directions) { geometry.normals.push_back(direction); }
  }
  if (heading.points && *heading.points != geometry.positions.size()) {
    source.fail("its first line declares {} points, but {} follow; the file may be truncated: get a complete copy",
                *heading.points, geometry.positions.size());
  }
  if (!directions) { geometry.normals.clear(); }
  geometry.attributes = further.attributes(directions ? 3 : 0, heading);
  return geometry;
}

}  // namespace slotscape::clouds
