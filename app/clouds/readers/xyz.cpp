#include "app/clouds/readers/readers.hpp"
#include "app/clouds/readers/text.hpp"

#include <algorithm>
#include <cmath>

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
  bool names = false;                   ///< column names
  std::optional<std::uint64_t> points;  ///< how many points follow
};

}  // namespace

Geometry read_xyz(Source const& source)
{
  Geometry geometry;
  Heading heading;
  bool directions = true;
  Lines lines(source);
  while (auto const line = lines.next()) {
    std::string_view const text = without_comment(*line);
    if (text.empty()) { continue; }
    Row const row = row_of(text);
    bool const first = geometry.positions.empty();
    if (first && !row.wrong.empty() && row.columns == 0 && !heading.names) {
      heading.names = true;
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
    Vector const direction = to_vector({n[3], n[4], n[5]});
    directions = directions && row.columns == columns_read && is_direction(direction);
    if (directions) { geometry.normals.push_back(direction); }
  }
  if (heading.points && *heading.points != geometry.positions.size()) {
    source.fail("its first line declares {} points, but {} follow; the file may be truncated: get a complete copy",
                *heading.points, geometry.positions.size());
  }
  if (!directions) { geometry.normals.clear(); }
  return geometry;
}

}  // namespace slotscape::clouds
