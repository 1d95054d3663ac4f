#include "app/scene/work_bar.hpp"

#include "app/base/text.hpp"
#include "app/widgets/controls.hpp"
#include "app/widgets/labels.hpp"
#include "gpu/base/translation.hpp"

#include <cmath>

namespace slotscape {
namespace {

std::string done_text(ProgressSnapshot const& progress)
{
  std::string share = percent(progress.share);
  if (!progress.seconds_left) { return share; }
  return tr("{}, about {:.0f} s left", share, std::ceil(*progress.seconds_left));
}

}  // namespace

bool draw_progress(Look const& look, ProgressSnapshot const& progress, Rectangle const& canvas)
{
  begin_notice(look, "##progress", canvas, look(420.0f));
  ImGui::TextUnformatted(progress.what.c_str());
  ImGui::SameLine();
  text_right(theme::text_dim, done_text(progress));
  float const button = look(76.0f);
  ImGui::PushStyleColor(ImGuiCol_PlotHistogram, theme::accent);
  ImGui::ProgressBar(static_cast<float>(progress.share),
                     {ImGui::GetContentRegionAvail().x - button - ImGui::GetStyle().ItemSpacing.x, 0.0f}, "");
  ImGui::PopStyleColor();
  ImGui::SameLine();
  bool const cancelled = text_button("Cancel", {button, 0.0f});
  hint(look, "Esc does the same.");
  end_card();
  return cancelled;
}

}  // namespace slotscape
