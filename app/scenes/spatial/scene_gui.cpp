#include "app/scene/work_bar.hpp"
#include "app/scenes/spatial/commands.hpp"
#include "app/scenes/spatial/gui.hpp"
#include "app/scenes/spatial/scene.hpp"
#include "app/table_map/overlays.hpp"
#include "app/widgets/sides.hpp"
#include "gpu/base/error.hpp"
#include "gpu/base/translation.hpp"

#include <algorithm>
#include <cmath>
#include <memory>

namespace slotscape {
namespace {

/// At this width or more, the maps are beside the models; otherwise below them.
constexpr float side_by_side_width = 760.0f;
constexpr float maps_share_beside = 0.37f;
constexpr float maps_share_below = 0.42f;

void draw_controls(Look const& look, SpatialState& state)
{
  models_panel(look, state);
  animation_panel(look, state);
  hashing_panel(look, state);
  picture_panel(look, state);
  distances_panel(look, state);
  section_panel(look, state);
  ruler_panel(look, state);
  ImGui::Dummy({0.0f, look(8.0f)});
}

void draw_measures(Look const& look, SpatialState& state, Frame const& frame)
{
  if (frame.panels.numbers) { distance_numbers_panel(look, state); }
  if (frame.panels.plots) {
    distance_chart(look, state, frame.charts);
    profile_chart(look, state, frame.charts);
  }
  if (frame.panels.numbers) { voxel_numbers_panel(look, state); }
  if (frame.panels.plots) { stages_panel(look, state, frame.charts); }
  ImGui::Dummy({0.0f, look(8.0f)});
}

/// Divides the rest of the window between the models and the maps.
void divide(Look const& look, Rectangle const& middle, bool with_maps, SpatialLayout& layout)
{
  Rectangle models = middle;
  if (with_maps && middle.width >= static_cast<int>(look(side_by_side_width))) {
    int const width = static_cast<int>(std::lround(static_cast<float>(middle.width) * maps_share_beside));
    models.width -= width;
    layout.maps = {models.x + models.width, middle.y, width, middle.height};
  } else if (with_maps) {
    int const height = static_cast<int>(std::lround(static_cast<float>(middle.height) * maps_share_below));
    models.height -= height;
    layout.maps = {middle.x, middle.y + models.height, middle.width, height};
  }
  int const legend = static_cast<int>(legend_height(look));
  layout.canvas = {models.x, models.y, models.width, std::max(models.height - legend, 1)};
  layout.legend = {models.x, models.y + layout.canvas.height, models.width, legend};
}

/// Places the card beside the selected voxel without covering it.
CardPlace beside_selected(Look const& look, SpatialState const& state, OrbitCamera const& camera,
                          Rectangle const& canvas, CardPlace const& card)
{
  if (!state.selected || !state.selected->info) { return card; }
  spatial::VoxelGrid const& grid = state.settings.hashing.grid;
  spatial::Vector const middle = grid.to_world(middle_of(state.selected->info->cell));
  auto const place = camera.to_canvas(middle);
  if (!place) { return card; }
  double const radius = static_cast<double>(grid.voxel()) * camera.pixels_per_unit(camera.depth(middle));
  return beside(look, card, canvas, {static_cast<float>(canvas.x + place->x), static_cast<float>(canvas.y + place->y)},
                static_cast<float>(radius) + look(8.0f));
}

}  // namespace

void SpatialScene::lay_out(Frame const& frame)
{
  Look const& look = frame.look;
  Rectangle const& window = frame.window;
  Panels const& panels = frame.panels;
  layout_ = {};
  presentation_.set_background(look.background);
  if (frame.bare) {
    layout_.canvas = window;
    return place_canvas(window);
  }
  layout_.sides =
      lay_out_sides(look, panels.widths, window, panels.controls, panels.numbers || panels.plots, min_canvas_width);
  Rectangle const& rest = layout_.sides.middle;
  int const toolbar = static_cast<int>(models_toolbar_height(look, state_, static_cast<float>(rest.width)));
  layout_.toolbar = {rest.x, rest.y, rest.width, toolbar};
  Rectangle const middle{rest.x, rest.y + toolbar, rest.width, std::max(rest.height - toolbar, 1)};
  divide(look, middle, state_.settings.show_maps, layout_);
  place_canvas(middle);
}

void SpatialScene::draw_pictures(Presenters& presenters, int framebuffer_height)
{
  presentation_.draw(presenters, framebuffer_height);
  if (presentation_.has_picture() && shows_maps()) {
    maps_.draw_maps(presenters, first_map_presenter, framebuffer_height);
  }
}

void SpatialScene::draw_slide(Look const& look, Drawing& drawing, bool paints)
{
  if (paints) { throw Error(tr("Models in space are saved as PNG: vector pictures are for small tables.")); }
  canvas_.draw_labels(look, drawing, state_);
  draw_models_slide_legend(look, drawing, state_, models_scale_end(state_), layout_.canvas);
}

void SpatialScene::measure_under_mouse()
{
  if (!state_.hovered || !state_.hovered->info) { return; }
  state_.ruler.take(ruler_point(state_, *state_.hovered->info, canvas_.clicked_ray()));
  if (!state_.ruler.pending.empty()) { return; }
  RulerMeasurement& measured = state_.ruler.done.back();
  if (measured.kind != RulerKind::profile) { return; }
  measured.profile = std::make_shared<HeightProfile const>(profile_between(state_, measured.points));
}

void SpatialScene::draw_gui(Frame const& frame)
{
  Look const& look = frame.look;
  SpatialCanvas::Wishes const wishes = canvas_.draw(look, state_);
  if (wishes.select && state_.ruler.on) {
    measure_under_mouse();
  } else if (wishes.select) {
    state_.selected = state_.hovered;
  }
  if (wishes.focus) { focus_on_selection(state_, canvas_, maps_); }
  if (wishes.show_all) { canvas_.camera().reset(); }
  if (state_.settings.show_maps) { maps_.draw(look, state_.settings.maps); }
  draw_models_toolbar(look, state_, layout_.toolbar);
  draw_models_legend(look, state_, models_scale_end(state_), layout_.canvas, layout_.legend);
  draw_sides(
      look, frame.panels.widths, layout_.sides, [&] { draw_controls(look, state_); },
      [&] { draw_measures(look, state_, frame); });
  card_ = beside_selected(look, state_, canvas_.camera(), layout_.canvas, card_);
  if (frame.panels.slot_card && !draw_voxel_card(look, state_, layout_.canvas, card_)) { state_.selected.reset(); }
  if (state_.progress && draw_progress(look, *state_.progress, layout_.canvas)) { state_.ask(CancelLoading{}); }
  if (state_.progress) { return; }
  auto const& update = state_.update_progress;
  auto const& distances = state_.distance_progress;
  if (update && updates_.is_long()) {
    if (draw_progress(look, *update, layout_.canvas)) { state_.ask(CancelUpdate{}); }
  } else if (distances && draw_progress(look, *distances, layout_.canvas)) {
    state_.ask(CancelDistances{});
  }
}

}  // namespace slotscape
