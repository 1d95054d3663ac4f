#include "gpu/races/judge.hpp"

#include "gpu/base/translation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace slotscape::races {
namespace {

std::string_view name_of(Outcome outcome)
{
  return outcome_names[static_cast<std::size_t>(outcome)];
}

std::string pairs_text(std::map<Narrow::Key, Narrow::Value> const& contents)
{
  if (contents.empty()) { return "nothing"; }
  std::string words;
  for (auto const& [key, value] : contents) { words += fmt::format("{}{}: {}", words.empty() ? "" : ", ", key, value); }
  return words;
}

}  // namespace

Program program_of(Race const& race)
{
  std::vector<ScheduledOperation> operations;
  for (Call const& call : race.calls) {
    bool const has_rivals = std::ranges::count_if(race.calls, [&](Call const& other) {
                              return other.operation == Operation::insert && other.key == call.key;
                            }) > 1;
    operations.push_back(race.table->operation(call, race.table->start(), has_rivals));
  }
  return {operations, race.table->start(), race.memory, true};
}

std::string text_of(Call const& call, Answer const& answer)
{
  bool const tells_value = answer.outcome == Outcome::found || answer.outcome == Outcome::erased;
  if (!tells_value) {
    return answer.outcome == Outcome::missing ? tr("{} is absent", call.key) : translated(name_of(answer.outcome));
  }
  std::string const value = answer.value == Narrow::empty_value ? tr("no value") : std::to_string(answer.value);
  return fmt::format("{} {}", translated(name_of(answer.outcome)), value);
}

std::string words_of(std::vector<Call> const& calls, std::vector<std::uint8_t> const& order)
{
  std::string words;
  for (std::uint8_t const thread : order) {
    words = words.empty() ? text_of(calls[thread]) : tr("{}, then {}", words, text_of(calls[thread]));
  }
  return words;
}

Judge::Judge(Race const& race) : race_(race)
{
  for (Pair const& pair : pairs_in(*race.table, race.table->start())) {
    before_[static_cast<Narrow::Key>(pair.key)] = static_cast<Narrow::Value>(pair.value);
  }
  std::vector<std::uint8_t> threads(race.calls.size());
  std::iota(threads.begin(), threads.end(), std::uint8_t{0});
  do {
    Order order{threads, std::vector<Answer>(threads.size())};
    Words memory = race.table->start();
    for (std::uint8_t const thread : threads) {
      order.own[thread] = run_alone(race.table->operation(race.calls[thread], memory, false), memory);
    }
    orders_.push_back(std::move(order));
  } while (std::next_permutation(threads.begin(), threads.end()));
}

bool Judge::in_time(Order const& order, End const& end) const
{
  std::uint8_t later = 0;  // the threads after this one in the order
  for (auto thread = order.threads.rbegin(); thread != order.threads.rend(); ++thread) {
    if ((end.moment.ended_before[*thread] & later) != 0) { return false; }
    later |= static_cast<std::uint8_t>(1u << *thread);
  }
  return true;
}

bool Judge::may_be_full(Order const& order, std::size_t thread, std::vector<Answer> const& results) const
{
  if (order.own[thread].outcome == Outcome::full) { return true; }
  return race_.table->inserts_new_keys() &&
         std::ranges::any_of(results, [](Answer const& answer) { return answer.outcome == Outcome::inserted; });
}

std::optional<Judge::Contents> Judge::explained(Order const& order, std::vector<Answer> const& results) const
{
  Contents contents = before_;
  for (std::uint8_t const thread : order.threads) {
    Call const& call = race_.calls[thread];
    Answer const& answer = results[thread];
    auto const there = contents.find(call.key);
    bool const stored = there != contents.end();
    switch (call.operation) {
      case Operation::insert: {
        if (answer.outcome == Outcome::full) {
          if (stored || !may_be_full(order, thread, results)) { return std::nullopt; }
          break;
        }
        if (answer.outcome != (stored ? Outcome::updated : Outcome::inserted)) { return std::nullopt; }
        contents[call.key] = stored ? combined<Narrow>(call.combine, there->second, call.value) : call.value;
        break;
      }
      case Operation::find:
        if (answer.outcome != (stored ? Outcome::found : Outcome::missing)) { return std::nullopt; }
        if (stored && answer.value != there->second) { return std::nullopt; }
        break;
      case Operation::erase:
        if (answer.outcome != (stored ? Outcome::erased : Outcome::missing)) { return std::nullopt; }
        if (stored && answer.value != there->second) { return std::nullopt; }
        if (stored) { contents.erase(there); }
        break;
    }
  }
  return contents;
}

bool Judge::legal(End const& end) const
{
  return end.fault.empty() && verdict(end).legal;
}

Verdict Judge::verdict(End const& end) const
{
  if (!end.fault.empty()) { return {.fault = end.fault}; }
  Words const& memory = end.moment.memory;
  if (std::string fault = fault_in(*race_.table, memory); !fault.empty()) { return {.fault = std::move(fault)}; }
  Contents contents;
  for (Pair const& pair : pairs_in(*race_.table, memory)) {
    contents[static_cast<Narrow::Key>(pair.key)] = static_cast<Narrow::Value>(pair.value);
  }
  for (Order const& order : orders_) {
    if (in_time(order, end) && explained(order, end.results) == contents) {
      return {.legal = true, .order = order.threads};
    }
  }
  return {.fault = unexplained(end, contents)};
}

/// The order that comes closest to explaining the history, and why it does not.
std::string Judge::unexplained(End const& end, Contents const& contents) const
{
  for (Order const& order : orders_) {
    auto const other = explained(order, end.results);
    if (!other || !in_time(order, end)) { continue; }
    return tr("the answers match {}, but then the table would hold {}; it holds {}", words_of(order),
              pairs_text(*other), pairs_text(contents));
  }
  for (Order const& order : orders_) {
    if (explained(order, end.results) != contents) { continue; }
    return tr("the result matches {}, but they did not run in that order", words_of(order));
  }
  std::string answers;
  for (std::size_t thread = 0; thread < end.results.size(); ++thread) {
    answers += fmt::format("{}T{}: {}", thread == 0 ? "" : "; ", thread + 1,
                           text_of(race_.calls[thread], end.results[thread]));
  }
  return tr("no order of the operations gives these answers ({})", answers);
}

std::string Judge::words_of(Order const& order) const
{
  return races::words_of(race_.calls, order.threads);
}

Report explore(Race const& race, SearchSettings const& settings, Progress const& progress, std::size_t counted)
{
  Program program = program_of(race);
  Judge const judge(race);
  Report report{.findings = search(
                    program, [&](End const& end) { return judge.legal(end); }, settings, progress),
                .verdict = {}};
  Schedule const& bad = report.findings.shortest;
  if (!bad.empty()) {
    Moment moment = program.start();
    for (Turn const& turn : bad) { program.take(moment, turn); }
    std::vector<Answer> const results = program.results(moment);
    report.verdict = judge.verdict({moment, results, bad, fault_of(program, moment)});
  }
  if (counted != 0 && report.findings.complete) { report.schedules = count_schedules(program, counted); }
  return report;
}

}  // namespace slotscape::races
