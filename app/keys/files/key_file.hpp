#pragma once

#include "app/keys/files/made.hpp"
#include "app/keys/key_settings.hpp"

#include <filesystem>

namespace slotscape::key_files {

/// All that `read_key_file` reads. Throws Error as it does.
MadeKeys read(std::filesystem::path const& file, KeyReading const& reading);

/// Whether the file has columns, by its name, or by what it is read as.
bool has_columns(std::filesystem::path const& file, std::string const& column);

}  // namespace slotscape::key_files
