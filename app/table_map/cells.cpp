#include "app/table_map/cells.hpp"

#include "app/base/text.hpp"
#include "app/table_map/cell_plan.hpp"
#include "gpu/base/translation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

namespace slotscape {
namespace {

constexpr double min_side = 22.0;  ///< minimum size in pixels of a cell with text
constexpr double min_side_of_large_tables = 40.0;
constexpr float baseline_share = 0.8f;  ///< share of a line's height above its baseline
constexpr float arrow_share = 0.85f;    ///< width of the arrow before a value, relative to its size

float side_of(Annotator const& on)
{
  return static_cast<float>(on.camera.slot_pixels());
}

/// Splits a number into lines of at most `max_digits` digits and of nearly equal length.
std::vector<std::string> in_lines(std::string const& number, std::size_t max_digits)
{
  std::size_t const count = (number.size() + max_digits - 1) / max_digits;
  std::size_t const length = (number.size() + count - 1) / count;
  std::vector<std::string> parts;
  for (std::size_t at = 0; at < number.size(); at += length) { parts.push_back(number.substr(at, length)); }
  return parts;
}

/// Writes one cell.
class CellWriter {
public:
  CellWriter(Annotator const& on, CellPlan const& plan, Slot slot, Color const& color)
      : on_(on),
        plan_(plan),
        corner_(on.place(on.camera.slot_corner(slot))),
        side_(side_of(on)),
        paint_(packed(color)),
        ink_(text_on(color))
  {
  }

  void write_number(Slot slot) const
  {
    float const size = band_text(on_.look, side_);
    if (size >= min_text) { write({corner_.x + side_ * 0.06f, corner_.y + side_ * 0.02f}, size, std::to_string(slot)); }
  }

  /// Writes the slot's metadata byte at the right of the band.
  void write_byte(std::uint16_t byte) const
  {
    float const size = band_text(on_.look, side_);
    std::string const text = fmt::format("{:02x}", byte);
    float const left = side_ * 0.94f - width_of(on_.look, size, text);
    if (size >= min_text && left > 0.5f * side_) { write({corner_.x + left, corner_.y + side_ * 0.02f}, size, text); }
  }

  /// A tombstone's former key is struck through, because lookups do not find it.
  void write_key(Pair const& pair, bool live) const
  {
    float const size = plan_.key_size();
    if (size < min_text - 1.0f) { return; }
    if (plan_.is_spoken()) { return write_word(pair, live); }
    std::vector<std::string> const lines = in_lines(key_text(pair.key, plan_.style()), plan_.digits_a_line());
    float y = plan_.key_middle() - size * static_cast<float>(lines.size()) / 2.0f;
    if (plan_.names_key()) { return write_named_key(y, lines.front(), live); }
    for (std::string const& line : lines) {
      centered(y, size, line);
      if (!live) { strike((side_ - width_of(on_.look, size, line)) / 2.0f, y, size, line); }
      y += size;
    }
  }

  /// Writes "Ada", and below it "→ 3".
  void write_word(Pair const& pair, bool live) const
  {
    float const size = plan_.key_size();
    float const value = plan_.has_arrows() ? value_share * size : 0.0f;
    float const y = plan_.key_middle() - (size + value) / 2.0f;
    centered(y, size, key_text(pair.key, plan_.style()));
    if (!plan_.has_arrows()) { return; }
    if (!live) {
      strike((side_ - width_of(on_.look, size, key_text(pair.key, plan_.style()))) / 2.0f, y, size,
             key_text(pair.key, plan_.style()));
      return centered(y + size, plan_.row_size(), tr(tombstone_name));
    }
    write_value(y + size, value, pair.value);
  }

  /// Draws the arrow before the value, because fonts may lack it.
  void write_value(float y, float wanted_size, Value number) const
  {
    std::string const text = std::to_string(number);
    float const wanted = width_of(on_.look, wanted_size, text) + arrow_share * wanted_size;
    float const size = std::floor(wanted_size * std::min(1.0f, text_share * side_ / wanted));
    float const arrow = arrow_share * size;
    float const left = std::floor(corner_.x + (side_ - width_of(on_.look, size, text) - arrow) / 2.0f);
    float const top = std::floor(corner_.y + y);
    float const middle = top + size * 0.52f;
    float const head = size * 0.2f;
    float const tip = left + arrow * 0.78f;
    on_.drawing.fill({left - 1.0f, middle - head - 1.0f}, {left + arrow, middle + head + 1.0f}, paint_);
    on_.drawing.line({left, middle}, {tip - head, middle}, ink_, std::max(1.0f, size * 0.09f));
    on_.drawing.triangle({tip, middle}, {tip - 1.4f * head, middle - head}, {tip - 1.4f * head, middle + head}, ink_);
    write({left + arrow, top}, size, text);
  }

  /// Writes name and key on the same baseline.
  void write_named_key(float y, std::string const& key, bool live) const
  {
    float const size = plan_.key_size();
    float const row = plan_.row_size();
    float const name = width_of(on_.look, row, plan_.key_name()) + name_gap * row;
    float const left = corner_.x + (side_ - name - width_of(on_.look, size, key)) / 2.0f;
    write({left, corner_.y + y + baseline_share * (size - row)}, row, plan_.key_name());
    write({left + name, corner_.y + y}, size, key);
    if (!live) { strike(left + name - corner_.x, y, size, key); }
  }

  void write_rows(std::span<std::string const> rows) const
  {
    float y = plan_.rows_top();
    for (std::string const& row : rows) {
      centered(y, plan_.row_size(), row);
      y += plan_.row_size() * line_height;
    }
  }

  /// Writes a word in place of a key.
  void write_instead(std::string const& word) const
  {
    float const size = std::max(plan_.row_size(), min_text);
    if (width_of(on_.look, size, word) <= 1.2f * side_) { centered((side_ - size) / 2.0f, size, word); }
  }

private:
  /// Strikes through text written at `x`, `y` in the cell.
  void strike(float x, float y, float size, std::string const& text) const
  {
    float const width = std::min(width_of(on_.look, size, text), side_ - std::max(x, 0.0f));
    float const middle = std::floor(corner_.y + y + size * 0.54f);
    float const left = corner_.x + std::max(x, 0.0f);
    on_.drawing.line({left - size * 0.08f, middle}, {left + width + size * 0.08f, middle}, ink_,
                     std::max(1.0f, size * 0.06f));
  }

  void centered(float y, float size, std::string const& text) const
  {
    float const room = text_share * side_;
    float fitting = std::floor(size * std::min(1.0f, room / std::max(width_of(on_.look, size, text), 1.0f)));
    // At small sizes, glyph widths are whole pixels, so text may shrink less than its font size.
    constexpr float least = 6.0f;
    while (fitting > least && width_of(on_.look, fitting, text) > room) { fitting -= 1.0f; }
    float const left = (side_ - width_of(on_.look, fitting, text)) / 2.0f;
    write({corner_.x + left, corner_.y + y + (size - fitting) / 2.0f}, fitting, text);
  }

  /// Writes on the cell's own colour, which hides arrows that cross it. Whole pixels keep letters sharp.
  void write(ImVec2 at, float wanted_size, std::string const& text) const
  {
    float const size = std::floor(wanted_size);
    ImVec2 const low{std::floor(at.x), std::floor(at.y)};
    float const width = width_of(on_.look, size, text);
    on_.drawing.fill({low.x - 1.0f, low.y + size * 0.1f}, {low.x + width + 1.0f, low.y + size * 0.92f}, paint_);
    on_.drawing.text(low, size, ink_, text);
  }

  Annotator const& on_;
  CellPlan const& plan_;
  ImVec2 corner_;
  float side_;
  ImU32 paint_;
  ImU32 ink_;
};

/// For use within a line: languages that capitalise nouns keep the capital.
std::string measure_name(Measure const& measure)
{
  std::string name = translated(measure.name);
  return name == measure.name ? uncapitalised(name) : name;
}

/// "probe length 3", or "h2" if functions are numbered along with their arrays.
std::string measured(CellWords const& words, SlotInfo const& slot)
{
  std::string const value = words.arrays.measured(slot.probe_length);
  return words.arrays.slots_each() == 0 ? fmt::format("{} {}", measure_name(words.measure), value) : value;
}

void write_cell(Annotator const& on, CellPlan const& plan, SlotInfo const& slot, Color const& color,
                CellWords const& words)
{
  CellWriter const writer(on, plan, slot.slot, color);
  if (words.view.write_slots) { writer.write_number(words.arrays.number(slot.slot)); }
  if (words.view.write_slots && slot.byte_beside != no_byte) { writer.write_byte(slot.byte_beside); }
  if (slot.state == SlotState::empty) { return; }
  bool const lost = slot.state == SlotState::link && slot.has_key;  // only in foreign tables
  if (slot.state == SlotState::link && !lost) { return writer.write_instead(tr("link")); }
  if (!slot.has_key) { return writer.write_instead(words.reserves ? tr("reserved") : tr(tombstone_name)); }
  bool const live = slot.state == SlotState::live || lost;
  writer.write_key(slot.pair, live);
  std::vector<std::string> rows;
  if (!live) {
    if (plan.names_tombstones() && !plan.has_arrows()) { rows.emplace_back(tr(tombstone_name)); }
    return writer.write_rows(rows);
  }
  if (plan.has_homes() && slot.home != no_slot) { rows.push_back(tr("home {}", words.arrays.number(slot.home))); }
  if (plan.has_values()) {
    rows.push_back(fmt::format("{} {}", translated(words.view.value_name.in_slot),
                               number_text(words.view.values_as, slot.pair.value)));
  }
  if (plan.has_measures() && !words.measure.name.empty()) {
    rows.push_back(lost ? tr("not found here") : measured(words, slot));
  }
  writer.write_rows(rows);
}

}  // namespace

bool shows_text(Camera const& camera)
{
  bool const small = camera.plane().kind() != Plane::Kind::grid;
  return camera.slot_pixels() >= (small ? min_side : min_side_of_large_tables);
}

void write_cells(Annotator const& on, std::span<SlotInfo const> slots, CellColor const& color, CellWords const& words)
{
  CellPlan const plan(on.look, side_of(on), slots, words);
  for (SlotInfo const& slot : slots) { write_cell(on, plan, slot, color(slot), words); }
}

std::string cell_legend(Look const& look, Camera const& camera, ViewSettings const& view)
{
  auto const side = static_cast<float>(camera.slot_pixels());
  if (!shows_text(camera)) { return {}; }
  bool const numbers = view.write_slots && band_text(look, side) >= min_text;
  bool const arrows = view.write_values && !spoken_keys(view.keys_as).empty();
  return (numbers ? tr("Corner: slot.") + std::string(" ") : "") +
         (arrows ? tr("Large: key, arrow, value.") : tr("Large: key."));
}

float band_height(Annotator const& on)
{
  return band_text(on.look, side_of(on)) * line_height;
}

void draw_badge(Annotator const& on, Slot slot, std::string const& text, ImU32 color)
{
  float const side = side_of(on);
  float const wanted = std::max(band_text(on.look, side), min_text);
  float const size = std::floor(wanted * std::min(1.0f, 0.5f * side / width_of(on.look, wanted, text)));
  float const width = width_of(on.look, size, text) + size * 0.6f;
  ImVec2 const corner = on.place(on.camera.slot_corner(slot));
  ImVec2 const low{std::floor(corner.x + side - width), std::floor(corner.y)};
  ImVec2 const high{std::floor(corner.x + side), std::floor(corner.y + wanted * line_height)};
  on.drawing.fill({low.x - 1.5f, low.y}, {high.x, high.y + 1.5f}, rim_of(color), on.look(3.0f));
  on.drawing.fill(low, high, color | IM_COL32_A_MASK, on.look(3.0f));
  on.drawing.text({std::floor(low.x + size * 0.3f), std::floor(low.y + (high.y - low.y - size) / 2.0f)}, size,
                  theme::panel, text);
}

}  // namespace slotscape
