#include "app/table_map/annotations.hpp"

#include "app/table_map/cells.hpp"
#include "app/table_map/home_arrows.hpp"
#include "app/table_map/palette.hpp"
#include "app/table_map/parts.hpp"
#include "app/widgets/look.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <utility>

namespace slotscape {
namespace {

/// The line for a step from a slot to its neighbour, clear of the text in written cells: in their bands or beside the
/// text.
std::array<ImVec2, 2> clear_of_writing(ImVec2 from, ImVec2 to, float side, float band)
{
  float const up = side * 0.5f - band * 0.5f;  // above the centre
  if (std::abs(from.y - to.y) < 1.0f) {
    float const half = (to.x - from.x) * 0.3f;
    float const middle = (from.x + to.x) / 2.0f;
    return {ImVec2{middle - half, from.y - up}, ImVec2{middle + half, from.y - up}};
  }
  bool const down = to.y > from.y;
  float const border = (from.y + to.y) / 2.0f;
  ImVec2 const above{down ? from.x : to.x, border - side * 0.16f};
  ImVec2 const below{down ? to.x : from.x, border + side * 0.04f};
  return down ? std::array{above, below} : std::array{below, above};
}

void draw_step(Annotator const& on, Slot from, Slot to, ImU32 color)
{
  float const side = static_cast<float>(on.camera.slot_pixels());
  bool const written = shows_text(on.camera);
  std::array<ImVec2, 2> ends{on.slot_center(from), on.slot_center(to)};
  bool const neighbours = !passes_cells(on, from, to);
  if (neighbours && side > 6.0f) {
    if (written) { ends = clear_of_writing(ends[0], ends[1], side, band_height(on)); }
    on.arrow(ends, color, std::max(1.5f, side / 40.0f));
    return;
  }
  ImU32 const faint = theme::with_alpha(color, neighbours ? 1.0f : 0.35f);
  if (written) { return on.drawing.polyline(way_past_writing(on, from, to), faint, 1.5f); }
  on.drawing.line(ends[0], ends[1], faint, 1.5f);
}

/// An outline, with a ring around it if slots are too small to stand out.
void mark_end(Annotator const& on, Slot slot, ImU32 color, float thickness)
{
  on.outline(slot, color, thickness);
  if (on.camera.slot_pixels() >= 8.0) { return; }
  ImVec2 const center = on.slot_center(slot);
  on.drawing.circle(center, on.look(9.0f), theme::with_alpha(theme::rim, 0.75f), thickness + 2.0f);
  on.drawing.circle(center, on.look(9.0f), color, thickness);
}

/// Dims tombstones as the shader does when live keys are coloured by a value.
Color dimmed(Color const& color, Color const& empty)
{
  auto const mix = [](float from, float to) { return from + (to - from) * tombstone_strength; };
  return {mix(empty.red, color.red), mix(empty.green, color.green), mix(empty.blue, color.blue)};
}

}  // namespace

ImU32 text_on(Color const& color)
{
  return takes_dark_ink(color) ? theme::dark_ink : theme::bright_ink;
}

Color cell_color(WrittenSlot const& written, MapState const& state, Background background)
{
  Color const empty = empty_color_on(background);
  ViewSettings const& view = state.settings.view;
  SlotInfo const& slot = written.slot;
  if (slot.state == SlotState::empty || view.color_by == ColorBy::recent) { return empty; }
  if (slot.state == SlotState::link) { return link_color; }
  if (is_reserved(state, slot)) { return dimmed(find_flash, empty); }
  if (view.color_by == ColorBy::cluster_length) {
    return palette_color(view.palette, scale_share(state, static_cast<double>(written.cluster_length)));
  }
  bool const by_state = view.color_by == ColorBy::state;
  if (slot.state == SlotState::tombstone) { return by_state ? Color(tombstone_color) : dimmed(tombstone_color, empty); }
  if (by_state) { return live_color; }
  bool const by_chain = view.color_by == ColorBy::chain_length;
  return palette_color(view.palette, scale_share(state, by_chain ? slot.chain_length : slot.probe_length));
}

ImVec2 Annotator::place(Point point) const
{
  return {corner.x + static_cast<float>(point.x), corner.y + static_cast<float>(point.y)};
}

ImVec2 Annotator::slot_center(Slot slot) const
{
  ImVec2 const at = place(camera.slot_corner(slot));
  float const half = static_cast<float>(camera.slot_pixels() / 2.0);
  return {at.x + half, at.y + half};
}

void Annotator::outline(Slot slot, ImU32 color, float thickness) const
{
  ImVec2 const low = place(camera.slot_corner(slot));
  float const side = std::max(static_cast<float>(camera.slot_pixels()), look(5.0f));
  ImVec2 const from{low.x - 1.0f, low.y - 1.0f};
  ImVec2 const to{low.x + side + 1.0f, low.y + side + 1.0f};
  drawing.frame(from, to, theme::with_alpha(theme::rim, 0.75f), look(2.0f), thickness + 2.0f);
  drawing.frame(from, to, color, look(2.0f), thickness);
}

ImU32 Annotator::ink() const
{
  return theme::ink.on(look.background);
}

ImU32 rim_of(ImU32 color)
{
  ImVec4 const shade = theme::rgba(color);
  bool const bright = 0.2126f * shade.x + 0.7152f * shade.y + 0.0722f * shade.z > 0.4f;
  return bright ? theme::with_alpha(IM_COL32_BLACK, 0.63f) : theme::with_alpha(IM_COL32_WHITE, 0.69f);
}

void Annotator::arrow(std::span<ImVec2 const> points, ImU32 color, float thickness) const
{
  ImVec2 const tip = points.back();
  ImVec2 const before = points[points.size() - 2];
  float const dx = tip.x - before.x;
  float const dy = tip.y - before.y;
  float const length = std::hypot(dx, dy);
  auto const draw = [&](ImU32 shade, float width, float head) {
    drawing.polyline(points, shade, width);
    if (length < 0.01f) { return; }
    ImVec2 const along{dx / length * head, dy / length * head};
    ImVec2 const across{-along.y * 0.6f, along.x * 0.6f};
    drawing.triangle({tip.x + along.x * 0.3f, tip.y + along.y * 0.3f},
                     {tip.x - along.x + across.x, tip.y - along.y + across.y},
                     {tip.x - along.x - across.x, tip.y - along.y - across.y}, shade);
  };
  draw(rim_of(color), thickness + 2.5f, thickness * 3.2f + 3.0f);
  draw(color, thickness, thickness * 3.2f);
}

namespace {

/// Starts at the last point, so that a dash ends there. Paths that extend far beyond the canvas get longer dashes.
std::vector<std::array<ImVec2, 2>> dashes_of(std::span<ImVec2 const> points, float wanted)
{
  constexpr float max_dashes = 1000.0f;
  float whole = 0.0f;
  for (std::size_t i = 1; i < points.size(); ++i) {
    whole += std::hypot(points[i].x - points[i - 1].x, points[i].y - points[i - 1].y);
  }
  float const dash = std::max(wanted, whole / max_dashes);
  std::vector<std::array<ImVec2, 2>> dashes;
  bool draws = true;
  float rest = dash;
  for (std::size_t i = points.size(); i-- > 1;) {
    ImVec2 const from = points[i];
    ImVec2 const to = points[i - 1];
    float const length = std::hypot(to.x - from.x, to.y - from.y);
    auto const at = [&](float way) {
      return ImVec2{from.x + (to.x - from.x) * way / length, from.y + (to.y - from.y) * way / length};
    };
    for (float done = 0.0f; done < length;) {
      float const end = std::min(done + rest, length);
      if (draws) { dashes.push_back({at(end), at(done)}); }
      rest -= end - done;
      if (rest <= 0.01f * dash) {  // a smaller rest is only rounding on a long path
        draws = !draws;
        rest = dash;
      }
      done = end;
    }
  }
  return dashes;
}

}  // namespace

void Annotator::dashed_arrow(std::span<ImVec2 const> points, ImU32 color, float thickness) const
{
  auto const dashes = dashes_of(points, 2.5f * thickness + look(3.0f));
  for (auto const& dash : dashes) {
    drawing.polyline(dash, rim_of(color), thickness + 2.5f);
    drawing.polyline(dash, color, thickness);
  }
  if (!dashes.empty()) { arrow(dashes.front(), color, thickness); }
}

void annotate_cells(Annotator const& on, MapState const& state)
{
  draw_home_arrows(on, state);
  write_cells(on, state);
}

void paint_cells(Annotator const& on, MapState const& state)
{
  auto const side = static_cast<float>(on.camera.slot_pixels());
  for (WrittenSlot const& written : state.inspected.written) {
    Color const color = cell_color(written, state, on.look.background);
    ImVec2 const low = on.place(on.camera.slot_corner(written.slot.slot));
    ImVec2 const high{low.x + side, low.y + side};
    ImVec2 const ruled{low.x + 1.0f, low.y + 1.0f};
    on.drawing.fill(ruled, high, packed(color));
    if (written.slot.state == SlotState::tombstone) { draw_hatch(on, ruled, high); }
  }
}

void draw_hatch(Annotator const& on, ImVec2 low, ImVec2 high)
{
  float const side = high.x - low.x;
  float const period = std::clamp(side / 5.0f, 5.0f, 12.0f);
  on.drawing.clip(low, high);
  for (float x = 0.0f; x < 2.0f * side; x += period) {
    on.drawing.line({low.x + x, low.y}, {low.x + x - side, high.y}, theme::with_alpha(theme::dark_ink, 0.31f),
                    period * 0.3f);
  }
  on.drawing.unclip();
}

void write_cells(Annotator const& on, MapState const& state)
{
  std::vector<SlotInfo> slots;
  std::map<Slot, std::uint64_t> clusters;
  for (WrittenSlot const& written : state.inspected.written) {
    slots.push_back(written.slot);
    clusters.emplace(written.slot.slot, written.cluster_length);
  }
  auto const color = [&](SlotInfo const& slot) {
    return cell_color({slot, clusters.at(slot.slot)}, state, on.look.background);
  };
  write_cells(on, slots, color,
              {view_of(state), family_of(state).measure, state.inspected.widest, arrays_of(state), reserves(state)});
}

bool draws_step(std::size_t step, std::size_t steps)
{
  return step < steps_drawn_at_each_end || step + steps_drawn_at_each_end >= steps;
}

std::size_t next_drawn_step(std::size_t step, std::size_t steps)
{
  return draws_step(step + 1, steps) ? step + 1 : steps - steps_drawn_at_each_end;
}

std::vector<ImVec2> way_along_borders(Annotator const& on, Slot from, Slot to)
{
  float const side = static_cast<float>(on.camera.slot_pixels());
  float const into_band = std::min(band_height(on), side * 0.5f) * 0.6f;
  ImVec2 const start = on.place(on.camera.slot_corner(from));
  ImVec2 const end = on.place(on.camera.slot_corner(to));
  float const start_x = start.x + side / 2.0f;
  float const end_x = end.x + side / 2.0f;
  std::vector<ImVec2> way{{start_x, start.y + into_band}, {start_x, start.y}};
  bool const same_row = std::abs(start.y - end.y) < 1.0f;
  if (!same_row) {
    float const column = end_x < start_x - 1.0f ? end.x + side : end.x;  // the nearer border of its column
    way.push_back({column, start.y});
    way.push_back({column, end.y});
  }
  way.push_back({end_x, end.y});
  way.push_back({end_x, end.y + into_band});
  return way;
}

std::vector<ImVec2> arc(Annotator const& on, ImVec2 from, ImVec2 to)
{
  constexpr int arc_points = 24;
  auto const between = [&](float share) {
    return ImVec2{from.x + (to.x - from.x) * share, from.y + (to.y - from.y) * share};
  };
  auto const side = static_cast<float>(on.camera.slot_pixels());
  float const bend = std::clamp(0.25f * std::hypot(to.x - from.x, to.y - from.y), 0.3f * side, 1.6f * side);
  bool const upright = std::abs(to.x - from.x) < 0.5f * side;
  float const highest = std::min(from.y, to.y);
  float const y = std::max(highest - bend, std::min(on.corner.y + on.look(4.0f), highest));  // stays on the canvas
  ImVec2 const first = upright ? ImVec2{from.x - 1.8f * bend, between(0.2f).y} : ImVec2{between(0.2f).x, y};
  ImVec2 const second = upright ? ImVec2{to.x - 1.8f * bend, between(0.8f).y} : ImVec2{between(0.8f).x, y};
  std::vector<ImVec2> points;
  points.reserve(arc_points + 1);
  for (int i = 0; i <= arc_points; ++i) {
    float const t = static_cast<float>(i) / arc_points;
    float const u = 1.0f - t;
    std::array const weights{u * u * u, 3 * u * u * t, 3 * u * t * t, t * t * t};
    points.push_back({weights[0] * from.x + weights[1] * first.x + weights[2] * second.x + weights[3] * to.x,
                      weights[0] * from.y + weights[1] * first.y + weights[2] * second.y + weights[3] * to.y});
  }
  return points;
}

bool passes_cells(Annotator const& on, Slot from, Slot to)
{
  auto const side = static_cast<float>(on.camera.slot_pixels());
  ImVec2 const start = on.slot_center(from);
  ImVec2 const end = on.slot_center(to);
  return std::hypot(end.x - start.x, end.y - start.y) >= 1.5f * side;
}

std::vector<ImVec2> way_between_arrays(Annotator const& on, Slot from, Slot to)
{
  Plane const& plane = on.camera.plane();
  auto const side = static_cast<float>(on.camera.slot_pixels());
  std::uint32_t const start_row = plane.position(from).y;
  std::uint32_t const end_row = plane.position(to).y;
  ImVec2 const start = on.slot_center(from);
  ImVec2 const end = on.slot_center(to);
  if (start_row == end_row) { return arc(on, {start.x, start.y - 0.5f * side}, {end.x, end.y - 0.5f * side}); }
  float const half = start_row < end_row ? 0.5f * side : -0.5f * side;
  return {{start.x, start.y + half}, {end.x, end.y - half}};
}

std::vector<ImVec2> way_between_nodes(Annotator const& on, Slot from, Slot to)
{
  auto const half = static_cast<float>(on.camera.slot_pixels()) / 2.0f;
  ImVec2 const start = on.slot_center(from);
  ImVec2 const end = on.slot_center(to);
  return {{start.x + half, start.y}, {end.x - half, end.y}};
}

std::vector<ImVec2> way_past_writing(Annotator const& on, Slot from, Slot to)
{
  Plane const& plane = on.camera.plane();
  if (plane.kind() == Plane::Kind::arrays) { return way_between_arrays(on, from, to); }
  if (plane.kind() == Plane::Kind::chains) { return way_between_nodes(on, from, to); }
  bool const has_free_side = plane.rows() == 1 || plane.kind() == Plane::Kind::ring;
  std::vector<ImVec2> borders = way_along_borders(on, from, to);
  return has_free_side && passes_cells(on, from, to) ? arc(on, borders.front(), borders.back()) : borders;
}

ImU32 path_color(ProbePath const& path)
{
  return path.value ? theme::accent : theme::warning;
}

void annotate_steps(Annotator const& on, ProbePath const& path, ImU32 color)
{
  std::vector<Slot> const& slots = path.slots;
  for (std::size_t i = 0; i + 1 < slots.size(); i = next_drawn_step(i, slots.size())) {
    if (draws_step(i + 1, slots.size())) { draw_step(on, slots[i], slots[i + 1], color); }
  }
}

void annotate_lookup(Annotator const& on, ProbePath const& path)
{
  std::vector<Slot> const& slots = path.slots;
  if (slots.empty()) { return; }
  ImU32 const color = path_color(path);
  bool const outlines_all = on.camera.slot_pixels() >= 8.0;
  for (std::size_t i = 0; i < slots.size(); i = next_drawn_step(i, slots.size())) {
    if (!on.camera.shows(slots[i])) { continue; }
    if (outlines_all) { on.outline(slots[i], color, on.look(1.5f)); }
    if (shows_text(on.camera)) { draw_badge(on, slots[i], std::to_string(i + 1), color); }
  }
  if (slots.size() > 1) { mark_end(on, slots.front(), theme::text, on.look(2.0f)); }
  mark_end(on, slots.back(), color, on.look(3.0f));
}

void annotate_slot(Annotator const& on, SlotInfo const& slot, ImU32 color)
{
  if (slot.has_key && slot.home != slot.slot && slot.home != no_slot) {
    on.outline(slot.home, theme::with_alpha(color, 0.55f), on.look(1.5f));
    if (!shows_text(on.camera)) {
      on.drawing.line(on.slot_center(slot.home), on.slot_center(slot.slot), theme::with_alpha(color, 0.55f), 1.5f);
    }
  }
  on.outline(slot.slot, color, on.look(2.0f));
}

}  // namespace slotscape
