#include "app/table_map/chains.hpp"

#include "app/base/text.hpp"
#include "app/table_map/chain_places.hpp"
#include "gpu/base/translation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
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

/// The head, or the directory entry, that the current step reads or changes.
std::optional<std::uint64_t> head_of_step(MapState const& state)
{
  if (!state.steps.player || state.steps.player->present() == nullptr) { return std::nullopt; }
  for (auto const& [name, number] : state.steps.player->present()->place.variables) {
    if (name == "head" || name == "entry") { return number; }
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

/// Draws a head with its number, struck through while it is empty, as in textbooks.
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

/// The number of low bits of a hash that identify an entry's bucket (its local depth).
std::size_t bits_of(ChainPlaces const& places, std::size_t entry)
{
  std::size_t leading = 0;
  for (std::size_t other = 0; other < places.heads(); ++other) {
    leading += places.chain(other) == places.chain(entry) ? 1 : 0;
  }
  return static_cast<std::size_t>(std::countr_zero(places.heads()) - std::countr_zero(leading));
}

/// Draws a directory entry labelled by its bits. The first entry that points to a bucket also gets the bucket, and its
/// number of bits.
void draw_entry(Annotator const& on, ChainPlaces const& places, std::size_t number)
{
  Cell const entry = cell_at(on, places.head(number));
  float const thickness = std::max(1.0f, entry.side() / 30.0f);
  on.drawing.frame({entry.low.x + 1.0f, entry.low.y + 1.0f}, entry.high, on.ink(), 0.0f, thickness);
  int const bits = std::countr_zero(places.heads());
  write_in(on, entry, bits == 0 ? "0" : fmt::format("{:0{}b}", number, bits));
  Cell const bucket = cell_at(on, places.position(places.chain(number).front()));
  std::array const points{entry.right(), bucket.left()};
  on.arrow(points, on.ink(), std::max(1.0f, entry.side() / 40.0f));
  if (places.is_led_to_before(number)) { return; }
  Cell const last = cell_at(on, places.position(places.chain(number).back()));
  on.drawing.frame(bucket.low, {last.high.x + 1.0f, last.high.y + 1.0f}, on.ink(), 0.0f,
                   std::max(1.5f, thickness * 1.5f));
  float const size = std::floor(entry.side() * 0.3f);
  if (size < min_text_size) { return; }
  std::string const text = std::to_string(bits_of(places, number));
  float const width = on.look.font->CalcTextSizeA(size, FLT_MAX, 0.0f, text.c_str()).x;
  on.drawing.text({std::floor(bucket.low.x - width - 0.2f * size), std::floor(bucket.low.y)}, size, on.ink(), text);
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

/// Draws each node in its colour, with a frame, because nodes outside chains have no neighbours to set them off.
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

/// Marks the head that linear hashing splits next.
void mark_next(Annotator const& on, ChainPlaces const& places, MapState const& state)
{
  std::size_t const heads = places.heads();
  if (family_of(state).growth != Growth::bucket_by_bucket || heads == state.settings.table.slots) { return; }
  Cell const next = cell_at(on, places.head(heads - std::bit_floor(heads)));
  float const inset = next.side() * 0.1f;
  on.drawing.frame({next.low.x - inset, next.low.y - inset}, {next.high.x + inset, next.high.y + inset}, theme::warning,
                   inset, std::max(2.0f, next.side() / 16.0f));
  float const size = std::floor(std::min(next.side() * 0.24f, on.look.body));
  if (size < min_text_size) { return; }
  on.drawing.text({next.low.x + 2.0f + inset, std::floor(next.high.y - 1.1f * size)}, size, theme::warning, tr("next"));
}

void name_unused(Annotator const& on, ChainPlaces const& places)
{
  std::size_t const count = places.unused().size();
  if (count == 0) { return; }
  Cell const line = cell_at(on, {0, places.line_above_unused()});
  float const size = std::floor(std::min(line.side() * 0.6f, on.look.body));
  if (size < min_text_size) { return; }
  on.drawing.text({line.low.x + 2.0f, std::floor(line.high.y - 1.3f * size)}, size, on.ink(),
                  places.is_directory()
                      ? tr_plural("{} slot in no bucket yet", "{} slots in no bucket yet", count, grouped(count))
                      : tr_plural("{} unused node in the pool", "{} unused nodes in the pool", count, grouped(count)));
}

}  // namespace

std::optional<Plane> plane_of_chains(MapState const& state, double width, double height)
{
  auto const* const stepped = state.steps.player ? state.steps.player->chains() : nullptr;
  std::vector<std::vector<Slot>> const& chains = stepped != nullptr ? *stepped : state.inspected.chains;
  Growth const growth = family_of(state).growth;
  bool const is_directory = growth == Growth::by_directory;
  bool const is_complete = growth == Growth::none ? chains.size() == state.settings.table.slots : !chains.empty();
  if (!is_complete || !can_draw_chains(state)) { return std::nullopt; }
  if (is_directory && chains.size() > max_drawn_entries) { return std::nullopt; }
  auto const places =
      std::make_shared<ChainPlaces const>(chains, slots_on_map(state), width, height,
                                          is_directory ? ChainPlaces::Of::directory : ChainPlaces::Of::chains);
  if (std::min(width / places->columns(), height / places->rows()) < min_cell) { return std::nullopt; }
  return Plane(Grid::of(slots_on_map(state), Layout::rows), places);
}

void draw_chains(Annotator const& on, MapState const& state)
{
  ChainPlaces const* const places = on.camera.plane().chains();
  if (places == nullptr) { return; }
  draw_nodes(on, state);
  for (std::size_t head = 0; head < places->heads(); ++head) {
    places->is_directory() ? draw_entry(on, *places, head) : draw_chain(on, *places, head);
  }
  mark_next(on, *places, state);
  name_unused(on, *places);
  auto const head = head_of_step(state);
  if (!head || *head >= places->heads()) { return; }
  Cell const cell = cell_at(on, places->head(*head));
  on.drawing.frame(cell.low, cell.high, theme::accent, on.look(3.0f), on.look(3.0f));
}

}  // namespace slotscape
