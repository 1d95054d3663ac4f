#include "app/base/programs.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <system_error>

namespace slotscape {

namespace fs = std::filesystem;

namespace {

constexpr bool on_windows = fs::path::preferred_separator != '/';
constexpr char between_folders = on_windows ? ';' : ':';
constexpr std::string_view ending_of_programs = on_windows ? ".exe" : "";

/// Removes and returns the text up to the next separator, which is dropped.
std::string_view take_part(std::string_view& text, char separator)
{
  std::string_view const part = text.substr(0, text.find(separator));
  text.remove_prefix(std::min(part.size() + 1, text.size()));
  return part;
}

}  // namespace

std::string_view environment_variable(char const* name)
{
  char const* const value = std::getenv(name);
  return value == nullptr ? std::string_view() : std::string_view(value);
}

fs::path find_program(std::string_view name, std::string_view search_path)
{
  while (!search_path.empty()) {
    fs::path program = fs::path(take_part(search_path, between_folders)) / name;
    program += ending_of_programs;
    std::error_code ignored;
    bool const absolute = program.is_absolute();  // never run a program that happens to be in the working folder
    if (absolute && fs::is_regular_file(program, ignored) && ::access(program.c_str(), X_OK) == 0) { return program; }
  }
  return {};
}

fs::path find_program(std::string_view name)
{
  return find_program(name, environment_variable("PATH"));
}

std::string last_line(std::string_view text)
{
  std::string_view last;
  while (!text.empty()) {
    std::string_view const line = take_part(text, '\n');
    if (line.find_first_not_of(" \t\r") != std::string_view::npos) { last = line; }
  }
  return std::string(last);
}

}  // namespace slotscape
