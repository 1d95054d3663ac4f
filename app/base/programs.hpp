#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace slotscape {

/// Empty if it is not set.
std::string_view environment_variable(char const* name);

/// The program of this name in the folders of `search_path` (as in PATH); empty if there is none.
std::filesystem::path find_program(std::string_view name, std::string_view search_path);
/// The one that the user's PATH has.
std::filesystem::path find_program(std::string_view name);

/// The last line that says something, of what a program printed.
std::string last_line(std::string_view text);

}  // namespace slotscape
