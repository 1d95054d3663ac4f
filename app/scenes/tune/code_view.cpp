#include "app/scenes/tune/gui.hpp"
#include "app/tuning/candidates.hpp"
#include "app/widgets/canvas_window.hpp"
#include "app/widgets/code_text.hpp"
#include "app/widgets/labels.hpp"
#include "gpu/base/translation.hpp"

#include <fmt/format.h>

#include <array>

namespace slotscape {
namespace {

constexpr float margin = 10.0f;

void code_buttons(Look const& look, TuneState& state, tuning::Candidate const& candidate, tuning::Code const& code)
{
  if (tuning::is_by_others(candidate)) { return; }  // the tables of other libraries have neither a scenario nor code
  ImGui::SameLine();
  std::string labels = tr("Scenario…");
  if (!code.text.empty()) { labels = fmt::format("{} {} {}", labels, tr("Copy"), tr("Save…")); }
  align_right(ImGui::CalcTextSize(labels.c_str()).x + 8.0f * ImGui::GetStyle().FramePadding.x);
  if (text_button("Scenario…")) { state.ask(AskWhereToSave{TuneExport::scenario}); }
  hint(look, "Saves the table, with its keys and its mix, as a scenario that this program opens.");
  if (code.text.empty()) { return; }
  ImGui::SameLine();
  if (text_button("Copy")) {
    ImGui::SetClipboardText(code.text.c_str());
    state.notice = tr("Copied the code.");
  }
  ImGui::SameLine();
  if (text_button("Save…")) { state.ask(AskWhereToSave{TuneExport::code}); }
  hint(look, code.file);
}

}  // namespace

tuning::Code shown_code(TuneState const& state)
{
  tuning::Measured const* const measured = state.measured(state.chosen());
  if (measured == nullptr) {
    return {.file = "", .text = "", .remark = tr("There is no table yet: press Start (Space).")};
  }
  return tuning::code_of(state.settings.code, measured->candidate, *state.results);
}

void draw_code(Look const& look, TuneState& state, Rectangle const& place)
{
  begin_canvas_window("##code", place);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {look(margin), look(margin)});
  ImGui::BeginChild("code", {0.0f, 0.0f}, ImGuiChildFlags_AlwaysUseWindowPadding);
  ImGui::PopStyleVar();
  tuning::Measured const* const measured = state.measured(state.chosen());
  if (measured == nullptr) {
    remark(look, "There is no table yet: press Start (Space).");
  } else {
    std::string const title = tuning::title_of(*measured);
    ImGui::TextWrapped("%s", title.c_str());
    auto const kinds = enum_names<tuning::CodeFor>();
    std::vector<std::string_view> labels;
    for (auto const& kind : kinds) { labels.push_back(kind.label); }
    int chosen = static_cast<int>(state.settings.code);
    if (segmented(look, "code_for", labels, chosen)) { state.settings.code = static_cast<tuning::CodeFor>(chosen); }
    tuning::Code code = shown_code(state);
    code_buttons(look, state, measured->candidate, code);
    if (!code.remark.empty()) { remark(look, code.remark); }
    if (!code.text.empty()) { code_text(look, "##text", code.text); }
  }
  ImGui::EndChild();
  ImGui::End();
}

}  // namespace slotscape
