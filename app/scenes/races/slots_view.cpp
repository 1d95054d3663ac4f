#include "app/scenes/races/gui.hpp"

#include "app/table_map/annotations.hpp"
#include "app/table_map/palette.hpp"
#include "gpu/base/translation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace slotscape {
namespace {

using races::Fill;
using races::ShownSlot;

constexpr Slot max_in_a_row = 16;
constexpr float widest_cell = 118.0f;
constexpr float margin = 14.0f;
constexpr float gap = 5.0f;             ///< space between cells
constexpr float number_height = 17.0f;  ///< space for the number above a cell
constexpr float marker_height = 24.0f;  ///< space for the marker below a cell
constexpr float cell_shape = 0.56f;     ///< height / width
constexpr float lowest_cell = 40.0f;
constexpr float key_share = 0.56f;  ///< of a cell's height; the rest is for the value
constexpr float slots_legend_height = 20.0f;
constexpr float swatch = 12.0f;

struct CellGrid {
  Slot columns;
  Slot rows;
  float cell_width;
  float cell_height;
  float row_height;

  CellGrid(Look const& look, Slot slots, float width)
      : columns(std::min(slots, max_in_a_row)),
        rows((slots + columns - 1) / columns),
        cell_width(
            std::min((width - look(2.0f * margin)) / static_cast<float>(columns) - look(gap), look(widest_cell))),
        cell_height(std::max(cell_width * cell_shape, look(lowest_cell))),
        row_height(look(number_height + marker_height) + cell_height)
  {
  }
  ImVec2 low(Look const& look, Rectangle const& place, Slot slot) const
  {
    auto const row = slot / columns;
    float const all = static_cast<float>(columns) * (cell_width + look(gap)) - look(gap);
    float const left = static_cast<float>(place.x) + (static_cast<float>(place.width) - all) / 2.0f;
    return {std::floor(left + static_cast<float>(slot % columns) * (cell_width + look(gap))),
            std::floor(static_cast<float>(place.y) + look(4.0f) + static_cast<float>(row) * row_height +
                       look(number_height))};
  }
};

float width_of(Look const& look, float size, std::string const& text)
{
  return look.font->CalcTextSizeA(size, FLT_MAX, 0.0f, text.c_str()).x;
}

void centered(Look const& look, Drawing& drawing, ImVec2 low, ImVec2 high, float wanted, ImU32 color,
              std::string const& text)
{
  float const room = high.x - low.x - look(4.0f);
  if (wanted < 1.0f) { return; }
  float const width = width_of(look, wanted, text);
  float const size = std::floor(width > room ? wanted * room / width : wanted);
  if (size < 1.0f) { return; }
  drawing.text({std::floor((low.x + high.x - width_of(look, size, text)) / 2.0f),
                std::floor((low.y + high.y - size) / 2.0f)},
               size, color, text);
}

/// A cell has one half for the key and one for the value; each is bright if present.
class CellPainter {
public:
  CellPainter(Look const& look, Drawing& drawing, ImVec2 low, ImVec2 high)
      : look_(look),
        drawing_(drawing),
        low_(low),
        high_(high),
        middle_(std::floor(low.y + (high.y - low.y) * key_share))
  {
  }

  void paint(ShownSlot const& slot, std::string_view mark)
  {
    bool const has_key = slot.has_key();
    bool const has_value = slot.fill == Fill::pair || slot.fill == Fill::value_only;
    if (slot.fill == Fill::mark || slot.fill == Fill::link) {
      Color const color = slot.fill == Fill::mark ? tombstone_color : link_color;
      drawing_.fill(low_, high_, packed(color), look_(3.0f));
      return centered(look_, drawing_, low_, high_, look_.body, text_on(color),
                      std::string(slot.fill == Fill::mark ? mark : "link"));
    }
    half(low_, {high_.x, middle_ - 1.0f}, has_key);
    half({low_.x, middle_ + 1.0f}, high_, has_value);
    float const key_size = std::min(look_.large, (middle_ - low_.y) * 0.8f);
    float const value_size = std::min(look_.body, (high_.y - middle_) * 0.85f);
    ImU32 const ink = text_on(live_color);
    if (has_key) { centered(look_, drawing_, low_, {high_.x, middle_}, key_size, ink, std::to_string(slot.key)); }
    if (has_value) {
      centered(look_, drawing_, {low_.x, middle_}, high_, value_size, ink, fmt::format("= {}", slot.value));
    } else if (has_key) {
      centered(look_, drawing_, {low_.x, middle_}, high_, value_size, theme::text_on(look_.background), tr("no value"));
    }
  }

private:
  void half(ImVec2 low, ImVec2 high, bool filled)
  {
    Color const color = filled ? live_color : empty_color_on(look_.background);
    drawing_.fill(low, high, packed(color), look_(3.0f));
    if (!filled) { drawing_.frame(low, high, theme::line, look_(3.0f), 1.0f); }
  }

  Look const& look_;
  Drawing& drawing_;
  ImVec2 low_;
  ImVec2 high_;
  float middle_;
};

/// Draws a pentagon below the cell for each thread that is about to access it.
void draw_markers(Look const& look, Drawing& drawing, ImVec2 low, float width, std::vector<std::size_t> const& threads)
{
  float const wide = std::min(look(30.0f), width / static_cast<float>(std::max<std::size_t>(threads.size(), 1)));
  float const all = wide * static_cast<float>(threads.size());
  float x = low.x + (width - all) / 2.0f;
  for (std::size_t const thread : threads) {
    ImU32 const color = thread_colors[thread];
    float const top = low.y + look(2.0f);
    float const body = top + look(6.0f);
    drawing.triangle({x + 1.0f, body}, {x + wide / 2.0f, top}, {x + wide - 1.0f, body}, color);
    drawing.fill({x + 1.0f, body - 0.5f}, {x + wide - 1.0f, body + look(14.0f)}, color, look(2.0f));
    centered(look, drawing, {x, body}, {x + wide, body + look(14.0f)}, look.small, theme::panel, thread_name(thread));
    x += wide;
  }
}

std::vector<std::size_t> threads_at(RacesState const& state, Slot slot)
{
  std::vector<std::size_t> threads;
  for (std::size_t i = 0; i < state.history.threads.size(); ++i) {
    if (state.history.threads[i].next && state.history.threads[i].slot == slot) { threads.push_back(i); }
  }
  return threads;
}

std::string_view fill_text(Fill fill, RacesState const& state)
{
  bool const split = !state.race.table->fills().empty() && state.race.table->fills().size() == 3;
  switch (fill) {
    case Fill::empty: return tr("empty");
    case Fill::key_only: return split ? tr("key without value") : tr("key without value: erased");
    case Fill::pair: return tr("key and value");
    case Fill::value_only: return tr("value before its key");
    case Fill::mark: return translation_of(state.race.table->mark_name());
    case Fill::link: break;
  }
  return tr("link");
}

}  // namespace

float slots_height(Look const& look, RacesState const& state, float width)
{
  CellGrid const grid(look, state.race.table->slots(), width);
  return look(8.0f) + static_cast<float>(grid.rows) * grid.row_height + look(slots_legend_height);
}

void draw_slots(Look const& look, Drawing& drawing, Rectangle const& place, RacesState const& state)
{
  races::SharedTable const& table = *state.race.table;
  CellGrid const grid(look, table.slots(), static_cast<float>(place.width));
  races::Event const* const last = state.history.events.empty() ? nullptr : &state.history.events.back();
  for (Slot slot = 0; slot < table.slots(); ++slot) {
    ImVec2 const low = grid.low(look, place, slot);
    ImVec2 const high{low.x + grid.cell_width, low.y + grid.cell_height};
    drawing.text({low.x + look(2.0f), low.y - look(number_height - 2.0f)}, look.small, theme::text_dim,
                 std::to_string(slot));
    CellPainter(look, drawing, low, high)
        .paint(table.slot(state.history.now.memory, slot), translation_of(table.mark_name()));
    if (last != nullptr && last->slot == slot) {
      ImU32 const color = thread_colors[last->turn.thread];
      float const out = look(2.0f);
      drawing.frame({low.x - out, low.y - out}, {high.x + out, high.y + out}, color, look(4.0f),
                    look(last->writes ? 4.0f : 2.0f));
    }
    draw_markers(look, drawing, {low.x, high.y}, grid.cell_width, threads_at(state, slot));
  }
  float const bottom = static_cast<float>(place.y + place.height);
  draw_slots_legend(look, drawing, {static_cast<float>(place.x) + look(margin), bottom - look(slots_legend_height)},
                    state);
}

void draw_slots_legend(Look const& look, Drawing& drawing, ImVec2 at, RacesState const& state)
{
  std::vector<Fill> fills = state.race.table->fills();
  fills.insert(fills.begin(), Fill::empty);
  for (Fill const fill : fills) {
    ShownSlot const shown{.fill = fill};
    ImVec2 const high{at.x + look(swatch), at.y + look(swatch)};
    bool const whole = fill == Fill::mark || fill == Fill::link;
    auto const paint = [&](bool there) { return packed(there ? live_color : empty_color_on(look.background)); };
    float const middle = std::floor(at.y + look(swatch) * key_share);
    if (whole) {
      drawing.fill(at, high, packed(fill == Fill::mark ? tombstone_color : link_color), 0.0f);
    } else {
      drawing.fill(at, {high.x, middle}, paint(shown.has_key()), 0.0f);
      drawing.fill({at.x, middle}, high, paint(fill == Fill::pair || fill == Fill::value_only), 0.0f);
      drawing.frame(at, high, theme::text_faint, 0.0f, 1.0f);
    }
    std::string const text(fill_text(fill, state));
    float const y = std::floor(at.y + (look(swatch) - look.small) / 2.0f);
    drawing.text({high.x + look(6.0f), y}, look.small, theme::text_dim, text);
    at.x = high.x + look(22.0f) + width_of(look, look.small, text);
  }
}

}  // namespace slotscape
