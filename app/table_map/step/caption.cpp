#include "app/table_map/step/draw.hpp"

#include "app/widgets/controls.hpp"
#include "app/widgets/look.hpp"
#include "gpu/base/translation.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace slotscape {
namespace {

constexpr float smallest_text = 12.0f;
constexpr float button_width = 40.0f;
constexpr float speed_width = 150.0f;
constexpr int transport_buttons = 5;

float height_of(ImFont* font, float size, float width, std::string const& text)
{
  return text.empty() ? 0.0f : font->CalcTextSizeA(size, FLT_MAX, width, text.c_str()).y;
}

/// The largest font size at which both wrapped texts fit below each other.
float fitting_size(Look const& look, ImVec2 room, StepCaption const& caption)
{
  ImFont* const font = look.font;
  float size = look.caption;
  auto const fits = [&] {
    return height_of(font, size, room.x, caption.text) + height_of(font, size, room.x, caption.summary) <= room.y;
  };
  while (size > look(smallest_text) && !fits()) { size -= 1.0f; }
  return size;
}

bool transport_button(Look const& look, char const* id, Icon icon, char const* what, bool enabled)
{
  ImGui::BeginDisabled(!enabled);
  bool const pressed = icon_button(look, id, icon, {look(button_width), ImGui::GetFrameHeight()});
  ImGui::EndDisabled();
  hint(look, what);
  ImGui::SameLine(0.0f, look(4.0f));
  return pressed;
}

}  // namespace

StepCaption caption_of(StepPlayer const& player, bool tells_next)
{
  std::string const summary = player.at_end() ? player.summary() : std::string();
  Step const* const present = player.present();
  if (present == nullptr) {
    std::string const question = player.count() != 0 ? tr(": where does it look first?") : "";
    return {{}, theme::text_dim, title_of(player) + question, summary};
  }
  return {std::string(kind_of(*present, player.plain())), step_color(*present), text_of(*present, tells_next), summary};
}

void draw_caption(Look const& look, Drawing& drawing, ImVec2 low, ImVec2 high, StepCaption const& caption)
{
  ImVec2 const room{high.x - low.x, high.y - low.y};
  float const size = fitting_size(look, room, caption);
  float const text = height_of(look.font, size, room.x, caption.text);
  float const all = text + height_of(look.font, size, room.x, caption.summary);
  float const top = low.y + std::max((room.y - all) / 2.0f, 0.0f);
  drawing.text({low.x, top}, size, theme::text_on(look.background), caption.text, room.x);
  drawing.text({low.x, top + text}, size, theme::accent_on(look.background), caption.summary, room.x);
}

float transport_width(Look const& look)
{
  return transport_buttons * look(button_width + 4.0f) + look(speed_width + 8.0f);
}

void draw_transport(Look const& look, StepGroup players, double& speed, bool with_speed)
{
  if (transport_button(look, "first", Icon::first, tr("Go to the start (Home)."), !players.at_start())) {
    players.go_to(0);
  }
  if (transport_button(look, "back", Icon::back, tr("One memory access back (Left)."), !players.at_start())) {
    players.back();
  }
  Icon const icon = players.playing() ? Icon::pause : Icon::play;
  if (transport_button(look, "play", icon, tr("Play or pause (Space)."), players.count() != 0)) {
    players.play_or_pause();
  }
  if (transport_button(look, "forward", Icon::step, tr("The next memory access (Right)."), !players.at_end())) {
    players.forward();
  }
  if (transport_button(look, "last", Icon::last, tr("Go to the end (End)."), !players.at_end())) {
    players.go_to(players.count());
  }
  if (!with_speed) { return; }
  ImGui::SameLine(0.0f, look(8.0f));
  ImGui::SetNextItemWidth(look(speed_width));
  slider(look, "##speed", speed, StepPlayer::slowest, StepPlayer::fastest, tr("{:.2g} per second", speed), true);
  hint(look, tr("Playback speed."));
}

}  // namespace slotscape
