#include "gpu/engine/pseudocode.hpp"

#include "gpu/base/translation.hpp"
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

void replace(std::string& text, std::string_view words, std::string_view others)
{
  if (std::size_t const at = text.find(words); at != std::string::npos) { text.replace(at, words.size(), others); }
}

/// A set has no values.
void leave_out_values(std::string& line)
{
  replace(line, "(key, value)", line.starts_with("insert") ? "(key)" : "key");
  replace(line, tr_in("pseudocode", "give it the new value"), tr_in("pseudocode", "nothing changes"));
}

/// Removes phrases that only matter with other threads.
void leave_out_threads(std::string& line)
{
  for (std::string_view const words :
       {tr_in("pseudocode", ", if it is still free"), tr_in("pseudocode", ", if still free"),
        tr_in("pseudocode", ", if still empty"), tr_in("pseudocode", ": is it still there?")}) {
    replace(line, words, "");
  }
}

/// A line of the text file.
struct WrittenLine {
  CodeLine code;
  std::string_view condition;  ///< "sequence=2"; empty: unconditional
};

/// Removes and returns the mark at the end of a line; empty if the line has none.
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
  return {{static_cast<int>(start / level), std::string(line.substr(start)), label}, condition};
}

/// Whether the family's parameter has the value that the condition names. "shift" is not a parameter: it is 1 if
/// erasures move keys back.
bool is_met(std::string_view condition, FamilyInfo const& family, TableSettings const& table)
{
  if (condition.empty()) { return true; }
  std::size_t const equals = condition.find('=');
  std::string_view const digits = condition.substr(equals + 1);
  std::uint32_t value = 0;
  std::from_chars(digits.data(), digits.data() + digits.size(), value);
  std::string_view const name = condition.substr(0, equals);
  if (name == "shift") { return (table.deletion == Deletion::shift) == (value == 1); }
  return parameter_of(family, table, name) == value;
}

}  // namespace

std::vector<CodeLine> code_lines(std::string_view text, Operation operation, FamilyInfo const& family,
                                 TableSettings const& table, CodeStyle style)
{
  constexpr std::string_view of_textbook = "textbook ";
  bool const is_textbook = style == CodeStyle::textbook;
  std::string const textbook_name = "\n" + std::string(of_textbook) + std::string(name_of(operation));
  bool const has_own = is_textbook && text.find(textbook_name) != std::string_view::npos;
  bool const reuses = table.keys_only || table.deletion == Deletion::tombstone_reuse;
  std::vector<CodeLine> lines;
  bool wanted = false;
  constexpr int nowhere = std::numeric_limits<int>::max();
  int condition = nowhere;  // indent of the '@reuse' condition that encloses the line
  while (!text.empty()) {
    std::string_view line = first_line(text);
    if (line.empty()) { continue; }
    if (line.front() != ' ') {
      bool const is_own = line.starts_with(of_textbook);
      if (is_own) { line.remove_prefix(of_textbook.size()); }
      wanted = is_own == has_own && line.starts_with(name_of(operation));
    }
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
    if (code.indent > 0) { code.text = translated(code.text, "pseudocode"); }  // operation names are not translated
    if (table.keys_only) { leave_out_values(code.text); }
    if (is_textbook) { leave_out_threads(code.text); }
    lines.push_back(std::move(code));
  }
  bool const searches = std::ranges::find(lines, "search", &CodeLine::label) != lines.end();
  if (has_own && reuses && !searches) {
    for (CodeLine& line : lines) {  // the search that the table performs first
      if (line.label == "look") { line.label = "search"; }
    }
  }
  return lines;
}

std::vector<CodeLine> pseudocode_of(TableSettings const& table, Operation operation, CodeStyle style)
{
  for (FamilyEntry const& entry : family_entries()) {
    if (entry.info->name == table.family) { return code_lines(entry.pseudocode, operation, *entry.info, table, style); }
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
