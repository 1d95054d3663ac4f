// What App does for marks that are drawn over the scene by hand.

#include "app/shell/app.hpp"
#include "app/table_scene/table_scene.hpp"

#include <utility>

namespace slotscape {

std::vector<Command> App::mark_commands()
{
  return {{.keys = "Esc", .in_fields = true, .run = [this] { mark_tools_.cancel(); }},
          {.keys = "Ctrl+Z", .while_typing = false, .run = [this] { marks_.undo(); }}};
}

MarkCanvas App::mark_canvas() const
{
  auto* const scene = dynamic_cast<TableScene*>(scene_.get());
  MapView const* const map = scene == nullptr ? nullptr : scene->only_map();
  return map == nullptr ? MarkCanvas{scene_->canvas()} : MarkCanvas{map->canvas(), &map->camera()};
}

/// Those of another page are gone with it.
void App::draw_marks(Look const& look)
{
  std::uint64_t const visit = lesson_ ? lesson_->session.visit() : 0;
  if (std::exchange(marked_visit_, visit) != visit) { marks_.forget(); }
  mark_tools_.draw(look, marks_, mark_canvas());
}

}  // namespace slotscape
