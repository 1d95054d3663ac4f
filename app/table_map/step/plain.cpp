#include "app/table_map/step/plain.hpp"

#include "gpu/engine/narrate.hpp"
#include "gpu/engine/step_costs.hpp"
#include "gpu/engine/step_reasons.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>
#include <string_view>

namespace slotscape {
namespace {

constexpr std::string_view sentence_end = ". ";

bool names_an_instruction(std::string_view sentence)
{
  constexpr std::array<std::string_view, 4> words{"compare-and-swap", "Compare-and-swap", "An exchange", "an exchange"};
  return std::ranges::any_of(words,
                             [=](std::string_view word) { return sentence.find(word) != std::string_view::npos; });
}

bool tells_value(std::string_view sentence)
{
  return sentence.starts_with("Its value is ");
}

std::string without(bool (*is_left_out)(std::string_view), std::string_view text)
{
  bool const ends = text.ends_with('.');
  std::string kept;
  while (!text.empty()) {
    std::size_t const end = text.find(sentence_end);
    std::string_view const sentence = text.substr(0, end);
    if (!is_left_out(sentence)) { kept += fmt::format("{}{}", kept.empty() ? "" : sentence_end, sentence); }
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + sentence_end.size());
  }
  if (ends && !kept.empty() && !kept.ends_with('.')) { kept += '.'; }
  return kept;
}

bool writes_slots(Trace const& trace)
{
  return std::ranges::any_of(trace.steps, [](Step const& step) {
    return step.kind == Step::Kind::compare_and_swap || step.kind == Step::Kind::exchange;
  });
}

/// What became of the key; empty where a summary has nothing to count.
std::string fate_of(Trace const& trace)
{
  bool const writes = writes_slots(trace);
  switch (trace.outcome) {
    case Outcome::inserted: return writes ? "is inserted" : "";
    case Outcome::updated:
      return writes ? "was already in the table, and its value is updated"
                    : "was already in the table, and stays as it is";
    case Outcome::erased: return writes ? "is erased" : "";
    case Outcome::found: return "is found";
    case Outcome::missing: return "is not in the table";
    case Outcome::full: return "finds no slot: " + why_it_is_full(trace);
    default: return "";
  }
}

}  // namespace

std::string slots_touched(Trace const& trace, std::size_t steps)
{
  std::set<Slot> read;
  std::set<Slot> written;
  for (std::size_t i = 0; i < std::min(steps, trace.steps.size()); ++i) {
    for (SlotInfo const& slot : trace.steps[i].seen) { read.insert(slot.slot); }
    if (auto const& after = trace.steps[i].after) { written.insert(after->slot); }
  }
  std::string text = fmt::format("{} slot{} read", read.size(), read.size() == 1 ? "" : "s");
  if (!written.empty()) { text += fmt::format(", {} written", written.size()); }
  std::size_t const taken = std::min(steps, trace.steps.size());
  if (taken > read.size() + written.size()) { text += fmt::format(", in {} steps", taken); }  // some at a second look
  return text;
}

Trace without_values(Trace trace)
{
  auto const leave_out = [](std::string& text) {
    constexpr std::string_view lost = "it loses its value, and ";  // what makes a key a tombstone
    text = without(tells_value, text);
    if (std::size_t const at = text.find(lost); at != std::string::npos) { text.erase(at, lost.size()); }
  };
  for (Step& step : trace.steps) {
    leave_out(step.text);
    leave_out(step.found);
  }
  leave_out(trace.summary);
  return trace;
}

Trace in_plain_words(Trace trace, FamilyInfo const& family, KeyWriter const& written)
{
  for (Step& step : trace.steps) {
    step.text = without(names_an_instruction, step.text);
    step.found = without(names_an_instruction, step.found);
  }
  std::string const fate = fate_of(trace);
  bool const sees_slots = std::ranges::any_of(trace.steps, [](Step const& step) { return !step.seen.empty(); });
  if (!sees_slots || fate.empty()) { return trace; }
  trace.summary = fmt::format("{} {}. {}.", written(trace.key), fate, slots_touched(trace, trace.steps.size()));
  auto const measure = displacement(trace);
  std::string const place = measure ? place_in_words(family.measure, *measure) : "";
  if (!place.empty()) { trace.summary += " " + place; }
  if (!trace.rebuild.empty()) { trace.summary += " " + trace.rebuild; }
  return trace;
}

}  // namespace slotscape
