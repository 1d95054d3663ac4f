#include "app/scenes/races/gui.hpp"

#include "app/widgets/controls.hpp"
#include "gpu/base/translation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

namespace slotscape {
namespace {

using races::Event;
using races::ThreadNow;
using races::Turn;

constexpr float number_width = 34.0f;
constexpr float padding = 8.0f;
constexpr float header_height = 44.0f;
constexpr float indent_width = 12.0f;
constexpr float code_share = 0.46f;  ///< maximum share of the height
constexpr float min_code_text = 0.72f;
constexpr float button_height = 46.0f;
constexpr float row_padding = 4.0f;

/// Draws all columns into one window, from top to bottom.
class ThreadsView {
public:
  ThreadsView(Look const& look, Rectangle const& place, RacesState& state)
      : look_(look),
        state_(state),
        left_(static_cast<float>(place.x) + look(number_width)),
        width_((static_cast<float>(place.width) - look(number_width)) / static_cast<float>(state.race.calls.size())),
        top_(static_cast<float>(place.y)),
        height_(static_cast<float>(place.height))
  {
  }

  void draw()
  {
    float y = top_;
    for (std::size_t i = 0; i < threads(); ++i) { draw_header(i, y); }
    y += look_(header_height);
    if (state_.settings.show_code) { y += draw_code(y); }
    float const bottom = height_of_next();
    draw_turns(y, std::max(top_ + height_ - bottom - y, look_(40.0f)));
    for (std::size_t i = 0; i < threads(); ++i) { draw_next(i, top_ + height_ - bottom); }
  }

private:
  std::size_t threads() const { return state_.race.calls.size(); }
  float x_of(std::size_t thread) const { return left_ + width_ * static_cast<float>(thread); }
  float text_width() const { return width_ - look_(2.0f * padding); }
  ImVec2 size_of(float size, float wrap, std::string const& text) const
  {
    return look_.font->CalcTextSizeA(size, FLT_MAX, wrap, text.c_str());
  }
  void write(ImVec2 at, float size, ImU32 color, std::string const& text, float wrap = 0.0f) const
  {
    if (size < 1.0f) { return; }  // too little room
    ImGui::GetWindowDrawList()->AddText(look_.font, size, at, color, text.c_str(), nullptr, wrap);
  }

  std::string state_text(std::size_t thread) const
  {
    ThreadNow const& now = state_.history.threads[thread];
    std::string const count = tr_plural("{} access", "{} accesses", now.accesses, now.accesses);
    if (!now.next) { return fmt::format("{} · {}", races::text_of(state_.race.calls[thread], now.result), count); }
    return now.accesses == 0 ? tr("has not begun") : count;
  }

  void draw_header(std::size_t thread, float y) const
  {
    ImDrawList& list = *ImGui::GetWindowDrawList();
    float const x = x_of(thread);
    ImVec2 const high{x + width_ - look_(3.0f), y + look_(header_height - 3.0f)};
    list.AddRectFilled({x, y}, high, theme::raised, look_(4.0f));
    list.AddRectFilled({x, y}, {x + look_(4.0f), high.y}, thread_colors[thread], look_(2.0f));
    std::string const name = fmt::format("{}  {}", thread_name(thread), races::text_of(state_.race.calls[thread]));
    float const wanted = look_.body * 1.08f;
    float const size = std::min(wanted, wanted * text_width() / std::max(size_of(wanted, 0.0f, name).x, 1.0f));
    write({x + look_(padding + 4.0f), y + look_(4.0f)}, size, thread_colors[thread], name);
    bool const ended = !state_.history.threads[thread].next;
    write({x + look_(padding + 4.0f), y + look_(23.0f)}, look_.small, ended ? theme::text : theme::text_dim,
          state_text(thread));
  }

  /// Draws the code from `y` downwards; returns its height.
  float draw_code(float y) const
  {
    std::vector<std::vector<CodeLine>> codes;
    std::size_t lines = 0;
    float widest = 1.0f;
    for (races::Call const& call : state_.race.calls) {
      codes.push_back(state_.race.table->code(call.operation));
      lines = std::max(lines, codes.back().size());
      for (CodeLine const& line : codes.back()) {
        float const indent = look_(indent_width) * static_cast<float>(line.indent);
        widest = std::max(widest, size_of(look_.small, 0.0f, std::string(line.text)).x + indent);
      }
    }
    if (lines < 2) { return 0.0f; }
    float const room = height_ * code_share / (static_cast<float>(lines) * 1.2f);
    float const fitting = std::min(look_.small * std::min(text_width() / widest, 1.0f), room);
    float const size = std::floor(std::max(fitting, look_.small * min_code_text));
    for (std::size_t thread = 0; thread < codes.size(); ++thread) { draw_lines(thread, codes[thread], y, size); }
    return static_cast<float>(lines - 1) * std::floor(size * 1.2f) + look_(8.0f);
  }

  /// Skips the first line, the operation's name, which is in the header.
  void draw_lines(std::size_t thread, std::vector<CodeLine> const& lines, float y, float size) const
  {
    ImDrawList& list = *ImGui::GetWindowDrawList();
    ThreadNow const& now = state_.history.threads[thread];
    float const x = x_of(thread);
    float const height = std::floor(size * 1.2f);
    list.PushClipRect({x, y}, {x + width_ - look_(3.0f), top_ + height_}, true);
    for (std::size_t i = 1; i < lines.size(); ++i, y += height) {
      bool const lit = now.next && !lines[i].label.empty() && lines[i].label == now.code.line;
      if (lit) {
        list.AddRectFilled({x + look_(2.0f), y}, {x + width_ - look_(5.0f), y + height},
                           theme::with_alpha(thread_colors[thread], 0.32f), look_(3.0f));
      }
      float const indent = look_(indent_width) * size / look_.small * static_cast<float>(lines[i].indent - 1);
      write({x + look_(padding) + indent, y + (height - size) / 2.0f}, size,
            lit                      ? theme::text
            : lines[i].label.empty() ? theme::text_faint
                                     : theme::text_dim,
            std::string(lines[i].text));
    }
    list.PopClipRect();
  }

  void draw_turns(float y, float height)
  {
    ImGui::SetCursorScreenPos({left_ - look_(number_width), y});
    ImGui::PushStyleColor(ImGuiCol_ChildBg, theme::panel);
    ImGui::BeginChild("turns", {look_(number_width) + width_ * static_cast<float>(threads()), height});
    ImGui::PopStyleColor();
    std::vector<Event> const& events = state_.history.events;
    if (events.empty()) {
      write({left_ + look_(padding), y + look_(6.0f)}, look_.small, theme::text_faint,
            tr("No thread has taken a turn yet. Click a thread's next access, or press the thread's number."));
    }
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {0.0f, 0.0f});
    for (std::size_t i = 0; i < events.size(); ++i) { draw_turn(i, events[i], i + 1 == events.size()); }
    ImGui::PopStyleVar();
    if (std::exchange(state_.listed, events.size()) != events.size()) { ImGui::SetScrollHereY(1.0f); }
    ImGui::EndChild();
  }

  void draw_turn(std::size_t i, Event const& event, bool last)
  {
    ImDrawList& list = *ImGui::GetWindowDrawList();
    ImU32 const color = thread_colors[event.turn.thread];
    float const height = size_of(look_.small, text_width(), event.text).y + look_(2.0f * row_padding);
    ImVec2 const at = ImGui::GetCursorScreenPos();
    ImGui::PushID(static_cast<int>(i));
    bool const pressed =
        ImGui::InvisibleButton("turn", {look_(number_width) + width_ * static_cast<float>(threads()), height},
                               ImGuiButtonFlags_EnableNav);
    ImGui::PopID();
    if (pressed) { state_.ask(GoToTurn{i + 1}); }
    bool const hovered = ImGui::IsItemHovered();
    hint(look_,
         last ? translatable("The latest turn.") : translatable("Click to go back to the point after this turn."));
    float const x = at.x + look_(number_width) + width_ * static_cast<float>(event.turn.thread);
    if (hovered) {
      list.AddRectFilled({at.x, at.y}, {left_ + width_ * static_cast<float>(threads()), at.y + height}, theme::raised);
    }
    list.AddRectFilled({x, at.y + 1.0f}, {x + width_ - look_(3.0f), at.y + height - 1.0f},
                       theme::with_alpha(color, last           ? 0.30f
                                                : event.writes ? 0.16f
                                                               : 0.07f),
                       look_(3.0f));
    if (event.writes) {
      list.AddRectFilled({x, at.y + 1.0f}, {x + look_(3.0f), at.y + height - 1.0f}, color, look_(1.5f));
    }
    std::string const number = std::to_string(i + 1);
    write({at.x + look_(number_width - 8.0f) - size_of(look_.small, 0.0f, number).x, at.y + look_(row_padding)},
          look_.small, theme::text_faint, number);
    write({x + look_(padding), at.y + look_(row_padding)}, look_.small,
          event.fails ? theme::warning : (event.writes || last ? theme::text : theme::text_dim), event.text,
          text_width());
  }

  std::vector<Turn> turns_of(std::size_t thread) const
  {
    std::vector<Turn> turns;
    for (Turn const& turn : state_.history.turns) {
      if (turn.thread == thread) { turns.push_back(turn); }
    }
    return turns;
  }

  float height_of_next() const
  {
    std::size_t most = 1;
    for (std::size_t i = 0; i < threads(); ++i) { most = std::max(most, turns_of(i).size()); }
    return look_(button_height) + static_cast<float>(most - 1) * look_(button_height * 0.6f) + look_(6.0f);
  }

  std::string turn_text(std::size_t thread, Turn const& turn) const
  {
    if (turn.kind == Turn::Kind::arrival) {
      for (races::Moment::Store const& store : state_.history.now.waiting) {
        if (store.thread != turn.thread || store.place != turn.which) { continue; }
        Access const access{Access::Kind::store, store.place, 0, store.word};
        return tr("its store arrives: {}", state_.race.table->upcoming(access));
      }
    }
    std::string text = state_.history.threads[thread].upcoming;
    if (turn.which == 0) { return text; }
    return tr_plural("{} as it was before the newest write", "{} as it was before the {} newest writes", turn.which,
                     text, turn.which);
  }

  void draw_next(std::size_t thread, float y)
  {
    std::vector<Turn> const turns = turns_of(thread);
    float const x = x_of(thread);
    if (turns.empty()) {
      bool const ended = !state_.history.threads[thread].next;
      write({x + look_(padding), y + look_(8.0f)}, look_.small, theme::text_faint,
            ended ? tr("has ended") : tr("waits for its stores to arrive"), text_width());
      return;
    }
    for (std::size_t i = 0; i < turns.size(); ++i) {
      float const height = look_(i == 0 ? button_height : button_height * 0.6f);
      draw_button(thread, i, turns[i], {x, y}, height - look_(3.0f));
      y += height;
    }
  }

  void draw_button(std::size_t thread, std::size_t i, Turn const& turn, ImVec2 at, float height)
  {
    ImDrawList& list = *ImGui::GetWindowDrawList();
    ImU32 const color = thread_colors[thread];
    ImVec2 const high{at.x + width_ - look_(3.0f), at.y + height};
    ImGui::SetCursorScreenPos(at);
    ImGui::PushID(static_cast<int>(thread * 64 + i));
    bool const pressed = ImGui::InvisibleButton("next", {high.x - at.x, height}, ImGuiButtonFlags_EnableNav);
    ImGui::PopID();
    if (pressed) { state_.ask(TakeTurn{turn}); }
    RacesSettings const& settings = state_.settings;
    bool const is_known = state_.to_come() != 0 && settings.schedule[settings.position] == turn;
    list.AddRectFilled(at, high, theme::with_alpha(color, ImGui::IsItemHovered() ? 0.34f : 0.14f), look_(4.0f));
    list.AddRect(at, high, is_known ? color : theme::with_alpha(color, 0.45f), look_(4.0f), 0,
                 look_(is_known ? 2.0f : 1.0f));
    std::string const text =
        i == 0 ? fmt::format("{}: {}", thread + 1, turn_text(thread, turn)) : turn_text(thread, turn);
    float size = look_.small;
    while (size > look_.small * 0.75f && size_of(size, text_width(), text).y > height) { size -= 0.5f; }
    float const high_text = size_of(size, text_width(), text).y;
    list.PushClipRect(at, high, true);
    write({at.x + look_(padding), at.y + std::max((height - high_text) / 2.0f, 0.0f)}, size, theme::text, text,
          text_width());
    list.PopClipRect();
    hint(look_, is_known ? text + "\n\nThis is the next turn of the shown history." : text);
  }

  Look const& look_;
  RacesState& state_;
  float left_;
  float width_;
  float top_;
  float height_;
};

}  // namespace

void threads_view(Look const& look, Rectangle const& place, RacesState& state)
{
  ThreadsView(look, place, state).draw();
}

}  // namespace slotscape
