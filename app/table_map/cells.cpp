#include "app/table_map/cells.hpp"

#include "app/base/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

namespace slotscape {
namespace {

constexpr float text_share = 0.9f;    ///< of a cell's width, for text
constexpr float gutter_share = 0.1f;  ///< of its height, at the bottom: arrows from home slots run there
constexpr float largest_key_share = 0.38f;
constexpr float least_key_share = 0.26f;  ///< lines below the key leave it this much
constexpr float line_height = 1.12f;
constexpr float least_text = 7.0f;  ///< pixels
constexpr float worth_another_line = 1.25f;
constexpr int most_key_lines = 3;
constexpr double least_side = 22.0;  ///< pixels of a cell with text
constexpr double least_side_of_large_tables = 40.0;
constexpr float most_width_share = 0.96f;
constexpr float name_gap = 0.3f;        ///< of the text's size, after a name
constexpr float baseline_share = 0.8f;  ///< of a line's height
constexpr char const* key_name = "key";

float side_of(Annotator const& on)
{
  return static_cast<float>(on.camera.slot_pixels());
}

/// A share of the cell, but as large as the interface's text where the cell has room for that.
float text_size(Look const& look, float side, float share, float most_share)
{
  return std::clamp(side * share, std::min(look(11.0f), side * most_share), std::max(look(24.0f), side * share));
}

float band_text(Look const& look, float side)
{
  return text_size(look, side, 0.14f, 0.25f);
}

float row_text(Look const& look, float side)
{
  return text_size(look, side, 0.12f, 0.2f);
}

float width_of(Look const& look, float size, std::string const& text)
{
  return look.font->CalcTextSizeA(size, FLT_MAX, 0.0f, text.c_str()).x;
}

std::string digits(std::size_t count)
{
  return std::string(count, '0');
}

/// A number in lines of at most so many digits, nearly equally long.
std::vector<std::string> in_lines(std::string const& number, std::size_t most_digits)
{
  std::size_t const count = (number.size() + most_digits - 1) / most_digits;
  std::size_t const length = (number.size() + count - 1) / count;
  std::vector<std::string> parts;
  for (std::size_t at = 0; at < number.size(); at += length) { parts.push_back(number.substr(at, length)); }
  return parts;
}

/// How cells of one size are divided: the same for all slots, so that they can be compared at a glance.
class CellPlan {
public:
  CellPlan(Look const& look, float side, std::span<SlotInfo const> slots, CellWords const& words);

  bool has_homes() const { return homes_; }
  bool has_values() const { return values_; }
  bool has_measures() const { return measures_; }
  bool names_key() const { return names_key_; }
  std::size_t digits_a_line() const { return key_.digits_a_line; }
  float key_size() const { return key_.size; }
  float row_size() const { return row_; }
  float key_middle() const { return (key_top_ + rows_top_) / 2.0f; }
  float rows_top() const { return rows_top_; }

private:
  struct KeySize {
    float size = 0.0f;
    std::size_t digits_a_line = 1;
  };
  KeySize key_in(float height) const;
  /// Takes a line away from the key if there is room: the key stays large.
  bool take_line(bool wanted, std::string const& longest);

  Look const& look_;
  float side_;
  std::size_t key_digits_ = 1;
  float row_;
  float key_top_;
  float rows_top_;
  KeySize key_;
  bool homes_;
  bool values_;
  bool measures_;
  bool names_key_ = false;
};

CellPlan::CellPlan(Look const& look, float side, std::span<SlotInfo const> slots, CellWords const& words)
    : look_(look),
      side_(side),
      row_(row_text(look, side)),
      key_top_(words.view.write_slots ? band_text(look, side) * line_height : side * 0.08f),
      rows_top_(side * (1.0f - gutter_share))
{
  SlotInfo longest{};
  for (SlotInfo const& slot : slots) {
    if (!slot.has_key) { continue; }
    key_digits_ = std::max(key_digits_, std::to_string(slot.pair.key).size());
    longest.pair.value = std::max(longest.pair.value, slot.pair.value);
    longest.home = std::max(longest.home, slot.home);
    longest.probe_length = std::max(longest.probe_length, slot.probe_length);
  }
  homes_ = take_line(words.view.write_homes, fmt::format("home {}", longest.home));
  values_ = take_line(words.view.write_values, fmt::format("value {}", longest.pair.value));
  measures_ = take_line(words.view.write_measures, fmt::format("{} {}", words.measure.name, longest.probe_length));
  key_ = key_in(rows_top_ - key_top_);
  bool const others_are_named = homes_ || values_ || measures_;
  float const width = width_of(look, key_.size, digits(key_digits_)) + width_of(look, row_, key_name) + name_gap * row_;
  names_key_ = others_are_named && key_.digits_a_line == key_digits_ && width <= most_width_share * side;
}

bool CellPlan::take_line(bool wanted, std::string const& longest)
{
  float const left = rows_top_ - row_ * line_height - key_top_;
  bool const high = left >= least_key_share * side_ && key_in(left).size >= row_;
  bool const wide = width_of(look_, row_, longest) <= text_share * side_ * 1.2f;  // a little narrower is legible
  if (!wanted || !high || !wide || row_ < least_text) { return false; }
  rows_top_ -= row_ * line_height;
  return true;
}

/// Long keys break into lines where that makes their digits clearly larger.
CellPlan::KeySize CellPlan::key_in(float height) const
{
  KeySize best;
  for (int lines = 1; lines <= most_key_lines; ++lines) {
    auto const count = static_cast<std::size_t>(lines);
    std::size_t const a_line = (key_digits_ + count - 1) / count;
    float const unit = width_of(look_, 100.0f, digits(a_line)) / 100.0f;
    float const size =
        std::min({text_share * side_ / unit, height / static_cast<float>(lines), largest_key_share * side_});
    if (lines == 1 || size >= worth_another_line * best.size) { best = {size, a_line}; }
  }
  return best;
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

  void write_number(Slot slot, float alpha) const
  {
    float const size = band_text(on_.look, side_);
    if (size >= least_text) { write({corner_.x + side_ * 0.06f, corner_.y + side_ * 0.02f}, size, slot, alpha); }
  }

  void write_key(Key key, float alpha) const
  {
    float const size = plan_.key_size();
    if (size < least_text - 1.0f) { return; }
    std::vector<std::string> const lines = in_lines(std::to_string(key), plan_.digits_a_line());
    float y = plan_.key_middle() - size * static_cast<float>(lines.size()) / 2.0f;
    if (plan_.names_key()) { return write_named_key(y, lines.front(), alpha); }
    for (std::string const& line : lines) {
      centered(y, size, line, alpha);
      y += size;
    }
  }

  /// On one line, on the same baseline.
  void write_named_key(float y, std::string const& key, float alpha) const
  {
    float const size = plan_.key_size();
    float const row = plan_.row_size();
    float const name = width_of(on_.look, row, key_name) + name_gap * row;
    float const left = corner_.x + (side_ - name - width_of(on_.look, size, key)) / 2.0f;
    write({left, corner_.y + y + baseline_share * (size - row)}, row, key_name, 0.85f);
    write({left + name, corner_.y + y}, size, key, alpha);
  }

  void write_rows(std::span<std::string const> rows) const
  {
    float y = plan_.rows_top();
    for (std::string const& row : rows) {
      centered(y, plan_.row_size(), row, 0.85f);
      y += plan_.row_size() * line_height;
    }
  }

  /// A word instead of a key.
  void write_word(std::string const& word) const
  {
    float const size = std::max(plan_.row_size(), least_text);
    if (width_of(on_.look, size, word) <= 1.2f * side_) { centered((side_ - size) / 2.0f, size, word, 0.9f); }
  }

private:
  void centered(float y, float size, std::string const& text, float alpha) const
  {
    float const width = width_of(on_.look, size, text);
    float const fitting = size * std::min(1.0f, text_share * side_ / std::max(width, 1.0f));
    float const left = (side_ - std::min(width, text_share * side_)) / 2.0f;
    write({corner_.x + left, corner_.y + y + (size - fitting) / 2.0f}, fitting, text, alpha);
  }

  void write(ImVec2 at, float size, Slot slot, float alpha) const { write(at, size, std::to_string(slot), alpha); }
  /// On the cell's own colour, which hides the arrows that cross it. In whole pixels, for sharp letters.
  void write(ImVec2 at, float wanted_size, std::string const& text, float alpha) const
  {
    float const size = std::floor(wanted_size);
    ImVec2 const low{std::floor(at.x), std::floor(at.y)};
    float const width = width_of(on_.look, size, text);
    on_.drawing.fill({low.x - 1.0f, low.y + size * 0.1f}, {low.x + width + 1.0f, low.y + size * 0.92f}, paint_);
    on_.drawing.text(low, size, theme::with_alpha(ink_, alpha), text);
  }

  Annotator const& on_;
  CellPlan const& plan_;
  ImVec2 corner_;
  float side_;
  ImU32 paint_;
  ImU32 ink_;
};

void write_cell(Annotator const& on, CellPlan const& plan, SlotInfo const& slot, Color const& color,
                CellWords const& words)
{
  CellWriter const writer(on, plan, slot.slot, color);
  if (words.view.write_slots) { writer.write_number(slot.slot, slot.state == SlotState::empty ? 0.6f : 0.75f); }
  if (slot.state == SlotState::empty) { return; }
  if (slot.state == SlotState::link) { return writer.write_word("link"); }
  if (!slot.has_key) { return writer.write_word("tombstone"); }
  bool const live = slot.state == SlotState::live;
  writer.write_key(slot.pair.key, live ? 1.0f : 0.7f);
  std::vector<std::string> rows;
  if (plan.has_homes()) { rows.push_back(fmt::format("home {}", slot.home)); }
  if (plan.has_values()) { rows.push_back(live ? fmt::format("value {}", slot.pair.value) : "erased"); }
  if (plan.has_measures()) {
    rows.push_back(fmt::format("{} {}", uncapitalised(words.measure.name), slot.probe_length));
  }
  writer.write_rows(rows);
}

}  // namespace

bool shows_text(Camera const& camera)
{
  bool const small = camera.plane().kind() != Plane::Kind::grid;
  return camera.slot_pixels() >= (small ? least_side : least_side_of_large_tables);
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
  bool const numbers = view.write_slots && band_text(look, side) >= least_text;
  return numbers ? "Corner: slot. Large: key." : "Large: key.";
}

float band_height(Annotator const& on)
{
  return band_text(on.look, side_of(on)) * line_height;
}

void draw_badge(Annotator const& on, Slot slot, std::string const& text, ImU32 color)
{
  float const side = side_of(on);
  float const wanted = std::max(band_text(on.look, side), least_text);
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
