#pragma once

#include "app/keys/files/made.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace slotscape::key_files {

/// Reads everything that `read_key_file` needs. Throws Error as it does.
MadeKeys read(std::filesystem::path const& file, KeyReading const& reading);

/// Whether the file has columns, judged by its name and by how it is read.
bool has_columns(std::filesystem::path const& file, std::string const& column);

/// The keys of a NumPy array: integers of any type unchanged, floating-point numbers as integers if they are whole and
/// otherwise as their 64 bits, texts as in a text file; several columns are hashed together. Throws Error that names
/// the file and what to do.
MadeKeys keys_of_array(std::filesystem::path const& file, KeyReading const& reading);
/// The names of an array's columns; empty if there is only one.
std::vector<std::string> columns_of_array(std::filesystem::path const& file);

}  // namespace slotscape::key_files
