#include "app/scenes/sparse/gui.hpp"
#include "app/scenes/sparse/scene.hpp"
#include "app/table_map/overlays.hpp"
#include "gpu/base/error.hpp"
#include "gpu/base/translation.hpp"

namespace slotscape {
namespace {

constexpr float card_clearance = 48.0f;

void draw_controls(Look const& look, SparseState& state)
{
  sites_panel(look, state);
  convolution_panel(look, state);
  site_table_panel(look, state);
  ImGui::Dummy({0.0f, look(8.0f)});
}

void draw_measures(Look const& look, SparseState& state, Frame const& frame)
{
  if (frame.panels.numbers) {
    sparse_numbers_panel(look, state);
    offsets_panel(look, state);
  }
  if (frame.panels.plots) {
    sparse_stages_panel(look, state);
    growth_panel(look, state, frame.charts);
  }
  ImGui::Dummy({0.0f, look(8.0f)});
}

}  // namespace

void SparseScene::lay_out(Frame const& frame)
{
  Look const& look = frame.look;
  Rectangle const& window = frame.window;
  Panels const& panels = frame.panels;
  layout_ = {};
  shows_layers_ = false;
  background_ = look.background;
  if (frame.bare) {
    layout_.sites = window;
    return place_canvas(window);
  }
  layout_.sides =
      lay_out_sides(look, panels.widths, window, panels.controls, panels.numbers || panels.plots, min_canvas_width);
  shows_layers_ = panels.plots && layout_.sides.right.width > 0;
  Rectangle const& middle = layout_.sides.middle;
  place_canvas(middle);
  layout_.sites = middle;
  if (!state_.settings.show_map) { return; }
  layout_.map = place_beside(look, layout_.sites);
}

std::optional<ShownOutput> SparseScene::shown_output() const
{
  if (!state_.chosen) { return std::nullopt; }
  return ShownOutput{state_.chosen->site, state_.chosen->neighbours, state_.pointed_offset};
}

void SparseScene::draw_pictures(Presenters& presenters, int framebuffer_height)
{
  if (version_ == 0) { return; }
  if (shows_space()) {
    space_.draw_picture(shown_output(), SpaceView::Slice{state_.settings.slice_across, state_.slice_coordinate},
                        canvas_color_on(background_), framebuffer_height);
  }
  if (layout_.map.slots.width > 0) { map_.draw_map(presenters[0].buffer(), state_.table, framebuffer_height); }
}

void SparseScene::draw_slide(Look const& look, Drawing& drawing, bool paints)
{
  if (paints || !shows_space()) {
    throw Error(
        tr("Slides of this scene are PNG pictures of sites in space (V). Save a slice as a picture of the window."));
  }
  space_.draw_labels(look, drawing);
}

void SparseScene::draw_gui(Frame const& frame)
{
  Look const& look = frame.look;
  if (version_ != 0) {
    if (shows_space()) {
      space_.draw(look);
    } else {
      slice_.draw(look, layout_.sites, shown_output());
    }
    if (layout_.map.slots.width > 0) {
      std::optional<Slot> const under_mouse = map_.hovered_slot();
      map_.draw(look, state_.table, [&](Annotator const& on) { draw_links(on, links_, under_mouse); });
      MapState& table = state_.table;
      draw_map_caption(look, "##sites_caption", layout_.map.caption, table,
                       tr("The table of the sites: flattened coordinates, and the numbers of their rows."));
      draw_legend(look, table, map_.camera(), layout_.map.legend);
      ColorBy const wanted = state_.settings.map.color_by;
      state_.settings.map = table.settings.view;
      state_.settings.map.color_by = wanted;
    }
  }
  draw_sides(
      look, frame.panels.widths, layout_.sides, [&] { draw_controls(look, state_); },
      [&] { draw_measures(look, state_, frame); });
  if (frame.panels.slot_card && state_.chosen) {
    if (!shows_space()) {
      card_ = beside(look, card_, layout_.sites, slice_.middle_of(state_.chosen->site), look(card_clearance));
    }
    if (!draw_site_card(look, state_, layout_.sites, card_)) { choose(std::nullopt); }
  }
  draw_work(look, layout_.sites);
  note_changes();
}

}  // namespace slotscape
