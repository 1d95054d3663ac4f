#include "app/scenes/compare/panels/panels.hpp"
#include "app/scenes/compare/scene.hpp"
#include "app/scenes/compare/view/header.hpp"
#include "app/scenes/compare/view/steps.hpp"
#include "app/scenes/shared/sides.hpp"
#include "app/scenes/slots/panels/panels.hpp"
#include "app/scenes/slots/view/furniture.hpp"
#include "app/widgets/controls.hpp"

namespace slotscape {
namespace {

void draw_controls(Look const& look, CompareState& state)
{
  compared_tables_panel(look, state);
  keys_panel(look, state.shared);
  std::string const different = homes_that_differ(state.shared.settings.keys.distribution, settings_of(state.tables));
  if (!different.empty()) { remark(look, different); }
  drive_panel(look, state.shared);
  maintenance_panel(look, state.shared);
  ImGui::Dummy({0.0f, look(8.0f)});
}

void draw_measures(Look const& look, CompareState& state, Panels const& panels)
{
  if (panels.numbers) { compared_numbers_panel(look, state); }
  if (panels.plots) { compared_plots_panel(look, state); }
  ImGui::Dummy({0.0f, look(8.0f)});
}

}  // namespace

void CompareScene::draw_views(Look const& look)
{
  for (std::size_t i = 0; i < views_.size(); ++i) {
    SlotsState& table = state_.tables[i].slots;
    ViewSettings const before = table.settings.view;
    auto const pinned = table.selection.pinned;
    views_[i]->draw(look, table);
    ViewSettings const& after = table.settings.view;
    bool const moved =
        after.zoom != before.zoom || after.center_x != before.center_x || after.center_y != before.center_y;
    if (moved && !table.steps.player) { follow(i); }
    if (table.selection.pinned != pinned) { focus_ = i; }
  }
  for (std::size_t i = 0; i < views_.size(); ++i) {
    if (i != focus_) { state_.tables[i].slots.selection.pinned.reset(); }
  }
}

void CompareScene::draw_overlays(Look const& look, Panels const& panels)
{
  ViewSettings& view = state_.shared.settings.view;
  if (view.show_minimap && view.zoom > 1.001 && !state_.shared.steps.on) {
    if (auto const center = draw_minimap(look, views_.back()->camera(), views_.back()->canvas())) {
      view.center_x = center->x;
      view.center_y = center->y;
    }
  }
  SlotsState const& focus = state_.tables[focus_].slots;
  bool const shows_card = panels.slot_card && focus.selection.pinned;
  if (shows_card && !draw_selection(look, focus, views_[focus_]->canvas())) { let_go(); }
  SlotsState& shared = state_.shared;
  if (shared.progress && draw_progress(look, *shared.progress, canvas())) { shared.ask(CancelWork{}); }
}

void CompareScene::draw_gui(Look const& look, Panels const& panels)
{
  SlotsLayout const& layout = this->layout();
  draw_views(look);
  auto const places = map_places(look);
  for (std::size_t i = 0; i < places.size(); ++i) {
    draw_header(look, state_, i, places[i].header);
    if (state_.tables[i].slots.steps.player) { draw_table_caption(look, state_, i, places[i].caption); }
  }
  draw_toolbar(look, state_.shared, layout.toolbar);
  draw_legend(look, state_.shared, views_.front()->camera(), layout.legend);
  if (state_.shared.steps.on) {
    draw_steps_strip(look, state_, layout.caption);
    SideLayout without_tabs = layout.sides;
    without_tabs.tabs = false;
    auto const steps = [&] { compared_steps_panel(look, state_); };
    draw_sides(look, without_tabs, steps, steps);
  } else {
    draw_sides(
        look, layout.sides, [&] { draw_controls(look, state_); }, [&] { draw_measures(look, state_, panels); });
  }
  draw_overlays(look, panels);
}

}  // namespace slotscape
