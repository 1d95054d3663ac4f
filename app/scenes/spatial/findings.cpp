#include "app/scenes/spatial/findings.hpp"

#include "app/clouds/builtin.hpp"
#include "app/scenes/spatial/loader.hpp"
#include "app/scenes/spatial/placing.hpp"

#include <fmt/format.h>

namespace slotscape {
namespace {

using spatial::Model;

bool is_file(SpatialState const& state, Model model)
{
  return !clouds::is_builtin(state.settings.models[model].source);
}

std::string name_of(SpatialState const& state, Model model)
{
  return fmt::format("{} ({})", letter_of(model), label_of_source(state.settings.models[model].source));
}

std::string sentence(std::string text)
{
  if (!text.empty() && !text.ends_with('.') && !text.ends_with('!') && !text.ends_with('?')) { text += '.'; }
  return text;
}

std::string why_not_together(SpatialState const& state)
{
  clouds::PointCloud const& a = state.clouds[Model::a];
  clouds::PointCloud const& b = state.clouds[Model::b];
  if (have_same_system(a, b) == false) {
    return fmt::format("Their files have different coordinate systems, {} and {}: convert one of them.",
                       a.coordinate_system, b.coordinate_system);
  }
  if (!may_share_coordinates(state)) { return "In one scale, one of them would be too small to be seen."; }
  return "'Same coordinates' at Models, or --same-coordinates, keeps what their files say.";
}

std::string how_apart(SpatialState const& state)
{
  if (have_common_scale(state)) {
    return "A and B have one scale, but do not stand as in their files: their sizes compare, their places do not. ";
  }
  return "A and B are scaled and placed each by itself: their sizes and distances are not those of their files. ";
}

/// How the models' sizes and places are related to those in their files.
void add_scaling(SpatialState const& state, Findings& findings)
{
  if (auto const common = common_coordinates(state)) {
    findings.push_back(*common ? "A and B keep the coordinates of their files: both are scaled by the same factor to "
                                 "fit the scene."
                               : how_apart(state) + why_not_together(state));
    return;
  }
  for (Model const model : both_models) {
    if (!is_file(state, model)) { continue; }
    findings.push_back(fmt::format("{} is scaled and moved to fit the scene.", name_of(state, model)));
  }
}

void add_stand_in(SpatialState const& state, Findings& findings)
{
  if (!state.b_stands_in || is_file(state, Model::b)) { return; }
  findings.push_back(fmt::format(
      "Only one model was given: {} stands beside it. 'Open model as B' in the File menu adds a second one, or name "
      "two: slotscape spatial A B.",
      name_of(state, Model::b)));
}

void add_outside(SpatialState const& state, Findings& findings)
{
  if (state.settings.animation.moves()) { return; }  // they come and go
  for (Model const model : both_models) {
    if (state.snapshot.models[model].outside_grid == 0) { continue; }
    findings.push_back(
        fmt::format("Some points of {} are outside the grid and have no voxel: move or scale the model, or enlarge the "
                    "grid's extent.",
                    name_of(state, model)));
  }
}

}  // namespace

Findings findings_of(SpatialState const& state)
{
  Findings findings;
  for (Model const model : both_models) {
    for (std::string const& note : state.clouds[model].notes) {
      findings.push_back(fmt::format("{}: {}", name_of(state, model), sentence(note)));
    }
  }
  add_stand_in(state, findings);
  add_scaling(state, findings);
  add_outside(state, findings);
  return findings;
}

}  // namespace slotscape
