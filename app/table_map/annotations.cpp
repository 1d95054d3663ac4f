#include "app/table_map/annotations.hpp"

#include "app/base/text.hpp"
#include "app/simulation/names.hpp"
#include "app/table_map/palette.hpp"
#include "app/widgets/look.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace slotscape {
namespace {

constexpr ImU32 arrow_color = IM_COL32(0xf2, 0xf5, 0xf8, 0xe0);

void write_lines(Annotator const& on, SlotInfo const& slot, Measure const& measure, ImU32 color)
{
  float const width = static_cast<float>(on.camera.slot_pixels());
  ImVec2 const corner = on.place(on.camera.slot_corner(slot.slot));
  bool const roomy = width > on.look(100.0f);
  float const size = std::min(width / (roomy ? 8.0f : 6.6f), on.look(17.0f));
  float const pad = width * 0.055f;
  ImFont* const font = on.look.font;
  auto const line = [&](float row, std::string const& text, float alpha) {
    ImVec2 const at{std::floor(corner.x + pad), std::floor(corner.y + pad + row * size * 1.12f)};
    float const length = font->CalcTextSizeA(size, 1e9f, 0.0f, text.c_str()).x;
    float const fitting = size * std::min(1.0f, (width - 2.0f * pad) / std::max(length, 1.0f));
    on.list.AddText(font, fitting, at, theme::with_alpha(color, alpha), text.c_str());
  };
  if (slot.state == SlotState::empty) {
    line(0.0f, std::to_string(slot.slot), 0.35f);
    return;
  }
  float row = 0.0f;
  if (roomy) { line(row++, fmt::format("slot {}", slot.slot), 0.6f); }
  if (!slot.has_key) {
    line(row, std::string(to_label(slot.state)), 1.0f);
    return;
  }
  bool const live = slot.state == SlotState::live;
  line(row++, (roomy ? "key " : "") + std::to_string(slot.pair.key), 1.0f);
  line(row++, live ? (roomy ? "value " : "") + std::to_string(slot.pair.value) : std::string("erased"), 0.8f);
  line(row++, fmt::format("home {}", slot.home), 0.8f);
  std::string const name = uncapitalised(roomy ? measure.name : measure.name.substr(0, measure.name.find(' ')));
  line(row++, fmt::format("{} {}", name, slot.probe_length), 0.8f);
}

/// From the home slot to here: along the bottom of the row if both are in the same one, else in steps.
void draw_home_arrow(Annotator const& on, SlotInfo const& slot)
{
  float const side = static_cast<float>(on.camera.slot_pixels());
  ImVec2 const home = on.place(on.camera.slot_corner(slot.home));
  ImVec2 const here = on.place(on.camera.slot_corner(slot.slot));
  // Each length has its own height, so that overlapping arrows stay apart.
  float const level = side * (0.985f - 0.025f * static_cast<float>(std::min(slot.probe_length, 4u)));
  float const from_x = home.x + side * 0.5f;
  bool const one_row = std::abs(home.y - here.y) < 1.0f;
  float const to_x = here.x + side * (one_row ? 0.42f : 0.028f);  // left of the text if it passes some
  float const tip = here.y + side * 0.82f;
  float const thickness = std::max(1.2f, side / 70.0f);
  std::array<ImVec2, 3> const corners{ImVec2{from_x, home.y + level}, ImVec2{to_x, home.y + level}, ImVec2{to_x, tip}};
  // A dark rim, because the arrow crosses cells of every shade.
  on.list.AddPolyline(corners.data(), 3, IM_COL32(0, 0, 0, 0x90), 0, thickness + 2.0f);
  on.list.AddCircleFilled(corners[0], thickness * 1.9f, arrow_color, 10);
  on.arrow(corners.data(), 3, arrow_color, thickness);
}

/// Where a step from one slot to its neighbour is drawn between written cells: below or beside the text.
std::array<ImVec2, 2> clear_of_writing(ImVec2 from, ImVec2 to, float side)
{
  float const low = side * 0.3f;  // below the centre
  if (std::abs(from.y - to.y) < 1.0f) {
    float const half = (to.x - from.x) * 0.4f;
    float const middle = (from.x + to.x) / 2.0f;
    return {ImVec2{middle - half, from.y + low}, ImVec2{middle + half, from.y + low}};
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
  bool const written = side >= on.look(written_slot_width);
  std::array<ImVec2, 2> ends{on.slot_center(from), on.slot_center(to)};
  bool const neighbours = std::hypot(ends[1].x - ends[0].x, ends[1].y - ends[0].y) < side * 1.5f;
  if (neighbours && side > 6.0f) {
    if (written) { ends = clear_of_writing(ends[0], ends[1], side); }
    on.arrow(ends.data(), 2, color, std::max(1.5f, side / 40.0f));
    return;
  }
  if (written) {
    for (ImVec2& end : ends) { end.y += side * 0.4f; }
  }
  on.list.AddLine(ends[0], ends[1], theme::with_alpha(color, neighbours ? 1.0f : 0.35f), 1.5f);
}

void number_step(Annotator const& on, Slot slot, std::size_t step, ImU32 color)
{
  float const side = static_cast<float>(on.camera.slot_pixels());
  if (side < on.look(20.0f)) { return; }
  std::string const number = std::to_string(step);
  ImVec2 const corner = on.place(on.camera.slot_corner(slot));
  float const size = std::clamp(side * 0.2f, on.look(9.0f), on.look(15.0f));
  float const width = on.look.font->CalcTextSizeA(size, 1e9f, 0.0f, number.c_str()).x + size * 0.7f;
  ImVec2 const low{corner.x + side - width, corner.y};
  on.list.AddRectFilled(low, {low.x + width, low.y + size * 1.25f}, color, on.look(2.0f));
  on.list.AddText(on.look.font, size, {low.x + size * 0.35f, low.y + size * 0.1f}, theme::panel, number.c_str());
}

/// The outline, and a ring around it where slots are too small to stand out.
void mark_end(Annotator const& on, Slot slot, ImU32 color, float thickness)
{
  on.outline(slot, color, thickness);
  if (on.camera.slot_pixels() >= 8.0) { return; }
  ImVec2 const center = on.slot_center(slot);
  on.list.AddCircle(center, on.look(9.0f), IM_COL32(0, 0, 0, 0xc0), 0, thickness + 2.0f);
  on.list.AddCircle(center, on.look(9.0f), color, 0, thickness);
}

bool near_on_map(Camera const& camera, SlotInfo const& slot)
{
  Position const home = camera.grid().position(slot.home);
  Position const here = camera.grid().position(slot.slot);
  auto const distance = [](std::uint32_t a, std::uint32_t b) { return a > b ? a - b : b - a; };
  return distance(home.x, here.x) <= 64 && distance(home.y, here.y) <= 64;
}

/// The same as in the shader when live keys are coloured by a value.
Color dimmed_tombstone_color()
{
  auto const mix = [](float empty, float tombstone) { return empty + (tombstone - empty) * tombstone_strength; };
  return {mix(empty_color.red, tombstone_color.red), mix(empty_color.green, tombstone_color.green),
          mix(empty_color.blue, tombstone_color.blue)};
}

}  // namespace

ImU32 text_on(Color const& color)
{
  float const luminance = 0.2126f * color.red + 0.7152f * color.green + 0.0722f * color.blue;
  return luminance > 0.45f ? IM_COL32(0x0c, 0x10, 0x15, 0xff) : IM_COL32(0xf2, 0xf5, 0xf8, 0xff);
}

Color cell_color(WrittenSlot const& written, TableState const& state)
{
  ViewSettings const& view = state.settings.view;
  SlotInfo const& slot = written.slot;
  if (slot.state == SlotState::empty || view.color_by == ColorBy::recent) { return empty_color; }
  if (slot.state == SlotState::link) { return link_color; }
  if (view.color_by == ColorBy::cluster_length) {
    return palette_color(view.palette, scale_share(state, static_cast<double>(written.cluster_length)));
  }
  bool const by_state = view.color_by == ColorBy::state;
  if (slot.state == SlotState::tombstone) { return by_state ? tombstone_color : dimmed_tombstone_color(); }
  if (by_state) { return live_color; }
  return palette_color(view.palette, scale_share(state, slot.probe_length));
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
  list.AddRect({low.x - 1.0f, low.y - 1.0f}, {low.x + side + 1.0f, low.y + side + 1.0f}, IM_COL32(0, 0, 0, 0xc0),
               look(2.0f), 0, thickness + 2.0f);
  list.AddRect({low.x - 1.0f, low.y - 1.0f}, {low.x + side + 1.0f, low.y + side + 1.0f}, color, look(2.0f), 0,
               thickness);
}

void Annotator::arrow(ImVec2 const* points, int count, ImU32 color, float thickness) const
{
  list.AddPolyline(points, count, color, 0, thickness);
  ImVec2 const tip = points[count - 1];
  ImVec2 const before = points[count - 2];
  float const dx = tip.x - before.x;
  float const dy = tip.y - before.y;
  float const length = std::hypot(dx, dy);
  if (length < 1.0f) { return; }
  float const head = thickness * 3.2f;
  ImVec2 const along{dx / length * head, dy / length * head};
  ImVec2 const across{-along.y * 0.6f, along.x * 0.6f};
  list.AddTriangleFilled({tip.x + along.x * 0.3f, tip.y + along.y * 0.3f},
                         {tip.x - along.x + across.x, tip.y - along.y + across.y},
                         {tip.x - along.x - across.x, tip.y - along.y - across.y}, color);
}

void annotate_cells(Annotator const& on, TableState const& state)
{
  std::vector<WrittenSlot> const& written = state.inspected.written;
  for (WrittenSlot const& each : written) {
    SlotInfo const& slot = each.slot;
    bool const elsewhere = slot.home != slot.slot && slot.probe_length > 0;
    if (slot.state == SlotState::live && elsewhere && near_on_map(on.camera, slot)) { draw_home_arrow(on, slot); }
  }
  Measure const& measure = family_of(state).measure;
  for (WrittenSlot const& each : written) { write_lines(on, each.slot, measure, text_on(cell_color(each, state))); }
}

bool draws_step(std::size_t step, std::size_t steps)
{
  return step < steps_drawn_at_each_end || step + steps_drawn_at_each_end >= steps;
}

std::size_t next_drawn_step(std::size_t step, std::size_t steps)
{
  return draws_step(step + 1, steps) ? step + 1 : steps - steps_drawn_at_each_end;
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
    number_step(on, slots[i], i, color);
  }
  if (slots.size() > 1) { mark_end(on, slots.front(), theme::text, on.look(2.0f)); }
  mark_end(on, slots.back(), color, on.look(3.0f));
}

void annotate_slot(Annotator const& on, SlotInfo const& slot, ImU32 color)
{
  if (slot.has_key && slot.home != slot.slot) {
    on.outline(slot.home, theme::with_alpha(color, 0.55f), on.look(1.5f));
    if (on.camera.slot_pixels() < static_cast<double>(on.look(written_slot_width))) {
      on.list.AddLine(on.slot_center(slot.home), on.slot_center(slot.slot), theme::with_alpha(color, 0.55f), 1.5f);
    }
  }
  on.outline(slot.slot, color, on.look(2.0f));
}

}  // namespace slotscape
