#include "app/table_map/step/words.hpp"

#include "app/base/text.hpp"
#include "gpu/base/translation.hpp"
#include "gpu/engine/narrate.hpp"
#include "gpu/engine/step_costs.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace slotscape {

namespace {

SlotInfo const* tombstone_of_another(Step const& step, Key key)
{
  auto const found = std::ranges::find_if(step.seen, [key](SlotInfo const& slot) {
    return slot.state == SlotState::tombstone && !(slot.has_key && slot.pair.key == key);
  });
  return found == step.seen.end() ? nullptr : &*found;
}

/// The step in which textbook code remembers a slot: the first tombstone that an insertion passes. If there is none,
/// the number of steps.
std::size_t remembering_step(Trace const& trace, std::vector<CodeLine> const& lines)
{
  bool const remembers = std::ranges::find(lines, remember_line, &CodeLine::label) != lines.end();
  if (!remembers) { return trace.steps.size(); }
  auto const passes = [&](Step const& step) {
    return step.place.line == "search" && tombstone_of_another(step, trace.key) != nullptr;
  };
  return static_cast<std::size_t>(std::ranges::find_if(trace.steps, passes) - trace.steps.begin());
}

/// The label of a step's code line. remembering: `remembering_step`.
std::string_view label_of_step(Trace const& trace, std::size_t step, std::size_t remembering)
{
  return step == remembering ? remember_line : std::string_view(trace.steps[step].place.line);
}

}  // namespace

std::string_view kind_of(Step const& step, bool plain)
{
  bool const writes = step.kind == Step::Kind::compare_and_swap || step.kind == Step::Kind::exchange;
  if (plain && writes) { return tr("WRITE"); }
  switch (step.kind) {
    case Step::Kind::read: return tr("READ");
    case Step::Kind::compare_and_swap: return tr("COMPARE AND SWAP");
    case Step::Kind::exchange: return tr("EXCHANGE");
    case Step::Kind::metadata: break;
  }
  return tr("BESIDE THE SLOTS");
}

std::string title_of(StepPlayer const& player)
{
  Trace const& trace = player.trace();
  std::string const key = key_text(trace.key, player.keys_as());
  switch (trace.operation) {
    case Operation::insert:  // the value of a typed key is 0 by default
      return trace.value == 0 ? tr("Insert {}", key) : tr("Insert {} with value {}", key, trace.value);
    case Operation::find: return tr("Find {}", key);
    case Operation::erase: break;
  }
  return tr("Erase {}", key);
}

std::string costs_of(StepPlayer const& player, Measure const& measure)
{
  std::string text = player.plain() ? probes_in_words(player.trace(), player.position())
                                    : costs_in_words(player.trace(), player.position());
  auto const place = displacement(player.trace());
  if (!player.at_end() || !place) { return text; }
  std::string where = place_in_words(measure, *place, SlotArrays(player.trace().slots_each));
  if (where.ends_with('.')) { where.pop_back(); }
  if (!where.empty()) { text += " · " + in_sentence(where); }
  return text;
}

std::string progress_of(std::size_t position, std::size_t count, bool tells_total)
{
  bool const at_end = position == count;
  return tells_total || at_end ? fmt::format("{} / {}", grouped(position), grouped(count)) : grouped(position);
}

std::string const& text_of(Step const& step, bool tells_next)
{
  return tells_next || step.found.empty() ? step.text : step.found;
}

std::string signature_of(StepPlayer const& player)
{
  Trace const& trace = player.trace();
  std::string const key = key_text(trace.key, player.keys_as());
  switch (trace.operation) {
    case Operation::insert:
      return trace.has_values ? fmt::format("insert(key = {}, value = {})", key, trace.value)
                              : fmt::format("insert(key = {})", key);
    case Operation::find: return fmt::format("find(key = {})", key);
    case Operation::erase: break;
  }
  return fmt::format("erase(key = {})", key);
}

std::string variables_of(StepPlayer const& player, std::vector<CodeLine> const& lines)
{
  Step const* const step = player.present();
  if (step == nullptr) { return {}; }
  SlotArrays const arrays(player.trace().slots_each);
  auto const written = [&](std::string_view name, std::uint64_t number) {
    bool const is_key = name == "key" || name == "carried";
    bool const is_slot = name == "slot" || name == "gap" || name == "from";
    if (is_key) { return key_text(number, player.keys_as()); }
    return is_slot ? arrays.in_words(static_cast<Slot>(number)) : std::to_string(number);
  };
  std::string text;
  auto const add = [&](std::string_view name, std::string const& value) {
    text += fmt::format("{}{} = {}", text.empty() ? "" : "   ", name, value);
  };
  for (auto const& [name, number] : step->place.variables) { add(name, written(name, number)); }
  Trace const& trace = player.trace();
  std::size_t const remembering = remembering_step(trace, lines);
  if (remembering < player.position()) {
    add("remembered", arrays.in_words(tombstone_of_another(trace.steps[remembering], trace.key)->slot));
  }
  return text;
}

std::string_view line_of(StepPlayer const& player, std::vector<CodeLine> const& lines)
{
  std::string_view const end = player.at_end() ? end_line(player.trace(), lines) : std::string_view();
  if (!end.empty()) { return end; }
  if (player.at_start()) { return {}; }
  return label_of_step(player.trace(), player.position() - 1, remembering_step(player.trace(), lines));
}

std::string_view next_line_of(StepPlayer const& player, std::vector<CodeLine> const& lines)
{
  if (player.at_end()) { return {}; }
  return label_of_step(player.trace(), player.position(), remembering_step(player.trace(), lines));
}

std::optional<std::size_t> position_at_line(StepPlayer const& player, std::vector<CodeLine> const& lines,
                                            std::string_view label)
{
  Trace const& trace = player.trace();
  std::size_t const count = trace.steps.size();
  if (label == end_line(trace, lines)) { return count; }
  std::size_t const remembering = remembering_step(trace, lines);
  for (std::size_t i = 0; i < count; ++i) {
    std::size_t const step = (player.position() + i) % count;
    if (label_of_step(trace, step, remembering) == label) { return step + 1; }
  }
  return std::nullopt;
}

}  // namespace slotscape
