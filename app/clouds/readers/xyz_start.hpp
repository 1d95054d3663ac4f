#pragma once

#include "app/clouds/readers/point_columns.hpp"
#include "app/clouds/readers/text_rows.hpp"

namespace slotscape::clouds {

/// The format of rows of numbers, inferred from the first lines.
struct XyzStart {
  RowSplitter splitter;
  PointColumns::Layout layout;
  std::optional<std::uint64_t> points;  ///< number of rows, if a line declares it
  std::size_t offset = 0;               ///< offset of the first row, in bytes
  std::size_t lines = 0;                ///< number of lines before the first row
  std::size_t most_fields = 0;          ///< most fields that a row may have
};

/// Throws Error if column names do not identify x, y and z, or if the role of commas is ambiguous.
XyzStart read_start(Source const& source);

}  // namespace slotscape::clouds
