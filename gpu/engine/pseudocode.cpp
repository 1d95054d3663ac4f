#include "gpu/engine/pseudocode.hpp"

#include "gpu/engine/families.hpp"

#include <algorithm>
#include <limits>
#include <span>

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

std::vector<CodeLine> code_lines(std::string_view text, Operation operation, bool reuses)
{
  std::vector<CodeLine> lines;
  bool wanted = false;
  constexpr int nowhere = std::numeric_limits<int>::max();
  int condition = nowhere;  // how far in the condition is under which lines stand
  while (!text.empty()) {
    std::string_view const line = first_line(text);
    if (line.empty()) { continue; }
    if (line.front() != ' ') { wanted = line.starts_with(name_of(operation)); }
    if (!wanted) { continue; }
    CodeLine code = line_of(line);
    if (code.indent <= condition) { condition = nowhere; }
    if (code.label == "reuse") {
      condition = code.indent;
      continue;
    }
    bool const is_conditional = condition != nowhere;
    if (is_conditional && !reuses) { continue; }
    if (is_conditional) { --code.indent; }
    lines.push_back(code);
  }
  return lines;
}

std::vector<CodeLine> pseudocode_of(std::string_view family, Operation operation, bool reuses)
{
  for (FamilyEntry const& entry : family_entries()) {
    if (entry.info->name == family) { return code_lines(entry.pseudocode, operation, reuses); }
  }
  return {};
}

std::string_view end_line(Trace const& trace, std::vector<CodeLine> const& lines)
{
  auto const has = [&](std::string_view label) { return std::ranges::count(lines, label, &CodeLine::label) != 0; };
  auto const if_there = [&](std::string_view label) { return has(label) ? label : std::string_view(); };
  if (trace.operation == Operation::insert) { return trace.outcome == Outcome::full ? full_line : std::string_view(); }
  if (trace.outcome == Outcome::found) { return if_there(found_line); }
  if (trace.outcome != Outcome::missing) { return {}; }
  std::span<SlotInfo const> const last = trace.steps.empty() ? std::span<SlotInfo const>() : trace.steps.back().seen;
  bool const was_erased =
      std::ranges::any_of(last, [&](SlotInfo const& slot) { return slot.has_key && slot.pair.key == trace.key; });
  if (was_erased && has(found_line)) { return found_line; }
  bool const at_empty = std::ranges::count(last, SlotState::empty, &SlotInfo::state) != 0;
  return at_empty && has(empty_line) ? empty_line : if_there(absent_line);
}

}  // namespace slotscape
