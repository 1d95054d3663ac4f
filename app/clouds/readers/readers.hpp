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
#include <optional>
#include <string>
#include <string_view>

namespace slotscape::clouds {

/// The number of points to keep of larger files, and the seed that selects them: see `thinned`; and the box to which
/// the file is cropped before.
struct Thinning {
  std::uint64_t limit = spatial::max_points;
  std::uint64_t seed = 1;
  std::optional<Box> crop = {};
};

/// The content of a file while it is read.
struct Source {
  std::string name;  ///< for messages
  std::string_view bytes;
  Progress const& progress;
  Thinning thinning = {};  ///< for readers whose files may not fit in memory; other readers keep all points

  /// Throws Error with the translated text, prefixed with the file's name. Quotations from the file are made printable.
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

/// One reader per file format. Readers check declared counts against the file size before they allocate memory. They
/// throw Error that says where the file is invalid, or Cancelled.

/// Stanford polygon format: ASCII, or binary in either byte order; properties and elements in any order.
Geometry read_ply(Source const& source);
/// Point Cloud Library: ascii, binary, binary_compressed.
Geometry read_pcd(Source const& source);
/// Rows of numbers. If a preceding line names the columns, possibly after # or //, the names identify x, y, z and the
/// normal, and name the attributes. Without names: x y z, then a normal if columns 4 to 6 have unit length in every
/// row; colours and an intensity are recognised by their values if these are unambiguous. Columns are separated by
/// commas, semicolons, bars, tabs or blanks; decimal commas are accepted where commas do not separate columns. Throws
/// Error if names or commas are ambiguous.
Geometry read_xyz(Source const& source);
/// ASPRS LAS 1.0 to 1.5, plain or compressed (LAZ), in the point formats 0 to 10. Thins points while reading.
Geometry read_las(Source const& source);
/// NumPy arrays of numbers with a row for each point, with columns as in `read_xyz`; or with named fields.
Geometry read_npy_points(Source const& source);
/// Wavefront OBJ: vertices, with or without colours, normals and faces. `notes` lists other content.
Geometry read_obj(Source const& source);
/// Object File Format as text, with any keyword ([ST][C][N][4]OFF) or none; with colours of vertices and faces.
Geometry read_off(Source const& source);
/// Stereolithography, text or binary. Each triangle has three vertices of its own.
Geometry read_stl(Source const& source);

/// Whether the text begins with an OFF keyword, possibly after comments.
bool has_off_keyword(std::string_view bytes);
/// Whether the first line has three counts, as in an OFF file without a keyword.
bool begins_with_off_counts(Source const& source);
/// Whether all lines match the counts of the first line, so that the file can only be OFF.
bool is_off_without_keyword(Source const& source);
/// Whether the file size matches the triangle count of a binary STL.
bool is_binary_stl(std::string_view bytes);
/// Whether the text begins like an STL file.
bool is_text_stl(std::string_view bytes);

}  // namespace slotscape::clouds
