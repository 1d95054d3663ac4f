#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace slotscape {

/// The whole content, byte for byte. Throws Error that names the file and why it cannot be read.
std::string read_text_file(std::filesystem::path const& file);

/// Puts `content` in the place of what was there, all of it or nothing: it is written beside and then renamed. Devices
/// and pipes are written directly. Throws Error that names the file and why it cannot be written.
void write_text_file(std::filesystem::path const& file, std::string_view content);

}  // namespace slotscape
