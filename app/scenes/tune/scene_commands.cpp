#include "app/scene/setting_commands.hpp"
#include "app/scenes/tune/scene.hpp"
#include "app/widgets/labels.hpp"

#include "app/widgets/labels.hpp"
#include "gpu/base/error.hpp"
#include "gpu/base/translation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace slotscape {
namespace {

void show_next_preset(TuneSettings& settings)
{
  auto const presets = tuning::presets();
  auto const here = std::ranges::find_if(presets, [&](auto const& preset) { return has_preset(settings, preset); });
  bool const is_last = here == presets.end() || std::next(here) == presets.end();
  use_preset(settings, is_last ? presets.front() : *std::next(here));
}

void draw_presets(TuneSettings& settings)
{
  if (!ImGui::BeginMenu(translated_label("Presets").c_str())) { return; }
  for (tuning::Preset const& preset : tuning::presets()) {
    bool const is_here = has_preset(settings, preset);
    if (ImGui::MenuItem(translated_label(preset.workload.name).c_str(), nullptr, is_here)) {
      use_preset(settings, preset);
    }
  }
  ImGui::EndMenu();
}

}  // namespace

std::vector<Command> TuneScene::sweep_commands()
{
  constexpr std::string_view group = "SWEEP";
  constexpr std::string_view menu = "Tuning";
  TuneSettings& settings = state_.settings;
  auto const start_label = [this] {
    if (!state_.sweeping) { return std::string(translatable("Start")); }
    return std::string(state_.status.paused ? translatable("Go on") : translatable("Pause"));
  };
  return {
      {.keys = "Space",
       .group = group,
       .what = "Start, pause or resume",
       .menu = menu,
       .run = [this] { state_.ask(StartOrPause{}); },
       .label_now = start_label},
      {.menu = menu, .label = "Start over", .run = [this] { state_.ask(StartOver{}); }},
      {.keys = "N",
       .group = group,
       .what = "Next preset",
       .menu = menu,
       .label = "Next preset",
       .divides = true,
       .run = [&settings] { show_next_preset(settings); }},
      {.menu = menu, .label = "Presets", .submenu = [&settings] { draw_presets(settings); }},
      {.menu = menu, .label = "Other keys (seed + 1)", .run = [&settings] { ++settings.seed; }},
  };
}

std::vector<Command> TuneScene::mark_commands()
{
  constexpr std::string_view group = "TABLES";
  constexpr std::string_view menu = "Tuning";
  auto const open = [this] {
    if (!state_.to_open()) { throw Error(tr("There is no table to open yet: press Space to start the sweep.")); }
    state_.ask(OpenInSlots{*state_.to_open()});
  };
  return {
      {.keys = "Right",
       .group = group,
       .what = "Next table on the frontier",
       .run = [this] { step_along_frontier(1); }},
      {.keys = "Left", .group = group, .what = "Previous table", .run = [this] { step_along_frontier(-1); }},
      {.keys = "Enter, O",
       .group = group,
       .what = "Open the table in the slots scene",
       .menu = menu,
       .label = "Open in slots",
       .divides = true,
       .run = open},
      {.keys = "C",
       .group = group,
       .what = "Compare the two selected tables",
       .menu = menu,
       .label = "Compare two tables",
       .run = [this] { state_.ask(OpenBoth{}); }},
      {.keys = "U",
       .group = group,
       .what = "Show the table as code",
       .menu = menu,
       .label = "Use as code",
       .run = [this] { state_.settings.view = TuneView::code; }},
  };
}

std::vector<Command> TuneScene::file_commands()
{
  constexpr std::string_view menu = "Export";
  std::vector<Command> commands{{.keys = "Ctrl+O",
                                 .group = "FILES",
                                 .what = "Open a file with keys",
                                 .menu = "File",
                                 .label = "Open keys…",
                                 .run = [this] { state_.ask(AskForKeys{}); }}};
  auto const save = [this](TuneExport what) { return [this, what] { state_.ask(AskWhereToSave{what}); }; };
  commands.push_back({.keys = "Ctrl+Shift+E",
                      .group = "FILES",
                      .what = "Save the page to share",
                      .menu = menu,
                      .label = "The page, with its pictures (HTML)…",
                      .run = save(TuneExport::html)});
  commands.push_back({.menu = menu, .label = "The page in Markdown…", .run = save(TuneExport::markdown)});
  commands.push_back({.menu = menu, .label = "Measurements as CSV…", .divides = true, .run = save(TuneExport::csv)});
  commands.push_back({.menu = menu, .label = "Everything as JSON…", .run = save(TuneExport::json)});
  commands.push_back({.menu = menu, .label = "The code shown…", .run = save(TuneExport::code)});
  commands.push_back({.menu = menu, .label = "The table as a scenario…", .run = save(TuneExport::scenario)});
  for (int i = 0; i < tuning::plot_count; ++i) {
    auto const plot = static_cast<tuning::Plot>(i);
    commands.push_back({.menu = menu,
                        .divides = i == 0,
                        .run = [this, plot] { state_.ask(AskWhereToSavePlot{plot}); },
                        .label_now = [plot] { return tr("Plot: {}…", translated(tuning::title_of(plot))); }});
  }
  return commands;
}

std::vector<Command> TuneScene::view_commands()
{
  TuneSettings& settings = state_.settings;
  std::vector<Command> commands = setting_commands(settings, "VIEW");
  commands.push_back({.keys = "P",
                      .group = "VIEW",
                      .what = "Show or hide rates in papers",
                      .menu = "View",
                      .label = "Rates in papers",
                      .run = [&settings] { settings.printed = !settings.printed; },
                      .checked = [&settings] { return settings.printed; }});
  commands.push_back(choice_menu("View", "Canvas", settings.view));
  return commands;
}

}  // namespace slotscape
