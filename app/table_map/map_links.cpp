#include "app/table_map/map_links.hpp"

#include "app/base/text.hpp"
#include "app/table_map/cells.hpp"
#include "app/table_map/tags.hpp"
#include "app/widgets/look.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace slotscape {
namespace {

constexpr float cross_arm = 5.0f;
/// In slots this wide, an outline is clear enough.
constexpr double clear_slot_width = 18.0;

ImU32 rim()
{
  return theme::with_alpha(theme::rim, 0.78f);
}

void draw_halo(Annotator const& on, ImVec2 center, ImU32 color, float radius)
{
  float const thickness = on.look(2.0f);
  on.drawing.circle(center, radius, rim(), thickness + on.look(2.5f));
  on.drawing.circle(center, radius, color, thickness);
}

void draw_cross(Annotator const& on, ImVec2 center, ImU32 color)
{
  float const arm = on.look(cross_arm);
  for (auto const& [thickness, shade] : {std::pair{on.look(4.5f), rim()}, std::pair{on.look(2.0f), color}}) {
    on.drawing.line({center.x - arm, center.y - arm}, {center.x + arm, center.y + arm}, shade, thickness);
    on.drawing.line({center.x - arm, center.y + arm}, {center.x + arm, center.y - arm}, shade, thickness);
  }
}

/// Draws a pointer at the edge of the canvas towards a place outside it. Returns the pointer's position.
ImVec2 draw_pointer(Annotator const& on, ImVec2 target, ImU32 color)
{
  float const half_width = static_cast<float>(on.camera.width()) / 2.0f;
  float const half_height = static_cast<float>(on.camera.height()) / 2.0f;
  ImVec2 const middle{on.corner.x + half_width, on.corner.y + half_height};
  float const margin = on.look(10.0f);
  float const dx = target.x - middle.x;
  float const dy = target.y - middle.y;
  float const share = std::min(std::max(half_width - margin, 1.0f) / std::max(std::abs(dx), 1.0f),
                               std::max(half_height - margin, 1.0f) / std::max(std::abs(dy), 1.0f));
  ImVec2 const tip{middle.x + dx * share, middle.y + dy * share};
  float const length = std::max(std::hypot(dx, dy), 1.0f);
  ImVec2 const tail{tip.x - dx / length * on.look(12.0f), tip.y - dy / length * on.look(12.0f)};
  std::array<ImVec2, 2> const points{tail, tip};
  on.arrow(points, color, on.look(2.5f));
  return tail;
}

void mark_slot(Annotator const& on, Tags& tags, Slot slot, ImU32 color, std::string const& name)
{
  ImVec2 const center = on.slot_center(slot);
  std::string const text = name + " " + grouped(slot);
  if (!on.camera.shows(slot)) { return tags.add(draw_pointer(on, center, color), 0.0f, text, color); }
  on.outline(slot, color, on.look(2.0f));
  if (shows_text(on.camera)) { return; }  // the slot's number is legible
  bool const needs_halo = on.camera.slot_pixels() < static_cast<double>(on.look(clear_slot_width));
  float const radius =
      needs_halo ? on.look(halo_radius) : static_cast<float>(on.camera.slot_pixels()) / 2.0f + on.look(2.0f);
  if (needs_halo) { draw_halo(on, center, color, radius); }
  tags.add(center, radius, text, color);
}

/// Connects the selected slot with the home of the key being looked up.
void draw_tie(Annotator const& on, Slot selected, MapLookup const& lookup)
{
  ImVec2 const from = on.slot_center(selected);
  ImVec2 const to = on.slot_center(lookup.path.slots.front());
  on.drawing.line(from, to, theme::with_alpha(theme::rim, 0.4f), on.look(2.5f));
  on.drawing.line(from, to, theme::with_alpha(lookup.color, 0.45f), on.look(1.0f));
}

void draw_lookup(Annotator const& on, MapLookup const& lookup)
{
  std::vector<Slot> const& slots = lookup.path.slots;
  bool const found = lookup.path.value.has_value();
  annotate_steps(on, lookup.path, lookup.color);
  if (on.camera.slot_pixels() >= 8.0) {
    for (std::size_t i = 0; i < slots.size(); i = next_drawn_step(i, slots.size())) {
      if (on.camera.shows(slots[i])) { on.outline(slots[i], lookup.color, on.look(1.5f)); }
    }
  }
  ImVec2 const home = on.slot_center(slots.front());
  if (slots.size() > 1) {
    on.drawing.disc(home, on.look(4.0f), rim());
    on.drawing.disc(home, on.look(2.5f), lookup.color);
  }
  ImVec2 const end = on.slot_center(slots.back());
  if (found) {
    draw_halo(on, end, lookup.color, on.look(halo_radius * 0.6f));
  } else {
    draw_cross(on, end, lookup.color);
  }
}

void tag_lookup(Annotator const& on, Tags& tags, MapLookup const& lookup)
{
  Slot const end = lookup.path.slots.back();
  if (lookup.label.empty() || !on.camera.shows(end)) { return; }
  bool const found = lookup.path.value.has_value();
  tags.add(on.slot_center(end), on.look(halo_radius * 0.8f), lookup.label + (found ? "" : " absent"), lookup.color);
}

bool is_on(Annotator const& on, std::optional<Slot> slot)
{
  return slot && *slot < on.camera.slots();
}

}  // namespace

void draw_links(Annotator const& on, MapLinks const& links, std::optional<Slot> under_mouse)
{
  Tags tags(on);
  auto const drawn = [&](MapLookup const& lookup) {
    return !lookup.path.slots.empty() && std::ranges::max(lookup.path.slots) < on.camera.slots();
  };
  bool const is_selected = is_on(on, links.selected);
  for (MapLookup const& lookup : links.lookups) {
    if (is_selected && drawn(lookup)) { draw_tie(on, *links.selected, lookup); }
  }
  for (MapLookup const& lookup : links.lookups) {
    if (!drawn(lookup)) { continue; }
    draw_lookup(on, lookup);
    tags.keep_clear(on.slot_center(lookup.path.slots.back()), on.look(cross_arm));
  }
  // Labels are drawn last, in places where they hide no end of a path.
  if (is_selected) { mark_slot(on, tags, *links.selected, selected_color, "selected: slot"); }
  for (MapLookup const& lookup : links.lookups) {
    if (drawn(lookup)) { tag_lookup(on, tags, lookup); }
  }
  bool const is_told = links.hovered == under_mouse || links.hovered == links.selected;
  if (is_on(on, links.hovered) && !is_told) { mark_slot(on, tags, *links.hovered, hovered_color, "slot"); }
}

}  // namespace slotscape
