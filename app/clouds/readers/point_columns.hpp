#pragma once

#include "app/clouds/readers/column_names.hpp"
#include "app/clouds/readers/readers.hpp"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace slotscape::clouds {

/// Turns the rows of a table into points: x y z, normals, and attributes from all other columns.
class PointColumns {
public:
  /// The facts about a table that are known before its rows are read.
  struct Layout {
    std::size_t columns = 3;
    std::vector<std::string> names = {};  ///< names of the first columns; empty: they have no names
    ColumnRoles roles = {};               ///< if they give no position, the first three columns are x, y and z
    bool counted = false;                 ///< the file begins with its number of points, as some scanners write it
  };
  explicit PointColumns(Layout layout);

  /// The columns of x, y and z.
  std::array<std::size_t, 3> const& place() const { return place_; }
  /// Adds a point. Nullopt stands for a value that is not a number; x, y and z must be numbers.
  void add(std::span<std::optional<double> const> row);
  std::size_t rows() const { return geometry_.positions.size(); }

  /// Without names, columns 4 to 6 are normals if they have unit length in every row, and colours and an intensity are
  /// recognised by their values. Throws Error if the first column only counts the rows.
  Geometry geometry(Source const& source) &&;

private:
  struct Column {
    std::size_t index;
    Attribute numbers;
    std::uint64_t without = 0;  ///< rows without a number in this column
  };

  bool has_names() const { return !layout_.names.empty(); }
  bool are_normals(std::size_t first) const;
  void take_normals();
  void take_attributes();
  void refuse_counting(Source const& source) const;
  std::string name_of(Column const& column) const;

  Layout layout_;
  std::array<std::size_t, 3> place_{0, 1, 2};
  Geometry geometry_;
  std::vector<Column> further_;
  std::uint64_t longer_rows_ = 0;
};

}  // namespace slotscape::clouds
