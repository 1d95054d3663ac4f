#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace slotscape {

/// A NumPy array of whole numbers with two dimensions, row after row; one with one dimension is a single column.
struct NpyRows {
  std::uint64_t rows = 0;
  std::uint64_t columns = 0;
  std::vector<std::int64_t> numbers;
};

/// Reads a .npy file (NumPy's format 1 to 3) of whole numbers, also as floating-point numbers, of any size and byte
/// order, in one or two dimensions. Throws Error that names the file and what to do.
NpyRows read_npy(std::filesystem::path const& file);

/// One column of an array: its rows' values lie `stride` bytes apart, from `offset` on.
struct NpyColumn {
  std::string name;  ///< of a structured array's field; of several columns, "column 1" and so on; empty if there is one
  char kind = 'i';   ///< as in NumPy: b, i, u, f, c, M, m, S, U or V
  std::uint64_t bytes = 0;  ///< of one value
  bool big_endian = false;
  std::uint64_t offset = 0;
  std::uint64_t stride = 0;
  std::string unit = {};  ///< of dates and times: "D", "25s"; empty: none is said
};

/// An array of any type that does not hold Python objects, as columns of bytes.
struct NpyColumns {
  std::string content;
  std::uint64_t rows = 0;
  std::vector<NpyColumn> columns;

  /// The bytes of a value, the least significant one first.
  std::string value(NpyColumn const& column, std::uint64_t row) const;
};

/// Throws Error as above.
NpyColumns read_npy_columns(std::filesystem::path const& file);

/// Where an array lies in its file, from what the file begins with.
struct NpyLayout {
  std::uint64_t data = 0;  ///< the offset of the first row
  std::uint64_t rows = 0;
  std::vector<NpyColumn> columns;
};

/// `head`: the first MiB of the file, or all of it; `bytes`: of the file. Throws Error as above. `file` is named in it.
NpyLayout npy_layout(std::filesystem::path const& file, std::string_view head, std::uint64_t bytes);

/// A number of the kinds b, i, u, M and m, as 64 bits of two's complement; of f, as a double.
std::uint64_t whole_of(NpyColumn const& column, std::string_view value);
double number_of(std::string_view value);

/// The content of a .npy file of this shape. Throws std::invalid_argument if the shape does not fit the numbers.
std::string npy_of(std::span<std::int32_t const> numbers, std::vector<std::uint64_t> const& shape);
std::string npy_of(std::span<std::int64_t const> numbers, std::vector<std::uint64_t> const& shape);
std::string npy_of(std::span<float const> numbers, std::vector<std::uint64_t> const& shape);
std::string npy_of(std::span<double const> numbers, std::vector<std::uint64_t> const& shape);

/// Replaces a file by a .npz archive of arrays, by name: what `numpy.savez` writes. All of it or nothing. Throws Error
/// that names the file and why it cannot be written.
void write_npz(std::filesystem::path const& file, std::vector<std::pair<std::string, std::string>> const& arrays);

}  // namespace slotscape
