#include "app/scenes/sparse/scene.hpp"

#include "app/scene/next_value.hpp"
#include "app/scene/setting_commands.hpp"
#include "gpu/base/translation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>
#include <iterator>
#include <string>

namespace slotscape {
namespace {

constexpr double key_zoom = 1.5;  ///< per key press

/// With voxels of a chosen size, applies a change of the grid to the size instead: a finer grid means smaller voxels.
void change_cells(SiteSource& source, std::function<void()> const& change_grid)
{
  SiteSource const before = source;
  change_grid();
  if (!(before.voxel > 0.0) || source.grid == before.grid) { return; }
  source.voxel = before.voxel * (source.grid > before.grid ? 0.5 : 2.0);
  source.grid = before.grid;
}

}  // namespace

void SparseScene::move_slice(int cells)
{
  double const depth = std::max(state_.slice_depth, 1);
  state_.settings.slice_at = (std::clamp(state_.slice_index + cells, 0, state_.slice_depth - 1) + 0.5) / depth;
}

std::vector<Command> SparseScene::convolution_commands()
{
  constexpr std::string_view group = "CONVOLUTION";
  constexpr std::string_view menu = "Convolution";
  SparseSceneSettings& settings = state_.settings;
  auto const next_table = [this, &settings] {
    auto const here = std::ranges::find(sparse::table_families, settings.convolution.family);
    auto next_one = here;
    do {
      next_one = std::next(next_one) == sparse::table_families.end() ? sparse::table_families.begin() : next_one + 1;
    } while (state_.snapshot.key_bits == 64 && !family_info(std::string(*next_one)).wide);
    settings.convolution.family = *next_one;
    reconcile(settings.convolution);
  };
  std::vector<Command> commands =
      setting_commands(settings.convolution, group, [&settings] { reconcile(settings.convolution); });
  for (Command& command : setting_commands(settings.source, group)) {
    command.run = [run = command.run, &source = settings.source] { change_cells(source, run); };
    commands.push_back(std::move(command));
  }
  commands.push_back({.keys = "X", .group = group, .what = "Next table family", .run = next_table});
  commands.push_back(choice_menu(menu, "Mode", settings.convolution.mode));
  commands.push_back(choice_menu(menu, "Rows", settings.convolution.order));
  return commands;
}

std::vector<Command> SparseScene::file_commands()
{
  constexpr std::string_view group = "FILES";
  constexpr std::string_view menu = "File";
  auto const ask_to_export = [this] {
    ask_for_file({.kind = FileQuestion::Kind::save,
                  .title = "Export the kernel map",
                  .proposed = "kernel_map.npz",
                  .files = {{translatable("NumPy archive"), {".npz"}}},
                  .use = [this](Paths const& files) {
                    save_kernel_map(files.front());
                    state_.notice = fmt::format("Saved {}", files.front().string());
                  }});
  };
  return {
      {.keys = "Ctrl+O",
       .group = group,
       .what = "Open a model, or an array of sites",
       .menu = menu,
       .label = "Open sites…",
       .run = [this] { ask_for_sites(); }},
      {.keys = "Ctrl+Shift+E",
       .group = group,
       .what = "Export the kernel map",
       .menu = menu,
       .label = "Export the kernel map…",
       .run = ask_to_export},
  };
}

std::vector<Command> SparseScene::view_commands()
{
  constexpr std::string_view group = "VIEW";
  constexpr std::string_view menu = "View";
  SparseSceneSettings& settings = state_.settings;
  auto const zoom = [this](double factor) {
    return [this, factor] {
      OrbitCamera& camera = space_.view().camera();
      if (shows_space()) { return camera.zoom_at({camera.width() / 2.0, camera.height() / 2.0}, factor); }
      slice_.zoom_by(factor);
    };
  };
  auto const turn_slice = [this, &settings] {
    if (!state_.is_flat()) { settings.slice_across = next(settings.slice_across); }
  };
  return {
      {.keys = "+", .group = group, .what = "Zoom in", .run = zoom(key_zoom)},
      {.keys = "-", .group = group, .what = "Zoom out", .run = zoom(1.0 / key_zoom)},
      {.keys = "Up", .group = group, .what = "Next slice", .run = [this] { move_slice(1); }},
      {.keys = "Down", .group = group, .what = "Previous slice", .run = [this] { move_slice(-1); }},
      {.keys = "V",
       .group = group,
       .what = "Sites in space, or a slice of them",
       .menu = menu,
       .label = "Sites in space, or a slice of them",
       .run = [&settings] { settings.view = next(settings.view); }},
      {.keys = "A",
       .group = group,
       .what = "Slices across another axis",
       .menu = menu,
       .label = "Slices across another axis",
       .run = turn_slice},
      {.keys = "0, Home",
       .group = group,
       .what = "Show all",
       .menu = menu,
       .label = "Show all",
       .run = [this] { state_.ask(ShowAllSites{}); }},
  };
}

std::vector<Command> SparseScene::map_commands()
{
  constexpr std::string_view group = "VIEW";
  constexpr std::string_view menu = "View";
  SparseSceneSettings& settings = state_.settings;
  auto const next_color = [&settings] {
    constexpr std::array colors{ColorBy::probe_length, ColorBy::cluster_length, ColorBy::state};
    auto const here = std::ranges::find(colors, settings.map.color_by);
    bool const is_last = here == colors.end() || std::next(here) == colors.end();
    settings.map.color_by = is_last ? colors.front() : *std::next(here);
  };
  return {
      {.keys = "M",
       .group = group,
       .what = "Show or hide the slot map",
       .menu = menu,
       .label = "Slot map",
       .run = [&settings] { settings.show_map = !settings.show_map; },
       .checked = [&settings] { return settings.show_map; }},
      {.keys = "C", .group = group, .what = "Next colouring of the slot map", .run = next_color},
      {.keys = "G",
       .group = group,
       .what = "Logarithmic or linear colour scale",
       .run = [&settings] { settings.map.log_scale = !settings.map.log_scale; }},
  };
}

}  // namespace slotscape
