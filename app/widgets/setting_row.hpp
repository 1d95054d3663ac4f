#pragma once

#include "app/base/setting.hpp"
#include "app/widgets/look.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace slotscape {

/// The control for a choice: a list; joined buttons; or joined buttons over the whole line, if they fit.
enum class ChoiceBy : std::uint8_t { list, buttons, line };

/// How the control of a setting differs from the settings table.
struct SettingControl {
  std::string shown = {};  ///< text on the slider, instead of the number
  bool percent = false;    ///< a share, which the slider shows and takes in per cent
  std::optional<double> low =
      {};  ///< the ends of a slider for the usual part of the range; the whole range can be typed
  std::optional<double> high = {};
  std::optional<double> min = {};  ///< limits within the range, due to other settings
  std::optional<double> max = {};
  bool coarse = false;  ///< dragging gives counts of two digits, above 0
  ChoiceBy by = ChoiceBy::list;
  std::function<bool(std::size_t)> offers = {};  ///< whether to offer the choice with this index; empty: offer all
  std::string more_hint = {};                    ///< appended to the hint
};

/// Whether the number to which the last item, a slider, has just changed was typed.
bool typed_into_slider();
/// The count, at least 1, to which the last item, a slider, has just changed: as typed or, while dragging, rounded to
/// two digits.
std::uint64_t count_of_slider(double value);
/// A field for a number, shown with four digits. Returns the typed number when Enter is pressed; nullopt if the text
/// was not changed, since it may not show all digits.
std::optional<double> number_field(char const* id, double value);

/// The label of a setting, for custom controls.
void setting_label(Look const& look, SettingText const& text);

/// The control of a setting: its label, a slider, a list or a checkbox, and its hint. Returns the value that was
/// chosen.
std::optional<double> setting_control(Look const& look, SettingText const& text, SettingRange const& range,
                                      double value, SettingControl const& control);

/// The control of a setting of a struct that has a table. Returns whether the setting was changed.
template <class T>
bool setting_row(Look const& look, std::string_view name, T& settings, SettingControl const& control = {})
{
  Setting<T> const& setting = setting_named<T>(name);
  auto const chosen = setting_control(look, setting.text, setting.range, setting.get(settings), control);
  if (chosen) { setting.set(settings, *chosen); }
  return chosen.has_value();
}

}  // namespace slotscape
