#include "app/scene/work_bar.hpp"
#include "app/scenes/races/gui.hpp"
#include "app/scenes/races/scene.hpp"
#include "app/table_map/overlays.hpp"
#include "app/table_map/palette.hpp"
#include "app/widgets/canvas_window.hpp"
#include "app/widgets/controls.hpp"
#include "app/widgets/labels.hpp"
#include "gpu/base/translation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace slotscape {
namespace {

constexpr float min_races_width = 860.0f;
constexpr float tools_height = 42.0f;
constexpr float verdict_line = 24.0f;
constexpr float verdict_margin = 14.0f;
constexpr float verdict_padding = 5.0f;
constexpr float icon_width = 36.0f;

ImVec2 corner_of(Rectangle const& place)
{
  return {static_cast<float>(place.x), static_cast<float>(place.y)};
}
ImVec2 end_of(Rectangle const& place)
{
  return {static_cast<float>(place.x + place.width), static_cast<float>(place.y + place.height)};
}

bool tool(Look const& look, char const* id, Icon icon, char const* what, bool enabled)
{
  ImGui::BeginDisabled(!enabled);
  bool const pressed = icon_button(look, id, icon, {look(icon_width), ImGui::GetFrameHeight()});
  ImGui::EndDisabled();
  hint(look, what);
  ImGui::SameLine(0.0f, look(4.0f));
  return pressed;
}

/// The text shown while a history has not ended.
std::string progress_text(RacesState const& state)
{
  RacesSettings const& settings = state.settings;
  if (state.shows_bad_history()) {
    return tr("The shortest illegal history: turn {} of {}", settings.position, settings.schedule.size());
  }
  if (settings.schedule.empty()) { return tr("Whose turn is it?"); }
  if (state.to_come() == 0) { return tr("Turn {}", settings.position); }
  return tr("Turn {} of {}", settings.position, settings.schedule.size());
}

/// The findings of the search, and notes on the table.
std::string remarks_on(RacesState const& state)
{
  std::string const found = state.report ? text_of(*state.report) : std::string();
  std::string about = state.promise;
  if (!state.flaw.empty()) {
    about = state.asks ? "" : tr("Wrong, and not one of the program's families: {}", translated(state.flaw));
  }
  return found.empty() || about.empty() ? found + about : fmt::format("{} {}", found, about);
}

/// The strip below the threads: the verdict, as large as fits on one line, with remarks below.
struct VerdictStrip {
  VerdictStrip(Look const& look, RacesState const& state, int width)
      : verdict(state.history.verdict ? races::text_of(state.race, *state.history.verdict) : progress_text(state)),
        remarks(remarks_on(state)),
        room(static_cast<float>(width) - look(2.0f * verdict_margin))
  {
    auto const extent = [&](float text_size, float wrap, std::string const& text) {
      return look.font->CalcTextSizeA(text_size, FLT_MAX, wrap, text.c_str());
    };
    size = std::clamp(look.large * room / std::max(extent(look.large, 0.0f, verdict).x, 1.0f), look.small, look.large);
    remarks_at = look(verdict_padding) + std::max(extent(size, room, verdict).y, look(verdict_line));
    height = remarks_at + extent(look.small, room, remarks).y + look(verdict_padding);
  }

  std::string verdict;
  std::string remarks;
  float room;
  float size;  ///< font size of the verdict
  float remarks_at;
  float height;
};

}  // namespace

void RacesScene::lay_out(Frame const& frame)
{
  Look const& look = frame.look;
  Rectangle const& window = frame.window;
  Panels const& panels = frame.panels;
  state_.asks = frame.asks;
  layout_ = {};
  is_lecture_ = frame.bare && !frame.slide;
  if (frame.bare && !is_lecture_) {
    layout_.slots = window;
    return place_canvas(window);
  }
  Rectangle middle = window;
  if (!is_lecture_) {
    layout_.sides = lay_out_sides(look, panels.widths, window, panels.controls, panels.numbers, min_races_width);
    middle = layout_.sides.middle;
  }
  place_canvas(middle);
  auto const take = [&](int height) {
    Rectangle const part{middle.x, middle.y, middle.width, std::min(height, middle.height)};
    middle.y += part.height;
    middle.height = std::max(middle.height - part.height, 1);
    return part;
  };
  if (!is_lecture_) { layout_.toolbar = take(static_cast<int>(look(tools_height))); }
  layout_.slots = take(static_cast<int>(slots_height(look, state_, static_cast<float>(middle.width))));
  int const verdict = static_cast<int>(VerdictStrip(look, state_, middle.width).height);
  layout_.threads = take(std::max(middle.height - verdict, 1));
  layout_.verdict = middle;
}

void RacesScene::draw_toolbar(Look const& look)
{
  Rectangle const& place = layout_.toolbar;
  ImGui::SetCursorScreenPos({static_cast<float>(place.x) + look(12.0f),
                             static_cast<float>(place.y) + (look(tools_height) - ImGui::GetFrameHeight()) / 2.0f});
  bool const at_start = state_.settings.position == 0;
  bool const at_end = state_.history.turns.empty() && state_.to_come() == 0;
  if (tool(look, "first", Icon::first, translatable("Before the first turn (Home)."), !at_start)) {
    state_.ask(GoToTurn{0});
  }
  if (tool(look, "back", Icon::back, translatable("One turn back (Left)."), !at_start)) {
    state_.ask(GoToTurn{state_.settings.position - 1});
  }
  if (tool(look, "play", state_.playing ? Icon::pause : Icon::play, "Play or pause (Space).", true)) {
    state_.ask(PlayRace{});
  }
  if (tool(look, "step", Icon::step, translatable("The next turn; a random one if none is recorded (Right)."),
           !at_end)) {
    state_.ask(GoForward{});
  }
  if (tool(look, "last", Icon::last, translatable("To the end; at random where no turns are recorded (End)."),
           !at_end)) {
    state_.ask(RunToEnd{});
  }
  ImGui::SameLine(0.0f, look(12.0f));
  ImGui::BeginDisabled(state_.searching);
  if (primary_button("Search all schedules", {0.0f, 0.0f})) { state_.ask(ExploreRace{}); }
  ImGui::EndDisabled();
  hint(look,
       "Goes through all orders in which the threads can make their accesses, and keeps the shortest illegal one "
       "(E).");
  if (state_.has_bad_history()) {
    ImGui::SameLine(0.0f, look(8.0f));
    if (text_button("Replay shortest illegal history")) { state_.ask(ReplayShortest{}); }
    hint(look, "From its start; Right takes the next turn (B).");
  }
}

void RacesScene::draw_verdict(Look const& look)
{
  Rectangle const& place = layout_.verdict;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  ImVec2 const low = corner_of(place);
  list.AddRectFilled(low, end_of(place), theme::raised);
  auto const& verdict = state_.history.verdict;
  ImU32 const color = !verdict ? theme::text : verdict->legal ? theme::right : theme::error;
  if (verdict) { list.AddRectFilled(low, {low.x + look(5.0f), end_of(place).y}, color); }
  VerdictStrip const strip(look, state_, place.width);
  float const left = low.x + look(verdict_margin);
  list.AddText(look.font, strip.size, {left, low.y + look(verdict_padding)}, color, strip.verdict.c_str(), nullptr,
               strip.room);
  list.AddText(look.font, look.small, {left, low.y + strip.remarks_at}, theme::text_dim, strip.remarks.c_str(), nullptr,
               strip.room);
}

void RacesScene::draw_gui(Frame const& frame)
{
  Look const& look = frame.look;
  if (frame.bare) { return; }
  begin_canvas_window("##races", canvas());
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.AddRectFilled(corner_of(canvas()), end_of(canvas()), packed(canvas_color));
  draw_toolbar(look);
  ScreenDrawing drawing(list, look.font);
  draw_slots(look, drawing, layout_.slots, state_);
  threads_view(look, layout_.threads, state_);
  draw_verdict(look);
  ImGui::End();
  draw_sides(
      look, frame.panels.widths, layout_.sides,
      [&] {
        case_panel(look, state_);
        shared_table_panel(look, state_);
        threads_panel(look, state_);
        ImGui::Dummy({0.0f, look(8.0f)});
      },
      [&] {
        search_panel(look, state_);
        ImGui::Dummy({0.0f, look(8.0f)});
      });
  if (state_.progress && draw_progress(look, *state_.progress, layout_.threads)) { state_.ask(CancelSearch{}); }
}

/// Threads and verdict, large enough for the back row of a lecture hall.
void RacesScene::draw_lecture_panels(Frame const& frame)
{
  Look look = frame.look;
  look.small = look.body * 1.1f;
  look.body = look.small;
  Rectangle below = layout_.threads;
  below.height += layout_.verdict.height;
  begin_canvas_window("##races in a lecture", below);
  ImGui::GetWindowDrawList()->AddRectFilled(corner_of(below), end_of(below), packed(canvas_color));
  threads_view(look, layout_.threads, state_);
  draw_verdict(frame.look);
  ImGui::End();
}

/// The slots, the last access and the verdict; in a lecture only the slots, because the rest is shown below them.
void RacesScene::draw_slide(Look const& look, Drawing& drawing, bool)
{
  if (is_lecture_) { return draw_slots(look, drawing, layout_.slots, state_); }
  Rectangle const& place = canvas();
  float const width = static_cast<float>(place.width);
  Rectangle slots = place;
  slots.height = static_cast<int>(slots_height(look, state_, width));
  draw_slots(look, drawing, slots, state_);
  float y = static_cast<float>(slots.y + slots.height) + look(12.0f);
  float const room = width - look(40.0f);
  auto const write = [&](std::string const& text, float size, ImU32 color) {
    drawing.text({static_cast<float>(place.x) + look(20.0f), y}, size, color, text, room);
    y += look.font->CalcTextSizeA(size, FLT_MAX, room, text.c_str()).y + look(8.0f);
  };
  for (std::size_t i = 0; i < state_.race.calls.size(); ++i) {
    write(fmt::format("{}  {}", thread_name(i), races::text_of(state_.race.calls[i])), look.large, thread_colors[i]);
  }
  if (!state_.history.events.empty()) {
    races::Event const& last = state_.history.events.back();
    write(fmt::format("{}: {}", thread_name(last.turn.thread), last.text), look.caption,
          theme::text_on(look.background));
  }
  auto const& verdict = state_.history.verdict;
  if (verdict) {
    write(races::text_of(state_.race, *verdict), look.caption,
          verdict->legal ? theme::accent_on(look.background) : theme::error);
  }
}

}  // namespace slotscape
