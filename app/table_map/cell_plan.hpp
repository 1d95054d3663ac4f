#pragma once

#include "app/table_map/cells.hpp"
#include "app/widgets/look.hpp"
#include "gpu/base/translation.hpp"

#include <cstddef>
#include <span>
#include <string>

namespace slotscape {

/// Dimensions of text in cells, as shares of a cell's side or of a text's size; `min_text` in pixels.
inline constexpr float text_share = 0.9f;  ///< share of a cell's width that text may take
inline constexpr float line_height = 1.12f;
inline constexpr float min_text = 7.0f;  ///< pixels
inline constexpr float name_gap = 0.3f;  ///< space after a name, relative to the text's size
inline constexpr char const* tombstone_name = translatable("tombstone");
inline constexpr float value_share = 0.7f;  ///< size of the value below a word, relative to the word

float band_text(Look const& look, float side);  ///< font size of a slot's number
float row_text(Look const& look, float side);   ///< font size of lines below the key
float width_of(Look const& look, float size, std::string const& text);

/// How cells of one size are divided. All slots use the same plan, so that they can be compared at a glance.
class CellPlan {
public:
  CellPlan(Look const& look, float side, std::span<SlotInfo const> slots, CellWords const& words);

  bool has_homes() const { return homes_; }
  bool has_values() const { return values_; }
  bool has_measures() const { return measures_; }
  /// Whether there is room to write "tombstone" below a key.
  bool names_tombstones() const { return tombstones_; }
  bool names_key() const { return names_key_; }
  std::string const& key_name() const { return key_name_; }
  std::size_t digits_a_line() const { return key_.digits_a_line; }
  float key_size() const { return key_.size; }
  float row_size() const { return row_; }
  KeyStyle style() const { return style_; }
  /// Whether some keys are words, whose values are below them instead of in a row.
  bool is_spoken() const { return widest_word_ > 0.0f; }
  bool has_arrows() const { return arrows_; }
  float key_middle() const { return (key_top_ + rows_top_) / 2.0f; }
  float rows_top() const { return rows_top_; }

private:
  struct KeySize {
    float size = 0.0f;
    std::size_t digits_a_line = 1;
  };
  KeySize key_in(float height) const;
  KeySize word_in(float height) const;
  /// Reserves a line below the key, unless there are other lines.
  void make_room_for_tombstones(std::span<SlotInfo const> slots);
  /// Takes a line of space from the key if the key stays large enough. Returns whether it did.
  bool take_line(bool wanted, std::string const& longest);

  Look const& look_;
  float side_;
  KeyStyle style_;
  std::string key_name_;
  std::size_t key_digits_ = 1;
  float widest_word_ = 0.0f;  ///< pixels at font size 100
  bool arrows_ = false;
  float row_;
  float key_top_;
  float rows_top_;
  KeySize key_;
  bool homes_;
  bool values_;
  bool measures_;
  bool tombstones_ = false;
  bool names_key_ = false;
};

}  // namespace slotscape
