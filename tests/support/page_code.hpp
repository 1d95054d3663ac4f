#pragma once

#include <sstream>
#include <string>

namespace slotscape::test {

/// The blocks of a language, one after the other, without blank lines.
inline std::string code_in(std::string const& page, std::string const& language)
{
  std::string code;
  std::istringstream lines(page);
  bool inside = false;
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("```")) {
      inside = line == "```" + language;
    } else if (inside && !line.empty()) {
      code += line + '\n';
    }
  }
  return code;
}

inline std::string without_blank_lines(std::string const& text)
{
  std::string lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) {
    if (!line.empty()) { lines += line + '\n'; }
  }
  return lines;
}

}  // namespace slotscape::test
