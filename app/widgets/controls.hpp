#pragma once

#include "app/simulation/names.hpp"
#include "app/widgets/labels.hpp"
#include "app/widgets/look.hpp"
#include "gpu/base/translation.hpp"

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace slotscape {

/// A heading in a panel.
void heading(Look const& look, char const* text);
/// The label of the next control, which takes the rest of the line.
void row_label(Look const& look, char const* text);
/// A heading that shows or hides the section below when pressed. Returns whether it is shown.
bool disclosure(Look const& look, char const* text);
/// The text with no line break between a number and its % or ±.
std::string unbroken(std::string text);
/// Dim, wrapped text.
void remark(Look const& look, std::string const& text);
/// A remark, after the name of its subject.
void labelled_remark(Look const& look, char const* label, std::string const& text);
/// A tooltip with wrapped text for the last item.
void hint(Look const& look, std::string const& text);

/// A row of joined buttons, one of which is chosen. width 0: as wide as the labels need.
bool segmented(Look const& look, char const* id, std::span<std::string_view const> labels, int& chosen,
               float width = 0.0f);
/// Chooses one of `labels`, filling the line: joined buttons if they fit, otherwise a list.
bool pick(Look const& look, char const* id, std::span<std::string const> labels, int& chosen);
/// The numbers that can be typed into a slider.
struct TypedLimits {
  double low;
  double high;
};
/// A slider drawn as a bar filled up to its value, with `text` on it. `log`: logarithmic, low is above 0. Ctrl+click
/// turns it into a field; a typed number takes effect when the field is left. It may lie beyond the ends of the bar, up
/// to the `typed` limits, if given. A value beyond the limits is kept until the user changes it.
bool slider(Look const& look, char const* id, double& value, double low, double high, std::string const& text,
            bool log = false, std::optional<TypedLimits> const& typed = {});
/// Whether a number is being typed into the last item, a slider.
bool typing_into_slider();
/// Marks a value on the last item, a slider from `low` to `high`.
void mark_on_slider(Look const& look, double value, double low, double high, ImU32 color);

/// A button in the accent colour.
bool primary_button(char const* label, ImVec2 size);

enum class Icon : std::uint8_t { play, pause, step, back, first, last, close };
bool icon_button(Look const& look, char const* id, Icon icon, ImVec2 size, bool primary = false);

/// Chooses one of the values of an enum from a list.
template <class Enum>
bool choose(char const* id, Enum& value)
{
  bool changed = false;
  if (!ImGui::BeginCombo(id, translated(to_label(value)).c_str())) { return false; }
  for (EnumName<Enum> const& name : enum_names<Enum>()) {
    if (ImGui::Selectable(translated_label(name.label).c_str(), name.value == value)) {
      changed = name.value != value;
      value = name.value;
    }
  }
  ImGui::EndCombo();
  return changed;
}

/// For a window without decoration that stays in place: strips, legends, headings.
inline constexpr ImGuiWindowFlags strip_flags = ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove |
                                                ImGuiWindowFlags_NoSavedSettings |
                                                ImGuiWindowFlags_NoBringToFrontOnFocus;

/// The place of a card: its corner of the canvas, and its size when last drawn.
struct CardPlace {
  bool right = false;
  bool bottom = false;
  ImVec2 size{0.0f, 0.0f};
};
/// Moves a card to another corner if it would cover a circle on the screen, unless every corner would.
CardPlace beside(Look const& look, CardPlace card, Rectangle const& canvas, ImVec2 middle, float radius);
/// The corner in which a card covers the fewest of these places on the screen and, among equals, the fewest places in
/// `also`; prefers the card's own corner.
CardPlace clear_of(Look const& look, CardPlace card, Rectangle const& canvas, std::span<Rectangle const> places,
                   std::span<Rectangle const> also = {});
/// How many of these places the card covers.
std::size_t covered_by(Look const& look, CardPlace const& card, Rectangle const& canvas,
                       std::span<Rectangle const> places);
/// A card in a corner of the canvas, at first the top left one, with a button on its right that closes it. Returns
/// whether the button was pressed; in either case, draw the content and call `end_card`.
bool begin_card(Look const& look, char const* id, Rectangle const& canvas);
bool begin_card(Look const& look, char const* id, Rectangle const& canvas, CardPlace& card);
void end_card();
/// A card in the upper right corner of the canvas, up to `width` wide; draw its content and call `end_card`.
void begin_notice(Look const& look, char const* id, Rectangle const& canvas, float width);
/// A notice in any corner, with a button that closes it; text must end to the left of the button. Returns whether the
/// button was pressed.
bool begin_notice(Look const& look, char const* id, Rectangle const& canvas, float width, CardPlace const& card);
inline constexpr float close_button_room = 32.0f;

/// Places the next item, of this width, at the right edge of the window.
void align_right(float width);
void text_right(ImU32 color, std::string const& text);

}  // namespace slotscape
