#include "app/widgets/number_rows.hpp"

#include "app/widgets/controls.hpp"
#include "gpu/base/translation.hpp"

#include <imgui.h>

namespace slotscape {

bool begin_number_rows(char const* id)
{
  if (!ImGui::BeginTable(id, 2, ImGuiTableFlags_SizingStretchProp)) { return false; }
  ImGui::TableSetupColumn("what", ImGuiTableColumnFlags_WidthStretch, 1.2f);
  ImGui::TableSetupColumn("number", ImGuiTableColumnFlags_WidthStretch, 1.0f);
  return true;
}

void number_row(Look const& look, char const* name, std::string const& what, std::string const& value)
{
  ImGui::TableNextRow();
  ImGui::TableNextColumn();
  ImGui::TextUnformatted(translated(name).c_str());
  hint(look, what);
  ImGui::TableNextColumn();
  text_right(theme::text, value);
}

}  // namespace slotscape
