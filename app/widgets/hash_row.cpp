#include "app/widgets/hash_row.hpp"

#include "app/widgets/controls.hpp"
#include "gpu/base/error.hpp"
#include "gpu/tables/hash_formula.hpp"

#include <fmt/format.h>
#include <imgui_stdlib.h>

#include <algorithm>

namespace slotscape {
namespace {

std::string help_of_formulas()
{
  std::string text =
      tr("k is the key, m the number of slots; x, y and z are the coordinates of a packed cell. + − * / % ^ & | ~ << "
         ">> as in C, with whole numbers of 64 bits; numbers with a fraction support only + − *.");
  for (HashWord const& word : hash_words()) { text += fmt::format("\n{}: {}", word.use, translated(word.help)); }
  return text;
}

void draw_error(std::string const& error)
{
  ImGui::PushStyleColor(ImGuiCol_Text, theme::warning);
  ImGui::PushTextWrapPos(0.0f);
  ImGui::TextUnformatted(error.c_str());
  ImGui::PopTextWrapPos();
  ImGui::PopStyleColor();
}

/// Sets the formula if it is valid; else notes why not.
bool take(HashChoice& hash, std::string const& text, bool is_done, ImGuiID id, HashField& field)
{
  try {
    HashChoice const read = with_formula(hash, text);
    if (field.of == id) { field = {}; }
    if (!is_done || read == hash) { return false; }
    hash = read;
    return true;
  } catch (Error const& error) {
    field = {id, text, error.what()};
    return false;
  }
}

bool ready_list(Look const& look, HashChoice& hash)
{
  constexpr ImGuiComboFlags flags =
      ImGuiComboFlags_NoPreview | ImGuiComboFlags_PopupAlignLeft | ImGuiComboFlags_HeightLarge;
  bool changed = false;
  ImGui::SameLine(0.0f, 0.0f);
  if (!ImGui::BeginCombo("##ready", "", flags)) { return false; }
  for (ReadyFormula const& ready : ready_formulas()) {
    std::string const name(ready.name);
    if (ImGui::Selectable(fmt::format("{}   {}", name, ready.formula).c_str(), hash.formula->text == name)) {
      hash = with_formula(hash, name);
      changed = true;
    }
    hint(look, translated(ready.help));
  }
  ImGui::EndCombo();
  return changed;
}

bool formula_row(Look const& look, HashChoice& hash, HashField& field)
{
  row_label(look, "Formula");
  ImGuiID const id = ImGui::GetID("##formula");
  std::string text = field.of == id ? field.text : hash.formula->text;
  ImGui::SetNextItemWidth(ImGui::GetContentRegionAvail().x - ImGui::GetFrameHeight());
  bool const entered = ImGui::InputText("##formula", &text, ImGuiInputTextFlags_EnterReturnsTrue);
  bool const left = ImGui::IsItemDeactivatedAfterEdit();
  bool const typing = ImGui::IsItemActive();
  if (!typing && field.of != id) {
    hint(look, help_of_formulas());
  }  // shows no hint that would cover the typed text and its error
  bool changed = (typing || entered || left) && take(hash, text, entered || left, id, field);
  if (ready_list(look, hash)) {
    field = {};
    changed = true;
  }
  if (field.of == id) { draw_error(field.error); }
  return changed;
}

bool reduction_row(Look const& look, HashChoice& hash)
{
  row_label(look, "To slot");
  ImGui::SetNextItemWidth(-FLT_MIN);
  bool const changed = choose("##reduction", hash.reduction);
  hint(look,
       "How the hash becomes a slot number. By default, a formula is taken modulo the number of slots, which changes "
       "nothing if the formula already gives a slot.");
  return changed;
}

}  // namespace

bool hash_control(Look const& look, SettingText const& text, HashChoice& hash, HashField& field,
                  SettingControl const& control)
{
  bool changed = false;
  double const shown = static_cast<double>(static_cast<int>(hash.kind));
  if (auto const kind = setting_control(look, text, hash_range(), shown, control)) {
    hash = with_kind(hash, static_cast<HashKind>(static_cast<int>(*kind)));
    field = {};
    changed = true;
  }
  if (hash.formula) { changed = formula_row(look, hash, field) || changed; }
  return (!hash.is_compiled_in() && reduction_row(look, hash)) || changed;
}

}  // namespace slotscape
