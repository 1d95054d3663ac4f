#include "app/scenes/particles/gui.hpp"
#include "app/scenes/particles/scene.hpp"
#include "app/table_map/overlays.hpp"
#include "gpu/base/error.hpp"
#include "gpu/base/translation.hpp"

namespace slotscape {

void ParticleScene::lay_out(Frame const& frame)
{
  Panels const& panels = frame.panels;
  background_ = frame.look.background;
  sides_ = {};
  map_place_ = {};
  box_place_ = frame.window;
  if (!frame.bare) {
    sides_ = lay_out_sides(frame.look, panels.widths, frame.window, panels.controls, panels.numbers || panels.plots,
                           min_canvas_width);
    box_place_ = sides_.middle;
  }
  place_canvas(box_place_);
  if (!frame.bare && state_.settings.show_map) { map_place_ = place_beside(frame.look, box_place_); }
}

void ParticleScene::draw_pictures(Presenters& presenters, int framebuffer_height)
{
  if (!state_.shown) { return; }
  box_.draw_picture(state_, canvas_color_on(background_), framebuffer_height);
  if (map_place_.slots.width > 0) { map_.draw_map(presenters[0].buffer(), state_.table, framebuffer_height); }
}

void ParticleScene::draw_slide(Look const&, Drawing&, bool paints)
{
  if (paints) { throw Error(tr("Slides of this scene are PNG pictures of the points in space.")); }
}

void ParticleScene::draw_gui(Frame const& frame)
{
  Look const& look = frame.look;
  if (state_.shown) {
    state_.stirrer = box_.follow_mouse();
    draw_step_line(look, state_, box_place_);
    if (map_place_.slots.width > 0) {
      MapState& table = state_.table;
      map_.draw(look, table, [](Annotator const&) {});
      draw_map_caption(look, "##particle_cells_caption", map_place_.caption, table,
                       tr("The table of cells with particles, and the cells' numbers."));
      draw_legend(look, table, map_.camera(), map_place_.legend);
      ColorBy const wanted = state_.settings.map.color_by;
      state_.settings.map = table.settings.view;
      state_.settings.map.color_by = wanted;
    }
  }
  draw_sides(
      look, frame.panels.widths, sides_,
      [&] {
        particles_panel(look, state_);
        fluid_panel(look, state_);
        particle_table_panel(look, state_);
      },
      [&] {
        if (!state_.shown) { return; }
        if (frame.panels.plots) { particle_stages_panel(look, state_); }
        if (frame.panels.numbers) { particle_numbers_panel(look, state_); }
      });
  if (working_seconds() > 0.5) { draw_work(look, box_place_); }
  note_changes();
}

}  // namespace slotscape
