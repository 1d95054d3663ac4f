#include "app/table_map/step/words.hpp"

#include "app/base/text.hpp"
#include "gpu/base/translation.hpp"
#include "gpu/engine/narrate.hpp"
#include "gpu/engine/step_costs.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace slotscape {

namespace {

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
    case Operation::insert:  // typed keys have the value 0 where none was typed
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
  std::string where = place_in_words(measure, *place);
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

std::string variables_of(Step const& step, KeyStyle style)
{
  std::string text;
  for (auto const& [name, number] : step.place.variables) {
    bool const is_key = name == "key" || name == "carried";
    text += fmt::format("{}{} = {}", text.empty() ? "" : "   ", name,
                        is_key ? key_text(number, style) : std::to_string(number));
  }
  return text;
}

std::string_view line_of(StepPlayer const& player, std::vector<CodeLine> const& lines)
{
  std::string_view const end = player.at_end() ? end_line(player.trace(), lines) : std::string_view();
  if (!end.empty()) { return end; }
  return player.present() == nullptr ? std::string_view() : std::string_view(player.present()->place.line);
}

std::optional<std::size_t> position_at_line(StepPlayer const& player, std::vector<CodeLine> const& lines,
                                            std::string_view label)
{
  auto const& steps = player.trace().steps;
  if (label == end_line(player.trace(), lines)) { return steps.size(); }
  auto const is_there = [&](Step const& step) { return step.place.line == label; };
  auto const present = steps.begin() + static_cast<std::ptrdiff_t>(player.position());
  auto found = std::find_if(present, steps.end(), is_there);
  if (found == steps.end()) {
    found = std::find_if(steps.begin(), present, is_there);
    if (found == present) { return std::nullopt; }
  }
  return static_cast<std::size_t>(found - steps.begin()) + 1;
}

}  // namespace slotscape
