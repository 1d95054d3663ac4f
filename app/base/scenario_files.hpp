#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace slotscape {

/// The ending of scenario files, by which the desktop recognises them.
inline constexpr std::string_view scenario_ending = ".slotscape.json";

/// "table" for "table.slotscape.json" and for "table.json".
std::string scenario_stem(std::filesystem::path const& scenario);

/// A file name that is not in use: for ".pairs", "table.pairs" beside "table.slotscape.json", or else "table-2.pairs".
std::filesystem::path free_file_beside(std::filesystem::path const& scenario, std::string_view ending);
/// The ending of a name that `free_file_beside` may have made: ".pairs" for "table-3.pairs"; empty for other names.
std::string ending_beside(std::filesystem::path const& scenario, std::string const& name);

/// Where the bundled scenarios may be: installed beside the program, in the source tree that it was built in, or
/// installed in the usual place.
std::vector<std::filesystem::path> scenario_folders(std::filesystem::path const& executable);

/// The scenario that a user names: a file, or one in `folders`, where the ending may be omitted
/// ("tour/7-four-families"). Returns the name itself if there is no such file.
std::filesystem::path find_scenario(std::filesystem::path const& name, std::span<std::filesystem::path const> folders);

/// The running program's file.
std::filesystem::path this_executable();

}  // namespace slotscape
