#include "app/base/npy.hpp"

#include "app/base/text.hpp"
#include "app/clouds/readers/point_columns.hpp"
#include "app/clouds/readers/text.hpp"

#include <algorithm>
#include <filesystem>

namespace slotscape::clouds {

namespace {

class Array {
public:
  explicit Array(Source const& source) : source_(source), array_(read_npy_columns(source.name))
  {
    for (NpyColumn const& column : array_.columns) {
      if (std::string_view("biuf").find(column.kind) != std::string_view::npos) {
        columns_.push_back(column);
      } else {
        skipped_.push_back(column.name.empty() ? "its column" : column.name);
      }
    }
  }

  Geometry read() const
  {
    bool const has_fields =
        std::ranges::any_of(array_.columns, [](NpyColumn const& column) { return is_field(column); });
    PointColumns::Layout layout{.columns = columns_.size(), .names = {}, .roles = {}, .counted = {}};
    if (has_fields) {
      for (NpyColumn const& column : columns_) { layout.names.push_back(plain_name(column.name)); }
      layout.roles = roles_of(layout.names);
    }
    check(layout, has_fields);
    PointColumns points(std::move(layout));
    std::vector<std::optional<double>> row(columns_.size());
    for (std::uint64_t i = 0; i < array_.rows; ++i) {
      if (i % 65536 == 0) { source_.reached(i * source_.bytes.size() / array_.rows); }
      std::ranges::transform(columns_, row.begin(), [&](NpyColumn const& column) { return number(column, i); });
      points.add(row);
    }
    Geometry geometry = std::move(points).geometry(source_);
    if (!skipped_.empty()) {
      geometry.notes.push_back(fmt::format("Skipped {}: only numbers are read", listed(skipped_)));
    }
    return geometry;
  }

private:
  /// Columns of a plain array have numbers for names.
  static bool is_field(NpyColumn const& column) { return !column.name.empty() && !count_in(column.name); }

  /// The first three of a field of coordinates are x, y and z: "xyz[0]".
  static std::string plain_name(std::string_view name)
  {
    constexpr std::array<std::string_view, 8> of_places{"xyz",   "position", "positions",   "pos",
                                                        "point", "points",   "coordinates", "coords"};
    constexpr std::array<std::string_view, 3> of_normals{"normal", "normals", "n"};
    std::size_t const bracket = name.find('[');
    auto const part = bracket == std::string_view::npos ? std::nullopt : count_in(name.substr(bracket + 1, 1));
    std::string const field = lower_case(name.substr(0, bracket));
    bool const one_of_three = part && *part < 3 && name.size() == bracket + 3;
    if (one_of_three && std::ranges::find(of_places, field) != of_places.end()) { return {"xyz"[*part]}; }
    if (one_of_three && std::ranges::find(of_normals, field) != of_normals.end()) {
      return std::string("n") + "xyz"[*part];
    }
    return part ? fmt::format("{}_{}", column_name(field), name.substr(bracket + 1, name.size() - bracket - 2))
                : column_name(name);
  }

  void check(PointColumns::Layout const& layout, bool has_fields) const
  {
    if (has_fields && !layout.roles.has_place()) {
      source_.fail("its fields are {}; name three of them x, y and z", listed(layout.names));
    }
    if (columns_.size() >= 3) { return; }
    source_.fail("its rows have {} numbers; points have x, y and z", columns_.size());
  }

  std::optional<double> number(NpyColumn const& column, std::uint64_t row) const
  {
    std::string const value = array_.value(column, row);
    if (column.kind == 'f') { return number_of(value); }
    std::uint64_t const bits = whole_of(column, value);
    return column.kind == 'i' ? static_cast<double>(static_cast<std::int64_t>(bits)) : static_cast<double>(bits);
  }

  Source const& source_;
  NpyColumns array_;
  std::vector<NpyColumn> columns_;  ///< of numbers
  std::vector<std::string> skipped_;
};

}  // namespace

Geometry read_npy_points(Source const& source)
{
  return Array(source).read();
}

}  // namespace slotscape::clouds
