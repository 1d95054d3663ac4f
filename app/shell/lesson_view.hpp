#pragma once

#include "app/lessons/panel.hpp"
#include "app/shell/lesson_host.hpp"

namespace slotscape {

/// Shows a lesson's page, or a scenario's text, beside the scene, and takes typed answers.
class LessonView {
public:
  LessonView(LessonHost& lessons, SceneHost const& scenes, Screen const& screen, Attempts& attempts);

  /// Draws pages for print from now on: from their top, without advice on the map.
  void draw_sheets() { draws_sheets_ = true; }
  /// Whether the scene may offer what would solve the page's exercise.
  bool advises() const;
  /// Whether the scene's own panels have no room or no content.
  bool shows_scene_alone() const;

  /// Takes the view's place from the window; to be called every frame, before the scene is laid out.
  void take_place(Rectangle& window);
  Rectangle const& place() const { return place_; }
  /// Draws everything except a lecture's page.
  void draw(Look const& look);
  lessons::PanelState const& state() const { return state_; }

  /// Treats a typed character as an answer if the page has a question. Returns whether it was used.
  bool answer(char character);
  bool answer_with_enter();
  /// Forgets a complaint about earlier input.
  void forget_complaint() { state_.complaint.clear(); }
  /// Whether the answer field has keyboard focus, or is about to get it.
  bool takes_enter() const { return state_.active && lessons_.session() != nullptr; }
  bool awaits_keyboard() const { return state_.focus && lessons_.session() != nullptr; }

private:
  /// Empty if no strip is shown.
  ScenarioWords words_in_strip() const;
  /// Whether typed text answers a lesson's question.
  bool takes_answers() const;
  bool is_below() const;

  LessonHost& lessons_;
  SceneHost const& scenes_;
  Screen const& screen_;
  Attempts& attempts_;
  lessons::PanelState state_;
  Rectangle place_;
  bool draws_sheets_ = false;
};

}  // namespace slotscape
