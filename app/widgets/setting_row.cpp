#include "app/widgets/setting_row.hpp"

#include "app/base/text.hpp"
#include "app/widgets/controls.hpp"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <cmath>
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
  if (!ImGui::BeginCombo(id.c_str(), range.labels[here].c_str())) { return chosen; }
  for (std::size_t i = 0; i < range.labels.size(); ++i) {
    bool const offered = !control.offers || control.offers(i);
    auto const flags = offered ? ImGuiSelectableFlags_None : ImGuiSelectableFlags_Disabled;
    if (ImGui::Selectable(range.labels[i].c_str(), i == here, flags)) { chosen = static_cast<double>(i); }
  }
  ImGui::EndCombo();
  return chosen;
}

std::optional<double> buttons(Look const& look, std::string const& id, SettingRange const& range, double value)
{
  std::vector<std::string_view> const labels(range.labels.begin(), range.labels.end());
  int chosen = static_cast<int>(value);
  return segmented(look, id.c_str(), labels, chosen) ? std::optional<double>(chosen) : std::nullopt;
}

std::optional<double> box(std::string const& label, double value)
{
  bool on = value != 0.0;
  return ImGui::Checkbox(label.c_str(), &on) ? std::optional(on ? 1.0 : 0.0) : std::nullopt;
}

std::optional<double> bar(Look const& look, std::string const& id, SettingRange const& range, double value,
                          SettingControl const& control)
{
  bool const whole = range.kind == SettingRange::Kind::whole;
  std::string const number = whole ? grouped(static_cast<std::uint64_t>(value)) : with_decimals(value, 2);
  double edited = value;
  if (!slider(look, id.c_str(), edited, control.low.value_or(range.low), control.high.value_or(range.high),
              control.shown.empty() ? number : control.shown, range.scale == Scale::log)) {
    return std::nullopt;
  }
  double const chosen = whole ? std::round(edited) : edited;
  return chosen == value ? std::nullopt : std::optional(chosen);
}

}  // namespace

std::optional<double> setting_control(Look const& look, SettingText const& text, SettingRange const& range,
                                      double value, SettingControl const& control)
{
  bool const ticked = range.kind == SettingRange::Kind::flag;
  if (!ticked) { row_label(look, std::string(text.label).c_str()); }
  std::string const id = fmt::format("##{}", text.name);
  auto const chosen = ticked                                     ? box(std::string(text.label), value)
                      : range.kind != SettingRange::Kind::choice ? bar(look, id, range, value, control)
                      : control.buttons                          ? buttons(look, id, range, value)
                                                                 : list(id, range, value, control);
  hint(look, std::string(text.hint) + control.more_hint);
  return chosen;
}

}  // namespace slotscape
