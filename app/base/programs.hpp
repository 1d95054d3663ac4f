#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace slotscape {

/// The value of an environment variable; empty if it is not set.
std::string_view environment_variable(char const* name);

/// The program of this name in the folders of `search_path` (formatted like PATH); empty if it is not found.
std::filesystem::path find_program(std::string_view name, std::string_view search_path);
/// Searches the user's PATH.
std::filesystem::path find_program(std::string_view name);

/// The last non-empty line of a program's output.
std::string last_line(std::string_view text);

}  // namespace slotscape
