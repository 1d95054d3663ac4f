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
struct NpyTable {
  std::uint64_t rows = 0;
  std::uint64_t columns = 0;
  std::vector<std::int64_t> numbers;
};

/// Reads a .npy file (NumPy's format 1 to 3). Throws Error that names the file and what to do: integers, in the byte
/// order of this machine, in one or two dimensions.
NpyTable read_npy(std::filesystem::path const& file);

/// The numbers of a .npy file with one dimension or one column, none of which may be negative. Throws Error as above.
std::vector<std::uint64_t> read_npy_column(std::filesystem::path const& file);

/// The content of a .npy file of this shape. Throws std::invalid_argument if the shape does not fit the numbers.
std::string npy_of(std::span<std::int32_t const> numbers, std::vector<std::uint64_t> const& shape);
std::string npy_of(std::span<std::int64_t const> numbers, std::vector<std::uint64_t> const& shape);
std::string npy_of(std::span<double const> numbers, std::vector<std::uint64_t> const& shape);

/// Replaces a file by a .npz archive of arrays, by name: what `numpy.savez` writes. All of it or nothing. Throws Error
/// that names the file and why it cannot be written.
void write_npz(std::filesystem::path const& file, std::vector<std::pair<std::string, std::string>> const& arrays);

}  // namespace slotscape
