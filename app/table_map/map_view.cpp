#include "app/table_map/map_view.hpp"

#include "app/table_map/cells.hpp"
#include "app/table_map/chains.hpp"
#include "app/table_map/dragged_key.hpp"
#include "app/table_map/overlays.hpp"
#include "app/table_map/parts.hpp"
#include "app/table_map/step/draw.hpp"
#include "app/table_map/step/framing.hpp"
#include "app/widgets/canvas_window.hpp"
#include "app/widgets/look.hpp"
#include "gpu/base/error.hpp"
#include "gpu/base/translation.hpp"
#include "gpu/tables/shards.hpp"
#include "gpu/tables/slot_mark.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace slotscape {
namespace {

constexpr double fade_seconds = 1.2;
constexpr double flight_seconds = 0.9;
constexpr double step_flight_seconds = 0.6;
constexpr float legible_slot_width = 84.0f;  ///< width of slots in step mode
constexpr double wheel_zoom = 1.22;
constexpr std::size_t max_written_slots = 4096;

/// ring: the number of slots after which probing wraps round.
bool contains(Cluster const& cluster, Slot slot, std::uint64_t ring)
{
  return slot / ring == cluster.start / ring && (std::uint64_t{slot} + ring - cluster.start) % ring < cluster.length;
}

/// Queries each cluster once: in sorted order, its slots are consecutive.
std::vector<WrittenSlot> read_slots(InspectedTable& table, std::vector<Slot> slots, bool with_clusters)
{
  std::ranges::sort(slots);
  std::uint64_t const ring = table.places() / table.table().shards;
  Cluster cluster{0, 0};
  std::vector<WrittenSlot> written;
  written.reserve(slots.size());
  for (SlotInfo const& slot : table.slots(slots)) {
    bool const asks = with_clusters && slot.state != SlotState::empty;
    if (asks && !contains(cluster, slot.slot, ring)) { cluster = table.cluster(slot.slot); }
    written.push_back({slot, asks ? cluster.length : 0});
  }
  return written;
}

/// Removes the home of a key in a chain, which is a head and not a slot of the map.
SlotInfo as_on_map(MapState const& state, SlotInfo slot)
{
  if (!family_of(state).places_by.empty()) { slot.home = no_slot; }
  return slot;
}

/// Draws the annotations of step mode, which replace the usual ones.
void annotate_steps_mode(Annotator const& on, StepPlayer const& player, MapState const& state)
{
  std::vector<WrittenSlot> const& written = state.inspected.written;
  auto const color = [&](SlotInfo const& slot) {
    auto const known = std::ranges::find(written, slot.slot, [](WrittenSlot const& each) { return each.slot.slot; });
    return cell_color({slot, known == written.end() ? 1 : known->cluster_length}, state, on.look.background);
  };
  draw_changes(on, player, color,
               [&](SlotInfo const& slot) { return slot.state == SlotState::tombstone && !is_reserved(state, slot); });
  draw_paths(on, player);
  write_cells(on, state);
  write_names_of_parts(on, state);
  draw_step_labels(on, player);
}

/// Draws all annotations except those that follow the mouse.
void annotate(Annotator const& on, MapState const& state)
{
  Selection const& selection = state.selection;
  draw_borders_of_parts(on, state);
  if (selection.lookup) { annotate_steps(on, selection.lookup->path, path_color(selection.lookup->path)); }
  if (state.steps.player) {
    annotate_steps_mode(on, *state.steps.player, state);
  } else {
    annotate_cells(on, state);
    write_names_of_parts(on, state);
  }
  if (selection.lookup) { annotate_lookup(on, selection.lookup->path); }
  if (state.inspected.pinned) { annotate_slot(on, as_on_map(state, state.inspected.pinned->slot), theme::text); }
}

constexpr float map_margin = 14.0f;

/// The view settings, but with lines if cells would otherwise be too small, and if lines make them clearly larger.
ViewSettings arranged(MapState const& state, double width, double height)
{
  constexpr double clearly = 1.25;
  ViewSettings asked = state.settings.view;
  bool const may_change = asked.arrangement == Arrangement::row || asked.arrangement == Arrangement::ring;
  if (state.min_cell <= 0.0f || !may_change) { return asked; }
  ViewSettings lines = asked;
  lines.arrangement = Arrangement::grid;
  auto const cell = [&](ViewSettings const& view) {
    Plane const plane = Plane::of(slots_on_map(state), view, width, height, arrays_of(state).slots_each());
    return std::min(width / plane.columns(), height / plane.rows());
  };
  double const as_asked = cell(asked);
  return as_asked < static_cast<double>(state.min_cell) && cell(lines) > clearly * as_asked ? lines : asked;
}

/// True for large differences, such as between a slide and a window, but not when a panel appears or disappears.
bool differs_in_size(Rectangle const& before, Rectangle const& now)
{
  constexpr double much = 1.6;
  auto const area = [](Rectangle const& of) { return std::max(1.0, static_cast<double>(of.width) * of.height); };
  double const ratio = area(now) / area(before);
  return ratio > much * much || ratio < 1.0 / (much * much);
}

}  // namespace

Camera fitting_camera(Look const& look, Rectangle const& canvas, MapState const& state)
{
  auto const margin = static_cast<double>(look(map_margin));
  double const width = canvas.width - 2.0 * margin;
  double const height = canvas.height - 2.0 * margin;
  std::uint64_t const slots = slots_on_map(state);
  auto const plane = [&] {
    if (auto const chains = plane_of_chains(state, width, height)) { return *chains; }
    return Plane::of(slots, arranged(state, width, height), width, height, arrays_of(state).slots_each());
  };
  return {plane(), static_cast<double>(canvas.width), static_cast<double>(canvas.height), margin, slots};
}

Plane MapView::plane_for(MapState const& state, double width, double height)
{
  ViewSettings const view = arranged(state, width, height);
  std::uint64_t const slots = slots_on_map(state);
  if (auto const chains = plane_of_chains(state, width, height)) { return *chains; }
  bool const is_same = camera_.slots() == slots && arrangement_ == view.arrangement;
  arrangement_ = view.arrangement;
  std::uint64_t const part = arrays_of(state).slots_each();
  return is_same ? Plane::of(slots, view, width, height, camera_.plane(), part)
                 : Plane::of(slots, view, width, height, part);
}

void MapView::place(Rectangle const& canvas, Look const& look, MapState const& state, double elapsed_seconds)
{
  bool const is_other_picture = differs_in_size(std::exchange(canvas_, canvas), canvas);
  std::uint64_t const slots = slots_on_map(state);
  background_ = look.background;
  bool const of_other_slots = camera_.slots() != Camera::whole_grid && camera_.slots() != slots;
  if (of_other_slots && framing_ == camera_.framing() && !flight_) { framing_ = {}; }  // shows the whole table anew
  auto const margin = static_cast<double>(look(map_margin));
  double const width = canvas.width - 2.0 * margin;
  double const height = canvas.height - 2.0 * margin;
  Camera const best = fitting_camera(look, canvas, state);
  camera_ = Camera(plane_for(state, width, height), canvas.width, canvas.height, margin, slots);
  bool const opens_with_steps = state.steps.player && state.steps.jumps;  // earlier there was no space for captions
  bool const becomes_illegible = shows_text(best) && !shows_text(camera_);
  bool const flows_anew = opens_with_steps || becomes_illegible || is_other_picture;
  if (flows_anew) { camera_ = best; }
  camera_.look(framing_);
  if (!flight_) { return; }
  flight_->advance(camera_, elapsed_seconds);
  if (flight_->done()) { flight_.reset(); }
  framing_ = camera_.framing();
}

PictureRequest MapView::next_request(MapState const& state, double elapsed_seconds)
{
  PictureRequest request = camera_.request(state.settings.view);
  fade_ += elapsed_seconds / fade_seconds * flash_full;
  double const whole = std::floor(fade_);
  request.fade = static_cast<std::uint32_t>(std::min<double>(whole, flash_full));
  fade_ -= whole;
  return request;
}

FrameFacts MapView::analyse(InspectedTable& table, Presenter& presenter, MapState& state, double elapsed_seconds)
{
  auto const [picture, target] = ask(presenter, state, elapsed_seconds);
  return take(table.analyse(picture, target), table, presenter, state);
}

MapView::Asked MapView::ask(Presenter& presenter, MapState const& state, double elapsed_seconds)
{
  request_ = next_request(state, elapsed_seconds);
  return {request_, presenter.map(bytes_of(request_)).texels()};
}

FrameFacts MapView::take(Snapshot snapshot, InspectedTable& table, Presenter& presenter, MapState& state)
{
  presenter.unmap(bytes_of(request_));
  state.statistics = std::move(snapshot.statistics);
  state.shards = shards_of(table);
  inspect(table, state);
  return {.analyse = snapshot.seconds, .present = presenter.cpu_seconds()};
}

void MapView::inspect(InspectedTable& table, MapState& state) const
{
  Inspected& inspected = state.inspected;
  bool const wide = shows_text(camera_) || camera_.plane().chains() != nullptr;
  bool const with_clusters = state.settings.view.color_by == ColorBy::cluster_length;
  inspected.written.clear();
  bool const has_chains = can_draw_chains(state) || (wide && can_draw_links(state));
  inspected.chains = has_chains ? table.nodes_by_head() : std::vector<std::vector<Slot>>();
  if (wide) { inspected.written = read_slots(table, camera_.visible_slots(max_written_slots), with_clusters); }
  bool const has_clusters = family_of(state).clusters;
  auto const detail = [&](std::optional<Slot> slot) -> std::optional<SlotDetail> {
    if (!slot || *slot >= table.places()) { return std::nullopt; }
    return SlotDetail{table.slot(*slot), has_clusters ? table.cluster(*slot) : Cluster{0, 0}};
  };
  inspected.pinned = detail(state.selection.pinned);
  inspected.hovered = detail(hovered_slot());
  inspected.landing.reset();
  if (auto const key = dragged_key()) {
    ProbePath const path = table.probe_path(*key);
    if (!path.slots.empty()) { inspected.landing = path.slots.front(); }
  }
}

void MapView::draw_map(unsigned texels, MapState const& state, int framebuffer_height)
{
  ViewSettings const& view = state.settings.view;
  map_.reload_if_changed();
  map_.draw(texels, request_, camera_.placement(request_),
            {view.palette, view.log_scale, scale_end(state), background_}, canvas_, framebuffer_height);
}

std::optional<Slot> MapView::hovered_slot() const
{
  if (pointed_) { return pointed_; }
  return hovered_ ? camera_.slot_at(mouse_on_canvas()) : std::nullopt;
}

Point MapView::mouse_on_canvas() const
{
  ImVec2 const mouse = ImGui::GetIO().MousePos;
  return {static_cast<double>(mouse.x) - canvas_.x, static_cast<double>(mouse.y) - canvas_.y};
}

std::optional<Pair> MapView::draw(Look const& look, MapState& state, Overlay const& overlay)
{
  ImVec2 const corner{static_cast<float>(canvas_.x), static_cast<float>(canvas_.y)};
  ImVec2 const size{static_cast<float>(canvas_.width), static_cast<float>(canvas_.height)};
  begin_canvas_window(window_.c_str(), canvas_);
  ImGui::InvisibleButton("map", size);
  bool const hovered = ImGui::IsItemHovered();
  bool const active = ImGui::IsItemActive();
  auto const dropped = dropped_key();

  ScreenDrawing drawing(*ImGui::GetWindowDrawList(), look.font);
  Annotator const on{drawing, look, camera_, corner};
  draw_chains(on, state);
  annotate(on, state);
  bool const all_is_written = state.steps.player && !state.inspected.written.empty();
  bool const points = (hovered && !dragged_) || pointed_;
  bool const tells = points && state.inspected.hovered && !all_is_written;
  if (tells) {
    annotate_slot(on, as_on_map(state, state.inspected.hovered->slot), theme::with_alpha(theme::text, 0.7f));
    if (pointed_) { place_card_of_pointed(on); }
    ImGui::BeginTooltip();
    slot_facts(look, state, *state.inspected.hovered);
    ImGui::EndTooltip();
  }
  if (state.inspected.landing) { on.outline(*state.inspected.landing, theme::accent, look(4.0f)); }
  if (overlay) { overlay(on); }
  follow_keys(look, state);
  follow_mouse(state, hovered, active);
  ImGui::End();
  return dropped;
}

void MapView::draw_slide(Look const& look, Drawing& drawing, MapState const& state, bool paints) const
{
  if (paints && state.inspected.written.empty()) {
    throw Error(
        tr("Vector pictures need slots that are large enough for text: zoom in, choose a larger picture, or save it as "
           "PNG."));
  }
  ImVec2 const corner{static_cast<float>(canvas_.x), static_cast<float>(canvas_.y)};
  drawing.clip(corner, {corner.x + static_cast<float>(canvas_.width), corner.y + static_cast<float>(canvas_.height)});
  Annotator const on{drawing, look, camera_, corner};
  if (paints) { paint_cells(on, state); }
  draw_chains(on, state);
  annotate(on, state);
  drawing.unclip();
}

void MapView::follow_mouse(MapState& state, bool hovered, bool active)
{
  ImGuiIO const& io = ImGui::GetIO();
  hovered_ = hovered && !active;
  if (hovered && (io.MouseDelta.x != 0.0f || io.MouseDelta.y != 0.0f)) { pointed_.reset(); }
  Camera camera = camera_;
  if (hovered && io.MouseWheel != 0.0f) {
    flight_.reset();
    camera.zoom_at(mouse_on_canvas(), std::pow(wheel_zoom, static_cast<double>(io.MouseWheel)));
    framing_ = camera.framing();
  }
  if (hovered && ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left)) {
    state.selection.pinned = pinned_before_click_;
    dragged_ = true;  // so that releasing the button does not pin a slot
    fit();
    return;
  }
  if (ImGui::IsItemActivated()) { dragged_ = false; }
  if (active && ImGui::IsMouseDragging(ImGuiMouseButton_Left, 4.0f)) {
    dragged_ = true;
    flight_.reset();
    camera.pan(static_cast<double>(io.MouseDelta.x), static_cast<double>(io.MouseDelta.y));
    framing_ = camera.framing();
  }
  if (ImGui::IsItemDeactivated()) {
    if (!dragged_) {
      pinned_before_click_ = state.selection.pinned;
      state.selection.pinned = camera_.slot_at(mouse_on_canvas());
    }
    dragged_ = false;
  }
}

void MapView::frame_steps(Look const& look, MapState& state)
{
  StepState& steps = state.steps;
  StepPlayer const& player = *steps.player;
  bool const begins = !steps.framed;
  if (steps.framed == player.position()) { return; }
  steps.framed = player.position();
  auto const legible = static_cast<double>(look(legible_slot_width));
  std::optional<Framing> wanted = frame_path(camera_, player.trace(), legible);
  Step const* const present = player.present();
  bool const sees_present = present == nullptr || shows_slots(camera_, *present);
  if (wanted && !begins && sees_present) { return; }
  if (!wanted) {
    if (player.count() == 0) { return; }
    Step const& step = present != nullptr ? *present : player.trace().steps.front();
    if (!begins && shows_step(camera_, step, legible)) { return; }
    wanted = frame_step(camera_, step, legible);
  }
  if (!wanted) { return; }
  flight_.emplace(camera_, *wanted, std::exchange(steps.jumps, false) ? 0.0 : step_flight_seconds);
  if (!flight_->done()) { return; }
  flight_->advance(camera_, 0.0);
  flight_.reset();
  framing_ = camera_.framing();
}

void MapView::fly_to(Slot slot, double slot_pixels)
{
  if (!flight_ && shows_text(camera_) && camera_.shows_whole(slot)) { return; }
  Position const at = camera_.plane().position(slot);
  Point const center{(at.x + 0.5) / camera_.plane().columns(), (at.y + 0.5) / camera_.plane().rows()};
  double const zoom = std::max(camera_.zoom(), slot_pixels / (camera_.slot_pixels() / camera_.zoom()));
  flight_.emplace(camera_, Framing{zoom, center}, flight_seconds);
}

void MapView::fit()
{
  flight_.emplace(camera_, Framing{}, flight_seconds / 2.0);
}

void MapView::zoom_by(double factor)
{
  flight_.reset();
  Camera camera = camera_;
  camera.zoom_at({camera.width() / 2.0, camera.height() / 2.0}, factor);
  framing_ = camera.framing();
}

void MapView::pan_by(double share_x, double share_y)
{
  flight_.reset();
  Camera camera = camera_;
  camera.pan(-share_x * camera.width(), -share_y * camera.height());
  framing_ = camera.framing();
}

void overlay_steps(StepPlayer const& player, Inspected& inspected)
{
  for (WrittenSlot& written : inspected.written) { written.slot = player.overlaid(written.slot); }
  for (std::optional<SlotDetail>* const detail : {&inspected.hovered, &inspected.pinned}) {
    if (*detail) { (*detail)->slot = player.overlaid((*detail)->slot); }
  }
}

}  // namespace slotscape
