#pragma once

#include "app/lessons/panel.hpp"
#include "app/shell/lesson_host.hpp"

namespace slotscape {

/// Where a lesson's page, or a scenario's words, are shown beside the scene, and what is typed there.
class LessonView {
public:
  LessonView(LessonHost& lessons, SceneHost const& scenes, Screen const& screen, Attempts& attempts);

  /// From now on, pages are for paper: from their top, without advice on the map.
  void draw_sheets() { draws_sheets_ = true; }
  /// Whether the scene may offer what would solve the page's task.
  bool advises() const;
  /// Whether there is no room for the scene's own panels, or nothing for them to say.
  bool shows_scene_alone() const;

  /// Call every frame, before the scene is laid out: takes its place from the window.
  void take_place(Rectangle& window);
  Rectangle const& place() const { return place_; }
  /// Draws all but a lecture's page.
  void draw(Look const& look);
  lessons::PanelState const& state() const { return state_; }

  /// Takes what is typed as an answer, if the page has a question. Returns whether it was for that.
  bool answer(char character);
  bool answer_with_enter();
  /// What was complained about was typed before.
  void forget_complaint() { state_.complaint.clear(); }
  /// Whether the field for an answer has the keyboard, or is about to have it.
  bool takes_enter() const { return state_.active && lessons_.session() != nullptr; }
  bool awaits_keyboard() const { return state_.focus && lessons_.session() != nullptr; }

private:
  /// Empty where there is no strip.
  ScenarioWords words_in_strip() const;
  /// Whether a lesson's question takes what is typed.
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
