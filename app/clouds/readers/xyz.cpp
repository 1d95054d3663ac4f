#include "app/base/csv.hpp"
#include "app/base/text.hpp"
#include "app/clouds/readers/readers.hpp"
#include "app/clouds/readers/xyz_start.hpp"
#include "gpu/base/translation.hpp"

#include <algorithm>

namespace slotscape::clouds {

namespace {

class XyzReader {
public:
  explicit XyzReader(Source const& source) : source_(source), start_(read_start(source)), points_(start_.layout) {}

  Geometry read()
  {
    Lines lines(source_, start_.offset);
    while (auto const line = lines.next()) {
      std::string_view const text = without_comment(*line);
      if (trimmed(text).empty() || is_comment(*line)) { continue; }
      line_ = start_.lines + lines.number();
      read_row(text);
    }
    check_decimals();
    if (start_.points && *start_.points != points_.rows()) {
      source_.fail("its first line declares {} points, but {} follow; the file may be truncated: get a complete copy",
                   *start_.points, points_.rows());
    }
    Geometry geometry = std::move(points_).geometry(source_);
    if (comma_line_ != 0) { geometry.notes.emplace_back(tr("Commas were read as decimal points")); }
    return geometry;
  }

private:
  void read_row(std::string_view text)
  {
    start_.splitter.split(text, fields_);
    check_fields();
    numbers_.clear();
    for (std::string_view const field : fields_) { numbers_.push_back(number_in_field(field)); }
    auto const& place = points_.place();
    auto const there = std::ranges::count_if(place, [&](std::size_t column) { return column < fields_.size(); });
    for (std::size_t const column : place) {
      if (column < fields_.size()) { check_coordinate(fields_[column], numbers_[column]); }
    }
    if (there < 3) {
      source_.fail("line {}: {} has {} of 3 coordinates; write one point per line, as x y z", line_,
                   in_quotes(trimmed(text)), there);
    }
    points_.add(numbers_);
  }

  /// Empty fields at the end are harmless, except where a comma may also be a decimal comma.
  void check_fields()
  {
    char const separator = start_.splitter.separator();
    while (separator != ',' && fields_.size() > start_.most_fields && fields_.back().empty()) { fields_.pop_back(); }
    if (fields_.size() <= start_.most_fields) { return; }
    source_.fail("line {}: {}", line_, why_too_many(fields_, start_.most_fields, separator));
  }

  void check_coordinate(std::string_view field, std::optional<double> number)
  {
    if (has_thousands(field)) {
      source_.fail(
          "line {}: unexpected comma in {}; write numbers with a decimal point and without thousands separators", line_,
          in_quotes(field));
    }
    if (!number) {
      source_.fail(
          "line {}: {} is not a number; write one point per line, as x y z, or name the columns in the first "
          "line",
          line_, in_quotes(field));
    }
    if (comma_line_ == 0 && field.find(',') != std::string_view::npos) { comma_line_ = line_; }
    if (point_line_ == 0 && field.find('.') != std::string_view::npos) { point_line_ = line_; }
  }

  /// Rejects files with both decimal points and decimal commas: either may be a thousands separator.
  void check_decimals() const
  {
    if (comma_line_ == 0 || point_line_ == 0) { return; }
    source_.fail("line {} has a number with a comma, and line {} one with a point; write all decimals with a point",
                 comma_line_, point_line_);
  }

  Source const& source_;
  XyzStart start_;
  PointColumns points_;
  std::vector<std::string_view> fields_;
  std::vector<std::optional<double>> numbers_;
  std::size_t line_ = 0;
  std::size_t comma_line_ = 0;  ///< first line with a decimal comma; 0: none
  std::size_t point_line_ = 0;
};

}  // namespace

Geometry read_xyz(Source const& source)
{
  return XyzReader(source).read();
}

}  // namespace slotscape::clouds
