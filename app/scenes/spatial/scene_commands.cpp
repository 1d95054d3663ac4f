#include "app/scenes/shared/commands.hpp"
#include "app/scenes/spatial/names.hpp"
#include "app/scenes/spatial/scene.hpp"

#include <algorithm>

namespace slotscape {
namespace {

using spatial::Boolean;
using spatial::Model;

constexpr double key_orbit_pixels = 60.0;
constexpr float focus_voxels = 14.0f;

template <class Enum>
Enum next(Enum value)
{
  auto const names = enum_names<Enum>();
  auto const here = std::ranges::find(names, value, &EnumName<Enum>::value);
  return std::next(here) == names.end() ? names.front().value : std::next(here)->value;
}

void change_speed(AnimationSettings& animation, double factor)
{
  animation.speed = std::clamp(animation.speed * factor, slowest_animation, fastest_animation);
}

/// Finer or coarser, through the powers of two; only linear probing goes on beyond keys of 32 bits.
void change_grid(spatial::SpatialSettings& hashing, bool finer)
{
  bool const linear = hashing.family == "linear_probing";
  std::uint32_t const most = linear ? spatial::max_grid_side : spatial::max_narrow_grid_side;
  std::uint32_t const wanted = finer ? hashing.grid.side * 2 : hashing.grid.side / 2;
  hashing.grid.side = std::clamp(wanted, spatial::min_grid_side, most);
}

}  // namespace

bool SpatialScene::perform(UserCommand command)
{
  if (command == UserCommand::cancel) {
    if (loader_.busy()) {
      state_.ask(CancelLoading{});
    } else {
      state_.selected.reset();
    }
    return true;
  }
  return perform_on_models(command) || perform_on_view(command);
}

bool SpatialScene::perform_on_models(UserCommand command)
{
  SpatialSceneSettings& settings = state_.settings;
  switch (command) {
    case UserCommand::pause: settings.animation.running = !settings.animation.running; return true;
    case UserCommand::slower: change_speed(settings.animation, 0.5); return true;
    case UserCommand::faster: change_speed(settings.animation, 2.0); return true;
    case UserCommand::restart: settings.animation.time = 0.0; return true;
    case UserCommand::next_motion: settings.animation.motion = next(settings.animation.motion); return true;
    case UserCommand::boolean_both: settings.boolean = Boolean::both; return true;
    case UserCommand::boolean_unite: settings.boolean = Boolean::unite; return true;
    case UserCommand::boolean_intersect: settings.boolean = Boolean::intersect; return true;
    case UserCommand::boolean_a_minus_b: settings.boolean = Boolean::a_minus_b; return true;
    case UserCommand::boolean_b_minus_a: settings.boolean = Boolean::b_minus_a; return true;
    case UserCommand::choose_a: state_.chosen = Model::a; return true;
    case UserCommand::choose_b: state_.chosen = Model::b; return true;
    case UserCommand::reset_model:
      settings.models[state_.chosen].place = first_place(state_, state_.chosen);
      return true;
    case UserCommand::finer_grid: change_grid(settings.hashing, true); return true;
    case UserCommand::coarser_grid: change_grid(settings.hashing, false); return true;
    case UserCommand::other_table: exchange_table(settings.hashing); return true;
    default: return false;
  }
}

bool SpatialScene::perform_on_view(UserCommand command)
{
  ModelsViewSettings& view = state_.settings.view;
  OrbitCamera& camera = canvas_.camera();
  Point const middle{camera.width() / 2.0, camera.height() / 2.0};
  switch (command) {
    case UserCommand::next_color: view.paint_by = next(view.paint_by); return true;
    case UserCommand::toggle_points: view.kind = next(view.kind); return true;
    case UserCommand::toggle_ghosts: view.ghosts = !view.ghosts; return true;
    case UserCommand::toggle_scale: view.log_scale = !view.log_scale; return true;
    case UserCommand::toggle_maps: state_.settings.show_maps = !state_.settings.show_maps; return true;
    case UserCommand::toggle_turntable: state_.settings.turntable = !state_.settings.turntable; return true;
    case UserCommand::focus: focus_on_selection(); return true;
    case UserCommand::zoom_in: camera.zoom_at(middle, key_zoom); return true;
    case UserCommand::zoom_out: camera.zoom_at(middle, 1.0 / key_zoom); return true;
    case UserCommand::pan_left: camera.orbit(key_orbit_pixels, 0.0); return true;
    case UserCommand::pan_right: camera.orbit(-key_orbit_pixels, 0.0); return true;
    case UserCommand::pan_up: camera.orbit(0.0, key_orbit_pixels); return true;
    case UserCommand::pan_down: camera.orbit(0.0, -key_orbit_pixels); return true;
    case UserCommand::fit:
    case UserCommand::go_to_start:
      camera.reset();
      maps_.fit();
      return true;
    default: return false;
  }
}

/// On the selected voxel, in space and in the map; without one on the chosen model.
void SpatialScene::focus_on_selection()
{
  auto const& voxel = state_.selected ? state_.selected : state_.hovered;
  if (!voxel || !voxel->info) {
    spatial::Pose const& pose = state_.poses[state_.chosen];
    return canvas_.camera().focus(pose.translation, pose.scale);
  }
  canvas_.camera().focus(voxel->info->position, focus_voxels * state_.settings.hashing.grid.voxel());
  if (state_.settings.show_maps) { maps_.fly_to({voxel->model, voxel->info->slot}); }
}

}  // namespace slotscape
