#include "app/table_map/chains.hpp"

#include "app/base/text.hpp"
#include "app/table_map/chain_places.hpp"
#include "gpu/base/translation.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>

namespace slotscape {
namespace {

constexpr double min_cell = 9.0;  ///< pixels
constexpr float min_text_size = 9.0f;

struct Cell {
  ImVec2 low;
  ImVec2 high;

  float side() const { return high.x - low.x; }
  ImVec2 left() const { return {low.x, (low.y + high.y) / 2.0f}; }
  ImVec2 right() const { return {high.x, (low.y + high.y) / 2.0f}; }
};

Cell cell_at(Annotator const& on, Position at)
{
  ImVec2 const low = on.place(on.camera.to_screen({static_cast<double>(at.x), static_cast<double>(at.y)}));
  auto const side = static_cast<float>(on.camera.slot_pixels());
  return {low, {low.x + side, low.y + side}};
}

/// The head that the present step reads or changes.
std::optional<std::uint64_t> head_of_step(MapState const& state)
{
  if (!state.steps.player || state.steps.player->present() == nullptr) { return std::nullopt; }
  for (auto const& [name, number] : state.steps.player->present()->place.variables) {
    if (name == "head") { return number; }
  }
  return std::nullopt;
}

void write_in(Annotator const& on, Cell const& cell, std::string const& text)
{
  float const wanted = cell.side() * 0.42f;
  float const needed = on.look.font->CalcTextSizeA(wanted, FLT_MAX, 0.0f, text.c_str()).x;
  float const size = std::floor(wanted * std::min(1.0f, 0.85f * cell.side() / needed));
  if (size < min_text_size) { return; }
  float const width = on.look.font->CalcTextSizeA(size, FLT_MAX, 0.0f, text.c_str()).x;
  on.drawing.text({std::floor((cell.low.x + cell.high.x - width) / 2.0f),
                   std::floor((cell.low.y + cell.high.y - size) / 2.0f)},
                  size, on.ink(), text);
}

/// With its number; struck through while it leads to nothing, as in textbooks.
void draw_head(Annotator const& on, std::size_t number, Cell const& cell, bool is_empty)
{
  float const thickness = std::max(1.0f, cell.side() / 30.0f);
  ImVec2 const low{cell.low.x + 1.0f, cell.low.y + 1.0f};
  if (is_empty) {
    on.drawing.line({low.x, cell.high.y}, {cell.high.x, low.y}, theme::with_alpha(on.ink(), 0.4f), thickness);
  }
  on.drawing.frame(low, cell.high, on.ink(), 0.0f, thickness);
  write_in(on, cell, std::to_string(number));
}

void draw_link(Annotator const& on, Cell const& from, Cell const& to)
{
  float const head = from.side() * 0.06f;
  std::array const points{from.right(), ImVec2{to.left().x - head, to.left().y}};
  if (from.side() < 16.0f) { return on.drawing.line(points[0], points[1], on.ink(), 1.0f); }
  on.arrow(points, on.ink(), std::max(1.0f, from.side() / 40.0f));
}

void draw_chain(Annotator const& on, ChainPlaces const& places, std::size_t number)
{
  Cell from = cell_at(on, places.head(number));
  draw_head(on, number, from, places.chain(number).empty());
  for (Slot const node : places.chain(number)) {
    Cell const to = cell_at(on, places.position(node));
    draw_link(on, from, to);
    from = to;
  }
}

/// Each in its colour, with a frame: what is in no chain has no neighbours that would set it off.
void draw_nodes(Annotator const& on, MapState const& state)
{
  paint_cells(on, state);
  for (WrittenSlot const& written : state.inspected.written) {
    Cell const cell = cell_at(on, on.camera.plane().position(written.slot.slot));
    bool const is_unused = written.slot.state == SlotState::empty;
    on.drawing.frame({cell.low.x + 1.0f, cell.low.y + 1.0f}, cell.high,
                     theme::with_alpha(on.ink(), is_unused ? 0.25f : 0.8f), 0.0f, 1.0f);
  }
}

void name_unused(Annotator const& on, ChainPlaces const& places)
{
  std::size_t const count = places.unused().size();
  if (count == 0) { return; }
  Cell const line = cell_at(on, {0, places.line_above_unused()});
  float const size = std::floor(std::min(line.side() * 0.6f, on.look.body));
  if (size < min_text_size) { return; }
  on.drawing.text({line.low.x + 2.0f, std::floor(line.high.y - 1.3f * size)}, size, on.ink(),
                  tr_plural("{} unused node in the pool", "{} unused nodes in the pool", count, grouped(count)));
}

}  // namespace

std::optional<Plane> plane_of_chains(MapState const& state, double width, double height)
{
  std::vector<std::vector<Slot>> const& chains = state.inspected.chains;
  if (chains.size() != state.settings.table.slots || !can_draw_chains(state)) { return std::nullopt; }
  auto const places = std::make_shared<ChainPlaces const>(chains, slots_on_map(state), width, height);
  if (std::min(width / places->columns(), height / places->rows()) < min_cell) { return std::nullopt; }
  return Plane(Grid::of(slots_on_map(state), Layout::rows), places);
}

void draw_chains(Annotator const& on, MapState const& state)
{
  ChainPlaces const* const places = on.camera.plane().chains();
  if (places == nullptr) { return; }
  draw_nodes(on, state);
  for (std::size_t head = 0; head < places->heads(); ++head) { draw_chain(on, *places, head); }
  name_unused(on, *places);
  auto const head = head_of_step(state);
  if (!head || *head >= places->heads()) { return; }
  Cell const cell = cell_at(on, places->head(*head));
  on.drawing.frame(cell.low, cell.high, theme::accent, on.look(3.0f), on.look(3.0f));
}

}  // namespace slotscape
