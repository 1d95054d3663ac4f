#include "app/table_map/dragged_key.hpp"

#include "app/widgets/theme.hpp"

#include <imgui.h>

#include <cstring>

namespace slotscape {
namespace {

constexpr char const* payload_type = "slotscape key";

std::optional<Pair> pair_in(ImGuiPayload const* payload)
{
  Pair pair{};
  bool const is_key = payload != nullptr && payload->IsDataType(payload_type) && payload->DataSize == sizeof pair;
  if (!is_key) { return std::nullopt; }
  std::memcpy(&pair, payload->Data, sizeof pair);
  return pair;
}

}  // namespace

void offer_to_drag(Pair const& key, std::string const& text)
{
  if (!ImGui::BeginDragDropSource()) { return; }
  ImGui::SetDragDropPayload(payload_type, &key, sizeof key);
  ImGui::TextUnformatted(text.c_str());
  ImGui::EndDragDropSource();
}

std::optional<Key> dragged_key()
{
  if (ImGui::GetCurrentContext() == nullptr) { return std::nullopt; }
  auto const pair = pair_in(ImGui::GetDragDropPayload());
  return pair ? std::optional(pair->key) : std::nullopt;
}

std::optional<Pair> dropped_key()
{
  if (!ImGui::BeginDragDropTarget()) { return std::nullopt; }
  ImGui::PushStyleColor(ImGuiCol_DragDropTarget, theme::accent);
  auto const pair = pair_in(ImGui::AcceptDragDropPayload(payload_type));
  ImGui::PopStyleColor();
  ImGui::EndDragDropTarget();
  return pair;
}

}  // namespace slotscape
