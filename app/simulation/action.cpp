#include "app/simulation/action.hpp"

#include <utility>

namespace slotscape {

bool operator==(SetKeys const& left, SetKeys const& right)
{
  KeySettings const& a = left.keys;
  KeySettings const& b = right.keys;
  return a.distribution == b.distribution && a.stride == b.stride && a.zipf_exponent == b.zipf_exponent &&
         a.cluster_length == b.cluster_length && a.file_keys == b.file_keys && a.file_name == b.file_name;
}

Action to_action(Done const& done)
{
  return std::visit([](auto const& one) { return Action{one}; }, done);
}

void append_operation(std::vector<ActionReport>& operations, ActionReport report)
{
  bool const goes_on = report.op == "mix" && !operations.empty() && operations.back().op == "mix";
  if (!goes_on) { return operations.push_back(std::move(report)); }
  ActionReport& mix = operations.back();
  mix.count += report.count;
  mix.outcomes += report.outcomes;
  mix.seconds += report.seconds;
  mix.load_factor = report.load_factor;
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

}  // namespace slotscape
