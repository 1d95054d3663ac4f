#include "app/shell/mark_layer.hpp"

#include "app/table_scene/table_scene.hpp"

#include <utility>

namespace slotscape {

MarkLayer::MarkLayer(SceneHost const& scenes, LessonHost const& lessons)
    : scenes_(scenes),
      lessons_(lessons),
      commands_{{.keys = "Esc", .in_fields = true, .run = [this] { tools_.cancel(); }},
                {.keys = "Ctrl+Z", .while_typing = false, .run = [this] { marks_.undo(); }}}
{
}

void MarkLayer::leave_scene()
{
  if (lessons_.session() == nullptr) { marks_.forget(); }
}

/// Marks disappear with their page.
void MarkLayer::draw(Look const& look)
{
  lessons::Session const* const session = lessons_.session();
  std::uint64_t const visit = session == nullptr ? 0 : session->visit();
  if (std::exchange(visit_, visit) != visit) { marks_.forget(); }
  tools_.draw(look, marks_, canvas());
}

MarkCanvas MarkLayer::canvas() const
{
  auto* const scene = dynamic_cast<TableScene*>(&scenes_.scene());
  MapView const* const map = scene == nullptr ? nullptr : scene->only_map();
  return map == nullptr ? MarkCanvas{scenes_.scene().canvas()} : MarkCanvas{map->canvas(), &map->camera()};
}

void MarkLayer::add_commands(std::vector<Command>& commands)
{
  commands.push_back({.keys = "Ctrl+P",
                      .group = "VIEW",
                      .what = "Draw on the picture with a pen",
                      .menu = "View",
                      .label = "Pen",
                      .divides = true,
                      .run = [this] { tools_.take_out_or_put_away(); },
                      .checked = [this] { return tools_.out(); }});
}

std::span<Command const> MarkLayer::commands_now() const
{
  return tools_.out() ? std::span<Command const>(commands_) : std::span<Command const>();
}

}  // namespace slotscape
