#pragma once

#include "app/scene/commands.hpp"
#include "app/shell/lesson_host.hpp"
#include "app/shell/scene_host.hpp"
#include "app/table_map/mark_tools.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace slotscape {

/// Freehand marks over the scene, and their tools. Marks disappear with the scene, or with a lesson's page.
class MarkLayer {
public:
  MarkLayer(SceneHost const& scenes, LessonHost const& lessons);

  Marks const& marks() const { return marks_; }
  /// Clears the marks when another scene is shown; during a lesson, its pages decide.
  void leave_scene();
  void draw(Look const& look);
  /// Draws only the marks, for a slide.
  void draw_on_slide(Look const& look, Drawing& drawing) const { marks_.draw(look, drawing, canvas()); }

  void add_commands(std::vector<Command>& commands);
  /// Commands that take precedence over all others; empty unless the pen is active.
  std::span<Command const> commands_now() const;

private:
  MarkCanvas canvas() const;

  SceneHost const& scenes_;
  LessonHost const& lessons_;
  Marks marks_;
  MarkTools tools_;
  std::vector<Command> commands_;
  std::uint64_t visit_ = 0;  ///< visit of the marked page; 0: not on a page
};

}  // namespace slotscape
