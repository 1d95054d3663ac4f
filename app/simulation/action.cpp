#include "app/simulation/action.hpp"

#include "gpu/base/translation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace slotscape {

Action to_action(Done const& done)
{
  return std::visit([](auto const& one) { return Action{one}; }, done);
}

std::uint64_t operations_of(std::vector<Done> const& done)
{
  std::uint64_t sum = 0;
  for (Done const& one : done) {
    if (auto const* batch = std::get_if<BatchRequest>(&one)) { sum += batch->count; }
    if (auto const* keys = std::get_if<OnKeys>(&one)) { sum += keys->pairs.size(); }
    sum += std::holds_alternative<OnKey>(one) ? 1 : 0;
  }
  return sum;
}

std::string describe(Action const& action)
{
  if (auto const* batch = std::get_if<BatchRequest>(&action)) {
    std::string const op = op_name(*batch);
    return op == "mix" ? tr("mix of {} operations", batch->count) : fmt::format("{} {}", translated(op), batch->count);
  }
  if (auto const* rehash = std::get_if<Rehash>(&action)) {
    return rehash->slots == 0 ? tr("purge") : tr("rehash into {} slots", rehash->slots);
  }
  if (auto const* fill = std::get_if<FillTo>(&action)) { return tr("fill to load {:.3g}", fill->load); }
  if (auto const* one = std::get_if<OnKey>(&action)) {
    return fmt::format("{} {}", translated(op_name(one->operation)), one->key);
  }
  if (auto const* several = std::get_if<OnKeys>(&action)) {
    return tr("{} {} keys", translated(op_name(several->operation)), several->pairs.size());
  }
  return std::holds_alternative<Clear>(action) ? tr("clear") : tr("set keys");
}

std::uint64_t ActionReport::succeeded() const
{
  std::uint64_t const answered = outcomes[Outcome::found] + outcomes[Outcome::missing];
  if (op == "find") { return answered; }
  if (op == "clear" || op == "rehash") { return count; }
  std::uint64_t const changed = outcomes[Outcome::inserted] + outcomes[Outcome::updated] + outcomes[Outcome::erased];
  return op == "mix" ? changed + answered : changed;
}

void append_operation(std::vector<ActionReport>& operations, ActionReport report)
{
  auto const goes_on = [&](ActionReport const& earlier) {
    bool const in_parts = report.op == "mix" || report.op == "hold";
    return in_parts && earlier.op == report.op && earlier.settings == report.settings;
  };
  // A mix that holds a load alternates between two kinds of parts; each part continues the last one of its kind.
  std::size_t const looked_at = std::min<std::size_t>(operations.size(), 2);
  for (std::size_t back = 1; back <= looked_at; ++back) {
    ActionReport& earlier = operations[operations.size() - back];
    if (goes_on(earlier)) {
      earlier.count += report.count;
      earlier.outcomes += report.outcomes;
      earlier.seconds += report.seconds;
      earlier.rebuilds += report.rebuilds;
      earlier.load_factor = report.load_factor;
      return;
    }
    if (earlier.op != "mix" && earlier.op != "hold") { break; }
  }
  operations.push_back(std::move(report));
}

std::string op_name(BatchRequest const& request)
{
  if (request.find <= 0.0 && request.erase <= 0.0) { return "insert"; }
  if (request.insert <= 0.0 && request.erase <= 0.0) { return "find"; }
  if (request.insert <= 0.0 && request.find <= 0.0) { return "erase"; }
  return "mix";
}

std::string op_name(Operation operation)
{
  switch (operation) {
    case Operation::find: return "find";
    case Operation::erase: return "erase";
    case Operation::insert: break;
  }
  return "insert";
}

void History::record(Done done)
{
  if (!complete_) { return; }
  if (entries_.size() < limit) {
    entries_.push_back(std::move(done));
    return;
  }
  lose();
}

void History::append(std::vector<Done> const& done)
{
  for (Done const& one : done) { record(one); }
}

void History::lose()
{
  complete_ = false;
  entries_ = {};
}

void History::truncate(std::size_t entries)
{
  if (entries < entries_.size()) { entries_.resize(entries); }
}

void History::reset()
{
  entries_.clear();
  complete_ = true;
}

std::uint64_t GivenKeys::count(std::vector<Done> const& done)
{
  if (first_ != done.data() || read_ > done.size()) {
    reset();
    first_ = done.data();
  }
  for (; read_ < done.size(); ++read_) { add(done[read_]); }
  return given_;
}

std::uint64_t GivenKeys::of(std::vector<Action> const& steps)
{
  GivenKeys keys;
  for (Action const& step : steps) { keys.add(step); }
  return keys.given_;
}

template <class Step>
void GivenKeys::add(Step const& one)
{
  auto const note = [&](Operation operation, std::uint64_t keys) {
    if (operation == Operation::insert) { given_ += keys; }
    if (operation == Operation::erase) { given_ -= std::min(given_, keys); }
  };
  if (auto const* key = std::get_if<OnKey>(&one)) { note(key->operation, 1); }
  if (auto const* keys = std::get_if<OnKeys>(&one)) { note(keys->operation, keys->pairs.size()); }
  if (auto const* stream = std::get_if<SetKeys>(&one)) { given_ -= std::min(given_, stream->live); }
  if (std::holds_alternative<Clear>(one)) { given_ = 0; }
}

}  // namespace slotscape
