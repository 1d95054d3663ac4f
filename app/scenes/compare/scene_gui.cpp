#include "app/scene/work_bar.hpp"
#include "app/scenes/compare/gui.hpp"
#include "app/scenes/compare/scene.hpp"
#include "app/table_map/overlays.hpp"
#include "app/table_scene/gui.hpp"
#include "app/table_scene/key_chips.hpp"
#include "app/table_scene/toolbar.hpp"
#include "app/widgets/controls.hpp"

namespace slotscape {
namespace {

void draw_controls(Look const& look, CompareState& state, Panels& panels)
{
  compared_tables_panel(look, state);
  all_settings_button(look, state.shared, panels);
  keys_panel(look, state.shared);
  std::string const different = homes_that_differ(state.shared.settings.keys.distribution, settings_of(state.tables));
  if (!different.empty()) { remark(look, different); }
  drive_panel(look, state.shared);
  maintenance_panel(look, state.shared);
  ImGui::Dummy({0.0f, look(8.0f)});
}

void draw_measures(Look const& look, CompareState& state, Frame const& frame)
{
  if (frame.asks) { return remark(look, "The numbers are shown with the answer."); }
  if (frame.panels.numbers) { compared_numbers_panel(look, state); }
  if (frame.panels.plots) { compared_plots_panel(look, state, frame.charts); }
  ImGui::Dummy({0.0f, look(8.0f)});
}

}  // namespace

void CompareScene::draw_views(Look const& look)
{
  for (std::size_t i = 0; i < views_.size(); ++i) {
    TableState& table = state_.tables[i].slots;
    Framing const before = views_[i]->framing();
    auto const pinned = table.selection.pinned;
    if (auto const key = views_[i]->draw(look, table)) { insert_dropped(state_.shared, *key); }
    bool const moved = views_[i]->framing() != before;
    if (moved && !table.steps.player) { framing_ = views_[i]->framing(); }
    if (table.selection.pinned != pinned) { focus_ = i; }
    if (int const beyond = views_[i]->points_beyond(); beyond != 0) { point_in_other(i, beyond); }
  }
  for (std::size_t i = 0; i < views_.size(); ++i) {
    if (i != focus_) { state_.tables[i].slots.selection.pinned.reset(); }
  }
}

/// When the keyboard moves beyond a map's slots, continues in the next or previous map.
void CompareScene::point_in_other(std::size_t map, int beyond)
{
  std::size_t const count = views_.size();
  views_[map]->forget_pointed();
  focus_ = (map + (beyond > 0 ? 1 : count - 1)) % count;
  views_[focus_]->point(0, 0);
}

void CompareScene::draw_overlays(Frame const& frame)
{
  Look const& look = frame.look;
  TableState& shared = state_.shared;
  if (shared.settings.view.show_minimap && framing_.zoom > 1.001 && !shared.steps.on) {
    auto const center = draw_minimap(look, views_.back()->camera(), views_.back()->canvas());
    if (center) { framing_.center = *center; }
  }
  TableState const& focus = state_.tables[focus_].slots;
  bool const shows_card = frame.panels.slot_card && focus.selection.pinned;
  MapView const& map = *views_[focus_];
  if (shows_card && !draw_selection(look, focus, map.camera(), map.canvas(), room_for_cards(focus, map.canvas()))) {
    deselect();
  }
  std::vector<Rectangle> taken;
  for (MapPlace const& place : map_places(look)) { taken.insert(taken.end(), {place.header, place.caption}); }
  for (auto const& view : views_) {
    std::vector<Rectangle> const slots = slots_in_view(*view);
    taken.insert(taken.end(), slots.begin(), slots.end());
  }
  draw_tombstone_warning(look, shared, *views_[shared.advice.warning.table], canvas(), taken);
  if (shared.progress && draw_progress(look, *shared.progress, canvas())) { shared.ask(CancelWork{}); }
}

void CompareScene::draw_slide(Look const& look, Drawing& drawing, bool paints)
{
  auto const places = map_places(look);
  for (std::size_t i = 0; i < places.size(); ++i) {
    TableState const& table = state_.tables[i].slots;
    draw_slide_header(look, drawing, state_, i, places[i].header, !asks());
    if (table.steps.player) { draw_slide_caption(look, drawing, table, places[i].caption, true); }
    views_[i]->draw_slide(look, drawing, table, paints);
  }
  RareSlots rare;
  for (ComparedTable const& table : state_.tables) {
    RareSlots const each = rare_slots(table.slots);
    rare = {rare.tombstones || each.tombstones, rare.links || each.links};
  }
  draw_slide_legend(look, drawing, state_.shared, rare, layout().legend);
}

void CompareScene::draw_lecture_panels(Frame const& frame)
{
  state_.shared.frames = frame.times;
  draw_sides(frame.look, frame.panels.widths, layout().sides, {}, [&] { draw_measures(frame.look, state_, frame); });
}

void CompareScene::draw_gui(Frame const& frame)
{
  Look const& look = frame.look;
  TableSceneLayout const& layout = this->layout();
  state_.shared.frames = frame.times;
  state_.shared.few_settings = frame.few_settings;
  draw_views(look);
  auto const places = map_places(look);
  for (std::size_t i = 0; i < places.size(); ++i) {
    draw_header(look, state_, i, places[i].header);
    if (state_.tables[i].slots.steps.player) { draw_table_caption(look, state_, i, places[i].caption); }
  }
  draw_toolbar(look, state_.shared, layout.toolbar, state_.tables.front().slots.inspected.written);
  draw_legend(look, state_.shared, views_.front()->camera(), layout.legend);
  if (state_.shared.steps.on) {
    draw_steps_strip(look, state_, layout.caption);
    auto const steps = [&] { compared_steps_panel(look, state_); };
    draw_sides_in_steps(look, frame.panels.widths, layout.sides, steps, steps);
  } else {
    draw_sides(
        look, frame.panels.widths, layout.sides, [&] { draw_controls(look, state_, frame.panels); },
        [&] { draw_measures(look, state_, frame); });
  }
  draw_overlays(frame);
}

}  // namespace slotscape
