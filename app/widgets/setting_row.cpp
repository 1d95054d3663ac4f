#include "app/widgets/setting_row.hpp"

#include "app/base/text.hpp"
#include "app/widgets/controls.hpp"
#include "app/widgets/labels.hpp"
#include "gpu/base/translation.hpp"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <string_view>
#include <vector>

namespace slotscape {
namespace {

std::optional<double> list(std::string const& id, SettingRange const& range, double value,
                           SettingControl const& control)
{
  auto const here = std::min(static_cast<std::size_t>(value), range.labels.size() - 1);
  std::optional<double> chosen;
  ImGui::SetNextItemWidth(-FLT_MIN);
  if (!ImGui::BeginCombo(id.c_str(), translated(range.labels[here]).c_str())) { return chosen; }
  for (std::size_t i = 0; i < range.labels.size(); ++i) {
    bool const offered = !control.offers || control.offers(i);
    auto const flags = offered ? ImGuiSelectableFlags_None : ImGuiSelectableFlags_Disabled;
    if (ImGui::Selectable(translated_label(range.labels[i]).c_str(), i == here, flags)) {
      chosen = static_cast<double>(i);
    }
  }
  ImGui::EndCombo();
  return chosen;
}

std::optional<double> buttons(Look const& look, std::string const& id, SettingRange const& range, double value,
                              ChoiceBy by)
{
  int chosen = static_cast<int>(value);
  std::vector<std::string_view> const labels(range.labels.begin(), range.labels.end());
  bool const changed =
      by == ChoiceBy::line ? pick(look, id.c_str(), range.labels, chosen) : segmented(look, id.c_str(), labels, chosen);
  return changed ? std::optional<double>(chosen) : std::nullopt;
}

std::optional<double> box(std::string const& label, double value)
{
  bool on = value != 0.0;
  return ImGui::Checkbox(translated_label(label).c_str(), &on) ? std::optional(on ? 1.0 : 0.0) : std::nullopt;
}

/// The numbers that can be typed into the setting's slider.
TypedLimits limits_of(SettingRange const& range, SettingControl const& control)
{
  double const low = std::max(range.low, control.min.value_or(range.low));
  return {low, std::max(low, std::min(range.high, control.max.value_or(range.high)))};
}

std::string text_on_bar(SettingRange const& range, double value, SettingControl const& control)
{
  if (!control.shown.empty()) { return control.shown; }
  if (control.percent) { return percent(value); }
  return range.is_whole() ? grouped(static_cast<std::uint64_t>(value)) : with_decimals(value, 2);
}

std::optional<double> bar(Look const& look, std::string const& id, SettingRange const& range, double value,
                          SettingControl const& control)
{
  double const unit = control.percent ? 100.0 : 1.0;
  TypedLimits const limits = limits_of(range, control);
  double edited = unit * value;
  if (!slider(look, id.c_str(), edited, unit * control.low.value_or(limits.low),
              unit * control.high.value_or(limits.high), text_on_bar(range, value, control), range.scale == Scale::log,
              TypedLimits{unit * limits.low, unit * limits.high})) {
    return std::nullopt;
  }
  edited /= unit;
  bool const is_power = range.kind == SettingRange::Kind::power_of_two;
  double const chosen = is_power ? std::exp2(std::round(std::log2(edited)))
                        : control.coarse
                            ? std::clamp(static_cast<double>(count_of_slider(edited)), limits.low, limits.high)
                        : range.is_whole() ? std::round(edited)
                                           : edited;
  return chosen == value ? std::nullopt : std::optional(chosen);
}

/// The hint; also gives the numbers that can be typed, if the slider covers only part of them.
std::string hint_of(SettingText const& text, SettingRange const& range, SettingControl const& control)
{
  std::string hint = translated(text.hint);
  bool const is_part = control.low.value_or(range.low) > range.low || control.high.value_or(range.high) < range.high;
  if (is_part || control.percent) {
    if (!hint.empty()) { hint += ' '; }
    hint += control.percent ? tr("Ctrl+click to type a percentage: {:g} to {:g}.", 100.0 * range.low,
                                 100.0 * std::min(range.high, 1.0))
                            : tr("Ctrl+click to type a number: {}.", range_text(range));
  }
  return hint + translated(control.more_hint);
}

}  // namespace

bool typed_into_slider()
{
  return !ImGui::IsItemActive() || typing_into_slider();  // an item is active while its slider is dragged
}

std::uint64_t count_of_slider(double value)
{
  bool const exact = typed_into_slider() || value < 100.0;
  double const unit = exact ? 1.0 : std::pow(10.0, std::floor(std::log10(value)) - 1.0);
  return static_cast<std::uint64_t>(std::max(std::round(value / unit) * unit, 1.0));
}

std::optional<double> number_field(char const* id, double value)
{
  double typed = value;
  if (!ImGui::InputDouble(id, &typed, 0.0, 0.0, "%.4g", ImGuiInputTextFlags_EnterReturnsTrue)) { return std::nullopt; }
  bool const as_shown = typed == std::stod(fmt::format("{:.4g}", value));
  return as_shown ? std::nullopt : std::optional(typed);
}

void setting_label(Look const& look, SettingText const& text)
{
  row_label(look, std::string(text.label).c_str());
}

std::optional<double> setting_control(Look const& look, SettingText const& text, SettingRange const& range,
                                      double value, SettingControl const& control)
{
  bool const is_flag = range.kind == SettingRange::Kind::flag;
  bool const is_choice = range.kind == SettingRange::Kind::choice;
  if (!is_flag) { setting_label(look, text); }
  std::string const id = fmt::format("##{}", text.name);
  auto const chosen = is_flag                        ? box(std::string(text.label), value)
                      : !is_choice                   ? bar(look, id, range, value, control)
                      : control.by != ChoiceBy::list ? buttons(look, id, range, value, control.by)
                                                     : list(id, range, value, control);
  hint(look, hint_of(text, range, control));
  return chosen;
}

}  // namespace slotscape
