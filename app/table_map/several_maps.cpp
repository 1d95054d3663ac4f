#include "app/table_map/several_maps.hpp"

#include <algorithm>
#include <cmath>

namespace slotscape {
namespace {

constexpr float narrowest_of_many = 240.0f;  ///< leaves room for the title and the buttons above a map
constexpr float lowest_map = 70.0f;          ///< below this height, cutting off titles is better
constexpr double max_caption_share = 0.5;    ///< of the height below a header; the rest is for the map

}  // namespace

MapSize size_by_aspect(double aspect)
{
  return [aspect](double width, double height) { return std::min(width / aspect, height); };
}

MapSize size_by_cells(std::uint64_t slots, ViewSettings const& view, std::uint64_t part)
{
  Grid const grid = Grid::of(slots, view.layout);
  if (!is_arranged(slots, view)) { return size_by_aspect(static_cast<double>(grid.columns) / grid.rows); }
  return [=](double width, double height) {
    Plane const plane = Plane::of(slots, view, width, height, part);
    return std::sqrt(static_cast<double>(slots)) * std::min(width / plane.columns(), height / plane.rows());
  };
}

std::vector<MapPlace> arrange_maps(Look const& look, Rectangle const& canvas, std::size_t count, MapSize const& size,
                                   bool captions, float header_height)
{
  int const header = static_cast<int>(look(header_height));
  int const gap = static_cast<int>(look(6.0f));
  int const maps = static_cast<int>(count);
  auto const rows_of = [&](int columns) { return (maps + columns - 1) / columns; };
  auto const width_in = [&](int columns) { return (canvas.width - gap * (columns - 1)) / columns; };
  auto const caption_in = [&](int columns) {
    bool const narrow = static_cast<float>(width_in(columns)) < look(400.0f);
    int const wanted = captions ? static_cast<int>(look(narrow ? 108.0f : 72.0f)) : 0;
    int const below_header = std::max(canvas.height / rows_of(columns) - header, 0);
    return std::min(wanted, static_cast<int>(max_caption_share * below_header));
  };
  auto const map_height = [&](int columns) {
    double const width = static_cast<double>(canvas.width) / columns;
    double const height = static_cast<double>(canvas.height) / rows_of(columns) - header - caption_in(columns);
    return size(width, height);
  };
  int columns = 1;
  for (int more = 2; more <= maps; ++more) {
    bool const saves_a_row = rows_of(more) < rows_of(more - 1);
    bool const is_too_low = map_height(columns) < static_cast<double>(look(lowest_map));
    bool const has_room_for_titles =
        more <= 2 || static_cast<float>(width_in(more)) >= look(narrowest_of_many) || is_too_low;
    if (saves_a_row && has_room_for_titles && map_height(more) >= map_height(columns)) { columns = more; }
  }
  int const width = width_in(columns);
  int const caption = caption_in(columns);
  int const above = header + caption;
  int const height = canvas.height / rows_of(columns);
  std::vector<MapPlace> places;
  for (int i = 0; i < maps; ++i) {
    int const x = canvas.x + i % columns * (width + gap);
    int const y = canvas.y + i / columns * height;
    places.push_back(
        {{x, y, width, header}, {x, y + header, width, caption}, {x, y + above, width, std::max(height - above, 1)}});
  }
  return places;
}

std::vector<std::size_t> Turns::begin_frame(double elapsed_seconds)
{
  for (Thing& thing : things_) { thing.since += elapsed_seconds; }
  std::vector<std::size_t> turns;
  double spent = 0.0;
  while (turns.size() < things_.size()) {
    spent += things_[next_].seconds;
    if (!turns.empty() && spent > seconds_) { break; }
    turns.push_back(next_);
    next_ = (next_ + 1) % things_.size();
  }
  return turns;
}

}  // namespace slotscape
