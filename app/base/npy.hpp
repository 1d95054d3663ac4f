#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace slotscape {

/// A NumPy array of whole numbers with two dimensions, row by row; a one-dimensional array is a single column.
struct NpyRows {
  std::uint64_t rows = 0;
  std::uint64_t columns = 0;
  std::vector<std::int64_t> numbers;
};

/// Reads a .npy file (NumPy's format 1 to 3) of whole numbers, which may be stored as floating-point numbers, of any
/// size and byte order, in one or two dimensions. Throws Error that names the file and what to do.
NpyRows read_npy(std::filesystem::path const& file);

/// One column of an array: the values of its rows are `stride` bytes apart, starting at `offset`.
struct NpyColumn {
  std::string name;  ///< name of a structured array's field; else "column 1" and so on; empty for a single column
  char kind = 'i';   ///< as in NumPy: b, i, u, f, c, M, m, S, U or V
  std::uint64_t bytes = 0;  ///< size of one value
  bool big_endian = false;
  std::uint64_t offset = 0;
  std::uint64_t stride = 0;
  std::string unit = {};  ///< unit of dates and times: "D", "25s"; empty: not specified
};

/// An array of any type except Python objects, as columns of bytes.
struct NpyColumns {
  std::string content;
  std::uint64_t rows = 0;
  std::vector<NpyColumn> columns;

  /// The bytes of a value, least significant first.
  std::string value(NpyColumn const& column, std::uint64_t row) const;
};

/// Throws Error as `read_npy` does.
NpyColumns read_npy_columns(std::filesystem::path const& file);

/// Where the data of an array is in its file, as described by the header.
struct NpyLayout {
  std::uint64_t data = 0;  ///< the offset of the first row
  std::uint64_t rows = 0;
  std::vector<NpyColumn> columns;
};

/// `head`: the first MiB of the file, or all of it; `bytes`: the size of the file. Throws Error that names `file`, as
/// `read_npy` does.
NpyLayout npy_layout(std::filesystem::path const& file, std::string_view head, std::uint64_t bytes);

/// A value of kind b, i, u, M or m, as 64 bits in two's complement; of kind f, as a double.
std::uint64_t whole_of(NpyColumn const& column, std::string_view value);
double number_of(std::string_view value);

/// The content of a .npy file of this shape. Throws std::invalid_argument if the shape does not match the numbers.
std::string npy_of(std::span<std::int32_t const> numbers, std::vector<std::uint64_t> const& shape);
std::string npy_of(std::span<std::int64_t const> numbers, std::vector<std::uint64_t> const& shape);
std::string npy_of(std::span<float const> numbers, std::vector<std::uint64_t> const& shape);
std::string npy_of(std::span<double const> numbers, std::vector<std::uint64_t> const& shape);

/// Replaces a file atomically by a .npz archive of named arrays, as `numpy.savez` writes it. Throws Error that names
/// the file and why it cannot be written.
void write_npz(std::filesystem::path const& file, std::vector<std::pair<std::string, std::string>> const& arrays);

}  // namespace slotscape
