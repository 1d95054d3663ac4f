#include "app/table_map/parts.hpp"

#include "app/base/text.hpp"
#include "app/table_map/cell_plan.hpp"
#include "app/widgets/look.hpp"
#include "gpu/base/translation.hpp"
#include "gpu/engine/parts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <vector>

namespace slotscape {
namespace {

constexpr float closest_borders = 4.0f;  ///< pixels
constexpr float name_height = 13.0f;

bool lies_in_rows(Plane const& plane)
{
  return plane.kind() == Plane::Kind::lines || plane.kind() == Plane::Kind::arrays ||
         (plane.kind() == Plane::Kind::grid && plane.grid().layout == Layout::rows);
}

/// A part's name; for a shard, with its share of the latest batch.
struct Name {
  std::string text;
  ImU32 ink = theme::text;
};
Name name_of(MapState const& state, TablePart const& part, std::size_t i)
{
  if (!state.shards) { return {part.name}; }
  std::uint64_t all = 0;
  for (ShardWork const& shard : state.shards->shards) { all += shard.latest; }
  if (all == 0) { return {part.name}; }
  double const share = static_cast<double>(state.shards->shards[i].latest) / static_cast<double>(all);
  bool const hot = is_hot(*state.shards, i);
  return {hot ? tr("{}: {} of operations, hot", part.name, percent(share))
              : tr("{}: {} of operations", part.name, percent(share)),
          hot ? theme::warning : theme::text};
}

void write_on_plate(Annotator const& on, Name const& name, ImVec2 low, ImVec2 extent, float size)
{
  ImVec2 const high{low.x + extent.x + on.look(8.0f), low.y + extent.y};
  on.drawing.fill(low, high, theme::with_alpha(theme::panel, plate_alpha), on.look(2.0f));
  on.drawing.text({low.x + on.look(4.0f), low.y}, size, name.ink, name.text);
}

/// Writes the name at the left end of the part's first complete row.
void write_in_rows(Annotator const& on, Name const& name, float from, float to)
{
  float const size = on.look(name_height);
  float const left = std::max(on.corner.x, on.place(on.camera.to_screen({0.0, 0.0})).x) + on.look(2.0f);
  ImVec2 const extent = on.look.font->CalcTextSizeA(size, 1e6f, 0.0f, name.text.c_str());
  if (to - from < extent.y + on.look(4.0f)) { return; }
  ImVec2 const low{left, std::max(from, on.corner.y) + on.look(2.0f)};
  if (low.y + extent.y > to) { return; }
  write_on_plate(on, name, low, extent, size);
}

/// Writes the name in the band of the part's first cell, after the slot's number `written`, if any. If the text does
/// not fit on the canvas, only the part's name remains.
void write_in_cell(Annotator const& on, Name name, TablePart const& part, std::optional<Slot> written)
{
  auto const side = static_cast<float>(on.camera.slot_pixels());
  float const band = band_text(on.look, side);
  float const size = std::floor(std::max(band, min_text));
  float const margin = std::max(1.0f, 0.02f * side);
  ImVec2 const corner = on.place(on.camera.slot_corner(part.first));
  bool const has_number = written && band >= min_text;
  float const number = has_number ? 0.06f * side + width_of(on.look, size, std::to_string(*written)) : 0.0f;
  ImVec2 const low{std::floor(corner.x + number + margin), std::floor(corner.y + margin)};
  float const room = on.corner.x + static_cast<float>(on.camera.width()) - low.x - on.look(8.0f);
  if (width_of(on.look, size, name.text) > room) { name.text = part.name; }
  write_on_plate(on, name, low, on.look.font->CalcTextSizeA(size, 1e6f, 0.0f, name.text.c_str()), size);
}

/// Writes in the free line above an array, with the function that maps keys to it.
void write_above(Annotator const& on, TablePart const& part, std::string const& function)
{
  auto const side = static_cast<float>(on.camera.slot_pixels());
  std::string const text = fmt::format("{}: {}", part.name, function);
  float const size = std::floor(std::clamp(0.28f * side, on.look(name_height), on.look.large));
  ImVec2 const corner = on.place(on.camera.slot_corner(part.first));
  on.drawing.text({std::floor(corner.x), std::floor(corner.y - 1.5f * size)}, size, theme::text, text);
}

/// The y coordinate on the screen at which the part ends.
float end_of(Annotator const& on, TableParts const& parts, std::size_t i)
{
  float const bottom = on.corner.y + static_cast<float>(on.camera.height());
  bool const is_last = i + 1 == parts.size();
  return is_last ? bottom : std::min(bottom, border_before(on, parts[i + 1].first).line.front().y);
}

bool has_parts(Annotator const& on, MapState const& state)
{
  return state.foreign == nullptr && lies_in_rows(on.camera.plane());
}

}  // namespace

SlotArrays arrays_of(MapState const& state)
{
  return state.foreign != nullptr ? SlotArrays() : SlotArrays::of(state.settings.table);
}

PartBorder border_before(Annotator const& on, Slot first)
{
  Plane const& plane = on.camera.plane();
  Position const at = plane.position(first);
  auto const place = [&](std::uint32_t x, std::uint32_t y) {
    return on.place(on.camera.to_screen({static_cast<double>(x), static_cast<double>(y)}));
  };
  std::vector<ImVec2> line{place(plane.columns(), at.y), place(at.x, at.y)};
  if (at.x != 0) {
    line.push_back(place(at.x, at.y + 1));
    line.push_back(place(0, at.y + 1));
  }
  return {line, line.back().y};
}

void draw_borders_of_parts(Annotator const& on, MapState const& state)
{
  if (!has_parts(on, state) || on.camera.plane().kind() == Plane::Kind::arrays) { return; }
  TableParts const parts = parts_of(state.settings.table);
  float last = -1e6f;
  for (std::size_t i = 1; i < parts.size(); ++i) {
    PartBorder const border = border_before(on, parts[i].first);
    if (border.y - last < on.look(closest_borders)) { continue; }
    on.drawing.polyline(border.line, rim_of(on.ink()), on.look(3.0f));
    on.drawing.polyline(border.line, on.ink(), on.look(1.2f));
    last = border.y;
  }
}

void write_names_of_parts(Annotator const& on, MapState const& state)
{
  if (!has_parts(on, state)) { return; }
  TableParts const parts = parts_of(state.settings.table);
  SlotArrays const arrays = arrays_of(state);
  bool const has_free_lines = on.camera.plane().kind() == Plane::Kind::arrays;
  for (std::size_t i = 0; i != parts.size(); ++i) {
    if (has_free_lines) {
      write_above(on, parts[i], arrays.function(static_cast<Slot>(i)));
      continue;
    }
    Name const name = name_of(state, parts[i], i);
    if (shows_text(on.camera) && on.camera.shows(parts[i].first)) {
      std::optional<Slot> const first =
          state.settings.view.write_slots ? std::optional(arrays.number(parts[i].first)) : std::nullopt;
      write_in_cell(on, name, parts[i], first);
    } else {
      write_in_rows(on, name, border_before(on, parts[i].first).y, end_of(on, parts, i));
    }
  }
}

}  // namespace slotscape
