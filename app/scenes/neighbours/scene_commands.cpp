#include "app/scenes/neighbours/scene.hpp"

#include "app/scene/setting_commands.hpp"
#include "gpu/base/translation.hpp"

#include <algorithm>
#include <iterator>

namespace slotscape {

std::vector<Command> NeighbourScene::search_commands()
{
  constexpr std::string_view group = "NEIGHBOURS";
  NeighbourSceneSettings& settings = state_.settings;
  std::vector<Command> commands = setting_commands(settings, group);
  for (auto more : {setting_commands(settings.search, group), setting_commands(settings.source, group)}) {
    std::ranges::move(more, std::back_inserter(commands));
  }
  auto const scale_radius = [this](double factor) {
    return [this, factor] {
      if (state_.shown) { state_.settings.search.radius = state_.result.radius * factor; }
    };
  };
  constexpr double factor = 1.25;
  commands.push_back({.keys = "R", .group = group, .what = "Larger radius", .run = scale_radius(factor)});
  commands.push_back({.keys = "E", .group = group, .what = "Smaller radius", .run = scale_radius(1.0 / factor)});
  commands.push_back({.keys = "Home",
                      .group = group,
                      .what = "The radius that gives about 30 neighbours",
                      .menu = "Neighbours",
                      .label = "Usual radius",
                      .run = [&settings] { settings.search.radius = 0.0; }});
  return commands;
}

std::vector<Command> NeighbourScene::file_commands()
{
  constexpr std::string_view group = "FILES";
  constexpr std::string_view menu = "File";
  auto const ask_to_save = [this] {
    ask_for_file({.kind = FileQuestion::Kind::save,
                  .title = "Export all neighbours",
                  .proposed = "neighbours.npz",
                  .files = {{translatable("NumPy archive"), {".npz"}}},
                  .use = [this](Paths const& files) {
                    save_neighbours(files.front());
                    state_.notice = tr("Saved {}", files.front().string());
                  }});
  };
  return {
      {.keys = "Ctrl+O",
       .group = group,
       .what = "Open a model or a point cloud",
       .menu = menu,
       .label = "Open points…",
       .run = [this] { ask_for_points(); }},
      {.keys = "Ctrl+Shift+E",
       .group = group,
       .what = "Export all neighbours",
       .menu = menu,
       .label = "Export neighbours…",
       .run = ask_to_save},
  };
}

std::vector<Command> NeighbourScene::view_commands()
{
  constexpr std::string_view group = "VIEW";
  constexpr std::string_view menu = "View";
  constexpr double zoom_of_press = 1.5;
  NeighbourSceneSettings& settings = state_.settings;
  auto const zoom = [this](double factor) {
    return [this, factor] {
      OrbitCamera& camera = points_.view().camera();
      camera.zoom_at({camera.width() / 2.0, camera.height() / 2.0}, factor);
    };
  };
  return {
      {.keys = "+", .group = group, .what = "Zoom in", .run = zoom(zoom_of_press)},
      {.keys = "-", .group = group, .what = "Zoom out", .run = zoom(1.0 / zoom_of_press)},
      {.keys = "F",
       .group = group,
       .what = "Fly to the point",
       .menu = menu,
       .label = "Fly to the point",
       .run = [this] { points_.fly_to(state_.result.point, state_.result.radius); }},
      {.keys = "0",
       .group = group,
       .what = "Show all",
       .menu = menu,
       .label = "Show all",
       .run =
           [this] {
             points_.view().camera().reset();
             map_.fit();
           }},
      {.keys = "M",
       .group = group,
       .what = "Show or hide the slot map",
       .menu = menu,
       .label = "Slot map",
       .run = [&settings] { settings.show_map = !settings.show_map; },
       .checked = [&settings] { return settings.show_map; }},
  };
}

}  // namespace slotscape
