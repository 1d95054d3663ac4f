#include "app/scene/entry.hpp"

#include "app/scene/setting_options.hpp"
#include "app/scenes/particles/scene.hpp"

namespace slotscape {
namespace {

/// slotscape particles --particles 30000 --hash teschner ...
class ParticlesSubcommand final : public Subcommand {
public:
  explicit ParticlesSubcommand(CLI::App& command) { options_.add_to(command); }
  SceneSetup set_up() const override
  {
    ParticleSceneSettings settings;
    options_.read(settings);
    return settings;
  }

private:
  SettingOptions<ParticleSceneSettings> options_;
};

}  // namespace

SceneEntry particles_scene()
{
  return entry_of<ParticleScene, ParticleSceneSettings>(
      {.name = "particles",
       .title = "Particles",
       .what = "A fluid whose grid is rebuilt in every step",
       .keys = "Ctrl+Shift+F",
       .about = "A fluid rebuilds its grid in every step: see what a bad hash costs.",
       .mouse = "Drag with the right button to stir. Drag to turn, scroll to zoom, double-click to show all.",
       .purpose = Purpose::measure,
       .panels = {.plots = "Stages", .slot_card = ""},
       .reference = [] { return rows_of<ParticleSceneSettings>(); },
       .set_seed = [](SceneSetup& set_up,
                      std::uint64_t seed) { std::any_cast<ParticleSceneSettings&>(set_up).seed = seed; },
       .subcommand = "a fluid of particles, whose grid is built anew in every step",
       .add_subcommand = [](CLI::App& command) { return std::make_unique<ParticlesSubcommand>(command); }});
}

}  // namespace slotscape
