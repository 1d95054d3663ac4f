#include "app/scenes/neighbours/gui.hpp"
#include "app/scenes/neighbours/scene.hpp"
#include "app/table_map/overlays.hpp"
#include "gpu/base/error.hpp"
#include "gpu/base/translation.hpp"

namespace slotscape {

void NeighbourScene::lay_out(Frame const& frame)
{
  Look const& look = frame.look;
  Panels const& panels = frame.panels;
  layout_ = {};
  background_ = look.background;
  if (frame.bare) {
    layout_.points = frame.window;
    return place_canvas(frame.window);
  }
  layout_.sides = lay_out_sides(look, panels.widths, frame.window, panels.controls, panels.numbers || panels.plots,
                                min_canvas_width);
  layout_.points = layout_.sides.middle;
  place_canvas(layout_.points);
  if (state_.settings.show_map && state_.has_table()) { layout_.map = place_beside(look, layout_.points); }
}

void NeighbourScene::draw_pictures(Presenters& presenters, int framebuffer_height)
{
  if (!state_.shown) { return; }
  points_.draw_picture(state_, canvas_color_on(background_), framebuffer_height);
  if (layout_.map.slots.width > 0) { map_.draw_map(presenters[0].buffer(), state_.table, framebuffer_height); }
}

void NeighbourScene::draw_slide(Look const& look, Drawing& drawing, bool paints)
{
  if (paints) { throw Error(tr("Slides of this scene are PNG pictures of the points in space.")); }
  points_.draw_labels(look, drawing);
}

void NeighbourScene::draw_gui(Frame const& frame)
{
  Look const& look = frame.look;
  if (state_.shown) {
    points_.draw(look);
    draw_visit_line(look, state_, layout_.points);
    if (layout_.map.slots.width > 0) {
      MapState& table = state_.table;
      std::optional<Slot> const under_mouse = map_.hovered_slot();
      map_.draw(look, table, [&](Annotator const& on) { draw_links(on, links_, under_mouse); });
      draw_map_caption(look, "##cells_caption", layout_.map.caption, table,
                       tr("The table of cells with points, and the cells' numbers."));
      draw_legend(look, table, map_.camera(), layout_.map.legend);
      ColorBy const wanted = state_.settings.map.color_by;
      state_.settings.map = table.settings.view;
      state_.settings.map.color_by = wanted;
    }
  }
  draw_sides(
      look, frame.panels.widths, layout_.sides,
      [&] {
        points_panel(look, state_);
        search_panel(look, state_);
        if (state_.settings.search.method == neighbours::Method::table) { cell_table_panel(look, state_); }
      },
      [&] {
        if (!state_.shown) { return; }
        if (frame.panels.numbers) {
          visit_panel(look, state_);
          neighbours_panel(look, state_);
        }
        if (frame.panels.plots) { neighbour_stages_panel(look, state_); }
      });
  draw_work(look, layout_.points);
  note_changes();
}

}  // namespace slotscape
