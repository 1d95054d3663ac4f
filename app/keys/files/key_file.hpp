#pragma once

#include "app/keys/files/made.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace slotscape::key_files {

/// All that `read_key_file` reads. Throws Error as it does.
MadeKeys read(std::filesystem::path const& file, KeyReading const& reading);

/// Whether the file has columns, by its name, or by what it is read as.
bool has_columns(std::filesystem::path const& file, std::string const& column);

/// The keys of a NumPy array: whole numbers of any type as they are, floating-point numbers that are whole as these,
/// others as their 64 bits, texts as those of a text file; several columns hashed together. Throws Error that names the
/// file and what to do.
MadeKeys keys_of_array(std::filesystem::path const& file, KeyReading const& reading);
/// The names of its columns, if there are several.
std::vector<std::string> columns_of_array(std::filesystem::path const& file);

}  // namespace slotscape::key_files
