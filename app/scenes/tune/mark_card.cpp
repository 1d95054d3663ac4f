#include "app/base/text.hpp"
#include "app/scenes/tune/gui.hpp"
#include "app/tuning/candidates.hpp"
#include "app/widgets/labels.hpp"
#include "app/widgets/number_rows.hpp"
#include "gpu/base/translation.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <string>
#include <vector>

namespace slotscape {
namespace {

constexpr float tooltip_width = 330.0f;

void fact_rows(Look const& look, char const* id, std::vector<MarkFact> const& facts)
{
  if (!begin_number_rows(id)) { return; }
  for (MarkFact const& fact : facts) { number_row(look, fact.name.c_str(), fact.what, fact.figure); }
  ImGui::EndTable();
}

void place_in_the_choice(Look const& look, TuneState const& state, std::size_t measured)
{
  std::vector<std::string> said;
  if (state.choice.winner == measured) { said.emplace_back(tr("The choice.")); }
  if (state.choice.knee == measured) { said.emplace_back(tr("The knee of the frontier.")); }
  if (state.results->present == measured) {
    said.emplace_back(state.results->stands_in() ? tr("The table closest to your own.")
                                                 : tr("The table that you use now."));
  }
  if (!said.empty()) { remark(look, fmt::format("{}", fmt::join(said, " "))); }
}

}  // namespace

void draw_mark_tooltip(Look const& look, TuneState const& state, std::size_t measured)
{
  tuning::Measured const* const mark = state.measured(measured);
  if (mark == nullptr) { return; }
  ImGui::BeginTooltip();
  ImGui::PushTextWrapPos(look(tooltip_width));
  ImGui::TextUnformatted(tuning::title_of(*mark).c_str());
  ImGui::PopTextWrapPos();
  ImGui::Dummy({look(tooltip_width), 0.0f});
  fact_rows(look, "hovered", facts_of(*state.results, *mark));
  ImGui::PushTextWrapPos(look(tooltip_width));
  ImGui::PushFont(look.font, look.small);
  ImGui::PushStyleColor(ImGuiCol_Text, theme::text_dim);
  ImGui::TextUnformatted(what_was_timed(*state.results, *mark).c_str());
  ImGui::TextUnformatted(tuning::is_by_others(mark->candidate)
                             ? tr("Click to select it.")
                             : tr("Click to select it, double-click to open it slot by slot."));
  ImGui::PopStyleColor();
  ImGui::PopFont();
  ImGui::PopTextWrapPos();
  ImGui::EndTooltip();
}

bool draw_mark_card(Look const& look, TuneState& state, Rectangle const& canvas, CardPlace& card)
{
  std::size_t const selected = *state.selected;
  tuning::Measured const& mark = *state.measured(selected);
  bool const close = begin_card(look, "##mark", canvas, card);
  ImGui::PushTextWrapPos(ImGui::GetWindowWidth() - look(36.0f));
  ImGui::TextUnformatted(tuning::title_of(mark).c_str());
  ImGui::PopTextWrapPos();
  place_in_the_choice(look, state, selected);
  fact_rows(look, "selected", facts_of(*state.results, mark));
  remark(look, what_was_timed(*state.results, mark));
  if (tuning::Measured const* const other = state.measured(state.compared)) {
    double const ratio = other->throughput > 0.0 ? mark.throughput / other->throughput : 0.0;
    remark(look, tr("{:.2f}× the throughput and {:.2f}× the memory of {}.", ratio,
                    mark.bytes_per_key / other->bytes_per_key, tuning::title_of(*other)));
  }
  ImVec2 const size{(ImGui::GetContentRegionAvail().x - ImGui::GetStyle().ItemSpacing.x) / 2.0f, 0.0f};
  if (!tuning::is_by_others(mark.candidate)) {
    if (primary_button("Open in slots", size)) { state.ask(OpenInSlots{selected}); }
    hint(look, tr("Shows this table slot by slot, filled with these keys (Enter, or a double click): {}",
                  slots_to_show(*state.results, mark)));
    ImGui::SameLine();
  }
  if (text_button("Use this", size)) { state.settings.view = TuneView::code; }
  hint(look, "The table as code (U).");
  end_card();
  return !close;
}

}  // namespace slotscape
