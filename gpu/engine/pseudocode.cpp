#include "gpu/engine/pseudocode.hpp"

#include "gpu/engine/families.hpp"

#include <algorithm>

namespace slotscape {
namespace {

constexpr std::size_t level = 2;  ///< spaces

std::string_view name_of(Operation operation)
{
  switch (operation) {
    case Operation::insert: return "insert(";
    case Operation::find: return "find(";
    case Operation::erase: break;
  }
  return "erase(";
}

std::string_view first_line(std::string_view& text)
{
  std::size_t const end = text.find('\n');
  std::string_view const line = text.substr(0, end);
  text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  return line;
}

CodeLine line_of(std::string_view line)
{
  std::size_t const start = std::min(line.find_first_not_of(' '), line.size());
  std::size_t const mark = line.rfind("  @");
  bool const labelled = mark != std::string_view::npos;
  return {static_cast<int>(start / level), line.substr(start, labelled ? mark - start : line.npos),
          labelled ? line.substr(mark + 3) : std::string_view()};
}

}  // namespace

std::vector<CodeLine> code_lines(std::string_view text, Operation operation)
{
  std::vector<CodeLine> lines;
  bool wanted = false;
  while (!text.empty()) {
    std::string_view const line = first_line(text);
    if (line.empty()) { continue; }
    if (line.front() != ' ') { wanted = line.starts_with(name_of(operation)); }
    if (wanted) { lines.push_back(line_of(line)); }
  }
  return lines;
}

std::vector<CodeLine> pseudocode_of(std::string_view family, Operation operation)
{
  for (FamilyEntry const& entry : family_entries()) {
    if (entry.info->name == family) { return code_lines(entry.pseudocode, operation); }
  }
  return {};
}

}  // namespace slotscape
