#include "app/clouds/mesh_parts.hpp"

#include "gpu/base/random.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>
#include <optional>
#include <span>
#include <tuple>
#include <utility>

namespace slotscape::clouds {
namespace {

constexpr std::uint32_t nothing = std::numeric_limits<std::uint32_t>::max();

void turn(Triangle& triangle)
{
  std::swap(triangle.corners[1], triangle.corners[2]);
  std::swap(triangle.normals[1], triangle.normals[2]);
}

/// Gives all corners at the same position one number, as in many files each triangle has its own corners.
std::vector<std::uint32_t> welded(std::vector<Triangle> const& triangles, std::vector<Position> const& places)
{
  std::vector<std::uint32_t> used;
  std::vector<bool> seen(places.size(), false);
  for (Triangle const& triangle : triangles) {
    for (std::uint32_t const corner : triangle.corners) {
      if (seen[corner]) { continue; }
      seen[corner] = true;
      used.push_back(corner);
    }
  }
  auto const place = [&](std::uint32_t corner) {
    Position const& at = places[corner];
    return std::tuple(at.x, at.y, at.z);
  };
  std::ranges::sort(used, {}, place);
  std::vector<std::uint32_t> numbers(places.size(), nothing);
  for (std::size_t i = 0; i < used.size(); ++i) {
    bool const is_same = i != 0 && place(used[i]) == place(used[i - 1]);
    numbers[used[i]] = is_same ? numbers[used[i - 1]] : used[i];
  }
  return numbers;
}

/// Calls take(run) for each run of neighbouring items with equal `what`.
template <class Item, class What, class Take>
void each_run(std::vector<Item> const& items, What const& what, Take const& take)
{
  for (auto first = items.begin(); first != items.end();) {
    auto const end = std::find_if(first, items.end(), [&](Item const& other) {
      return std::invoke(what, other) != std::invoke(what, *first);
    });
    take(std::span(first, end));
    first = end;
  }
}

using Side = MeshParts::Side;

/// The side of a triangle; nothing if its length is 0.
std::optional<Side> side_of(Triangle const& triangle, std::uint32_t side, std::vector<std::uint32_t> const& numbers)
{
  std::uint32_t const from = numbers[triangle.corners[side]];
  std::uint32_t const to = numbers[triangle.corners[(side + 1) % 3]];
  if (from == to) { return std::nullopt; }
  return Side{std::uint64_t{std::min(from, to)} << 32 | std::max(from, to), side, from < to};
}

std::vector<Side> sides_of(std::vector<Triangle> const& triangles, std::vector<std::uint32_t> const& numbers)
{
  std::vector<Side> sides;
  sides.reserve(3 * triangles.size());
  for (std::uint32_t i = 0; i < triangles.size(); ++i) {
    for (std::uint32_t side = 0; side < 3; ++side) {
      if (auto const found = side_of(triangles[i], side, numbers)) {
        sides.push_back({found->corners, 3 * i + side, found->forward});
      }
    }
  }
  std::ranges::sort(sides, {}, &Side::corners);
  return sides;
}

/// Union-find over numbers.
class Groups {
public:
  explicit Groups(std::size_t count) : parents_(count) { std::iota(parents_.begin(), parents_.end(), 0u); }
  std::uint32_t of(std::uint32_t number)
  {
    while (parents_[number] != number) { number = parents_[number] = parents_[parents_[number]]; }
    return number;
  }
  void join(std::uint32_t one, std::uint32_t other) { parents_[of(one)] = of(other); }

private:
  std::vector<std::uint32_t> parents_;
};

/// The triangles that a polygon was cut into. The same polygon wound the other way may be cut differently, so polygons
/// are compared by their corners.
struct Polygon {
  std::array<std::uint64_t, 2> corners;  ///< 128-bit hash of the corners
  std::uint32_t first;
  std::uint32_t end;
};

std::vector<Polygon> polygons_of(std::vector<Triangle> const& triangles, std::vector<std::uint32_t> const& numbers)
{
  std::vector<Polygon> polygons;
  std::vector<std::uint32_t> corners;
  for (std::uint32_t first = 0; first < triangles.size(); first = polygons.back().end) {
    std::uint32_t end = first;
    corners.clear();
    for (; end < triangles.size() && triangles[end].polygon == triangles[first].polygon; ++end) {
      for (std::uint32_t const corner : triangles[end].corners) { corners.push_back(numbers[corner]); }
    }
    std::ranges::sort(corners);
    corners.erase(std::unique(corners.begin(), corners.end()), corners.end());
    Polygon polygon{{corners.size(), 0}, first, end};
    for (std::uint32_t const corner : corners) {
      polygon.corners[0] += random64(0, corner);
      polygon.corners[1] += random64(1, corner);
    }
    polygons.push_back(polygon);
  }
  return polygons;
}

/// Adds the sides of a polygon: those that its triangles do not share.
void add_sides(std::vector<Triangle> const& triangles, std::vector<std::uint32_t> const& numbers,
               Polygon const& polygon, std::uint32_t place, std::vector<Side>& sides)
{
  std::vector<std::uint64_t> all;
  for (std::uint32_t i = polygon.first; i < polygon.end; ++i) {
    for (std::uint32_t side = 0; side < 3; ++side) {
      if (auto const found = side_of(triangles[i], side, numbers)) { all.push_back(found->corners); }
    }
  }
  std::ranges::sort(all);
  each_run(all, std::identity(), [&](std::span<std::uint64_t const> same) {
    if (same.size() % 2 != 0) { sides.push_back({same.front(), place, false}); }
  });
}

/// For each place with several polygons, whether the surface there bounds something; if so, one of them is enough. If
/// not, they are two sides of a wall between solids. Patches of such places are judged by the surfaces that meet at
/// their rims: where a single other surface meets, one polygon closes it; where two others meet, they close each other.
std::vector<bool> places_that_bound(std::vector<Triangle> const& triangles, std::vector<std::uint32_t> const& numbers,
                                    std::vector<std::span<Polygon const>> const& places)
{
  std::vector<Side> sides;
  for (std::uint32_t place = 0; place < places.size(); ++place) {
    add_sides(triangles, numbers, places[place].front(), place, sides);
  }
  std::ranges::sort(sides, {}, &Side::corners);
  Groups patches(places.size());
  std::vector<int> votes(places.size(), 0);  // above 0: the surface bounds something
  std::vector<std::uint32_t> doubled;
  each_run(sides, &Side::corners, [&](std::span<Side const> edge) {
    doubled.clear();
    for (Side const& side : edge) {
      if (places[side.number].size() > 1) { doubled.push_back(side.number); }
    }
    std::size_t const others = edge.size() - doubled.size();
    if (others == 0 && doubled.size() == 2) { return patches.join(doubled[0], doubled[1]); }
    bool const bounds = others == 0 ? doubled.size() == 1 : others % 2 != 0;
    for (std::uint32_t const place : doubled) { votes[place] += bounds ? 1 : -1; }
  });
  std::vector<int> sums(places.size(), 0);
  for (std::uint32_t place = 0; place < places.size(); ++place) { sums[patches.of(place)] += votes[place]; }
  std::vector<bool> bounds(places.size());
  for (std::uint32_t place = 0; place < places.size(); ++place) { bounds[place] = sums[patches.of(place)] >= 0; }
  return bounds;
}

/// Whether a place is below a triangle: 1 if the triangle faces upwards, -1 if downwards, 0 if the place is not below
/// it. A place exactly below a shared side counts for one of the two triangles.
int crossing(std::array<Position, 3> const& corners, Position const& place)
{
  int around = 0;
  for (std::size_t i = 0; i < 3; ++i) {
    Position const& from = corners[i];
    Position const& to = corners[(i + 1) % 3];
    bool const rises = from.y <= place.y && to.y > place.y;
    bool const falls = to.y <= place.y && from.y > place.y;
    if (!rises && !falls) { continue; }
    Position const& low = rises ? from : to;  // so that both triangles compute the same sum
    Position const& high = rises ? to : from;
    double const left = (high.x - low.x) * (place.y - low.y) - (place.x - low.x) * (high.y - low.y);
    if (rises && left > 0.0) { ++around; }
    if (falls && left > 0.0) { --around; }
  }
  if (around == 0) { return 0; }
  Position const normal = cross(corners[1] - corners[0], corners[2] - corners[0]);
  double const above = dot(normal, place - corners[0]) / normal.z;
  return above < 0.0 ? around : 0;
}

constexpr double off_the_surface = 1e-6;  ///< for a model of radius 1

/// Calls take(middle, twice the area) for the parts of a triangle, which is cut until they are smaller than `max_area`.
template <class Take>
void each_middle(std::array<Position, 3> const& corners, double max_area, Take const& take, int cuts = 5)
{
  auto const& [a, b, c] = corners;
  double const area = length(cross(b - a, c - a));
  if (area <= max_area || cuts == 0) { return take((1.0 / 3.0) * (a + b + c), area); }
  Position const ab = 0.5 * (a + b);
  Position const bc = 0.5 * (b + c);
  Position const ca = 0.5 * (c + a);
  std::array<std::array<Position, 3>, 4> const parts{{{a, ab, ca}, {b, bc, ab}, {c, ca, bc}, {ab, bc, ca}}};
  for (std::array<Position, 3> const& part : parts) { each_middle(part, max_area, take, cuts - 1); }
}

}  // namespace

Position area_vector(Triangle const& triangle, std::vector<Position> const& places)
{
  Position const& origin = places[triangle.corners[0]];
  return cross(places[triangle.corners[1]] - origin, places[triangle.corners[2]] - origin);
}

bool MeshParts::has_holes() const
{
  return std::ranges::any_of(all_, [](Part const& part) { return !part.watertight; });
}

bool MeshParts::Part::is_closed() const
{
  return area > 0.0 && length(opening) < opening_of_closed * area;
}

bool MeshParts::Part::most_disagree() const
{
  constexpr double alike = 1e-9;
  double const more = turned_area - 0.5 * area;
  if (std::abs(more) > alike * area) { return more > 0.0; }
  return std::tuple(agreeing.z, agreeing.y, agreeing.x) < std::tuple(0.0, 0.0, 0.0);
}

bool MeshParts::Part::has_known_orientation() const
{
  constexpr double many = 0.4;
  double const minority = std::min(turned_area, area - turned_area);
  return minority < many * area && doubled_area < many * area;
}

MeshParts::MeshParts(std::vector<Triangle>& triangles, std::vector<Position> const& places, Progress const& progress)
{
  std::vector<std::uint32_t> const numbers = welded(triangles, places);
  leave_out_copies(triangles, places, numbers);
  find_parts(triangles, numbers, progress);
  measure(triangles, places);
  make_winding_consistent(triangles);
  measure(triangles, places);
  merge_open(triangles, places, numbers);
  auto const closed = std::ranges::count_if(all_, [](Part const& part) { return part.is_closed(); });
  if (closed > 1) { build_walls(triangles, places); }
  turn_outwards(triangles, places);
}

void MeshParts::leave_out_copies(std::vector<Triangle>& triangles, std::vector<Position> const& corners,
                                 std::vector<std::uint32_t> const& numbers)
{
  faces_both_ways_.assign(triangles.size(), false);
  std::vector<Polygon> polygons = polygons_of(triangles, numbers);
  std::ranges::sort(polygons, {}, [](Polygon const& each) { return std::tie(each.corners, each.first); });
  std::vector<std::span<Polygon const>> places;  // places with one polygon or more
  each_run(polygons, &Polygon::corners, [&](std::span<Polygon const> same) { places.push_back(same); });
  if (places.size() == polygons.size()) { return; }
  std::vector<bool> const bounds = places_that_bound(triangles, numbers, places);
  std::vector<bool> left_out(triangles.size(), false);
  auto const facing = [&](Polygon const& polygon) {
    Position sum;
    for (std::uint32_t i = polygon.first; i < polygon.end; ++i) { sum = sum + area_vector(triangles[i], corners); }
    return sum;
  };
  for (std::size_t i = 0; i < places.size(); ++i) {
    if (places[i].size() == 1) { continue; }
    Polygon const& first = places[i].front();
    bool const both_ways =
        std::ranges::any_of(places[i], [&](Polygon const& other) { return dot(facing(first), facing(other)) < 0.0; });
    std::fill(faces_both_ways_.begin() + first.first, faces_both_ways_.begin() + first.end, both_ways);
    std::size_t const kept = bounds[i] ? 1 : places[i].size() % 2;
    for (Polygon const& polygon : places[i].subspan(kept)) {
      std::fill(left_out.begin() + polygon.first, left_out.begin() + polygon.end, true);
      (bounds[i] ? copies_ : walls_between_) += polygon.end - polygon.first;
    }
  }
  std::uint32_t next = 0;
  std::erase_if(triangles, [&](Triangle const&) { return left_out[next++]; });
  next = 0;
  std::erase_if(faces_both_ways_, [&](bool) { return left_out[next++]; });
}

void MeshParts::find_parts(std::vector<Triangle>& triangles, std::vector<std::uint32_t> const& numbers,
                           Progress const& progress)
{
  std::vector<Side> const sides = sides_of(triangles, numbers);
  progress.require(0.83);
  std::vector<std::uint32_t> partners(3 * triangles.size(), nothing);
  std::vector<bool> forward(3 * triangles.size(), false);
  each_run(sides, &Side::corners, [&](std::span<Side const> edge) {
    for (Side const& side : edge) { forward[side.number] = side.forward; }
    if (edge.size() != 2) { return; }
    partners[edge[0].number] = edge[1].number;
    partners[edge[1].number] = edge[0].number;
  });
  for (Triangle& triangle : triangles) { triangle.part = nothing; }
  disagree_.assign(triangles.size(), false);
  std::vector<std::uint32_t> open;
  for (std::uint32_t first = 0; first < triangles.size(); ++first) {
    if (triangles[first].part != nothing) { continue; }
    auto const part = static_cast<std::uint32_t>(all_.size());
    all_.emplace_back();
    triangles[first].part = part;
    open.assign(1, first);
    while (!open.empty()) {
      std::uint32_t const triangle = open.back();
      open.pop_back();
      for (std::uint32_t side = 3 * triangle; side < 3 * triangle + 3; ++side) {
        std::uint32_t const partner = partners[side];
        if (partner == nothing || triangles[partner / 3].part != nothing) { continue; }
        triangles[partner / 3].part = part;
        bool const same_way = forward[side] == forward[partner];
        disagree_[partner / 3] = disagree_[triangle] != same_way;
        open.push_back(partner / 3);
      }
    }
  }
  find_holes(triangles, sides);
}

/// Finds holes in each part. Parts that touch only along an edge are watertight, each by itself.
void MeshParts::find_holes(std::vector<Triangle> const& triangles, std::vector<Side> const& sides)
{
  constexpr std::size_t most = 64;
  for (Part& part : all_) { part.watertight = true; }
  each_run(sides, &Side::corners, [&](std::span<Side const> edge) {
    for (Side const& side : edge) {
      std::uint32_t const part = triangles[side.number / 3].part;
      if (edge.size() > most) {
        all_[part].watertight = false;
        continue;
      }
      auto const of_part =
          std::ranges::count_if(edge, [&](Side const& other) { return triangles[other.number / 3].part == part; });
      if (of_part % 2 != 0) { all_[part].watertight = false; }
    }
  });
}

void MeshParts::measure(std::vector<Triangle> const& triangles, std::vector<Position> const& places)
{
  for (Part& part : all_) { part = {.watertight = part.watertight}; }
  for (std::size_t i = 0; i < triangles.size(); ++i) {
    Part& part = all_[triangles[i].part];
    Position const vector = area_vector(triangles[i], places);
    double const area = length(vector);
    part.volume += dot(vector, places[triangles[i].corners[0]]);
    part.area += area;
    part.opening = part.opening + vector;
    if (disagree_[i]) { part.turned_area += area; }
    part.agreeing = part.agreeing + (disagree_[i] ? -1.0 : 1.0) * vector;
    if (faces_both_ways_[i]) { part.doubled_area += area; }
  }
}

/// Turns the smaller part of the area; if the halves are equal, the one that then faces upwards.
void MeshParts::make_winding_consistent(std::vector<Triangle>& triangles)
{
  for (std::size_t i = 0; i < triangles.size(); ++i) {
    Part const& part = all_[triangles[i].part];
    bool const others_turn = part.most_disagree();
    if (disagree_[i] == others_turn) { continue; }
    turn(triangles[i]);
    ++turned_;
  }
}

/// Parts that are not closed individually may close together, as where corners differ in the last digit or lie on sides
/// of other triangles: these parts are merged.
void MeshParts::merge_open(std::vector<Triangle>& triangles, std::vector<Position> const& places,
                           std::vector<std::uint32_t> const& numbers)
{
  constexpr double nearly_nothing = 0.02;
  std::vector<bool> is_open(all_.size(), false);
  Part together;
  std::uint32_t first = nothing;
  for (std::uint32_t i = 0; i < all_.size(); ++i) {
    Part const& part = all_[i];
    is_open[i] = !part.watertight && length(part.opening) > nearly_nothing * part.area;
    if (!is_open[i]) { continue; }
    if (first == nothing) { first = i; }
    together.area += part.area;
    together.opening = together.opening + part.opening;
  }
  if (first == nothing || !together.is_closed()) { return; }
  for (Triangle& triangle : triangles) {
    if (is_open[triangle.part]) { triangle.part = first; }
  }
  find_holes(triangles, sides_of(triangles, numbers));
  measure(triangles, places);
}

/// Works from the outside in: a part inside others is turned together with the part around it. An inward part stays
/// inward only if it lies entirely within solids: it is then a cavity. Only parts of larger volume count as
/// surrounding, so that neither the order of parts nor that of triangles matters.
void MeshParts::turn_outwards(std::vector<Triangle>& triangles, std::vector<Position> const& places)
{
  std::vector<bool> turns(all_.size(), false);
  std::vector<std::vector<std::uint32_t>> triangles_of(all_.size());
  for (std::uint32_t i = 0; i < triangles.size(); ++i) { triangles_of[triangles[i].part].push_back(i); }
  std::vector<std::uint32_t> order;
  for (std::uint32_t i = 0; i < all_.size(); ++i) {
    if (all_[i].is_closed()) { order.push_back(i); }
  }
  std::ranges::sort(order, std::greater{}, [&](std::uint32_t i) { return std::abs(all_[i].volume); });
  for (std::uint32_t const i : order) {
    Part const& part = all_[i];
    Surroundings const around = surroundings_of(i, triangles_of[i], triangles, places, turns);
    bool const has_outer = around.nearest != nothing;
    bool const is_inward = part.volume < 0.0;
    if (!part.has_known_orientation()) {
      turns[i] = is_inward;
      bool const is_body = part.doubled_area > 0.0 && has_outer && all_[around.nearest].has_known_orientation();
      if (around.is_solid && !is_body) { ++ambiguous_; }
      continue;
    }
    if (has_outer) { turns[i] = turns[around.nearest]; }
    if (is_inward != turns[i] && !around.is_solid) { turns[i] = !turns[i]; }
  }
  for (Triangle& triangle : triangles) {
    if (!turns[triangle.part]) { continue; }
    turn(triangle);
    flipped_ = true;
  }
  for (Wall& wall : walls_) {
    if (turns[wall.part]) { std::swap(wall.corners[1], wall.corners[2]); }
  }
  for (std::uint32_t i = 0; i < all_.size(); ++i) {
    if (turns[i]) { all_[i].volume = -all_[i].volume; }
  }
}

/// Determines the surroundings of a part from places just beneath its surface, all over it.
MeshParts::Surroundings MeshParts::surroundings_of(std::uint32_t number, std::vector<std::uint32_t> const& own,
                                                   std::vector<Triangle> const& triangles,
                                                   std::vector<Position> const& places,
                                                   std::vector<bool> const& turns) const
{
  constexpr double nearly_all = 0.98;
  constexpr double hardly_larger = 1.0 + 1e-9;
  Part const& part = all_[number];
  if (walls_.empty()) { return {}; }
  double const inwards = part.volume < 0.0 ? 1.0 : -1.0;
  std::map<std::uint32_t, double> area_in;
  double solid_area = 0.0;
  for (std::uint32_t const i : own) {
    Position const below = inwards * off_the_surface * normalized(area_vector(triangles[i], places));
    auto const& [a, b, c] = triangles[i].corners;
    each_middle({places[a], places[b], places[c]}, part.area / 512.0, [&](Position const& middle, double area) {
      int solid = 0;
      for (auto const& [other, crossings] : enclosing(middle + below)) {
        bool const is_larger = std::abs(all_[other].volume) > hardly_larger * std::abs(part.volume);
        if (other == number || crossings == 0 || !is_larger) { continue; }
        solid += (all_[other].volume < 0.0) != turns[other] ? -1 : 1;
        area_in[other] += area;
      }
      if (solid > 0) { solid_area += area; }
    });
  }
  Surroundings around{solid_area > nearly_all * part.area, nothing};
  for (auto const& [other, area] : area_in) {
    bool const is_nearer =
        around.nearest == nothing || std::abs(all_[other].volume) < std::abs(all_[around.nearest].volume);
    if (area > nearly_all * part.area && is_nearer) { around.nearest = other; }
  }
  return around;
}

void MeshParts::build_walls(std::vector<Triangle> const& triangles, std::vector<Position> const& places)
{
  walls_.clear();
  for (Triangle const& triangle : triangles) {
    if (!all_[triangle.part].is_closed()) { continue; }
    auto const& [a, b, c] = triangle.corners;
    walls_.push_back({{places[a], places[b], places[c]}, triangle.part});
  }
  auto const each_square = [&](Wall const& wall, auto const& take) {
    auto const [left, right] = std::minmax({wall.corners[0].x, wall.corners[1].x, wall.corners[2].x});
    auto const [front, back] = std::minmax({wall.corners[0].y, wall.corners[1].y, wall.corners[2].y});
    for (std::size_t y = column_of(front); y <= column_of(back); ++y) {
      for (std::size_t x = column_of(left); x <= column_of(right); ++x) { take(y * side_ + x); }
    }
  };
  constexpr std::uint64_t squares_each = 16;  // large triangles cover many squares
  double const squares = std::sqrt(static_cast<double>(walls_.size()));
  side_ = static_cast<std::size_t>(std::clamp(squares, 1.0, 1024.0));
  for (std::uint64_t entries = 0;; side_ /= 2) {
    starts_.assign(side_ * side_ + 1, 0);
    entries = 0;
    for (Wall const& wall : walls_) {
      if (entries > squares_each * walls_.size()) { break; }
      each_square(wall, [&](std::size_t square) {
        ++starts_[square + 1];
        ++entries;
      });
    }
    if (side_ == 1 || entries <= squares_each * walls_.size()) { break; }
  }
  std::partial_sum(starts_.begin(), starts_.end(), starts_.begin());
  walls_of_square_.assign(starts_.back(), 0);
  std::vector<std::uint32_t> next(starts_.begin(), starts_.end() - 1);
  for (std::uint32_t i = 0; i < walls_.size(); ++i) {
    each_square(walls_[i], [&](std::size_t square) { walls_of_square_[next[square]++] = i; });
  }
}

std::size_t MeshParts::column_of(double x) const
{
  double const last = static_cast<double>(side_) - 1.0;
  return static_cast<std::size_t>(std::clamp((x + 1.0) * 0.5 * static_cast<double>(side_), 0.0, last));
}

/// Calls take(part, 1 or -1) for each wall above a place.
template <class Take>
void MeshParts::each_crossing(Position const& place, Take const& take) const
{
  std::size_t const square = column_of(place.y) * side_ + column_of(place.x);
  for (std::uint32_t i = starts_[square]; i < starts_[square + 1]; ++i) {
    Wall const& wall = walls_[walls_of_square_[i]];
    if (int const way = crossing(wall.corners, place); way != 0) { take(wall.part, way); }
  }
}

/// The closed parts that enclose a place, and how often each winds around it.
std::map<std::uint32_t, int> MeshParts::enclosing(Position const& place) const
{
  std::map<std::uint32_t, int> around;
  if (!walls_.empty()) {
    each_crossing(place, [&](std::uint32_t part, int way) { around[part] += way; });
  }
  return around;
}

bool MeshParts::is_buried(Position const& place, Position const& normal, std::uint32_t part) const
{
  if (walls_.empty() || !all_[part].watertight) { return false; }
  bool is_certain = true;
  auto const is_solid = [&](Position const& beside) {
    int sum = 0;
    for (auto const& [around, crossings] : enclosing(beside)) {
      sum += crossings;
      is_certain = is_certain && (crossings == 0 || all_[around].watertight);
    }
    return sum >= 1;
  };
  bool const before = is_solid(place + off_the_surface * normal);
  bool const behind = is_solid(place + -off_the_surface * normal);
  return is_certain && before == behind;
}

}  // namespace slotscape::clouds
