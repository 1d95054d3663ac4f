#include "app/scenes/spatial/placement.hpp"

#include "app/base/text.hpp"
#include "app/clouds/builtin.hpp"
#include "app/clouds/coordinate_steps.hpp"
#include "app/clouds/outliers.hpp"
#include "app/scenes/spatial/animation.hpp"
#include "app/scenes/spatial/coordinates.hpp"
#include "app/scenes/spatial/placing.hpp"
#include "app/scenes/spatial/unit_advice.hpp"
#include "gpu/base/translation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace slotscape {
namespace {

using spatial::Model;
using Poses = spatial::PerModel<spatial::Pose>;

bool both_are_files(SpatialState const& state)
{
  return std::ranges::none_of(state.settings.models.of,
                              [](ModelSettings const& model) { return clouds::is_builtin(model.source); });
}

// --- evidence from the coordinates

/// Whether both are far from the origin, as surveys are, and close to each other.
bool are_tiles(std::array<clouds::Frame, 2> const& frames, std::array<clouds::Box, 2> const& boxes)
{
  constexpr double farthest_tile = 2.0;  // relative to the larger diagonal
  double const larger = std::max(clouds::diagonal_of(boxes[0]), clouds::diagonal_of(boxes[1]));
  return std::ranges::all_of(frames, clouds::has_survey_coordinates) &&
         clouds::distance_between(boxes[0], boxes[1]) <= farthest_tile * larger;
}

clouds::Position with_x_and_y_exchanged(clouds::Position const& p)
{
  return {p.y, p.x, p.z};
}

/// Whether swapping x and y of one model would make them tiles of one survey: surveyors write either first.
bool is_one_exchanged(SpatialState const& state)
{
  clouds::Frame b = state.clouds[Model::b].frame;
  clouds::Box const& box = state.boxes[Model::b];
  b.center = with_x_and_y_exchanged(b.center);
  std::array const boxes{state.boxes[Model::a],
                         clouds::Box{with_x_and_y_exchanged(box.low), with_x_and_y_exchanged(box.high)}};
  return are_tiles({state.clouds[Model::a].frame, b}, boxes);
}

/// The likely reason why models are wide or far apart, if known.
std::string likely_cause(SpatialState const& state)
{
  if (std::string advice = advice_on_likely_unit(state); !advice.empty()) { return advice; }
  if (std::string const advice = advice_on_outliers(state, both_models); !advice.empty()) {
    return tr(" {}; the choice is then made again.", advice);
  }
  if (!is_one_exchanged(state)) { return {}; }
  return tr(
      " With x and y of one of them swapped, both would be in the same place: one file seems to have the northing "
      "first. Name its columns in its first line, as in 'northing easting height'.");
}

/// The unit of all three axes; empty if the file names none, or several.
std::string common_unit(SpatialState const& state, Model model)
{
  clouds::CoordinateSystem const& system = state.clouds[model].system;
  return system.has_one_unit() ? system.unit : "";
}

std::string with_unit(std::string number, std::string const& unit)
{
  return unit.empty() ? number : fmt::format("{} {}", number, unit);
}

std::string extent_text(SpatialState const& state, Model model)
{
  double const width = clouds::width_of(state.boxes[model]);
  if (width == 0.0) { return tr("{} is a single point", letter_of(model)); }
  return tr("{} is {} wide", letter_of(model), with_unit(clouds::text_of_length(width), common_unit(state, model)));
}

std::string why_not_in_one_scale(SpatialState const& state)
{
  std::string const unit_of_a = common_unit(state, Model::a);
  std::string const unit_of_b = common_unit(state, Model::b);
  std::string const a = extent_text(state, Model::a);
  std::string const b = extent_text(state, Model::b);
  double const distance = clouds::distance_between(state.boxes[Model::a], state.boxes[Model::b]);
  std::string const apart = with_unit(clouds::text_of_length(distance), unit_of_a);
  bool const says_distance = distance > 0.0 && unit_of_a == unit_of_b;
  bool const in_no_unit = unit_of_a.empty() && unit_of_b.empty();
  std::string text =
      says_distance ? in_no_unit ? tr("At the same scale, one of them would be too small or too far away to be seen: "
                                      "{}, and {}; they are {} apart, in the units of their files.",
                                      a, b, apart)
                                 : tr("At the same scale, one of them would be too small or too far away to be seen: "
                                      "{}, and {}; they are {} apart.",
                                      a, b, apart)
      : in_no_unit
          ? tr("At the same scale, one of them would be too small or too far away to be seen: {}, and {}, in the units "
               "of their files.",
               a, b)
          : tr("At the same scale, one of them would be too small or too far away to be seen: {}, and {}.", a, b);
  return text + likely_cause(state);
}

/// For example "EPSG:2263 in US survey ft".
std::string system_text(clouds::CoordinateSystem const& system, bool with_its_unit)
{
  std::string const units = with_its_unit ? clouds::units_text(system) : "";
  return units.empty() ? name_of(system) : tr("{} in {}", name_of(system), units);
}

/// Whether two names denote the same system; nothing if one is missing, or if one is a code and the other a name.
std::optional<bool> are_of_one_system(std::string const& a, std::string const& b)
{
  bool const comparable = a.starts_with("EPSG:") == b.starts_with("EPSG:");
  return a.empty() || b.empty() || !comparable ? std::nullopt : std::optional(a == b);
}

bool differ(std::string const& a, std::string const& b)
{
  return !a.empty() && !b.empty() && a != b;
}

/// For example "Both files name the coordinate system EPSG:25832."
std::string text_of_same_system(clouds::CoordinateSystem const& a, clouds::CoordinateSystem const& b)
{
  if (a.vertical == b.vertical) { return tr("Both files name the coordinate system {}.", name_of(a)); }
  if (a.vertical.empty() || b.vertical.empty()) {
    bool const of_a = b.vertical.empty();
    return tr("Both files name the coordinate system {}, and only {} names one for heights, {}.", a.horizontal,
              of_a ? "A" : "B", of_a ? a.vertical : b.vertical);
  }
  return tr("Both files name the coordinate system {}; for heights, A names {} and B {}.", a.horizontal, a.vertical,
            b.vertical);
}

/// False if the user insists that the numbers are comparable.
bool have_other_numbers(SpatialState const& state)
{
  return state.settings.same_coordinates != true && why_numbers_do_not_compare(state).has_value();
}

CoordinatesChoice by_coordinates(SpatialState const& state)
{
  clouds::PointCloud const& a = state.clouds[Model::a];
  clouds::PointCloud const& b = state.clouds[Model::b];
  if (have_same_system(a, b) == true) { return {true, text_of_same_system(a.system, b.system)}; }
  if (!is_part_of_a_site(a.frame) || !is_part_of_a_site(b.frame)) {
    return {false, tr("Unlike the parts of one site, they do not both lie far from the origin of their coordinates.") +
                       likely_cause(state)};
  }
  double const apart = clouds::distance_between(state.boxes[Model::a], state.boxes[Model::b]);
  bool const tiles = are_tiles({a.frame, b.frame}, {state.boxes[Model::a], state.boxes[Model::b]});
  if (tiles || clouds::adjoin(state.boxes[Model::a], state.boxes[Model::b])) {
    return {true, apart == 0.0 ? tr("Both lie far from the origin, and overlap.")
                               : tr("Both lie far from the origin, and only {} apart in the units of their files, like "
                                    "tiles of one survey.",
                                    clouds::text_of_length(apart))};
  }
  double const larger =
      std::max(clouds::diagonal_of(state.boxes[Model::a]), clouds::diagonal_of(state.boxes[Model::b]));
  return {false, tr("They are {} apart in the units of their files, and {} across.{}", clouds::text_of_length(apart),
                    clouds::text_of_length(larger), likely_cause(state))};
}

// --- current placement

Poses places_of(SpatialSceneSettings const& settings)
{
  return {{settings.models[Model::a].place, settings.models[Model::b].place}};
}

/// Whether equal coordinates in both files appear at the same position in the scene.
bool show_same_coordinates(SpatialState const& state, Poses const& poses)
{
  constexpr double farthest = 1e-3;
  auto const seen = [&](Model model, clouds::Position const& place) {
    return scene_of_file(state.clouds[model].frame, poses[model])(place);
  };
  return std::ranges::all_of(state.boxes.of, [&](clouds::Box const& box) {
    return std::ranges::all_of(std::array{box.low, box.high}, [&](clouds::Position const& corner) {
      return length(seen(Model::a, corner) - seen(Model::b, corner)) < farthest;
    });
  });
}

bool have_common_scale(SpatialState const& state, Poses const& poses)
{
  constexpr double max_difference = 1e-5;
  auto const scale = [&](Model model) {
    return static_cast<double>(poses[model].scale) * state.clouds[model].frame.scale;
  };
  return std::abs(scale(Model::a) / scale(Model::b) - 1.0) < max_difference;
}

}  // namespace

template <>
std::span<EnumName<PlacedAs> const> enum_names()
{
  static constexpr std::array<EnumName<PlacedAs>, 3> names{
      {{PlacedAs::same_coordinates, "same_coordinates", "In the coordinates of their files, at the same scale"},
       {PlacedAs::one_scale, "one_scale", "At the same scale, but moved: sizes are comparable, positions are not"},
       {PlacedAs::each_by_itself, "each_by_itself", "Each by itself: neither sizes nor distances are comparable"}}};
  return names;
}

std::optional<PlacedAs> placement_in(SpatialState const& state, Poses const& poses)
{
  if (!both_are_files(state)) { return std::nullopt; }
  if (have_other_numbers(state)) { return PlacedAs::each_by_itself; }
  if (show_same_coordinates(state, poses)) { return PlacedAs::same_coordinates; }
  return have_common_scale(state, poses) ? PlacedAs::one_scale : PlacedAs::each_by_itself;
}

std::optional<PlacedAs> placement_of(SpatialState const& state)
{
  return placement_in(state, state.poses);
}

bool are_placed_by_coordinates(SpatialState const& state)
{
  return placement_in(state, places_of(state.settings)) == PlacedAs::same_coordinates;
}

std::string sentence_of(PlacedAs placement)
{
  switch (placement) {
    case PlacedAs::same_coordinates:
      return tr("A and B keep the coordinates of their files: both are scaled by the same factor to fit the scene.");
    case PlacedAs::one_scale:
      return tr(
          "A and B have the same scale, but not the positions in their files: their sizes can be compared, their "
          "positions cannot.");
    case PlacedAs::each_by_itself: break;
  }
  return tr("A and B are scaled and placed separately, so their sizes and distances differ from those in the files.");
}

std::string why_placed_so(SpatialState const& state, PlacedAs seen)
{
  auto const placed = placement_in(state, places_of(state.settings));
  if (seen != placed) {
    bool const is_moved = placement_in(state, poses_of(state.settings)) != placed;
    return is_moved ? tr("The animation has moved them.") : tr("They are about to be shown at their new positions.");
  }
  bool const by_coordinates = placed == PlacedAs::same_coordinates;
  CoordinatesChoice const choice = choose_coordinates(state);
  if (choice.together == by_coordinates) { return choice.why; }
  bool const as_opened = std::ranges::all_of(state.settings.models.of, stands_as_opened);
  return by_coordinates && as_opened ? tr("Placed separately, they would be in the same positions.")
                                     : tr("They were placed by hand.");
}

bool compares_apart(SpatialState const& state)
{
  SpatialSceneSettings const& settings = state.settings;
  return (settings.hashing.changes.shown || settings.distances.shown) &&
         placement_of(state).value_or(PlacedAs::same_coordinates) != PlacedAs::same_coordinates;
}

std::string warning_of_comparison()
{
  return tr("A and B are not shown in the same coordinates, so their differences mean nothing.");
}

std::string text_of_placement(SpatialState const& state)
{
  auto const placement = placement_of(state);
  return placement ? fmt::format("{}. {}", translated(to_label(*placement)), why_placed_so(state, *placement)) : "";
}

clouds::Frame common_frame(SpatialState const& state)
{
  std::array<clouds::Position, 2 * std::size_t{spatial::model_count}> corners{};
  std::size_t next = 0;
  for (clouds::Box const& box : state.boxes.of) {
    corners[next++] = box.low;
    corners[next++] = box.high;
  }
  return clouds::frame_of(corners);
}

float common_scale(SpatialState const& state, clouds::Frame const& common, Model model)
{
  return static_cast<float>(first_model_scale * common.scale / state.clouds[model].frame.scale);
}

bool may_share_coordinates(SpatialState const& state)
{
  if (!both_are_files(state)) { return false; }
  clouds::Frame const common = common_frame(state);
  return std::ranges::all_of(both_models, [&](Model model) {
    return !state.clouds[model].positions.empty() && common_scale(state, common, model) >= smallest_model_scale;
  });
}

std::optional<bool> have_same_system(clouds::PointCloud const& a, clouds::PointCloud const& b)
{
  bool const same_heights = are_of_one_system(a.system.vertical, b.system.vertical).value_or(true);
  return same_heights ? are_of_one_system(a.system.horizontal, b.system.horizontal) : std::optional(false);
}

std::optional<std::string> why_numbers_do_not_compare(SpatialState const& state)
{
  clouds::CoordinateSystem const& a = state.clouds[Model::a].system;
  clouds::CoordinateSystem const& b = state.clouds[Model::b].system;
  bool const other_units = differ(a.unit, b.unit) || differ(a.unit_of_z, b.unit_of_z);
  std::optional<bool> const same_system = have_same_system(state.clouds[Model::a], state.clouds[Model::b]);
  if (same_system == false) {
    bool const across = are_of_one_system(a.horizontal, b.horizontal) == false;
    if (!across) {
      return tr("The heights in their files have different coordinate systems, {} and {}: convert one of them.",
                a.vertical, b.vertical);
    }
    return tr("Their files have different coordinate systems, {} and {}: convert one of them.",
              system_text(a, other_units), system_text(b, other_units));
  }
  if (!other_units) { return std::nullopt; }
  bool const across = differ(a.unit, b.unit);
  std::string const& of_a = across ? a.unit : a.unit_of_z;
  std::string const& of_b = across ? b.unit : b.unit_of_z;
  std::string const advice = advice_on_units(of_a, of_b, across);
  if (same_system == true) {
    return across ? tr("A is in {} and B in {}, though both files name {}: {}", of_a, of_b, a.horizontal, advice)
                  : tr("z of A is in {} and z of B in {}, though both files name {}: {}", of_a, of_b, a.horizontal,
                       advice);
  }
  return across ? tr("A is in {} and B in {}: {}", of_a, of_b, advice)
                : tr("z of A is in {} and z of B in {}: {}", of_a, of_b, advice);
}

CoordinatesChoice choose_coordinates(SpatialState const& state)
{
  if (!both_are_files(state)) { return {}; }
  std::optional<bool> const& asked = state.settings.same_coordinates;
  if (asked == false) { return {false, tr("This is what you chose.")}; }
  auto const warning = why_numbers_do_not_compare(state);
  if (!asked && warning) { return {false, *warning}; }
  if (!may_share_coordinates(state)) { return {false, (warning ? *warning + " " : "") + why_not_in_one_scale(state)}; }
  if (!asked) { return by_coordinates(state); }
  return {true, warning.value_or(tr("This is what you chose."))};
}

std::string advice_on_outliers(SpatialState const& state, std::span<Model const> models)
{
  std::string text;
  for (Model const model : models) {
    std::string const advice = clouds::advice_on_outliers(state.clouds[model]);
    if (!advice.empty()) { text += fmt::format("{}{} {}", text.empty() ? "" : "; ", letter_of(model), advice); }
  }
  return text;
}

}  // namespace slotscape
