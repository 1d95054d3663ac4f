#include "app/scenes/spatial/commands.hpp"

#include "app/scene/setting_commands.hpp"
#include "app/scenes/spatial/coloring.hpp"
#include "app/scenes/spatial/coordinates.hpp"
#include "app/scenes/spatial/distances.hpp"
#include "app/scenes/spatial/placing.hpp"
#include "app/scenes/spatial/settings.hpp"
#include "gpu/base/translation.hpp"

#include <glm/geometric.hpp>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

namespace slotscape {
namespace {

using spatial::Boolean;
using spatial::Model;

constexpr double key_orbit_pixels = 60.0;
constexpr double key_zoom = 1.5;  ///< per key press
constexpr float focus_voxels = 14.0f;

/// Only linear probing supports grids whose keys need more than 32 bits.
void limit_grid(spatial::SpatialSettings& hashing)
{
  bool const linear = hashing.family == "linear_probing";
  hashing.grid.side = std::min(hashing.grid.side, linear ? spatial::max_grid_side : spatial::max_narrow_grid_side);
}

/// Whether two places are equal up to rounding.
bool are_close(OrbitPlace const& a, OrbitPlace const& b)
{
  double const least = 1e-4 * std::min(a.distance, b.distance);
  return std::abs(a.distance - b.distance) < least && glm::length(a.target - b.target) < least &&
         std::abs(a.yaw - b.yaw) < 1e-4 && std::abs(a.pitch - b.pitch) < 1e-4;
}

}  // namespace

std::vector<Command> model_commands(SpatialState& state)
{
  constexpr std::string_view group = "MODELS";
  constexpr std::string_view menu = "Models";
  SpatialSceneSettings& settings = state.settings;
  AnimationSettings& animation = settings.animation;
  std::vector<Command> commands{
      {.keys = "Space",
       .group = group,
       .what = "Run or pause the animation",
       .menu = menu,
       .run = [&animation] { animation.toggle(); },
       .label_now =
           [&animation] {
             return animation.moves() ? translatable("Pause the animation") : translatable("Run the animation");
           }},
      choice_menu(menu, "Motion", animation.motion),
      {.keys = "Backspace, Ctrl+R",
       .group = group,
       .what = "Restart the animation",
       .menu = menu,
       .label = "Restart the animation",
       .run = [&animation] { animation.time = 0.0; }},
      {.keys = "A",
       .group = group,
       .what = "Choose model A",
       .menu = menu,
       .label = "Choose model A",
       .divides = true,
       .run = [&state] { state.chosen = Model::a; },
       .checked = [&state] { return state.chosen == Model::a; }},
      {.keys = "B",
       .group = group,
       .what = "Choose model B",
       .menu = menu,
       .label = "Choose model B",
       .run = [&state] { state.chosen = Model::b; },
       .checked = [&state] { return state.chosen == Model::b; }},
      {.menu = menu, .label = "Show the chosen model alone", .run = [&state] { state.ask(ShowAlone{state.chosen}); }},
      {.keys = "R",
       .group = group,
       .what = "Reset the chosen model",
       .menu = menu,
       .label = "Reset the chosen model",
       .run = [&state] { reset_model(state, state.chosen); }},
  };
  std::ranges::move(setting_commands(animation, group), std::back_inserter(commands));
  return commands;
}

std::vector<Command> boolean_commands(SpatialState& state)
{
  struct Row {
    Boolean boolean;
    char const* keys;
    char const* what;
    char const* label;
  };
  constexpr Row rows[]{
      {Boolean::both, "1", translatable("Show both models"), translatable("Show both models")},
      {Boolean::unite, "2, U", translatable("Union"), translatable("Union")},
      {Boolean::intersect, "3, I", translatable("Intersection"), translatable("Intersection")},
      {Boolean::a_minus_b, "4", "A − B", "A − B"},
      {Boolean::b_minus_a, "5", "B − A", "B − A"},
  };
  std::vector<Command> commands;
  for (Row const& row : rows) {
    commands.push_back({.keys = row.keys,
                        .group = "BOOLEAN",
                        .what = row.what,
                        .menu = "Models",
                        .label = row.label,
                        .divides = row.boolean == Boolean::both,
                        .run = [&state, boolean = row.boolean] { show_boolean(state.settings, boolean); },
                        .checked =
                            [&state, boolean = row.boolean] {
                              SpatialSceneSettings const& settings = state.settings;
                              return !settings.hashing.changes.shown && settings.boolean == boolean;
                            }});
  }
  SpatialSceneSettings& settings = state.settings;
  commands.push_back({.group = "BOOLEAN",
                      .what = translatable("Show changes between two surveys"),
                      .menu = "Models",
                      .label = translatable("Changes between two surveys"),
                      .run = [&settings] { show_changes(settings, !settings.hashing.changes.shown); },
                      .checked = [&settings] { return settings.hashing.changes.shown; }});
  commands.push_back({.group = "BOOLEAN",
                      .what = translatable("Show the distances between two models"),
                      .menu = "Models",
                      .label = translatable("Distances between the models"),
                      .run = [&settings] { show_distances(settings, !settings.distances.shown); },
                      .checked = [&settings] { return settings.distances.shown; }});
  return commands;
}

std::vector<Command> hiding_commands(SpatialState& state)
{
  using spatial::VoxelStatus;
  struct Row {
    VoxelStatus status;
    char const* keys;
    char const* what;
    char const* label;
  };
  constexpr Row rows[]{
      {VoxelStatus::inside, "6", translatable("Hide or show what is inside or behind"),
       translatable("Hide inside / behind")},
      {VoxelStatus::intersection, "7", translatable("Hide or show the intersection"),
       translatable("Hide the intersection")},
      {VoxelStatus::outside, "8", translatable("Hide or show what is outside or in front"),
       translatable("Hide outside / in front")},
      {VoxelStatus::unknown, "9", translatable("Hide or show what is unknown"), translatable("Hide unknown")},
  };
  std::vector<Command> commands;
  for (Row const& row : rows) {
    SpatialSceneSettings& settings = state.settings;
    std::uint8_t const parts = parts_of_status(row.status);
    commands.push_back({.keys = row.keys,
                        .group = "BOOLEAN",
                        .what = row.what,
                        .menu = "Models",
                        .label = row.label,
                        .divides = commands.empty(),
                        .run = [&settings, parts] { hide_or_show(settings, parts); },
                        .checked = [&settings, parts] { return (settings.hidden & parts) == parts; }});
  }
  return commands;
}

std::vector<Command> hashing_commands(SpatialState& state)
{
  constexpr std::string_view group = "HASHING";
  constexpr std::string_view menu = "Models";
  spatial::SpatialSettings& hashing = state.settings.hashing;
  std::vector<Command> commands = setting_commands(hashing.grid, group, [&hashing] { limit_grid(hashing); });
  for (Command& command : commands) {
    command.menu = menu;
    command.label = command.what;
  }
  commands.front().divides = true;
  commands.push_back({.keys = "X",
                      .group = group,
                      .what = "Switch the table family",
                      .menu = menu,
                      .label = "Switch the table family",
                      .run = [&hashing] { exchange_table(hashing); }});
  return commands;
}

std::vector<Command> view_commands(SpatialState& state, SpatialCanvas& canvas, VoxelMaps& maps)
{
  constexpr std::string_view group = "VIEW";
  constexpr std::string_view menu = "View";
  SpatialSceneSettings& settings = state.settings;
  ModelsViewSettings& view = settings.view;
  auto const turn = [](bool& value) { return [&value] { value = !value; }; };
  auto const is = [](bool const& value) { return [&value] { return value; }; };
  Command show = choice_menu(menu, "Show", view.kind);
  show.divides = true;
  std::vector<Command> commands{
      {.keys = "0, Home",
       .group = group,
       .what = "Show the whole grid",
       .menu = menu,
       .label = "Show the whole grid",
       .run = [&canvas, &maps] { show_all(canvas, maps); }},
      {.keys = "F",
       .group = group,
       .what = "Fly to the selected voxel, or frame the models",
       .menu = menu,
       .label = "Fly to the selected voxel or the models",
       .run = [&state, &canvas, &maps] { focus_on_selection(state, canvas, maps); }},
      {.keys = "T",
       .group = group,
       .what = "Turntable",
       .menu = menu,
       .label = "Turntable",
       .run = turn(settings.turntable),
       .checked = is(settings.turntable)},
      std::move(show),
      {.keys = "C", .group = group, .what = "Next colouring", .run = [&state] { choose_next_color(state); }},
      color_menu(menu, "Colour by", state),
      toggle(menu, translatable("Colour-blind-safe colours"), view.color_blind),
      choice_menu(menu, "Palette", view.palette),
      {.keys = "O",
       .group = group,
       .what = "Show hidden parts as ghosts",
       .menu = menu,
       .label = "Hidden parts as ghosts",
       .run = turn(view.ghosts),
       .checked = is(view.ghosts)},
      toggle(menu, translatable("Box and axes"), view.show_box),
      toggle(menu, translatable("Smooth edges"), view.smooth_edges),
      toggle(menu, translatable("Eye-dome lighting"), view.eye_dome),
      toggle(menu, translatable("Section box"), settings.section.shown),
      {.keys = "L",
       .group = group,
       .what = "Measure with the ruler",
       .menu = menu,
       .label = "Ruler",
       .run =
           [&ruler = state.ruler] {
             ruler.on = !ruler.on;
             ruler.pending.clear();
           },
       .checked = is(state.ruler.on)},
      {.keys = "M",
       .group = group,
       .what = "Show or hide the slot maps",
       .menu = menu,
       .label = "Slot maps",
       .divides = true,
       .run = turn(settings.show_maps),
       .checked = is(settings.show_maps)},
  };
  std::ranges::move(setting_commands(view, group), std::back_inserter(commands));
  std::ranges::move(setting_commands(settings.section, group), std::back_inserter(commands));
  return commands;
}

std::vector<Command> camera_commands(SpatialCanvas& canvas)
{
  constexpr std::string_view group = "VIEW";
  auto const zoom = [&canvas](double factor) {
    return [&canvas, factor] {
      OrbitCamera& camera = canvas.camera();
      camera.zoom_at({camera.width() / 2.0, camera.height() / 2.0}, factor);
    };
  };
  auto const orbit = [&canvas](double x, double y) { return [&canvas, x, y] { canvas.camera().orbit(x, y); }; };
  return {
      {.keys = "+", .group = group, .what = "Zoom in", .run = zoom(key_zoom)},
      {.keys = "-", .group = group, .what = "Zoom out", .run = zoom(1.0 / key_zoom)},
      {.keys = "Arrows", .group = group, .what = "Rotate the view"},
      {.keys = "Left", .run = orbit(key_orbit_pixels, 0.0)},
      {.keys = "Right", .run = orbit(-key_orbit_pixels, 0.0)},
      {.keys = "Up", .run = orbit(0.0, key_orbit_pixels)},
      {.keys = "Down", .run = orbit(0.0, -key_orbit_pixels)},
  };
}

void show_all(SpatialCanvas& canvas, VoxelMaps& maps)
{
  canvas.camera().reset();
  maps.fit();
}

void focus_on_selection(SpatialState const& state, SpatialCanvas& canvas, VoxelMaps& maps)
{
  bool const on_map = state.settings.show_maps && maps.hovered_slot().has_value();
  auto const& voxel = state.selected || !on_map ? state.selected : state.hovered;
  OrbitCamera& camera = canvas.camera();
  if (voxel && voxel->info) {
    camera.focus(voxel->info->position, focus_voxels * state.settings.hashing.grid.voxel());
    if (state.settings.show_maps) { maps.fly_to({voxel->model, voxel->info->slot}); }
    return;
  }
  std::vector<spatial::Vector> corners = corners_in_scene(state, Model::a);
  std::ranges::copy(corners_in_scene(state, Model::b), std::back_inserter(corners));
  OrbitPlace const before = camera.destination();
  camera.frame(corners);
  if (are_close(camera.destination(), before)) { camera.frame(corners_in_scene(state, state.chosen)); }
}

}  // namespace slotscape
