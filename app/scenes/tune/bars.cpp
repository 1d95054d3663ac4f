#include "app/base/text.hpp"
#include "app/scenes/tune/gui.hpp"
#include "app/widgets/labels.hpp"

#include "gpu/base/translation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace slotscape {
namespace {

constexpr float padding = 8.0f;
constexpr float button_width = 92.0f;

void begin_bar(Look const& look, char const* id, Rectangle const& place, ImU32 color)
{
  ImGui::SetNextWindowPos({static_cast<float>(place.x), static_cast<float>(place.y)});
  ImGui::SetNextWindowSize({static_cast<float>(place.width), static_cast<float>(place.height)});
  float const vertical = std::floor((static_cast<float>(place.height) - ImGui::GetFrameHeight()) / 2.0f);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {look(padding), std::max(vertical, 0.0f)});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowMinSize, {1.0f, 1.0f});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, 0.0f);
  ImGui::PushStyleColor(ImGuiCol_WindowBg, color);
  ImGui::Begin(id, nullptr,
               ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings |
                   ImGuiWindowFlags_NoBringToFrontOnFocus);
  ImGui::PopStyleColor();
  ImGui::PopStyleVar(3);
}

std::string time_left(double seconds)
{
  if (seconds < 1.0) { return tr("almost done"); }
  return seconds < 90.0 ? tr("{:.0f} s left", seconds) : tr("{:.1f} min left", seconds / 60.0);
}

char const* name_of(tuning::Phase phase)
{
  switch (phase) {
    case tuning::Phase::preparing: return tr("Reading the keys");
    case tuning::Phase::coarse: return tr("Every family");
    case tuning::Phase::refining: return tr("Around the best");
    case tuning::Phase::checking: return tr("Checking the best");
    case tuning::Phase::done: return tr("Done");
    case tuning::Phase::cancelled: return tr("Cancelled");
    case tuning::Phase::failed: return tr("Ended by an error");
  }
  return "";
}

/// The sweep's current step, on a progress bar.
void progress(Look const& look, TuneState const& state, float width)
{
  tuning::SweepStatus const& status = state.status;
  ImVec2 const at = ImGui::GetCursorScreenPos();
  ImVec2 const size{width, ImGui::GetFrameHeight()};
  ImGui::Dummy(size);
  ImDrawList& list = *ImGui::GetWindowDrawList();
  float const rounding = ImGui::GetStyle().FrameRounding;
  ImVec2 const high{at.x + size.x, at.y + size.y};
  list.AddRectFilled(at, high, theme::frame, rounding);
  float const done = static_cast<float>(std::clamp(status.progress, 0.0, 1.0)) * size.x;
  if (done > 1.0f) {
    ImU32 const color = status.paused ? theme::frame_active : theme::accent_dim;
    list.AddRectFilled(at, {at.x + done, high.y}, color, rounding);
  }
  std::string text = std::string(name_of(status.phase));
  if (!status.doing.empty()) { text += fmt::format(": {}", status.doing); }
  std::string const left = status.paused ? std::string(tr("paused")) : time_left(status.seconds_left);
  float const y = at.y + std::floor((size.y - ImGui::GetTextLineHeight()) / 2.0f);
  float const left_width = ImGui::CalcTextSize(left.c_str()).x;
  float const inset = look(padding);
  list.PushClipRect(at, {high.x - left_width - 2.0f * inset, high.y}, true);
  list.AddText({at.x + inset, y}, theme::text, text.c_str());
  list.PopClipRect();
  list.AddText({high.x - left_width - inset, y}, theme::text, left.c_str());
  hint(look, fmt::format("{}\n{}", text, tr("{} tables measured, {} left out.", status.measured, status.skipped)));
}

/// A summary of what is known without a running sweep.
std::string summary(TuneState const& state)
{
  if (!state.results) { return tr("{} on {}", translated(state.settings.workload.name), state.device.device); }
  return tr("{}: {} tables measured for '{}' on {}", name_of(state.status.phase), state.results->measured.size(),
            translated(state.results->workload.name), state.results->device);
}

void line_of_text(std::string const& text)
{
  ImGui::AlignTextToFramePadding();
  ImGui::PushStyleColor(ImGuiCol_Text, theme::text_dim);
  ImGui::TextUnformatted(text.c_str());
  ImGui::PopStyleColor();
}

}  // namespace

void draw_sweep_bar(Look const& look, TuneState& state, Rectangle const& place)
{
  begin_bar(look, "##sweep", place, theme::panel);
  ImVec2 const size{look(button_width), 0.0f};
  float const gap = ImGui::GetStyle().ItemSpacing.x;
  if (state.sweeping) {
    if (text_button(state.status.paused ? translatable("Go on") : translatable("Pause"), size)) {
      state.ask(StartOrPause{});
    }
    hint(look, "Space does the same.");
    ImGui::SameLine();
    progress(look, state, ImGui::GetContentRegionAvail().x - size.x - gap);
    ImGui::SameLine();
    if (text_button("Cancel", size)) { state.ask(CancelSweep{}); }
    hint(look, "The results so far are kept (Esc).");
  } else {
    bool const goes_on = state.up_to_date();
    if (primary_button(goes_on ? translatable("Go on") : translatable("Start"), size)) { state.ask(StartOrPause{}); }
    hint(look, goes_on ? translatable("Continues from the results so far, for the same time again (Space).")
                       : translatable("Looks for the best table for this workload on this device (Space)."));
    ImGui::SameLine();
    if (goes_on) {
      if (text_button("Start over", size)) { state.ask(StartOver{}); }
      ImGui::SameLine();
    }
    std::string const all = summary(state);
    bool const fits = !state.results || ImGui::CalcTextSize(all.c_str()).x <= ImGui::GetContentRegionAvail().x;
    line_of_text(fits ? all
                      : tr("{}: {} tables measured", name_of(state.status.phase), state.results->measured.size()));
    hint(look, summary(state));  // may be wider than its place
  }
  ImGui::End();
}

void draw_view_bar(Look const& look, TuneState& state, Rectangle const& place)
{
  begin_bar(look, "##views", place, theme::raised);
  std::vector<std::string_view> labels;
  for (EnumName<TuneView> const& name : enum_names<TuneView>()) { labels.push_back(name.label); }
  int chosen = static_cast<int>(state.settings.view);
  if (segmented(look, "view", labels, chosen)) { state.settings.view = static_cast<TuneView>(chosen); }
  hint(look,
       "Throughput against memory, with the efficient frontier; against the load factor; the time of a batch; all "
       "three; "
       "or the table as code (V).");
  ImGui::SameLine(0.0f, look(14.0f));
  if (state.settings.view != TuneView::latency && state.settings.view != TuneView::code) {
    ImGui::Checkbox(translated_label("Papers").c_str(), &state.settings.printed);
    hint(look, tr("Overlays rates from papers: point at a diamond for its source. These rates were published only in "
                  "figures, not as numbers:\n{}",
                  tuning::pictures_without_numbers()));
    ImGui::SameLine(0.0f, look(14.0f));
  }
  bool const two = state.measured(state.selected) != nullptr && state.measured(state.compared) != nullptr;
  if (two) {
    if (text_button("Compare the two")) { state.ask(OpenBoth{}); }
    hint(look, "Opens both tables side by side, with the same keys (C).");
  } else if (state.results && !state.results->measured.empty()) {
    char const* const help = tr("Click a mark, or two to compare them.");
    if (ImGui::CalcTextSize(help).x <= ImGui::GetContentRegionAvail().x) { line_of_text(help); }
  }
  ImGui::End();
}

void draw_welcome(Look const& look, TuneState& state, Rectangle const& place)
{
  constexpr float width = 460.0f;
  ImVec2 const middle{static_cast<float>(place.x) + static_cast<float>(place.width) / 2.0f,
                      static_cast<float>(place.y) + static_cast<float>(place.height) * 0.42f};
  ImGui::SetNextWindowPos(middle, ImGuiCond_Always, {0.5f, 0.5f});
  ImGui::SetNextWindowSize({std::min(look(width), static_cast<float>(place.width)), 0.0f});
  ImGui::Begin("##welcome", nullptr,
               ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoBackground |
                   ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_AlwaysAutoResize);
  ImGui::PushFont(look.font, look.large);
  ImGui::TextWrapped("%s", tr("Which table, at which load factor?"));
  ImGui::PopFont();
  ImGui::Dummy({0.0f, look(4.0f)});
  ImGui::TextWrapped(
      "%s",
      tr("Describe on the left what the table is for, or choose a preset. The sweep then builds tables of every family "
         "on this device, with your keys, and measures their performance: coarsely at first, then around the best."));
  ImGui::Dummy({0.0f, look(6.0f)});
  if (primary_button("Start", {look(140.0f), look(34.0f)})) { state.ask(StartOrPause{}); }
  ImGui::SameLine();
  line_of_text(tr("It takes {:.0f} s at most.", state.settings.budget_seconds));
  ImGui::End();
}

}  // namespace slotscape
