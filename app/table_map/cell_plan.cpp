#include "app/table_map/cell_plan.hpp"

#include "gpu/base/translation.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace slotscape {
namespace {

constexpr float gutter_share = 0.1f;  ///< share of the cell's height, at the bottom: for arrows from home slots
constexpr float largest_key_share = 0.6f;
constexpr float min_key_share = 0.26f;  ///< least share for the key, with other lines below it
constexpr float worth_another_line = 1.25f;
constexpr int max_key_lines = 3;
constexpr float max_width_share = 0.96f;
constexpr float shrinking_word = 1.25f;  ///< the longest words may be smaller than others by this factor

/// The share of its size that a key keeps when it gives up a line: short keys must be legible from far away.
float kept_share(KeyStyle style)
{
  switch (style) {
    case KeyStyle::small: return 0.5f;
    case KeyStyle::words:
    case KeyStyle::names: return 0.8f;
    case KeyStyle::numbers:
    case KeyStyle::with_sign: break;
  }
  return 0.0f;
}

/// A share of the cell's side, but at least the size of the interface's text if the cell has room for that.
float text_size(Look const& look, float side, float share, float max_share)
{
  return std::clamp(side * share, std::min(std::max(look(11.0f), look.cells), side * max_share),
                    std::max(look(24.0f), side * share));
}

std::string digits(std::size_t count)
{
  return std::string(count, '0');
}

}  // namespace

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

CellPlan::CellPlan(Look const& look, float side, std::span<SlotInfo const> slots, CellWords const& words)
    : look_(look),
      side_(side),
      style_(words.view.keys_as),
      key_name_(translated(words.view.key_name.in_slot)),
      row_(row_text(look, side)),
      key_top_(words.view.write_slots ? band_text(look, side) * line_height : side * 0.08f),
      rows_top_(side * (1.0f - gutter_share))
{
  SlotInfo longest = words.widest.slot;
  if (!slotscape::is_spoken(longest.pair.key, style_)) { key_digits_ = key_text(longest.pair.key, style_).size(); }
  std::string longest_value = number_text(words.view.values_as, longest.pair.value);
  bool any_value = longest.pair.value != 0;  // typed keys have 0 if no value was typed
  bool any_home = longest.home != 0;
  for (SlotInfo const& slot : slots) {
    if (!slot.has_key) { continue; }
    std::string const key = key_text(slot.pair.key, style_);
    if (slotscape::is_spoken(slot.pair.key, style_)) {
      widest_word_ = std::max(widest_word_, width_of(look, 100.0f, key));
    } else {
      key_digits_ = std::max(key_digits_, key.size());
    }
    std::string value = number_text(words.view.values_as, slot.pair.value);
    if (value.size() > longest_value.size()) { longest_value = std::move(value); }
    any_value = any_value || slot.pair.value != 0;
    if (slot.home != no_slot) {
      any_home = true;
      longest.home = std::max(longest.home, slot.home);
    }
    longest.probe_length = std::max(longest.probe_length, slot.probe_length);
  }
  std::string_view const measure =
      std::max(words.measure.name, words.widest.measure, [](auto a, auto b) { return a.size() < b.size(); });
  arrows_ = is_spoken() && words.view.write_values;
  // The least important line comes last, and is the first to be dropped if there is not enough room.
  homes_ = take_line(words.view.write_homes && any_home, tr("home {}", longest.home));
  bool const wants_measures = words.view.write_measures && !measure.empty();
  measures_ = take_line(wants_measures, fmt::format("{} {}", translated(measure), longest.probe_length));
  bool const measures_go_first = wants_measures && !measures_;
  bool const has_values = words.view.write_values && any_value;
  values_ = take_line(has_values && !arrows_ && !measures_go_first,
                      fmt::format("{} {}", translated(words.view.value_name.in_slot), longest_value));
  key_ = key_in(rows_top_ - key_top_);
  bool const others_are_named = homes_ || values_ || measures_;
  make_room_for_tombstones(slots);
  float const width =
      width_of(look, key_.size, digits(key_digits_)) + width_of(look, row_, key_name_) + name_gap * row_;
  names_key_ = !is_spoken() && others_are_named && key_.digits_a_line == key_digits_ && width <= max_width_share * side;
}

void CellPlan::make_room_for_tombstones(std::span<SlotInfo const> slots)
{
  bool const any = std::ranges::any_of(slots, [](SlotInfo const& slot) {
    return slot.state == SlotState::tombstone && slot.has_key;
  });
  bool const has_line = homes_ || values_ || measures_ || arrows_;
  tombstones_ = any && (has_line || take_line(true, tr(tombstone_name)));
  key_ = key_in(rows_top_ - key_top_);
}

bool CellPlan::take_line(bool wanted, std::string const& longest)
{
  float const left = rows_top_ - row_ * line_height - key_top_;
  float const least = std::max(row_, kept_share(style_) * key_in(side_ * (1.0f - gutter_share) - key_top_).size);
  bool const high = left >= min_key_share * side_ && key_in(left).size >= least;
  bool const wide = row_ * text_share * side_ >= min_text * width_of(look_, row_, longest);  // smaller, but legible
  if (!wanted || !high || !wide || row_ < min_text) { return false; }
  rows_top_ -= row_ * line_height;
  return true;
}

/// A word stays on one line. So do the numbers next to it, which shrink.
CellPlan::KeySize CellPlan::word_in(float height) const
{
  float const lines = arrows_ ? 1.0f + value_share : 1.0f;
  float const fitting = text_share * side_ / (widest_word_ / 100.0f);
  return {std::min({shrinking_word * fitting, height / lines, largest_key_share * side_}), key_digits_};
}

/// Breaks a long key into lines if that makes its digits clearly larger.
CellPlan::KeySize CellPlan::key_in(float height) const
{
  if (is_spoken()) { return word_in(height); }
  KeySize best;
  for (int lines = 1; lines <= max_key_lines; ++lines) {
    auto const count = static_cast<std::size_t>(lines);
    std::size_t const a_line = (key_digits_ + count - 1) / count;
    float const unit = width_of(look_, 100.0f, digits(a_line)) / 100.0f;
    float const size =
        std::min({text_share * side_ / unit, height / static_cast<float>(lines), largest_key_share * side_});
    if (lines == 1 || size >= worth_another_line * best.size) { best = {size, a_line}; }
  }
  return best;
}

}  // namespace slotscape
