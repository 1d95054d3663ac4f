#pragma once

#include "app/scene/commands.hpp"
#include "app/shell/lesson_host.hpp"
#include "app/shell/scene_host.hpp"
#include "app/table_map/mark_tools.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace slotscape {

/// What is drawn over the scene by hand, and the tools for it. Marks go with the scene, and with a lesson's page.
class MarkLayer {
public:
  MarkLayer(SceneHost const& scenes, LessonHost const& lessons);

  Marks const& marks() const { return marks_; }
  /// Another scene is shown; while a lesson is on, its pages decide.
  void leave_scene();
  void draw(Look const& look);
  /// The marks alone, for a slide.
  void draw_on_slide(Look const& look, Drawing& drawing) const { marks_.draw(look, drawing, canvas()); }

  void add_commands(std::vector<Command>& commands);
  /// Before all others; none unless the pen is out.
  std::span<Command const> commands_now() const;

private:
  MarkCanvas canvas() const;

  SceneHost const& scenes_;
  LessonHost const& lessons_;
  Marks marks_;
  MarkTools tools_;
  std::vector<Command> commands_;
  std::uint64_t visit_ = 0;  ///< of the page that they are on; 0: of none
};

}  // namespace slotscape
