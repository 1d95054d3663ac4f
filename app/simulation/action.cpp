#include "app/simulation/action.hpp"

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

}  // namespace slotscape
