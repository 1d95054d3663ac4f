#include "app/widgets/code_text.hpp"

namespace slotscape {
namespace {

/// Dear ImGui's built-in font, which comes after the interface's.
ImFont* font_of_code()
{
  ImFontAtlas& atlas = *ImGui::GetIO().Fonts;
  return atlas.Fonts.Size > 1 ? atlas.Fonts[1] : atlas.AddFontDefaultVector();
}

}  // namespace

void code_text(Look const& look, char const* id, std::string& text)
{
  ImGui::PushFont(font_of_code(), look.body);
  ImGui::InputTextMultiline(id, text.data(), text.size() + 1, {-FLT_MIN, -FLT_MIN}, ImGuiInputTextFlags_ReadOnly);
  ImGui::PopFont();
}

}  // namespace slotscape
