#include "app/table_map/view_commands.hpp"

#include <string>

namespace slotscape {
namespace {

constexpr std::string_view group = "VIEW";

template <class Enum>
void toggle(Enum& value, Enum first, Enum second)
{
  value = value == first ? second : first;
}

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
  return {
      {.keys = "L",
       .group = group,
       .what = "Rows or Hilbert curve",
       .run = [&view] { toggle(view.layout, Layout::rows, Layout::hilbert); }},
      {.keys = "M",
       .group = group,
       .what = "Maximum or mean per pixel",
       .run = [&view] { toggle(view.reduce, Reduce::max, Reduce::mean); }},
      {.keys = "G",
       .group = group,
       .what = "Logarithmic or linear colour scale",
       .run = [&view] { view.log_scale = !view.log_scale; }},
  };
}

}  // namespace slotscape
