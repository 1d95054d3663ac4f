#include "app/scenes/spatial/presentation.hpp"

#include "app/gl/context.hpp"
#include "app/scenes/spatial/coloring.hpp"
#include "app/scenes/spatial/coordinates.hpp"
#include "app/scenes/spatial/placing.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>
#include <vector>

namespace slotscape {
namespace {

using spatial::Model;

/// Small maxima need no further scaling: sub-tables are numbered 0, 1 and 2.
double end_of_scale(double max)
{
  return max < few_values ? std::max(std::ceil(max), 1.0)
                          : static_cast<double>(std::bit_ceil(static_cast<std::uint64_t>(max)));
}

/// The scale begins at the threshold; that of signed distances has 0 in the middle.
void color_distances(SpatialState const& state, clouds::Coloring& coloring)
{
  double const threshold = state.settings.distances.threshold;
  coloring.within = threshold;
  clouds::ValueRange& range = coloring.range;
  if (!state.settings.distances.is_signed) {
    range.low = threshold;
    range.high = std::max(range.high, threshold);
  } else {
    range.high = std::max(std::abs(range.low), std::abs(range.high));
    range.low = -range.high;
  }
}

}  // namespace

ModelsPresentation::ModelsPresentation(SpatialState& state, SpatialCanvas& canvas, VoxelUpdates& updates)
    : state_(state),
      canvas_(canvas),
      updates_(updates),
      kernels_draw_(state.device.backend == Backend::cuda || gl::draws_with_the_cpu())
{
}

/// Passes the requested attribute's values to the engine.
void ModelsPresentation::show_attribute()
{
  if (state_.settings.view.paint_by != spatial::PaintBy::attribute) { return; }
  ShownAttribute wanted{attribute_asked_for(state_), updates_.version(),
                        state_.distances ? state_.distances->version : 0, state_.settings.distances.threshold};
  if (shown_attribute_ == wanted) { return; }
  state_.coloring = clouds::coloring_of(both_clouds(state_), wanted.name);
  if (state_.coloring && wanted.name == distance_attribute) { color_distances(state_, *state_.coloring); }
  shown_attribute_ = std::move(wanted);
  ++attributes_shown_;
  for (Model const model : both_models) { updates_.engine().set_attribute(model, {}); }  // frees memory first
  if (!state_.coloring) { return; }
  for (Model const model : both_models) {
    std::vector<std::uint32_t> const values = clouds::values_to_show(state_.clouds[model], *state_.coloring);
    updates_.engine().set_attribute(model, {values, clouds::blend_of(state_.coloring->kind)});
  }
}

double ModelsPresentation::present(Presenters& presenters)
{
  show_attribute();
  ModelsViewSettings const& view = state_.settings.view;
  Written const wanted{updates_.count(), view.kind, view.paint_by, attributes_shown_, &presenters};
  double seconds = 0.0;
  if (written_ != wanted) {
    if (kernels_draw_) {
      updates_.engine().show_instances({view.kind, view.paint_by, updates_.inputs().parts});
    } else {
      seconds += present_instances(presenters);
    }
    written_ = wanted;
  }
  has_picture_ = true;
  return seconds + (kernels_draw_ ? present_picture(presenters) : 0.0);
}

double ModelsPresentation::present_picture(Presenters& presenters)
{
  spatial::DrawingRequest const request =
      canvas_.request_drawing(picture(), state_.settings.view, state_.device.backend);
  std::uint64_t const bytes = request.texels() * sizeof(spatial::CanvasTexel);
  if (bytes == 0) { return 0.0; }
  Presenter& presenter = presenters[first_presenter];
  updates_.engine().draw(request, static_cast<spatial::CanvasTexel*>(presenter.map(bytes).data));
  presenter.unmap(bytes);
  return presenter.cpu_seconds();
}

double ModelsPresentation::present_instances(Presenters& presenters)
{
  ModelsViewSettings const& view = state_.settings.view;
  double seconds = 0.0;
  for (Model const model : both_models) {
    std::uint64_t const count = is_absent(state_, model) ? 0 : updates_.engine().instances(model, view.kind);
    instances_[model] = count;
    shown_[model] = 0;
    if (count == 0) { continue; }
    std::uint64_t const bytes = count * sizeof(spatial::Instance);
    Presenter& presenter = presenters[first_presenter + static_cast<std::size_t>(model)];
    auto* const instances = static_cast<spatial::Instance*>(presenter.map(bytes).data);
    shown_[model] =
        updates_.engine().write_instances(model, {view.kind, view.paint_by, updates_.inputs().parts}, instances);
    presenter.unmap(bytes);
    seconds += presenter.cpu_seconds();
  }
  return seconds;
}

ModelsPicture ModelsPresentation::picture() const
{
  bool const by_attribute = state_.settings.view.paint_by == spatial::PaintBy::attribute;
  return {.grid = state_.settings.hashing.grid,
          .models = {},
          .scale_max = models_scale_end(state_),
          .shows_colors = by_attribute && state_.coloring && state_.coloring->kind != clouds::Coloring::Kind::numbers,
          .of_changes = state_.settings.hashing.changes.shown,
          .highlights = {},
          .lines = {},
          .background = canvas_color_on(background_)};
}

void ModelsPresentation::draw(Presenters& presenters, int framebuffer_height)
{
  ModelsPicture picture = this->picture();
  std::vector<Highlight> highlights;
  auto const outline = [&](WatchedVoxel const& voxel, Color const& color) {
    if (!voxel.info) { return; }
    highlights.push_back({picture.grid.to_world(middle_of(voxel.info->cell)), color});
  };
  if (state_.hovered) { outline(*state_.hovered, theme::pointed_voxel); }
  if (state_.selected) { outline(*state_.selected, theme::selected_voxel); }
  picture.highlights = highlights;
  std::vector<HighlightLine> lines;
  if (state_.settings.section.shown) { lines = lines_of(state_.settings.section, theme::box); }
  picture.lines = lines;
  if (kernels_draw_) {
    if (has_picture_) { picture.texels = presenters[first_presenter].buffer(); }
  } else if (has_picture_) {
    for (Model const model : both_models) {
      picture.models[model] = {.buffer = presenters[first_presenter + static_cast<std::size_t>(model)].buffer(),
                               .count = instances_[model],
                               .shown = shown_[model]};
    }
  }
  canvas_.draw_picture(picture, state_.settings.view, framebuffer_height);
}

double models_scale_end(SpatialState const& state)
{
  double end = 0.0;
  for (Model const model : both_models) {
    spatial::ModelSnapshot const& snapshot = state.snapshot.models[model];
    VoxelTableFacts const& table = state.tables[model];
    switch (state.settings.view.paint_by) {
      case spatial::PaintBy::points: {
        auto const voxels = static_cast<double>(std::max<std::uint64_t>(snapshot.voxels, 1));
        end = std::max(end, end_of_scale(3.0 * static_cast<double>(snapshot.points) / voxels));
        break;
      }
      case spatial::PaintBy::probe_length:
        end = std::max(end, end_of_scale(static_cast<double>(table.statistics.probe_length.max)));
        break;
      case spatial::PaintBy::slot: {
        std::uint64_t const slots = table.table.slots;
        std::uint64_t const values = slots / spatial::Paint::slots_per_value(slots);
        end = std::max(end, static_cast<double>(values));
        break;
      }
      case spatial::PaintBy::attribute: end = clouds::Coloring::scale_end; break;
      default: end = std::max(end, 1.0);
    }
  }
  return end;
}

}  // namespace slotscape
