#pragma once

#include "app/clouds/readers/point_columns.hpp"
#include "app/clouds/readers/text_rows.hpp"

namespace slotscape::clouds {

/// What the first lines of rows of numbers tell about all of them.
struct XyzStart {
  RowSplitter splitter;
  PointColumns::Layout layout;
  std::optional<std::uint64_t> points;  ///< how many rows follow, if a line says so
  std::size_t offset = 0;               ///< in bytes, of the first row
  std::size_t lines = 0;                ///< before the first row
  std::size_t most_fields = 0;          ///< of a row
};

/// Throws Error where names of columns do not tell which are x, y and z, or commas what they separate.
XyzStart read_start(Source const& source);

}  // namespace slotscape::clouds
