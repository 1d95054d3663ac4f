#include "app/lessons/panel.hpp"
#include "app/lessons/rich_text.hpp"
#include "app/widgets/controls.hpp"
#include "app/widgets/labels.hpp"
#include "gpu/base/translation.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace slotscape::lessons {
namespace {

constexpr float strip_text_size = 16.0f;
constexpr float strip_title_size = 17.0f;
constexpr float widest_text = 900.0f;
constexpr float least_text = 300.0f;  ///< beside the buttons of a tour; if narrower, they move below it
constexpr float buttons_width = 210.0f;
constexpr float close_size = 26.0f;
constexpr float strip_margin = 12.0f;

struct StripLayout {
  float text_width;
  bool buttons_below;
};
StripLayout lay_out(Look const& look, Rectangle const& window, bool is_tour)
{
  float const room = static_cast<float>(window.width) - look(3.0f * strip_margin);
  bool const below = is_tour && room < look(buttons_width + least_text);
  float const beside = is_tour && !below ? buttons_width : close_size;
  return {std::clamp(room - look(beside), look(120.0f), look(widest_text)), below};
}

std::string words_of(ScenarioWords const& words)
{
  if (words.title.empty()) { return words.caption; }
  return words.caption.empty() ? "**" + words.title + "**" : fmt::format("**{}**\n\n{}", words.title, words.caption);
}

void step_button(Look const& look, char const* label, bool enabled, std::size_t to, std::vector<Wish>& wishes)
{
  ImGui::BeginDisabled(!enabled);
  if (ImGui::Button(translated_label(label).c_str(), {look(64.0f), 0.0f})) {
    wishes.emplace_back([to](Session& session) { session.go_to(to); });
  }
  ImGui::EndDisabled();
  ImGui::SameLine();
}

void tour_buttons(Look const& look, Session const& session, std::vector<Wish>& wishes)
{
  step_button(look, translatable("Back"), session.has_previous(), session.number() - 1, wishes);
  step_button(look, translatable("Next"), session.has_next(), session.number() + 1, wishes);
  ImGui::AlignTextToFramePadding();
  ImGui::TextColored(theme::rgba(theme::text_dim), "%zu/%zu", session.number() + 1, session.count());
}

float height_of_buttons(StripLayout const& layout)
{
  return layout.buttons_below ? ImGui::GetFrameHeightWithSpacing() : 0.0f;
}

}  // namespace

int strip_height(Look const& look, Rectangle const& window, ScenarioWords const& words, Session const* session)
{
  StripLayout const layout = lay_out(look, window, session != nullptr);
  float const text =
      height_of(layout.text_width, text_look(look, look(strip_text_size)), parse_rich_text(words_of(words)));
  float const lines = std::max(text, look(strip_title_size * 1.5f));
  return std::min(static_cast<int>(lines + look(2.0f * strip_margin) + height_of_buttons(layout)), window.height / 3);
}

std::vector<Wish> draw_strip(Look const& look, ScenarioWords const& words, Session const* session,
                             Rectangle const& place, PanelState& state)
{
  std::vector<Wish> wishes;
  ImGui::SetNextWindowPos({static_cast<float>(place.x), static_cast<float>(place.y)});
  ImGui::SetNextWindowSize({static_cast<float>(place.width), static_cast<float>(place.height)});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, 0.0f);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {look(strip_margin), look(strip_margin)});
  ImGui::Begin("##words", nullptr,
               ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings |
                   ImGuiWindowFlags_NoFocusOnAppearing | ImGuiWindowFlags_NoBringToFrontOnFocus);
  StripLayout const layout = lay_out(look, place, session != nullptr);
  ImGui::BeginChild("text", {layout.text_width, -height_of_buttons(layout)});
  rich_text(look, look(strip_text_size), words_of(words));
  ImGui::EndChild();
  ImGui::SameLine();
  float const close = look(close_size);
  if (session != nullptr && !layout.buttons_below) {
    align_right(look(buttons_width));
    tour_buttons(look, *session, wishes);
    ImGui::SameLine();
  }
  align_right(close);
  if (icon_button(look, "close", Icon::close, {close, close})) { state.wants_close = true; }
  if (layout.buttons_below) { tour_buttons(look, *session, wishes); }
  ImGui::End();
  ImGui::PopStyleVar(2);
  return wishes;
}

}  // namespace slotscape::lessons
