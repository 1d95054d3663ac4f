#include "app/base/text.hpp"
#include "app/scenes/sparse/gui.hpp"
#include "app/scenes/sparse/scene.hpp"
#include "app/table_map/overlays.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace slotscape {
namespace {

constexpr float least_canvas_width = 560.0f;
constexpr float side_by_side_width = 700.0f;
constexpr float map_share_beside = 0.42f;
constexpr float map_share_below = 0.42f;
constexpr float caption_height = 26.0f;
constexpr float card_clearance = 48.0f;

void draw_controls(Look const& look, SparseState& state)
{
  sites_panel(look, state);
  convolution_panel(look, state);
  site_table_panel(look, state);
  ImGui::Dummy({0.0f, look(8.0f)});
}

void draw_measures(Look const& look, SparseState& state, Frame const& frame)
{
  if (frame.panels.numbers) {
    sparse_numbers_panel(look, state);
    offsets_panel(look, state);
  }
  if (frame.panels.plots) {
    sparse_stages_panel(look, state);
    growth_panel(look, state, frame.charts);
  }
  ImGui::Dummy({0.0f, look(8.0f)});
}

template <class Enum>
Enum next(Enum value)
{
  auto const names = enum_names<Enum>();
  auto const here = std::ranges::find(names, value, &EnumName<Enum>::value);
  return std::next(here) == names.end() ? names.front().value : std::next(here)->value;
}

}  // namespace

void SparseScene::lay_out(Frame const& frame)
{
  Look const& look = frame.look;
  Rectangle const& window = frame.window;
  Panels const& panels = frame.panels;
  layout_ = {};
  background_ = look.background;
  layout_.sides =
      lay_out_sides(look, panels.widths, window, panels.controls, panels.numbers || panels.plots, least_canvas_width);
  int const left = layout_.sides.left.width;
  Rectangle const middle{window.x + left, window.y, std::max(window.width - left - layout_.sides.right.width, 1),
                         window.height};
  place_canvas(middle);
  layout_.sites = middle;
  if (!state_.settings.show_map) { return; }
  int const caption = static_cast<int>(look(caption_height));
  int const legend = static_cast<int>(legend_height(look));
  Rectangle maps = middle;
  if (middle.width >= static_cast<int>(look(side_by_side_width))) {
    maps.width = static_cast<int>(std::lround(static_cast<float>(middle.width) * map_share_beside));
    layout_.sites.width -= maps.width;
    maps.x += layout_.sites.width;
  } else {
    maps.height = static_cast<int>(std::lround(static_cast<float>(middle.height) * map_share_below));
    layout_.sites.height -= maps.height;
    maps.y += layout_.sites.height;
  }
  caption_ = {maps.x, maps.y, maps.width, caption};
  layout_.map = {maps.x, maps.y + caption, maps.width, std::max(maps.height - caption - legend, 1)};
  layout_.legend = {maps.x, maps.y + maps.height - legend, maps.width, legend};
}

std::optional<ShownOutput> SparseScene::shown_output() const
{
  if (!state_.chosen) { return std::nullopt; }
  return ShownOutput{state_.chosen->site, state_.chosen->neighbours, state_.pointed_offset};
}

void SparseScene::draw_pictures(Presenters& presenters, int framebuffer_height)
{
  if (!has_results()) { return; }
  if (shows_space()) {
    space_.draw_picture(shown_output(), SpaceView::Slice{state_.settings.slice_across, state_.slice_index},
                        canvas_color_on(background_), framebuffer_height);
  }
  if (layout_.map.width > 0) { map_.draw_map(presenters[0].buffer(), state_.table, framebuffer_height); }
}

void SparseScene::draw_map_caption(Look const& look)
{
  ImGui::SetNextWindowPos({static_cast<float>(caption_.x), static_cast<float>(caption_.y)});
  ImGui::SetNextWindowSize({static_cast<float>(caption_.width), static_cast<float>(caption_.height)});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {look(8.0f), look(4.0f)});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowMinSize, {1.0f, 1.0f});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, 0.0f);
  ImGui::PushStyleColor(ImGuiCol_WindowBg, theme::raised);
  ImGui::Begin("##sites_caption", nullptr,
               ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings |
                   ImGuiWindowFlags_NoBringToFrontOnFocus);
  ImGui::PopStyleColor();
  ImGui::PopStyleVar(3);
  Statistics const& seen = state_.table.statistics;
  ImGui::TextUnformatted(fmt::format("{} · α {:.2f} · {:.2f} accesses/hit", family_of(state_.table).title,
                                     seen.load_factor(), seen.hit_accesses.mean)
                             .c_str());
  hint(look, fmt::format("The table of the sites: flattened coordinates, and the numbers of their rows.\n\n{}",
                         family_of(state_.table).idea));
  ImGui::End();
}

void SparseScene::draw_gui(Frame const& frame)
{
  Look const& look = frame.look;
  if (has_results()) {
    if (shows_space()) {
      space_.draw(look);
    } else {
      slice_.draw(look, layout_.sites, shown_output());
    }
    if (layout_.map.width > 0) {
      std::optional<Slot> const under_mouse = map_.hovered_slot();
      map_.draw(look, state_.table, [&](Annotator const& on) { draw_links(on, links_, under_mouse); });
      draw_map_caption(look);
      TableState& table = state_.table;
      draw_legend(look, table, map_.camera(), layout_.legend);
      ColorBy const wanted = state_.settings.map.color_by;
      state_.settings.map = table.settings.view;
      state_.settings.map.color_by = wanted;
    }
  }
  draw_sides(
      look, frame.panels.widths, layout_.sides, [&] { draw_controls(look, state_); },
      [&] { draw_measures(look, state_, frame); });
  if (frame.panels.slot_card && state_.chosen) {
    if (!shows_space()) {
      card_ = beside(look, card_, layout_.sites, slice_.middle_of(state_.chosen->site), look(card_clearance));
    }
    if (!draw_site_card(look, state_, layout_.sites, card_)) { choose(std::nullopt); }
  }
  if (state_.progress && draw_progress(look, *state_.progress, layout_.sites)) { state_.ask(CancelConvolution{}); }
}

void SparseScene::move_slice(int cells)
{
  double const depth = std::max(state_.slice_depth, 1);
  state_.settings.slice_at = (std::clamp(state_.slice_index + cells, 0, state_.slice_depth - 1) + 0.5) / depth;
}

std::vector<Command> SparseScene::make_commands()
{
  SparseSceneSettings& settings = state_.settings;
  auto const change_grid = [&settings](bool finer) {
    std::uint32_t const wanted = finer ? settings.source.grid * 2 : settings.source.grid / 2;
    settings.source.grid = std::clamp(wanted, smallest_site_grid, largest_site_grid);
  };
  auto const change_kernel = [&settings](int by) {
    settings.convolution.kernel = std::clamp(settings.convolution.kernel + by, 1, sparse::max_kernel);
    reconcile(settings.convolution);
  };
  return {
      {.keys = "K", .group = "CONVOLUTION", .what = "Larger kernel", .run = [=] { change_kernel(1); }},
      {.keys = "J", .group = "CONVOLUTION", .what = "Smaller kernel", .run = [=] { change_kernel(-1); }},
      {.keys = "S",
       .group = "CONVOLUTION",
       .what = "Next mode",
       .run =
           [&settings] {
             settings.convolution.mode = next(settings.convolution.mode);
             reconcile(settings.convolution);
           }},
      choice_menu("Convolution", "Mode", settings.convolution.mode),
      choice_menu("Convolution", "Rows", settings.convolution.order),
      {.keys = "Comma", .group = "SITES", .what = "Coarser grid", .run = [=] { change_grid(false); }},
      {.keys = "Period", .group = "SITES", .what = "Finer grid", .run = [=] { change_grid(true); }},
      {.keys = "Ctrl+O",
       .group = "FILES",
       .what = "Open a model, or an array of sites",
       .menu = "File",
       .label = "Open sites…",
       .run = [this] { ask_for_sites(); }},
      {.keys = "Ctrl+E",
       .group = "FILES",
       .what = "Export the kernel map",
       .menu = "File",
       .label = "Export the kernel map…",
       .run =
           [this] {
             ask_for_file({.kind = FileQuestion::Kind::save,
                           .title = "Export the kernel map",
                           .proposed = "kernel_map.npz",
                           .files = {{"NumPy archive", {".npz"}}},
                           .use = [this](Paths const& files) {
                             save_kernel_map(files.front());
                             state_.notice = fmt::format("Saved {}", files.front().string());
                           }});
           }},
      {.keys = "Up", .group = "VIEW", .what = "Next slice", .run = [this] { move_slice(1); }},
      {.keys = "Down", .group = "VIEW", .what = "Slice before", .run = [this] { move_slice(-1); }},
      {.keys = "V",
       .group = "VIEW",
       .what = "Sites in space, or a slice of them",
       .menu = "View",
       .label = "Sites in space, or a slice of them",
       .run = [&settings] { settings.view = next(settings.view); }},
      {.keys = "A",
       .group = "VIEW",
       .what = "Slices across another axis",
       .menu = "View",
       .label = "Slices across another axis",
       .run =
           [this, &settings] {
             if (!state_.is_flat()) { settings.slice_across = next(settings.slice_across); }
           }},
      {.keys = "M",
       .group = "VIEW",
       .what = "Show or hide the slot map",
       .menu = "View",
       .label = "Slot map",
       .run = [&settings] { settings.show_map = !settings.show_map; },
       .checked = [&settings] { return settings.show_map; }},
      {.keys = "0, Home",
       .group = "VIEW",
       .what = "Show all",
       .menu = "View",
       .label = "Show all",
       .run = [this] { state_.ask(ShowAllSites{}); }},
  };
}

}  // namespace slotscape
