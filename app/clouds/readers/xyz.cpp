#include "app/base/text.hpp"
#include "app/clouds/readers/readers.hpp"
#include "app/clouds/readers/text.hpp"

#include <algorithm>
#include <cctype>
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
  /// Without the first of them, if these are normals. `names`: of all columns of the file, if it has them.
  std::vector<Attribute> attributes(std::size_t normals, std::vector<std::string> const& names) const
  {
    std::vector<Attribute> found;
    for (std::size_t i = normals; i < columns_.size(); ++i) {
      std::size_t const column = coordinates + i;
      bool const named = column < names.size();
      found.push_back(columns_[i].narrowed().named(named ? names[column] : fmt::format("column_{}", column + 1)));
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
  geometry.attributes = further.attributes(directions ? 3 : 0, heading.names);
  return geometry;
}

}  // namespace slotscape::clouds
