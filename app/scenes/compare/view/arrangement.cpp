#include "app/scenes/compare/view/arrangement.hpp"

#include <algorithm>

namespace slotscape {

std::vector<MapPlace> arrange_maps(Look const& look, Rectangle const& canvas, std::size_t count, double aspect)
{
  int const header = static_cast<int>(look(42.0f));
  int const maps = static_cast<int>(count);
  auto const rows_of = [&](int columns) { return (maps + columns - 1) / columns; };
  auto const map_height = [&](int columns) {
    double const width = static_cast<double>(canvas.width) / columns;
    double const height = static_cast<double>(canvas.height) / rows_of(columns) - header;
    return std::min(width / aspect, height);
  };
  int columns = 1;
  for (int more = 2; more <= maps; ++more) {
    if (map_height(more) >= map_height(columns)) { columns = more; }
  }
  int const gap = static_cast<int>(look(6.0f));
  int const width = (canvas.width - gap * (columns - 1)) / columns;
  int const height = canvas.height / rows_of(columns);
  std::vector<MapPlace> places;
  for (int i = 0; i < maps; ++i) {
    int const x = canvas.x + i % columns * (width + gap);
    int const y = canvas.y + i / columns * height;
    places.push_back({{x, y, width, header}, {x, y + header, width, std::max(height - header, 1)}});
  }
  return places;
}

}  // namespace slotscape
