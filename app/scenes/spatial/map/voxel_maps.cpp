#include "app/scenes/spatial/map/voxel_maps.hpp"

#include "app/base/text.hpp"
#include "app/scenes/spatial/settings.hpp"
#include "app/table_map/mean_and_max.hpp"
#include "app/table_map/overlays.hpp"
#include "app/table_map/several_maps.hpp"
#include "app/table_map/shown_color.hpp"
#include "app/widgets/controls.hpp"
#include "app/widgets/look.hpp"
#include "gpu/base/translation.hpp"
#include "gpu/spatial/voxel_grid.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <utility>

namespace slotscape {
namespace {

using spatial::Model;

constexpr std::array<Model, spatial::model_count> models{Model::a, Model::b};
constexpr double analysis_seconds = 0.008;  ///< time limit per frame for analysing both tables
constexpr float caption_height = 26.0f;
constexpr double legible_slot_width = 84.0;

spatial::Cell cell_of(TableSettings const& table, Key key)
{
  return table.key_bits == 64 ? spatial::cell_of_key<std::uint64_t>(key)
                              : spatial::cell_of_key<std::uint32_t>(static_cast<std::uint32_t>(key));
}

std::string caption_text(MapState const& state)
{
  return fmt::format("{} · {}", translated(family_of(state).title), load_and_accesses(state.statistics));
}

/// A badge with the model's letter on its colour.
void model_badge(Look const& look, char const* letter, Color const& color)
{
  ImVec2 const at = ImGui::GetCursorScreenPos();
  float const side = look(18.0f);
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.AddRectFilled(at, {at.x + side, at.y + side}, packed(color), look(3.0f));
  ImVec2 const size = ImGui::CalcTextSize(letter);
  list.AddText({at.x + std::floor((side - size.x) / 2.0f), at.y + std::floor((side - size.y) / 2.0f)}, text_on(color),
               letter);
  ImGui::Dummy({side, side});
}

ImVec2 corner_of(Rectangle const& place)
{
  return {static_cast<float>(place.x), static_cast<float>(place.y)};
}

}  // namespace

VoxelMaps::VoxelMaps(std::array<theme::Role, spatial::model_count> const& model_colors)
    : model_colors_(model_colors), shown_(models), turns_(spatial::model_count, analysis_seconds)
{
  for (Model const model : models) {
    maps_[model].view = std::make_unique<MapView>(fmt::format("##voxels_{}", letter_of(model)));
  }
}

void VoxelMaps::show_alone(std::optional<Model> model)
{
  std::span<Model const> const all(models);
  shown_ = model ? all.subspan(static_cast<std::size_t>(*model), 1) : all;
  if (model) { maps_[spatial::other(*model)].state.statistics = {}; }
}

void VoxelMaps::analyse(spatial::PerModel<InspectedTable*> const& tables, AnalyseTables const& analyse_tables,
                        Presenters& presenters, std::size_t first_presenter, Look const& look, Rectangle const& place,
                        ViewSettings const& view, double elapsed_seconds)
{
  std::vector<std::size_t> turns = turns_.begin_frame(elapsed_seconds);
  std::erase_if(turns, [&](std::size_t turn) {
    bool const is_shown = std::ranges::find(shown_, models[turn]) != shown_.end();
    if (!is_shown) { turns_.done(turn, 0.0); }
    return !is_shown;
  });
  // A map that is not analysed in this frame keeps its last picture.
  for (std::size_t const turn : turns) { maps_[models[turn]].state.settings.table = tables[models[turn]]->table(); }
  divide(look, place, view);
  for (Model const model : shown_) {
    Map& map = maps_[model];
    show(map, view);
    map.view->place(canvases_[static_cast<std::size_t>(model)], look, map.state, elapsed_seconds);
  }
  auto const start = std::chrono::steady_clock::now();
  std::vector<spatial::AnalysisRequest> requests;
  for (std::size_t const turn : turns) {
    Map const& map = maps_[models[turn]];
    auto const [picture, target] = map.view->ask(presenters[first_presenter + turn], map.state, turns_.since(turn));
    requests.push_back({models[turn], picture, target});
  }
  std::vector<Snapshot> snapshots = analyse_tables(requests);
  for (std::size_t i = 0; i < turns.size(); ++i) {
    Map& map = maps_[models[turns[i]]];
    map.view->take(std::move(snapshots[i]), *tables[models[turns[i]]], presenters[first_presenter + turns[i]],
                   map.state);
  }
  std::chrono::duration<double> const taken = std::chrono::steady_clock::now() - start;
  for (std::size_t const turn : turns) { turns_.done(turn, taken.count() / static_cast<double>(turns.size())); }
  share_scale(view);
}

void VoxelMaps::divide(Look const& look, Rectangle const& place, ViewSettings const& view)
{
  int const legend = static_cast<int>(legend_height(look));
  int const maps = std::max(place.height - legend, 1);
  legend_ = {place.x, place.y + maps, place.width, legend};
  std::uint64_t slots = 2;
  for (Model const model : shown_) { slots = std::max(slots, maps_[model].state.settings.table.slots); }
  MapSize const size = size_by_cells(slots, view);
  auto const places =
      arrange_maps(look, {place.x, place.y, place.width, maps}, shown_.size(), size, false, caption_height);
  for (std::size_t i = 0; i < places.size(); ++i) {
    maps_[shown_[i]].caption = places[i].header;
    canvases_[static_cast<std::size_t>(shown_[i])] = places[i].canvas;
  }
}

void VoxelMaps::show(Map& map, ViewSettings const& view)
{
  ViewSettings& own = map.state.settings.view;
  own = view;
  own.color_by = shown_color(view.color_by, family_of(map.state));
}

/// Gives both maps the same upper end of the colour scale.
void VoxelMaps::share_scale(ViewSettings const& view)
{
  Statistics& shared = both_.statistics;
  shared = {};
  for (Model const model : shown_) {
    Statistics const& seen = statistics(model);
    shared.tombstones = std::max(shared.tombstones, seen.tombstones);
    shared.links = std::max(shared.links, seen.links);
    shared.probe_length.max = std::max(shared.probe_length.max, seen.probe_length.max);
    shared.clusters.max = std::max(shared.clusters.max, seen.clusters.max);
  }
  both_.settings.table = maps_[Model::a].state.settings.table;
  for (Model const model : shown_) {
    ViewSettings& own = maps_[model].state.settings.view;
    both_.settings.view = own;
    both_.settings.view.scale_max = view.scale_max;
    own.scale_max = scale_end(both_);
  }
}

void VoxelMaps::draw_maps(Presenters& presenters, std::size_t first_presenter, int framebuffer_height)
{
  for (Model const model : shown_) {
    Map& map = maps_[model];
    auto const number = first_presenter + static_cast<std::size_t>(model);
    map.view->draw_map(presenters[number].buffer(), map.state, framebuffer_height);
  }
}

void VoxelMaps::draw(Look const& look, ViewSettings& view)
{
  for (Model const model : shown_) {
    draw_caption(look, model);
    draw_map(look, model);
  }
  draw_legend_of_both(look, view);
}

void VoxelMaps::draw_caption(Look const& look, Model model)
{
  Map const& map = maps_[model];
  ImGui::SetNextWindowPos(corner_of(map.caption));
  ImGui::SetNextWindowSize({static_cast<float>(map.caption.width), static_cast<float>(map.caption.height)});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {look(8.0f), look(4.0f)});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowMinSize, {1.0f, 1.0f});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, 0.0f);
  ImGui::PushStyleColor(ImGuiCol_WindowBg, theme::raised);
  ImGui::Begin(fmt::format("##voxels_caption_{}", letter_of(model)).c_str(), nullptr,
               ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings |
                   ImGuiWindowFlags_NoBringToFrontOnFocus);
  ImGui::PopStyleColor();
  ImGui::PopStyleVar(3);
  model_badge(look, letter_of(model), model_colors_[static_cast<std::size_t>(model)]);
  ImGui::SameLine();
  std::string const text = caption_text(map.state);
  ImGui::SetCursorPosY((static_cast<float>(map.caption.height) - ImGui::GetTextLineHeight()) / 2.0f);
  ImGui::TextUnformatted(text.c_str());
  FamilyInfo const& family = family_of(map.state);
  hint(look, tr("The table of model {}.\n{}\n\n{}", letter_of(model), text, family.idea));
  ImGui::End();
}

void VoxelMaps::draw_map(Look const& look, Model model)
{
  Map& map = maps_[model];
  std::optional<Slot> const under_mouse = map.view->hovered_slot();
  map.view->draw(look, map.state, [&](Annotator const& on) { draw_links(on, map.links, under_mouse); });
  // The owner manages the selection, through `highlight`.
  if (auto const slot = std::exchange(map.state.selection.pinned, std::nullopt)) { clicked_ = ModelSlot{model, *slot}; }
  auto const& told = map.state.inspected.hovered;
  if (!map.view->hovered_slot() || !told || !told->slot.has_key) { return; }
  spatial::Cell const cell = cell_of(map.state.settings.table, told->slot.pair.key);
  ImGui::BeginTooltip();
  ImGui::TextColored(theme::rgba(theme::text_dim), "Voxel");
  ImGui::SameLine(look(96.0f));
  ImGui::TextUnformatted(fmt::format("x {}, y {}, z {}", cell.x, cell.y, cell.z).c_str());
  ImGui::EndTooltip();
}

void VoxelMaps::draw_legend_of_both(Look const& look, ViewSettings& view)
{
  Map const& first = maps_[shown_.front()];
  ColorBy const wanted = view.color_by;
  both_.settings.view = view;
  both_.settings.view.color_by = first.state.settings.view.color_by;
  draw_legend(look, both_, first.view->camera(), legend_);
  view = both_.settings.view;
  view.color_by = wanted;
}

void VoxelMaps::highlight(Model model, std::optional<Slot> slot, Highlight kind)
{
  MapLinks& links = maps_[model].links;
  (kind == Highlight::hovered ? links.hovered : links.selected) = slot;
}

void VoxelMaps::show_lookups(Model model, std::vector<MapLookup> lookups)
{
  maps_[model].links.lookups = std::move(lookups);
}

std::optional<ModelSlot> VoxelMaps::hovered_slot() const
{
  for (Model const model : shown_) {
    if (auto const slot = maps_[model].view->hovered_slot()) { return ModelSlot{model, *slot}; }
  }
  return std::nullopt;
}

std::optional<ModelSlot> VoxelMaps::take_clicked_slot()
{
  return std::exchange(clicked_, std::nullopt);
}

void VoxelMaps::fly_to(ModelSlot slot)
{
  if (slot.slot < camera(slot.model).slots()) { maps_[slot.model].view->fly_to(slot.slot, legible_slot_width); }
}

void VoxelMaps::fit()
{
  for (Model const model : shown_) { maps_[model].view->fit(); }
}

bool VoxelMaps::in_flight() const
{
  return std::ranges::any_of(models, [&](Model model) { return maps_[model].view->in_flight(); });
}

}  // namespace slotscape
