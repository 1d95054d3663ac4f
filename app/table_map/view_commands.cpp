#include "app/table_map/view_commands.hpp"

#include "app/scene/setting_commands.hpp"

#include <string>

namespace slotscape {
namespace {

constexpr std::string_view group = "VIEW";

}  // namespace

Command color_command(ViewSettings& view, std::string_view keys, ColorBy color, std::string_view what, bool divides)
{
  return {.keys = keys,
          .group = group,
          .what = what,
          .menu = "View",
          .label = std::string(what),
          .divides = divides,
          .run = [&view, color] { view.color_by = color; },
          .checked = [&view, color] { return view.color_by == color; }};
}

std::vector<Command> picture_commands(ViewSettings& view)
{
  return setting_commands(view, group);
}

}  // namespace slotscape
