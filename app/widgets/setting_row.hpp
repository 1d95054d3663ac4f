#pragma once

#include "app/base/setting.hpp"
#include "app/widgets/look.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace slotscape {

/// How one of several is chosen: from a list; with joined buttons; or with those over the whole line, if they fit.
enum class ChoiceBy : std::uint8_t { list, buttons, line };

/// How the control of a setting differs from what its table says.
struct SettingControl {
  std::string shown = {};  ///< on a slider, instead of the number
  bool percent = false;    ///< a share, which a slider shows and takes in per cent
  std::optional<double> low =
      {};  ///< the ends of a slider that has the usual part of the range; all of it can be typed
  std::optional<double> high = {};
  std::optional<double> min = {};  ///< limits within the range, as other settings stand
  std::optional<double> max = {};
  bool coarse = false;  ///< dragging gives a count of two digits, above 0
  ChoiceBy by = ChoiceBy::list;
  std::function<bool(std::size_t)> offers = {};  ///< a choice; empty: all of them
  std::string more_hint = {};                    ///< after the hint
};

/// Whether the number that the last item, a slider, has just changed to was typed.
bool typed_into_slider();
/// The count, 1 or more, that the last item, a slider, has just changed to: as it was typed, or with two digits, which
/// are enough while dragging.
std::uint64_t count_of_slider(double value);
/// A field for a number, shown with four digits. Returns what was typed when Enter is pressed; nothing where the text
/// was left as it was, since its digits may not be all.
std::optional<double> number_field(char const* id, double value);

/// The label of a setting's control, for controls that are made by hand.
void setting_label(Look const& look, SettingText const& text);

/// The control of a setting: its label, a slider, a list or a box to tick, and its hint. Returns the value that was
/// chosen.
std::optional<double> setting_control(Look const& look, SettingText const& text, SettingRange const& range,
                                      double value, SettingControl const& control);

/// The same, for a setting of a struct that has a table. Returns whether it was changed.
template <class T>
bool setting_row(Look const& look, std::string_view name, T& settings, SettingControl const& control = {})
{
  Setting<T> const& setting = setting_named<T>(name);
  auto const chosen = setting_control(look, setting.text, setting.range, setting.get(settings), control);
  if (chosen) { setting.set(settings, *chosen); }
  return chosen.has_value();
}

}  // namespace slotscape
