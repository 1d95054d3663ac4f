#include "app/table_map/home_arrows.hpp"

#include "app/table_map/cells.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <tuple>
#include <utility>

namespace slotscape {
namespace {

// All lengths are relative to the side of a cell, which has a gutter below its text and a band with its number above.
constexpr float lowest_lane = 0.985f;   ///< first lane in the gutter
constexpr float gutter_room = 0.075f;   ///< height of the gutter's lanes, up to the text
constexpr float first_in_band = 0.03f;  ///< the highest lane in the band
constexpr float column_lane = 0.028f;   ///< lane nearest to the left border of a column; further lanes are left of it
constexpr float column_room = 0.07f;
constexpr float usual_step = 0.04f;  ///< distance of neighbouring lanes
constexpr float max_room = 0.6f;     ///< for the lanes of very many arrows, which may overlap text
constexpr float first_start = 0.5f;
constexpr float usual_spread = 0.1f;  ///< distance of neighbouring starts
constexpr float start_room = 0.42f;
constexpr float tip_in_row = 0.42f;
constexpr float tip_in_cell = 0.1f;
constexpr float tip_height = 0.9f;
constexpr float tip_length = 0.06f;

float thickness_of(float side)
{
  return std::max(1.2f, side / 90.0f);
}

enum class Way : std::uint8_t { level, down, up };

/// The path of an arrow, in pixels.
struct Route {
  AwayKey key;
  Way way;
  float side;                  ///< side of a cell
  float turn;                  ///< x at which the arrow leaves its row
  float start = 0.0f;          ///< x at which the arrow starts
  float row_offset = 0.0f;     ///< offset of its row lane from the first one
  float column_offset = 0.0f;  ///< offset of its column lane from the first one

  float reach() const { return turn - (key.home_corner.x + 0.5f * side); }
};

Route route_of(AwayKey const& key, float side)
{
  float const drop = key.corner.y - key.home_corner.y;
  Way const way = std::abs(drop) < 1.0f ? Way::level : drop > 0.0f ? Way::down : Way::up;
  return {.key = key,
          .way = way,
          .side = side,
          .turn = key.corner.x + side * (way == Way::level ? tip_in_row : column_lane)};
}

/// Places the starts of one home's arrows side by side, so that they need not cross: first those to the left, then
/// those going down, then those to the right, with the longest arrow outermost.
void spread_starts(std::vector<Route*>& of_home)
{
  auto const order = [](Route const* route) {
    float const reach = route->reach();
    int const group = route->way == Way::down ? 1 : reach < 0.0f ? 0 : 2;
    return std::tuple(group, group == 1 ? reach : -reach, route->key.slot);
  };
  std::ranges::sort(of_home, {}, order);
  float const side = of_home.front()->side;
  float const spread = side * std::min(usual_spread, start_room / static_cast<float>(of_home.size()));
  float x = of_home.front()->key.home_corner.x + first_start * side;
  for (Route* route : of_home) { route->start = std::exchange(x, x + spread); }
}

struct Span {
  float low;
  float high;
  float length() const { return high - low; }
};

Span span_in_row(Route const& route)
{
  return {std::min(route.start, route.turn), std::max(route.start, route.turn)};
}

Span span_in_column(Route const& route)
{
  return {std::min(route.key.home_corner.y, route.key.corner.y), std::max(route.key.home_corner.y, route.key.corner.y)};
}

/// The distance between lanes: small enough that all fit into `room`, unless they would be indistinguishable.
float step_of(std::size_t lanes, float room, float side)
{
  if (lanes < 2) { return 0.0f; }
  auto const steps = static_cast<float>(lanes - 1);
  float const min_step = thickness_of(side) + 1.3f;
  return std::min(std::max(std::min(usual_step * side, room / steps), min_step), max_room * side / steps);
}

/// Assigns each route, in this order, to the first lane in which it overlaps no other.
template <class SpanOf>
void assign_lanes(std::vector<Route*> const& routes, float room, float Route::*offset, SpanOf span_of)
{
  float const side = routes.front()->side;
  std::vector<std::vector<Span>> lanes;
  std::vector<std::size_t> chosen;
  chosen.reserve(routes.size());
  for (Route const* route : routes) {
    Span const span = span_of(*route);
    auto const meets = [&](Span const& other) {
      float const gap = 0.05f * side;
      return other.low <= span.high + gap && span.low <= other.high + gap;
    };
    auto const free = std::ranges::find_if(lanes, [&](auto const& lane) { return std::ranges::none_of(lane, meets); });
    chosen.push_back(static_cast<std::size_t>(free - lanes.begin()));
    if (free == lanes.end()) { lanes.emplace_back(); }
    lanes[chosen.back()].push_back(span);
  }
  float const step = step_of(lanes.size(), room, side);
  for (std::size_t i = 0; i < routes.size(); ++i) { routes[i]->*offset = step * static_cast<float>(chosen[i]); }
}

/// Assigns lanes along rows, with the longest arrows outermost. They are in the gutter of the row or, for arrows going
/// down, in the band of the row below.
void assign_row_lanes(std::vector<Route>& routes, float side, float band)
{
  std::map<std::pair<long, bool>, std::vector<Route*>> rows;
  for (Route& route : routes) {
    rows[{std::lround(route.key.home_corner.y), route.way == Way::down}].push_back(&route);
  }
  for (auto& [row, of_row] : rows) {
    std::ranges::sort(of_row, {}, [](Route const* route) {
      return std::tuple(-span_in_row(*route).length(), route->key.home, route->key.slot);
    });
    float const room = row.second ? std::max(band - 2.0f * first_in_band * side, 0.0f) : gutter_room * side;
    assign_lanes(of_row, room, &Route::row_offset, span_in_row);
  }
}

/// Assigns lanes along columns, with the shortest arrows nearest to the cells to which they turn.
void assign_column_lanes(std::vector<Route>& routes, float side)
{
  std::map<long, std::vector<Route*>> columns;
  for (Route& route : routes) {
    if (route.way != Way::level) { columns[std::lround(route.key.corner.x)].push_back(&route); }
  }
  for (auto& [column, of_column] : columns) {
    std::ranges::sort(of_column, {}, [](Route const* route) {
      return std::tuple(span_in_column(*route).length(), route->key.home, route->key.slot);
    });
    assign_lanes(of_column, column_room * side, &Route::column_offset, span_in_column);
  }
}

std::vector<ImVec2> points_of(Route const& route, float band)
{
  float const side = route.side;
  ImVec2 const& home = route.key.home_corner;
  ImVec2 const& corner = route.key.corner;
  bool const down = route.way == Way::down;
  float const lane =
      down ? home.y + side * (1.0f + first_in_band) + route.row_offset : home.y + side * lowest_lane - route.row_offset;
  if (route.way == Way::level) {
    float const tip = std::min(home.y + tip_height * side, lane - tip_length * side);
    return {{route.start, lane}, {route.turn, lane}, {route.turn, tip}};
  }
  float const column = route.turn - route.column_offset;
  float const end = corner.y + band + tip_length * side;
  std::vector<ImVec2> points;
  if (down) { points.push_back({route.start, home.y + (lowest_lane - 0.5f * gutter_room) * side}); }
  points.insert(points.end(),
                {{route.start, lane}, {column, lane}, {column, end}, {corner.x + tip_in_cell * side, end}});
  return points;
}

bool are_near(Camera const& camera, Slot from, Slot to)
{
  Position const home = camera.plane().position(from);
  Position const here = camera.plane().position(to);
  auto const distance = [](std::uint32_t a, std::uint32_t b) { return a > b ? a - b : b - a; };
  return distance(home.x, here.x) <= 64 && distance(home.y, here.y) <= 64;
}

AwayKey away_key(Annotator const& on, Slot from, Slot to)
{
  return {from, to, on.place(on.camera.slot_corner(from)), on.place(on.camera.slot_corner(to))};
}

/// For chains within the table, arrows along their links instead.
std::vector<AwayKey> linked_slots(Annotator const& on, MapState const& state)
{
  std::set<Slot> shown;
  for (WrittenSlot const& written : state.inspected.written) { shown.insert(written.slot.slot); }
  std::vector<AwayKey> links;
  for (std::vector<Slot> const& chain : state.inspected.chains) {
    for (std::size_t i = 1; i < chain.size(); ++i) {
      bool const is_seen = shown.contains(chain[i - 1]) || shown.contains(chain[i]);
      if (is_seen && are_near(on.camera, chain[i - 1], chain[i])) {
        links.push_back(away_key(on, chain[i - 1], chain[i]));
      }
    }
  }
  return links;
}

std::vector<AwayKey> away_keys(Annotator const& on, MapState const& state)
{
  if (!state.inspected.chains.empty()) { return linked_slots(on, state); }
  std::map<Slot, SlotInfo const*> away;
  for (WrittenSlot const& written : state.inspected.written) {
    SlotInfo const& slot = written.slot;
    bool const elsewhere = slot.home != slot.slot && slot.home != no_slot && slot.probe_length > 0;
    bool const is_away = slot.state == SlotState::live && elsewhere;
    if (is_away && are_near(on.camera, slot.home, slot.slot)) { away.emplace(slot.slot, &slot); }
  }
  bool const in_nodes = family_of(state).keys_per_group_unit > 1;
  std::set<std::pair<Slot, std::uint64_t>> nodes;
  std::vector<AwayKey> keys;
  keys.reserve(away.size());
  for (auto const& [slot, info] : away) {
    if (in_nodes && !nodes.emplace(info->home, info->probe_length).second) { continue; }
    keys.push_back(away_key(on, info->home, slot));
  }
  return keys;
}

}  // namespace

std::vector<HomeArrow> home_arrows(std::vector<AwayKey> const& keys, float side, float band)
{
  std::vector<Route> routes;
  routes.reserve(keys.size());
  for (AwayKey const& key : keys) { routes.push_back(route_of(key, side)); }
  std::map<Slot, std::vector<Route*>> homes;
  for (Route& route : routes) { homes[route.key.home].push_back(&route); }
  for (auto& [home, of_home] : homes) { spread_starts(of_home); }
  assign_row_lanes(routes, side, band);
  assign_column_lanes(routes, side);
  std::vector<HomeArrow> arrows;
  arrows.reserve(routes.size());
  for (Route const& route : routes) { arrows.push_back({route.key, points_of(route, band)}); }
  return arrows;
}

namespace {

std::vector<HomeArrow> arrows_on(Annotator const& on, std::vector<AwayKey> const& keys)
{
  if (on.camera.plane().kind() != Plane::Kind::arrays) {
    return home_arrows(keys, static_cast<float>(on.camera.slot_pixels()), band_height(on));
  }
  std::vector<HomeArrow> arrows;
  arrows.reserve(keys.size());
  for (AwayKey const& key : keys) { arrows.push_back({key, way_between_arrays(on, key.home, key.slot)}); }
  return arrows;
}

}  // namespace

void draw_home_arrows(Annotator const& on, MapState const& state)
{
  // in these families, homes are heads, which are not on the map, or whole buckets
  if (!family_of(state).places_by.empty() || family_of(state).growth != Growth::none) { return; }
  auto const side = static_cast<float>(on.camera.slot_pixels());
  float const thickness = thickness_of(side);
  for (HomeArrow const& arrow : arrows_on(on, away_keys(on, state))) {
    on.drawing.disc(arrow.points.front(), thickness * 1.9f + 1.0f, rim_of(on.ink()));
    on.drawing.disc(arrow.points.front(), thickness * 1.9f, on.ink());
    on.arrow(arrow.points, on.ink(), thickness);
  }
}

}  // namespace slotscape
