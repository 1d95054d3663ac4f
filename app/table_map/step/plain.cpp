#include "app/table_map/step/plain.hpp"

#include "gpu/base/translation.hpp"
#include "gpu/engine/narrate.hpp"
#include "gpu/engine/step_costs.hpp"
#include "gpu/engine/step_reasons.hpp"
#include "gpu/engine/step_words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>
#include <unordered_set>
#include <utility>

namespace slotscape {
namespace {

constexpr std::string_view sentence_end = ". ";

/// The text of a sentence before its first value.
std::string_view beginning_of(std::string_view sentence)
{
  return sentence.substr(0, sentence.find('{'));
}

bool names_an_instruction(std::string_view sentence)
{
  constexpr std::array<char const*, 3> sentences{exchange_in_words, swap_in_words, take_in_words};
  return std::ranges::any_of(sentences, [=](char const* each) { return sentence.starts_with(tr(each)); });
}

bool tells_value(std::string_view sentence)
{
  return sentence.starts_with(beginning_of(tr("Its value is {}")));
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

/// The outcome for the key, with the number of probes as textbooks count them; empty if there is nothing to count.
std::string end_of(Trace const& trace, std::string const& key)
{
  bool const writes = writes_slots(trace);
  std::string const after = probes_in_words(trace, trace.steps.size());
  switch (trace.outcome) {
    case Outcome::inserted: return writes ? tr("{} is inserted after {}.", key, after) : "";
    case Outcome::updated:
      return writes ? tr("{} was already in the table, found after {}: its value is updated.", key, after)
                    : tr("{} was already in the table, found after {}, and stays as it is.", key, after);
    case Outcome::erased: return writes ? tr("{} is erased after {}.", key, after) : "";
    case Outcome::found: return tr("{} is found after {}.", key, after);
    case Outcome::missing: return tr("{} is not in the table: unsuccessful search, {}.", key, after);
    case Outcome::full: return tr("{} finds no slot after {}: {}.", key, after, why_it_is_full(trace));
    default: return "";
  }
}

/// Whether a read only shows slots that have been seen before.
bool repeats(Step const& step, std::unordered_set<Slot> const& seen)
{
  return step.kind == Step::Kind::read && !step.seen.empty() &&
         std::ranges::all_of(step.seen, [&](SlotInfo const& slot) { return seen.contains(slot.slot); });
}

/// Whether the step protects an eviction from other threads, which must use neither the slot reserved for the key nor
/// the one that it leaves. Without threads, an eviction is a single move.
bool protects_eviction(Step const& step)
{
  constexpr std::array<std::string_view, 3> lines{"reserve", "victim", "lift"};
  return std::ranges::find(lines, step.place.line) != lines.end();
}

/// Whether the step is a search for a free node or slot that another one follows. The last search finds it.
bool looks_on_for_room(Trace const& trace, std::size_t i)
{
  auto const looks = [&](std::size_t at) {
    return trace.steps[at].kind == Step::Kind::metadata && trace.steps[at].place.line == "pool";
  };
  return looks(i) && i + 1 != trace.steps.size() && looks(i + 1);
}

std::optional<Slot> first_slot(Step const& step)
{
  return step.seen.empty() ? std::nullopt : std::optional(step.seen.front().slot);
}

bool leads_back(std::string_view sentence)
{
  constexpr std::array ways{translatable("Back to slot {}"), translatable("Back to slots {} to {}")};
  return std::ranges::any_of(ways, [=](char const* way) { return sentence.starts_with(beginning_of(tr(way))); });
}

bool leads_on(std::string_view sentence)
{
  constexpr std::array ways{translatable("Next: slot {}"), translatable("Next: slots {} to {}")};
  return std::ranges::any_of(ways, [=](char const* way) { return sentence.starts_with(beginning_of(tr(way))); });
}

/// Changes a step that no longer precedes the step it announces: it takes over the announcement of the last skipped
/// step.
void lead_past(Step& step, Step const& last_skipped)
{
  step.text = without([](std::string_view sentence) { return leads_back(sentence) || leads_on(sentence); }, step.text);
  std::string const way = without([](std::string_view sentence) { return !leads_on(sentence); }, last_skipped.text);
  if (!way.empty()) { step.text += std::string(sentence_end) + way; }
}

/// The trace without the reads that `steps_in_plain_words` omits.
Trace with_steps(Trace trace, std::vector<std::size_t> const& told)
{
  std::vector<Step> steps;
  for (std::size_t i = 0; i < told.size(); ++i) {
    std::size_t const at = told[i];
    bool const skips = i + 1 < told.size() && told[i + 1] != at + 1;
    bool const skips_slot = skips && !trace.steps[at + 1].seen.empty();
    bool const leads_astray =
        skips_slot && trace.steps[at + 1].seen.front().slot != first_slot(trace.steps[told[i + 1]]);
    if (leads_astray) { lead_past(trace.steps[at], trace.steps[told[i + 1] - 1]); }
    steps.push_back(std::move(trace.steps[at]));
  }
  trace.steps = std::move(steps);
  return trace;
}

}  // namespace

std::vector<std::size_t> steps_in_plain_words(Trace const& trace)
{
  std::vector<std::size_t> told;
  std::unordered_set<Slot> seen;
  bool writes = trace.operation != Operation::insert;
  bool const evicts = std::ranges::any_of(trace.steps, [](Step const& step) { return step.place.line == "victim"; });
  for (std::size_t i = 0; i < trace.steps.size(); ++i) {
    Step const& step = trace.steps[i];
    writes = writes || step.after;
    bool const is_last = i + 1 == trace.steps.size();
    bool const is_told =
        (writes || !repeats(step, seen)) && !(evicts && protects_eviction(step)) && !looks_on_for_room(trace, i);
    if (is_told || is_last) { told.push_back(i); }
    for (SlotInfo const& slot : step.seen) { seen.insert(slot.slot); }
  }
  return told;
}

Trace without_values(Trace trace)
{
  auto const leave_out = [](std::string& text) {
    std::string_view const lost = tr("it loses its value, and ");  // this makes the key a tombstone
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
  std::string const end = end_of(trace, written(trace.key));
  bool const sees_slots = std::ranges::any_of(trace.steps, [](Step const& step) { return !step.seen.empty(); });
  std::vector<std::size_t> const told = steps_in_plain_words(trace);
  trace = with_steps(std::move(trace), told);
  if (!sees_slots || end.empty()) { return trace; }
  trace.summary = end;
  auto const measure = displacement(trace);
  std::string const place = measure ? place_in_words(family.measure, *measure, SlotArrays(trace.slots_each)) : "";
  if (!place.empty()) { trace.summary += " " + place; }
  std::string const moved = trace.outcome == Outcome::inserted ? moved_in_words(trace) : "";
  if (!moved.empty()) { trace.summary += " " + moved; }
  if (!trace.rebuild.empty()) { trace.summary += " " + trace.rebuild; }
  return trace;
}

}  // namespace slotscape
