#pragma once

#include "app/clouds/readers/readers.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace slotscape::clouds::las {

/// What the header of a LAS file says (LAS 1.4 R15, 2.4), checked: LASzip trusts the sizes in a file, and allocates and
/// copies what they say.
struct Header {
  std::uint64_t points = 0;
  int format = 0;  ///< of the point records: 0 to 10
  std::size_t record_bytes = 0;
  std::size_t extra_bytes = 0;  ///< of each record, beyond what its format has
  std::size_t begin = 0;        ///< of the points
  std::size_t end = 0;          ///< of the points; of compressed ones, at the latest
  bool compressed = false;
  std::array<double, 3> scale{};
  std::array<double, 3> offset{};

  /// Whether `at` may be where LASzip's arithmetic decoder starts. No encoder writes the largest number there; with it,
  /// the decoder would read beyond its tables.
  static bool can_decode(std::string_view bytes, std::size_t at) { return bytes.substr(at, 4) != "\xff\xff\xff\xff"; }

  /// From format 6 on, classes and returns have bits of their own.
  bool is_extended() const { return format >= 6; }
  bool has_colors() const
  {
    return format == 2 || format == 3 || format == 5 || format == 7 || format == 8 || format == 10;
  }
};

/// Throws Error if the file cannot be what its header says.
Header read_header(Source const& source);

/// How many points the chunks of a LAZ file have, where these differ in size. `table`: of so many chunks, behind its
/// number of chunks, to the end of the file. Nothing if it cannot be decoded.
std::optional<std::uint64_t> points_in_chunks(std::string_view table, std::size_t chunks);

}  // namespace slotscape::clouds::las
