#include "app/scenes/spatial/findings.hpp"

#include "app/clouds/builtin.hpp"
#include "app/clouds/coordinate_steps.hpp"
#include "app/scenes/spatial/coloring.hpp"
#include "app/scenes/spatial/coordinates.hpp"
#include "app/scenes/spatial/loader.hpp"
#include "app/scenes/spatial/placement.hpp"
#include "app/scenes/spatial/placing.hpp"
#include "gpu/base/translation.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace slotscape {
namespace {

using spatial::Model;

bool is_file(SpatialState const& state, Model model)
{
  return !clouds::is_builtin(state.settings.models[model].source);
}

std::string name_of(SpatialState const& state, Model model)
{
  return fmt::format("{} ({})", letter_of(model), translated(label_of_source(state.settings.models[model].source)));
}

std::string sentence(std::string text)
{
  if (!text.empty() && !text.ends_with('.') && !text.ends_with('!') && !text.ends_with('?')) { text += '.'; }
  return text;
}

/// Tells the user how to place the models in the other way.
std::string other_placement(SpatialState const& state, PlacedAs placement)
{
  bool const asked = state.settings.same_coordinates.has_value();
  if (placement == PlacedAs::same_coordinates) {
    bool const decided = choose_coordinates(state).together && !asked && !state.settings.hashing.changes.shown;
    return decided ? tr(" To change that, choose Models → Each by itself, or add --own-coordinates.") : "";
  }
  if (are_placed_by_coordinates(state)) { return tr(" To restore them, choose Models → Same coordinates."); }
  if (!may_share_coordinates(state) || why_numbers_do_not_compare(state)) { return {}; }
  return tr(" To keep those of their files, choose Models → Same coordinates, or add --same-coordinates.");
}

/// Notes from reading a model. Changes, and a model alone, need positions only, so notes on sides are omitted.
void add_notes(SpatialState const& state, Model model, Findings& findings)
{
  auto const add = [&](std::vector<std::string> const& notes) {
    for (std::string const& note : notes) {
      findings.push_back(fmt::format("{}: {}", name_of(state, model), sentence(note)));
    }
  };
  add(state.clouds[model].notes);
  if (!state.settings.hashing.changes.shown && !is_one_alone(state)) { add(state.clouds[model].notes_on_sides); }
}

/// Describes how the models' sizes and positions relate to those in their files.
void add_scaling(SpatialState const& state, Findings& findings)
{
  if (auto const placement = placement_of(state)) {
    bool const is_about_to_move = state.settings.animation.moves() && *placement == PlacedAs::same_coordinates;
    if (is_about_to_move) { return; }
    findings.push_back(fmt::format("{} {}{}", sentence_of(*placement), why_placed_so(state, *placement),
                                   other_placement(state, *placement)));
    return;
  }
  for (Model const model : both_models) {
    if (!is_file(state, model)) { continue; }
    findings.push_back(tr("{} is scaled and moved to fit the scene.", name_of(state, model)));
  }
}

void add_stand_in(SpatialState const& state, Findings& findings)
{
  for (Model const model : both_models) {
    if (!is_absent(state, model)) { continue; }
    findings.push_back(
        tr("Only one model is shown. 'Open model as {}' in the File menu adds a second one, or name two: slotscape "
           "spatial A B.",
           letter_of(model)));
  }
}

void add_outside(SpatialState const& state, Findings& findings)
{
  if (state.settings.animation.moves()) { return; }  // they change while models move
  for (Model const model : both_models) {
    if (state.snapshot.models[model].outside_grid == 0) { continue; }
    findings.push_back(
        tr("Some points of {} are outside the grid and have no voxel: move or scale the model, or enlarge the "
           "grid's extent.",
           name_of(state, model)));
  }
}

/// Warns of a surface with too few points for so fine a grid.
void add_sparse(SpatialState const& state, Findings& findings)
{
  if (state.settings.animation.moves() || state.settings.hashing.changes.shown || is_one_alone(state)) { return; }
  for (Model const model : both_models) {
    if (!is_file(state, model) || !is_sparse(state, model)) { continue; }
    findings.push_back(
        tr("{} has too few points for so fine a grid, fewer than 2 per voxel: its surface has holes, where sides "
           "are unknown or wrong. Use a coarser grid, or more points.",
           name_of(state, model)));
  }
}

/// Warns of coordinates that are coarser than the voxels.
void add_steps(SpatialState const& state, Findings& findings)
{
  for (Model const model : both_models) {
    auto const width = voxel_in_file(state, model);
    if (!width) { continue; }
    std::string const called = state.asked_voxel ? tr("voxels of {:.4g}", *width) : tr("the voxels");
    std::string const note = clouds::note_of_steps(state.clouds[model], *width, called);
    if (!note.empty()) { findings.push_back(fmt::format("{}: {}", name_of(state, model), sentence(note))); }
  }
}

/// Notes that a requested number of points has no effect on a cloud.
void add_points(SpatialState const& state, Findings& findings)
{
  for (Model const model : both_models) {
    bool const has_own_points = is_file(state, model) && state.clouds[model].triangles == 0;
    if (!has_own_points || state.settings.models[model].points == default_points) { continue; }
    findings.push_back(tr("{} has points of its own: the number of points can be set only for shapes and meshes.",
                          name_of(state, model)));
  }
}

void add_attribute(SpatialState const& state, Findings& findings)
{
  if (lacks_attribute(state)) { findings.push_back(sentence(why_no_attribute(state))); }
}

}  // namespace

double points_per_voxel(SpatialState const& state, Model model)
{
  spatial::ModelSnapshot const& found = state.snapshot.models[model];
  return static_cast<double>(found.points - found.outside_grid) /
         static_cast<double>(std::max(found.voxels, std::uint64_t{1}));
}

bool is_sparse(SpatialState const& state, Model model)
{
  constexpr double min_points_per_voxel = 2.0;  // for a surface without holes
  return state.clouds[model].is_surface && state.snapshot.models[model].voxels != 0 &&
         points_per_voxel(state, model) < min_points_per_voxel;
}

Findings findings_of(SpatialState const& state)
{
  Findings findings;
  for (Model const model : both_models) { add_notes(state, model, findings); }
  add_stand_in(state, findings);
  add_scaling(state, findings);
  if (compares_apart(state)) { findings.push_back(warning_of_comparison()); }
  add_attribute(state, findings);
  add_points(state, findings);
  add_outside(state, findings);
  add_sparse(state, findings);
  add_steps(state, findings);
  return findings;
}

}  // namespace slotscape
