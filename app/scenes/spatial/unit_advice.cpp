#include "app/scenes/spatial/unit_advice.hpp"

#include "app/clouds/coordinate_steps.hpp"
#include "app/scenes/spatial/settings.hpp"
#include "gpu/base/translation.hpp"

#include <cmath>
#include <optional>
#include <string_view>

namespace slotscape {
namespace {

using clouds::FileUnit;
using spatial::Model;

/// The length of a unit in metres; nothing for other units.
std::optional<double> metres_of(std::string_view name)
{
  for (EnumName<FileUnit> const& unit : enum_names<FileUnit>()) {
    if (!name.empty() && clouds::short_name_of(unit.value) == name) { return clouds::in_metres(unit.value, 1.0); }
  }
  return std::nullopt;
}

/// Whether a model would be about as wide as the other one and beside it, if its file were in this unit and the other
/// one in metres.
bool would_fit_in(SpatialState const& state, Model model, FileUnit unit)
{
  constexpr double tolerance = 0.05;
  clouds::Box const& other = state.boxes[spatial::other(model)];
  double const metres = clouds::in_metres(unit, 1.0);
  clouds::Box const converted{metres * state.boxes[model].low, metres * state.boxes[model].high};
  double const ratio = clouds::width_of(converted) / clouds::width_of(other);
  return std::abs(ratio - 1.0) < tolerance && clouds::adjoin(converted, other);
}

}  // namespace

std::string advice_on_units(std::string const& a, std::string const& b, bool of_whole_file)
{
  auto const of_a = metres_of(a);
  auto const of_b = metres_of(b);
  if (!of_a || !of_b) { return tr("convert one of them."); }
  bool const from_a = b == "m" || (a != "m" && a != "ft");
  std::string advice = tr("convert one of them (1 {} is {:.10g} {}).", from_a ? a : b,
                          from_a ? *of_a / *of_b : *of_b / *of_a, from_a ? b : a);
  if (!of_whole_file) { return advice; }
  return advice + tr(" To convert a file to metres, choose its unit in Models, or add --unit-a or --unit-b.");
}

std::string advice_on_likely_unit(SpatialState const& state)
{
  for (Model const model : both_models) {
    Model const other = spatial::other(model);
    double const ratio = clouds::width_of(state.boxes[model]) / clouds::width_of(state.boxes[other]);
    for (EnumName<FileUnit> const& unit : enum_names<FileUnit>()) {
      bool const is_smaller = clouds::in_metres(unit.value, 1.0) < 1.0;
      if (!is_smaller || !would_fit_in(state, model, unit.value)) { continue; }
      return tr(
          " {0} is {1} times as wide as {2}: if {0} is in {3} and {2} in metres, choose this unit for {0} in "
          "Models, or add --unit-{4} {5}.",
          letter_of(model), clouds::text_of_length(ratio), letter_of(other), clouds::short_name_of(unit.value),
          model == Model::a ? 'a' : 'b', unit.text);
    }
  }
  return {};
}

}  // namespace slotscape
