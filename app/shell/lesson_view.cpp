#include "app/shell/lesson_view.hpp"

#include "app/lessons/answer.hpp"
#include "app/widgets/sides.hpp"

#include <utility>

namespace slotscape {

LessonView::LessonView(LessonHost& lessons, SceneHost const& scenes, Screen const& screen, Attempts& attempts)
    : lessons_(lessons), scenes_(scenes), screen_(screen), attempts_(attempts)
{
  lessons_.when_started([this](bool) { state_ = {}; });
}

bool LessonView::advises() const
{
  lessons::Session const* const session = lessons_.session();
  return !draws_sheets_ && (session == nullptr || !session->waits());
}

ScenarioWords LessonView::words_in_strip() const
{
  if (lessons_.lecturing()) { return {}; }
  lessons::Session const* const session = lessons_.session();
  if (session == nullptr) { return scenes_.words(); }
  return session->is_tour() ? ScenarioWords{session->page().title, session->page().text, {}} : ScenarioWords{};
}

/// Below the scene, the page leaves no room for the scene's own panels.
bool LessonView::is_below() const
{
  lessons::Session const* const session = lessons_.session();
  return session != nullptr && !lessons_.lecturing() && !session->is_tour() &&
         is_upright(screen_.look(), screen_.below_menu(false));
}

bool LessonView::shows_scene_alone() const
{
  bool const is_tour_in_lecture = lessons_.lecturing() && lessons_.session()->is_tour();  // tours have no more text
  bool const strip_is_below = !words_in_strip().empty() && is_upright(screen_.look(), screen_.below_menu(false));
  return is_tour_in_lecture || is_below() || strip_is_below;
}

void LessonView::take_place(Rectangle& window)
{
  place_ = window;
  if (ScenarioWords const words = words_in_strip(); !words.empty()) {
    place_.height = lessons::strip_height(screen_.look(), window, words, lessons_.session());
    window.height -= place_.height;
    place_.y = window.y + window.height;
  } else if (lessons_.session() == nullptr) {
    place_ = {};
  } else if (is_below()) {
    place_.height = window.height * 9 / 20;
    window.height -= place_.height;
    place_.y = window.y + window.height;
  } else {
    place_.width =
        lessons_.lecturing() ? lessons::lecture_place(window).width : lessons::panel_width(screen_.look(), window);
    window.x += place_.width;
    window.width -= place_.width;
  }
}

void LessonView::draw(Look const& look)
{
  ScenarioWords const words = words_in_strip();
  state_.active = false;  // set when its field is drawn
  bool const is_empty = lessons_.session() == nullptr && words.empty();
  if (is_empty || lessons_.lecturing() || place_.height == 0) { return; }
  state_.stays_at_top = draws_sheets_;
  auto wishes = words.empty() ? lessons::draw_panel(look, *lessons_.session(), lessons_.words(), lessons_.broken(),
                                                    place_, state_)
                              : lessons::draw_strip(look, words, lessons_.session(), place_, state_);
  for (lessons::Wish& wish : wishes) { lessons_.wish(std::move(wish)); }
  if (std::exchange(state_.wants_next_lesson, false)) {
    attempts_.choose([this] { lessons_.start_next(); });
  }
  if (!std::exchange(state_.wants_close, false)) { return; }
  attempts_.choose([this] { lessons_.close(); });
}

bool LessonView::takes_answers() const
{
  return lessons_.session() != nullptr && !lessons_.lecturing() && words_in_strip().empty();
}

bool LessonView::answer(char character)
{
  if (!takes_answers()) { return false; }
  std::vector<lessons::Wish> wishes;
  bool const taken = lessons::type_answer(*lessons_.session(), state_, character, wishes);
  for (lessons::Wish& wish : wishes) { lessons_.wish(std::move(wish)); }
  return taken;
}

bool LessonView::answer_with_enter()
{
  if (!takes_answers()) { return false; }
  std::vector<lessons::Wish> wishes;
  bool const taken = lessons::enter_answer(*lessons_.session(), state_, wishes);
  for (lessons::Wish& wish : wishes) { lessons_.wish(std::move(wish)); }
  return taken;
}

}  // namespace slotscape
