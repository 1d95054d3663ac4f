#include "app/dialogs/trust_dialog.hpp"

#include "app/base/encoding.hpp"
#include "app/widgets/controls.hpp"
#include "app/widgets/labels.hpp"
#include "app/widgets/text_field.hpp"
#include "gpu/base/translation.hpp"

#include <utility>

namespace slotscape {
namespace {

constexpr char const* trust_popup = translatable("Read files outside the folder?");

}  // namespace

void TrustDialog::ask(std::string document, std::filesystem::path outside, std::function<void()> go_on)
{
  document_ = std::move(document);
  outside_ = std::move(outside);
  go_on_ = std::move(go_on);
  opening_ = true;
}

std::function<void()> TrustDialog::draw(Look const& look)
{
  if (std::exchange(opening_, false)) { ImGui::OpenPopup(translated_label(trust_popup).c_str()); }
  ImGui::SetNextWindowPos(ImGui::GetMainViewport()->GetCenter(), ImGuiCond_Always, {0.5f, 0.5f});
  ImGui::SetNextWindowSize({look(520.0f), 0.0f});
  if (!ImGui::BeginPopupModal(translated_label(trust_popup).c_str(), nullptr, ImGuiWindowFlags_NoResize)) { return {}; }
  ImGui::TextWrapped("%s", tr("{} wants to read", document_).c_str());
  ImGui::TextWrapped("%s", printable(path_text(outside_)).c_str());
  remark(look,
         "The file is outside the document's own folder. If you trust the document, allow this file and all others "
         "that it names.");
  ImVec2 const size{look(110.0f), 0.0f};
  align_right(size.x * 2.0f + ImGui::GetStyle().ItemSpacing.x);
  bool const allowed = text_button("Allow", size);
  ImGui::SameLine();
  bool const refused =
      primary_button("Cancel", size) || enter_confirms() || ImGui::IsKeyPressed(ImGuiKey_Escape, false);
  ImGui::SetItemDefaultFocus();
  if (allowed || refused) { ImGui::CloseCurrentPopup(); }
  ImGui::EndPopup();
  return allowed ? std::exchange(go_on_, {}) : std::function<void()>();
}

}  // namespace slotscape
