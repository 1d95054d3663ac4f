#include "app/keys/typed_keys.hpp"
#include "app/table_scene/setup.hpp"

#include <limits>

namespace slotscape {
namespace {

constexpr std::uint64_t farthest_position = std::uint64_t{1} << 32;

OnKey read_operation(JsonNode const& step, Operation operation, int key_bits, std::vector<std::string_view> fields)
{
  bool const has_value = operation == Operation::insert;
  fields.push_back("key");
  if (has_value) { fields.push_back("value"); }
  step.expect_fields(fields);
  OnKey on_key{operation, read_key(step.at("key"), key_bits), 0};
  if (auto const value = step.find("value")) {
    on_key.value = static_cast<Value>(value->whole_number(0, std::numeric_limits<Value>::max()));
  }
  if (std::string const wrong = why_refused(on_key, key_bits); !wrong.empty()) { step.fail(wrong); }
  return on_key;
}

}  // namespace

Key read_key(JsonNode const& node, int key_bits)
{
  auto const negative = node.negative();
  if (negative && key_bits < 64) { node.fail("negative keys need a table of 64-bit keys: \"key_bits\": 64"); }
  return negative ? key_of_signed(*negative) : node.whole_number(0, std::numeric_limits<Key>::max());
}

OnKey read_on_key(JsonNode const& step, Operation operation, int key_bits)
{
  return read_operation(step, operation, key_bits, {"op"});
}

Json on_key_json(OnKey const& on_key)
{
  Json step{{"op", to_text(on_key.operation)}, {"key", on_key.key}};
  if (on_key.operation == Operation::insert) { step["value"] = on_key.value; }
  return step;
}

StepRequest read_step_request(JsonNode const& step, int key_bits)
{
  auto const operation = step.at("operation").one_of<Operation>("operation");
  StepRequest request{
      read_operation(step, operation, key_bits, {"op", "operation", "position", "play", "do", "conclusion"})};
  if (auto const position = step.find("position")) { request.position = position->whole_number(0, farthest_position); }
  if (auto const plays = step.find("play")) { request.plays = plays->flag(); }
  if (auto const performs = step.find("do")) { request.performs = performs->flag(); }
  if (auto const conclusion = step.find("conclusion")) { request.conclusion = conclusion->text(); }
  return request;
}

Json step_request_json(StepRequest const& request)
{
  Json step = on_key_json(request.operation);
  step["op"] = "step";
  step["operation"] = to_text(request.operation.operation);
  step["position"] = request.position;
  if (!request.conclusion.empty()) { step["conclusion"] = request.conclusion; }
  return step;
}

}  // namespace slotscape
