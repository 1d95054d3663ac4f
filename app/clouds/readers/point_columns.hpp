#pragma once

#include "app/clouds/readers/column_names.hpp"
#include "app/clouds/readers/readers.hpp"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace slotscape::clouds {

/// Makes points of the rows of a table: x y z, normals, and attributes of all other columns.
class PointColumns {
public:
  /// What is known of a table before its rows.
  struct Layout {
    std::size_t columns = 3;
    std::vector<std::string> names = {};  ///< of the first columns; empty: none has one
    ColumnRoles roles = {};               ///< without a place, the first three columns are x, y and z
    bool counted = false;                 ///< it begins with its number of points, as scanners write it
  };
  explicit PointColumns(Layout layout);

  /// The columns of x, y and z.
  std::array<std::size_t, 3> const& place() const { return place_; }
  /// Adds a point. Nullopt stands for what is no number, which x, y and z always are.
  void add(std::span<std::optional<double> const> row);
  std::size_t rows() const { return geometry_.positions.size(); }

  /// Without names, columns 4 to 6 are normals if they have unit length in every row, and colours and an intensity are
  /// recognised by their numbers. Throws Error if the first column only counts the rows.
  Geometry geometry(Source const& source) &&;

private:
  struct Column {
    std::size_t index;
    Attribute numbers;
    std::uint64_t without = 0;  ///< rows that have no number here
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
