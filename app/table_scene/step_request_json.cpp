// The scenario step that opens step mode.

#include "app/keys/keys_json.hpp"
#include "app/table_scene/setup.hpp"

namespace slotscape {

StepRequest read_step_request(JsonNode const& step, int key_bits)
{
  auto const operation = step.at("operation").one_of<Operation>("operation");
  constexpr std::uint64_t farthest_position = std::uint64_t{1} << 32;
  StepRequest request{
      read_on_key(step, operation, key_bits, {"op", "operation", "position", "play", "do", "conclusion"})};
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

std::optional<StepRequest> read_step_mode(JsonNode const& steps, int key_bits)
{
  std::vector<JsonNode> const all = steps.elements();
  bool const asked = !all.empty() && all.back().at("op").text() == "step";
  return asked ? std::optional(read_step_request(all.back(), key_bits)) : std::nullopt;
}

}  // namespace slotscape
