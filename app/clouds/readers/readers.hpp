#pragma once

#include "app/base/encoding.hpp"
#include "app/clouds/geometry.hpp"
#include "gpu/base/progress.hpp"
#include "gpu/base/translation.hpp"
#include "gpu/spatial/engine.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstring>
#include <string>
#include <string_view>

namespace slotscape::clouds {

/// How many points are kept of larger files, and what chooses them: see `thinned`.
struct Thinning {
  std::uint64_t limit = spatial::max_points;
  std::uint64_t seed = 1;
};

/// The content of a file being read.
struct Source {
  std::string name;  ///< for messages
  std::string_view bytes;
  Progress const& progress;
  Thinning thinning = {};  ///< for readers whose files may hold more points than fit in memory; others read them all

  /// Throws Error, translated, prefixed with the file's name. What the text quotes from the file is made fit to be
  /// shown.
  template <class... Arguments>
  [[noreturn]] void fail(fmt::format_string<Arguments...> text, Arguments&&... arguments) const
  {
    fmt::string_view const english = text;
    std::string_view const own(english.data(), english.size());
    throw Error(name + ": " +
                printable(valid_text(fill_translation(translation_of(own), own, fmt::make_format_args(arguments...)))));
  }
  /// Reports progress. Throws Cancelled.
  void reached(std::size_t byte) const
  {
    constexpr double shares_of_reading = 0.7;
    double const share = bytes.empty() ? 1.0 : static_cast<double>(byte) / static_cast<double>(bytes.size());
    progress.require(0.1 + shares_of_reading * share);
  }
};

/// Reads a number stored at `bytes` in this byte order.
template <class Number>
Number number_at(char const* bytes, std::endian order = std::endian::little)
{
  std::array<char, sizeof(Number)> raw;
  std::memcpy(raw.data(), bytes, sizeof(Number));
  if (order != std::endian::native) { std::ranges::reverse(raw); }
  return std::bit_cast<Number>(raw);
}

/// One reader per file format. They check declared counts against the file size before they allocate, and throw Error
/// that says where the file is invalid, or Cancelled.

/// Stanford polygon format: ASCII, or binary in either byte order; properties and elements in any order.
Geometry read_ply(Source const& source);
/// Point Cloud Library: ascii, binary, binary_compressed.
Geometry read_pcd(Source const& source);
/// Rows of numbers. Where a line before them names the columns, also behind # or //, the names say which are x, y and z
/// and the normal, and are those of the attributes. Without names: x y z, then a normal if columns 4 to 6 have unit
/// length in every row; colours and an intensity are recognised by their numbers, where these can be nothing else.
/// Columns are separated by commas, semicolons, bars, tabs or blanks; decimals may have commas where these separate
/// nothing. Throws Error where names or commas can be understood in two ways.
Geometry read_xyz(Source const& source);
/// ASPRS LAS 1.0 to 1.5, plain or compressed (LAZ), in the point formats 0 to 10. Thins while it reads.
Geometry read_las(Source const& source);
/// NumPy arrays of numbers with a row for each point, columns as above; or with fields, by their names.
Geometry read_npy_points(Source const& source);
/// Wavefront: vertices, with or without colours, normals and faces. `notes` says what else there was.
Geometry read_obj(Source const& source);
/// Object File Format as text, with any keyword ([ST][C][N][4]OFF) or none; with the colours of vertices and faces.
Geometry read_off(Source const& source);
/// Stereolithography, text or binary. Each triangle has three vertices of its own.
Geometry read_stl(Source const& source);

/// Whether it begins with the keyword of an OFF, behind comments.
bool has_off_keyword(std::string_view bytes);
/// Whether its first line has three counts, as an OFF may begin.
bool begins_with_off_counts(Source const& source);
/// Whether all lines are what the counts of the first line declare, so that it can be nothing else.
bool is_off_without_keyword(Source const& source);
/// Whether the file size matches the triangle count of a binary STL.
bool is_binary_stl(std::string_view bytes);
/// Whether it is text that begins like an STL.
bool is_text_stl(std::string_view bytes);

}  // namespace slotscape::clouds
