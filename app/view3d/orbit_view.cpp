#include "app/view3d/orbit_view.hpp"

#include "app/view3d/grid_box.hpp"
#include "app/widgets/canvas_window.hpp"

namespace slotscape {

OrbitView::OrbitView(float extent) : camera_(static_cast<double>(extent))
{
  if (gl::draws_with_the_cpu()) { host_drawing_.emplace(); }
}

void OrbitView::set(std::span<spatial::Instance const> instances, std::uint64_t shown)
{
  if (host_drawing_) { return host_drawing_->set(spatial::Model::b, instances, shown); }
  instances_ = {};
  if (instances.empty()) { return; }
  buffer_.fit(instances.size_bytes());
  buffer_.write(instances.data(), instances.size_bytes());
  instances_ = {.buffer = buffer_.name(), .count = instances.size(), .shown = shown};
}

void OrbitView::place(Rectangle const& canvas, double elapsed_seconds)
{
  canvas_ = canvas;
  bool const untouched = camera_.place() == opened_ || camera_.place() == camera_.home();
  camera_.set_canvas(canvas.width, canvas.height);
  if (untouched) {
    opened_ = place_for_whole_grid(camera_);
    camera_.look(opened_);
  }
  camera_.advance(elapsed_seconds);
}

void OrbitView::draw_picture(ModelsPicture picture, ModelsViewSettings settings, int framebuffer_height)
{
  picture.shows_colors = true;
  settings.paint_by = spatial::PaintBy::attribute;
  view_.reload_if_changed();
  if (host_drawing_) {
    picture.texels = host_drawing_->draw(picture, settings, camera_);
  } else {
    picture.models[spatial::Model::b] = instances_;
  }
  view_.draw(picture, settings, camera_, canvas_, framebuffer_height);
}

void OrbitView::begin(char const* id, ImGuiButtonFlags buttons)
{
  begin_canvas_window(id, canvas_);
  ImGui::InvisibleButton("picture", {static_cast<float>(canvas_.width), static_cast<float>(canvas_.height)}, buttons);
  mouse_.follow(camera_, canvas_);
}

}  // namespace slotscape
