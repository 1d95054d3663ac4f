#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string_view>

namespace slotscape {

/// When a file is on the disk: before it gets its name, or when the system comes to it. Without the first, a power
/// failure may leave an empty file in place of the old one.
enum class Flush : std::uint8_t { before_renaming, later };

/// Replaces a file, all of it or nothing, also if the program is killed meanwhile: `write(temporary)` makes a file
/// beside it, which then gets its name. Throws Error that names the file and why it cannot be written, or what `write`
/// throws; then the file is as it was.
void replace_file(std::filesystem::path const& file, std::function<void(std::filesystem::path const&)> const& write,
                  Flush flush = Flush::before_renaming);
/// The same with a text, `write_text_file` with a choice. Devices and pipes are written directly.
void replace_text_file(std::filesystem::path const& file, std::string_view content, Flush flush);

/// Removes what programs that were killed while they replaced this file, "settings.json", have left beside it; and the
/// same of other files whose names begin so: "settings.last.json".
void remove_leftovers(std::filesystem::path const& file);

}  // namespace slotscape
