#pragma once

#include "app/gui/gui.hpp"
#include "app/registry/scenes.hpp"
#include "app/scenes/compare/scene.hpp"
#include "app/scenes/slots/scene.hpp"
#include "app/scenes/spatial/scene.hpp"
#include "app/shell/app.hpp"

#include <algorithm>
#include <memory>
#include <stdexcept>
#include <string>

namespace slotscape::test {

inline Options cpu_options()
{
  Options options;
  options.backend = BackendChoice::cpu;
  return options;
}

inline SceneEntry const& entry(std::string_view name)
{
  return *find_scene(scenes(), name);
}

inline Scenario slots_scenario(TableSetup set_up)
{
  return {&entry("slots"), std::move(set_up)};
}
inline Scenario slots_scenario(TableSettings const& table)
{
  TableSetup set_up;
  set_up.settings.table = table;
  return slots_scenario(set_up);
}
inline Scenario compare_scenario(CompareSetup set_up)
{
  return {&entry("compare"), std::move(set_up)};
}
inline Scenario spatial_scenario(SpatialSetup set_up)
{
  return {&entry("spatial"), std::move(set_up)};
}

/// Whether what is drawn from now on becomes pixels: in software they take four fifths of a frame.
inline void paint(bool pixels = true)
{
  (pixels ? glDisable : glEnable)(GL_RASTERIZER_DISCARD);
}

/// The program on the CPU, offscreen. Tests that look at its pixels call `paint` before the frames that draw them.
inline std::unique_ptr<App> offscreen_app(gl::Size size, std::optional<Scenario> const& first = std::nullopt,
                                          UserSettings const& settings = {})
{
  auto app = std::make_unique<App>(gl::open_offscreen(size), cpu_options(), settings, first);
  paint(false);
  return app;
}

/// What a panel says: `draw` draws it into ImGui's current window.
template <class Draw>
std::string text_of_panel(Draw draw)
{
  auto const context = gl::open_offscreen({640, 480});
  Gui gui(*context);
  gui.begin_frame(0.02);
  ImGui::SetNextWindowSize({400.0f, 400.0f});
  ImGui::Begin("panel");
  ImGui::LogToClipboard();
  draw(gui.look());
  ImGui::LogFinish();
  ImGui::End();
  gui.end_frame();
  return ImGui::GetClipboardText();
}

/// The current scene, which must be of this type.
template <class SceneOf>
SceneOf& scene_of(App& app)
{
  return dynamic_cast<SceneOf&>(app.current_scene());
}

/// Runs the scene's command for a key.
inline void press(Scene& scene, std::string_view keys)
{
  if (keys == "Esc") { return scene.cancel(); }
  Press const wanted = presses_of(keys).front();
  auto const command = std::ranges::find_if(scene.commands(), [&](Command const& each) {
    if (!each.run) { return false; }
    std::vector<Press> const presses = presses_of(each.keys);
    return std::ranges::find(presses, wanted) != presses.end();
  });
  if (command == scene.commands().end()) { throw std::logic_error("no command for the key " + std::string(keys)); }
  command->run();
}

/// The set-up that a scenario's text describes.
template <class Setup>
Setup parse_setup(std::string const& text, std::string const& name = "tour.json",
                  std::filesystem::path const& folder = ".")
{
  return std::any_cast<Setup>(parse_scenario(scenes(), text, name, folder, Reach::anywhere).set_up);
}
template <class Setup>
Setup read_setup(std::filesystem::path const& file)
{
  return std::any_cast<Setup>(read_scenario(scenes(), file).set_up);
}

}  // namespace slotscape::test
