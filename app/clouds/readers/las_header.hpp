#pragma once

#include "app/clouds/readers/readers.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace slotscape::clouds::las {

/// The header of a LAS file (LAS 1.4 R15, 2.4), validated: LASzip trusts the sizes in a file when it allocates and
/// copies.
struct Header {
  std::uint64_t points = 0;
  int format = 0;  ///< of the point records, 0 to 10
  std::size_t record_bytes = 0;
  std::size_t extra_bytes = 0;  ///< in each record, beyond those of its format
  std::size_t begin = 0;        ///< offset of the first point
  std::size_t end = 0;          ///< end of the points; an upper bound if compressed
  bool compressed = false;
  std::array<double, 3> scale{};
  std::array<double, 3> offset{};

  /// Whether LASzip's arithmetic decoder may start at `at`. No encoder writes the largest number there; it would make
  /// the decoder read beyond its tables.
  static bool can_decode(std::string_view bytes, std::size_t at) { return bytes.substr(at, 4) != "\xff\xff\xff\xff"; }

  /// From format 6 on, classes and returns have separate bits.
  bool is_extended() const { return format >= 6; }
  bool has_colors() const
  {
    return format == 2 || format == 3 || format == 5 || format == 7 || format == 8 || format == 10;
  }
};

/// Throws Error if the file contradicts its header.
Header read_header(Source const& source);

/// The number of points in the chunks of a LAZ file whose chunks differ in size. `table`: the table of `chunks` chunks,
/// after its own count, up to the end of the file. Nothing if it cannot be decoded.
std::optional<std::uint64_t> points_in_chunks(std::string_view table, std::size_t chunks);

}  // namespace slotscape::clouds::las
