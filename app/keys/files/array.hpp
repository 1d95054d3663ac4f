#pragma once

#include "app/keys/files/made.hpp"
#include "app/keys/key_settings.hpp"

#include <filesystem>

namespace slotscape::key_files {

/// The keys of a NumPy array: whole numbers of any type as they are, floating-point numbers that are whole as these,
/// others as their 64 bits, texts as those of a text file; several columns hashed together. Throws Error that names the
/// file and what to do.
MadeKeys keys_of_array(std::filesystem::path const& file, KeyReading const& reading);
/// The names of its columns, if there are several.
std::vector<std::string> columns_of_array(std::filesystem::path const& file);

}  // namespace slotscape::key_files
