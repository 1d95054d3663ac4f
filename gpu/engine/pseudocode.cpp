#include "gpu/engine/pseudocode.hpp"

#include "gpu/engine/families.hpp"
#include "gpu/tables/family.hpp"

#include <algorithm>
#include <charconv>
#include <limits>
#include <span>
#include <utility>

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

/// As it stands in the text.
struct WrittenLine {
  CodeLine code;
  std::string_view condition;  ///< "sequence=2"; empty: it is always there
};

/// Takes the mark at the end of a line off; empty if there is none.
std::string_view take_mark(std::string_view& line)
{
  std::size_t const at = line.rfind("  @");
  if (at == std::string_view::npos) { return {}; }
  std::string_view const mark = line.substr(at + 3);
  line = line.substr(0, at);
  return mark;
}

WrittenLine line_of(std::string_view line)
{
  std::string_view condition = take_mark(line);
  bool const is_label = condition.find('=') == std::string_view::npos;
  std::string_view const label = is_label ? std::exchange(condition, {}) : take_mark(line);
  std::size_t const start = std::min(line.find_first_not_of(' '), line.size());
  return {{static_cast<int>(start / level), line.substr(start), label}, condition};
}

/// Whether the family's parameter has the value that the condition names.
bool is_met(std::string_view condition, FamilyInfo const& family, TableSettings const& table)
{
  if (condition.empty()) { return true; }
  std::size_t const equals = condition.find('=');
  std::string_view const digits = condition.substr(equals + 1);
  std::uint32_t value = 0;
  std::from_chars(digits.data(), digits.data() + digits.size(), value);
  return parameter_of(family, table, condition.substr(0, equals)) == value;
}

}  // namespace

std::vector<CodeLine> code_lines(std::string_view text, Operation operation, FamilyInfo const& family,
                                 TableSettings const& table)
{
  bool const reuses = table.keys_only || table.deletion == Deletion::tombstone_reuse;
  std::vector<CodeLine> lines;
  bool wanted = false;
  constexpr int nowhere = std::numeric_limits<int>::max();
  int condition = nowhere;  // how far in the condition is under which lines stand
  while (!text.empty()) {
    std::string_view const line = first_line(text);
    if (line.empty()) { continue; }
    if (line.front() != ' ') { wanted = line.starts_with(name_of(operation)); }
    if (!wanted) { continue; }
    auto [code, only_if] = line_of(line);
    if (code.indent <= condition) { condition = nowhere; }
    if (code.label == "reuse") {
      condition = code.indent;
      continue;
    }
    bool const is_conditional = condition != nowhere;
    if ((is_conditional && !reuses) || !is_met(only_if, family, table)) { continue; }
    if (is_conditional) { --code.indent; }
    lines.push_back(code);
  }
  return lines;
}

std::vector<CodeLine> pseudocode_of(TableSettings const& table, Operation operation)
{
  for (FamilyEntry const& entry : family_entries()) {
    if (entry.info->name == table.family) { return code_lines(entry.pseudocode, operation, *entry.info, table); }
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
