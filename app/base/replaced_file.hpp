#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string_view>

namespace slotscape {

/// When a file is flushed to disk: before it is renamed, or whenever the system does so. With the latter, a power
/// failure may leave an empty file in place of the old one.
enum class Flush : std::uint8_t { before_renaming, later };

/// Replaces a file atomically, even if the program is killed meanwhile: `write(temporary)` makes a file beside it,
/// which is then renamed. Throws Error that names the file and why it cannot be written, or whatever `write` throws;
/// the file is then unchanged.
void replace_file(std::filesystem::path const& file, std::function<void(std::filesystem::path const&)> const& write,
                  Flush flush = Flush::before_renaming);
/// Replaces a file by a text, like `write_text_file`, but with a choice of flushing. Devices and pipes are written
/// directly.
void replace_text_file(std::filesystem::path const& file, std::string_view content, Flush flush);

/// Removes temporary files left behind by programs that were killed while replacing this file, "settings.json", or
/// files whose names begin with the same stem: "settings.last.json".
void remove_leftovers(std::filesystem::path const& file);

}  // namespace slotscape
