#include "app/scene/entry.hpp"

#include "app/scene/setting_options.hpp"
#include "app/scenes/paged/scene.hpp"

namespace slotscape {
namespace {

/// slotscape paged --slots 4294967296 --pages 256 ...
class PagedSubcommand final : public Subcommand {
public:
  explicit PagedSubcommand(CLI::App& command) { options_.add_to(command); }
  SceneSetup set_up() const override
  {
    PagedSceneSettings settings;
    options_.read(settings);
    return settings;
  }

private:
  SettingOptions<PagedSceneSettings> options_;
};

}  // namespace

SceneEntry paged_scene()
{
  return entry_of<PagedScene, PagedSceneSettings>(
      {.name = "paged",
       .title = "Larger than memory",
       .what = "A table larger than a GPU's memory, page by page",
       .keys = "Ctrl+Shift+P",
       .about = "A table larger than a GPU's memory, page by page.",
       .mouse = "Point at a page to see how full it is.",
       .purpose = Purpose::measure,
       .panels = {.plots = "", .slot_card = ""},
       .reference = [] { return rows_of<PagedSceneSettings>(); },
       .set_seed = [](SceneSetup& set_up,
                      std::uint64_t seed) { std::any_cast<PagedSceneSettings&>(set_up).table.seed = seed; },
       .subcommand = "a table larger than a GPU's memory, page by page",
       .add_subcommand = [](CLI::App& command) { return std::make_unique<PagedSubcommand>(command); }});
}

}  // namespace slotscape
