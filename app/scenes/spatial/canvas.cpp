#include "app/scenes/spatial/canvas.hpp"

#include "app/scenes/spatial/coordinates.hpp"
#include "app/scenes/spatial/gui.hpp"
#include "app/scenes/spatial/placing.hpp"
#include "app/view3d/grid_box.hpp"
#include "app/widgets/canvas_window.hpp"

#include <cmath>
#include <numbers>
#include <utility>

namespace slotscape {
namespace {

constexpr double wheel_zoom = 1.15;
constexpr double opening_share = 0.66;  ///< of the distance from which the whole grid is visible
constexpr float click_pixels = 4.0f;

}  // namespace

SpatialCanvas::SpatialCanvas(SpatialSetup const& set_up)
    : camera_(static_cast<double>(set_up.settings.hashing.grid.extent)), drawn_camera_(camera_)
{
  camera_.look(set_up.camera.value_or(opening_place()));
}

void SpatialCanvas::place(Rectangle const& canvas, SpatialSceneSettings const& settings, double elapsed_seconds)
{
  canvas_ = canvas;
  camera_.set_extent(static_cast<double>(settings.hashing.grid.extent));
  bool const untouched = camera_.destination() == opening_place();
  camera_.set_canvas(canvas.width, canvas.height);
  if (untouched) { camera_.look(opening_place()); }
  camera_.set_turntable(settings.turntable ? turntable_speed : 0.0);
  camera_.advance(elapsed_seconds);
}

void SpatialCanvas::open_on(std::vector<spatial::Vector> corners)
{
  bool const untouched = camera_.destination() == opening_place();
  opened_on_ = std::move(corners);
  if (untouched) { camera_.look(opening_place()); }
}

OrbitPlace SpatialCanvas::opening_place() const
{
  if (!opened_on_.empty()) {
    OrbitCamera fitting(camera_.extent(), camera_.width(), camera_.height());
    fitting.frame_from_best_side(opened_on_);
    return fitting.destination();
  }
  OrbitPlace place = camera_.home();
  place.distance *= opening_share;
  return place;
}

Point SpatialCanvas::mouse() const
{
  ImVec2 const at = ImGui::GetIO().MousePos;
  return {static_cast<double>(at.x) - canvas_.x, static_cast<double>(at.y) - canvas_.y};
}

std::optional<spatial::Ray> SpatialCanvas::mouse_ray() const
{
  if (!hovered_ || dragged_) { return std::nullopt; }
  return camera_.ray(mouse());
}

void SpatialCanvas::set_hit(std::optional<spatial::Hit> const& hit)
{
  if (!dragged_) { hit_ = hit; }
}

std::optional<spatial::Vector> SpatialCanvas::hit_point() const
{
  if (!hit_) { return std::nullopt; }
  spatial::Ray const ray = camera_.ray(last_);
  return ray.origin + hit_->distance * ray.direction;
}

spatial::DrawingRequest SpatialCanvas::request_drawing(ModelsPicture const& picture, ModelsViewSettings const& settings,
                                                       Backend device)
{
  drawn_camera_ = camera_;
  return drawing_request(picture, settings, camera_, device);
}

void SpatialCanvas::draw_picture(ModelsPicture const& picture, ModelsViewSettings const& settings,
                                 int framebuffer_height)
{
  view_.reload_if_changed();
  OrbitCamera const& camera = picture.texels != 0 ? drawn_camera_ : camera_;
  view_.draw(picture, settings, camera, canvas_, framebuffer_height);
}

void SpatialCanvas::draw_labels(Look const& look, Drawing& drawing, SpatialState const& state) const
{
  ImVec2 const corner{static_cast<float>(canvas_.x), static_cast<float>(canvas_.y)};
  SpatialSceneSettings const& settings = state.settings;
  draw_ruler(look, drawing, corner, camera_, state);
  if (!settings.view.show_box) { return; }
  label_grid_box(drawing, corner, settings.hashing.grid, camera_, look, {}, sides_of_grid_in_files(state));
}

SpatialCanvas::Wishes SpatialCanvas::draw(Look const& look, SpatialState& state)
{
  ImVec2 const corner{static_cast<float>(canvas_.x), static_cast<float>(canvas_.y)};
  ImVec2 const size{static_cast<float>(canvas_.width), static_cast<float>(canvas_.height)};
  begin_canvas_window("##models", canvas_);
  ImGui::InvisibleButton("space", size,
                         ImGuiButtonFlags_MouseButtonLeft | ImGuiButtonFlags_MouseButtonRight |
                             ImGuiButtonFlags_MouseButtonMiddle);
  bool const hovered = ImGui::IsItemHovered();
  bool const active = ImGui::IsItemActive();
  ImDrawList& list = *ImGui::GetWindowDrawList();
  ScreenDrawing drawing(list, look.font);
  draw_labels(look, drawing, state);
  Wishes wishes;
  CanvasMouse mouse = follow_mouse(state, wishes, hovered, active);
  drag_section(state, mouse, look);
  drag(state, mouse, look);
  if (state.settings.section.shown) { section_.draw(list, corner, camera_, state.settings.section, look); }
  if (hovered || gizmo_.dragging()) { gizmo_.draw(list, corner, camera_, state.poses[state.chosen], look); }
  if (hovered) { zoom(state, mouse); }
  ImGui::End();
  return wishes;
}

/// Left drag orbits; on a model, Shift + drag moves it and Ctrl + drag turns it. Right and middle drag pan.
CanvasMouse SpatialCanvas::follow_mouse(SpatialState& state, Wishes& wishes, bool hovered, bool active)
{
  ImGuiIO const& io = ImGui::GetIO();
  bool const for_model = io.KeyShift || io.KeyCtrl;  // not for the gizmo in front of it
  CanvasMouse mouse{.at = this->mouse(), .over = hovered && !for_model};
  hovered_ = hovered;
  bool const activated = ImGui::IsItemActivated();
  mouse.pressed = activated && ImGui::IsMouseDown(ImGuiMouseButton_Left);
  mouse.down = active && ImGui::IsMouseDown(ImGuiMouseButton_Left);
  if (activated) {
    dragged_ = false;
    bool const on_handle = gizmo_.hovered() || section_.hovered();
    bool const grabs = mouse.pressed && !on_handle && hit_ && for_model;
    orbits_ = mouse.pressed && !on_handle && !grabs;
    if (grabs) {
      state.chosen = hit_->model;
      gizmo_.grab_model(camera_, state.poses[state.chosen], mouse.at, *hit_point(), io.KeyCtrl);
    }
  }
  bool const moved = ImGui::IsMouseDragging(ImGuiMouseButton_Left, click_pixels) ||
                     ImGui::IsMouseDragging(ImGuiMouseButton_Right, 0.0f) ||
                     ImGui::IsMouseDragging(ImGuiMouseButton_Middle, 0.0f);
  if (active && moved) { dragged_ = true; }
  if (active && dragged_ && orbits_ && mouse.down) {
    camera_.orbit(mouse.at.x - last_.x, mouse.at.y - last_.y);
  } else if (active && !mouse.down && (last_ != mouse.at)) {
    camera_.pan(last_, mouse.at, hit_point());
  }
  if (ImGui::IsItemDeactivated()) {
    // Handles are only for dragging: a click on one goes to the voxel behind it, if any.
    bool const of_handle_alone = (gizmo_.hovered() || section_.hovered()) && !hit_;
    wishes.select = !dragged_ && !of_handle_alone && ImGui::IsMouseReleased(ImGuiMouseButton_Left);
    if (wishes.select && hit_) { state.chosen = hit_->model; }
    dragged_ = orbits_ = false;
  }
  if (hovered && ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left)) {
    wishes.focus = hit_.has_value();
    wishes.show_all = !hit_;
  }
  last_ = mouse.at;
  return mouse;
}

void SpatialCanvas::drag(SpatialState& state, CanvasMouse const& mouse, Look const& look)
{
  spatial::Pose& seen = state.poses[state.chosen];
  bool const grabbed = gizmo_.dragging();
  auto const pose = gizmo_.follow(camera_, seen, mouse, look.scale);
  if (!pose || (grabbed && !dragged_)) { return; }
  seen = *pose;
  place_as_seen(state.settings, state.chosen, *pose);
}

/// The section's handle takes precedence over the gizmo's.
void SpatialCanvas::drag_section(SpatialState& state, CanvasMouse& mouse, Look const& look)
{
  bool const grabbed = section_.dragging();
  auto const section = section_.follow(camera_, state.settings.section, mouse, look.scale);
  if (section && (!grabbed || dragged_)) { state.settings.section = *section; }
  mouse.over = mouse.over && !section_.hovered();
}

void SpatialCanvas::zoom(SpatialState& state, CanvasMouse const& mouse)
{
  float const wheel = ImGui::GetIO().MouseWheel;
  if (wheel == 0.0f) { return; }
  double const factor = std::pow(wheel_zoom, static_cast<double>(wheel));
  if (ImGui::GetIO().KeyCtrl) {
    spatial::Pose& place = state.settings.models[state.chosen].place;
    place = scaled(place, factor);
  } else {
    camera_.zoom_at(mouse.at, factor, hit_point());
  }
}

}  // namespace slotscape
