#include "app/scene/entry.hpp"

#include "app/scenes/watch/command_line.hpp"
#include "app/scenes/watch/scene.hpp"
#include "gpu/base/translation.hpp"

namespace slotscape {
namespace {

/// Files may have disappeared by the next start.
SceneSetup replace_watch(SceneSetup const&)
{
  return WatchSetup{};
}

}  // namespace

SceneEntry watch_scene()
{
  return entry_of<WatchScene, WatchSetup>(
      {.name = "watch",
       .title = "Your own table",
       .what = "A table of your own program, or from a file",
       .keys = "F12",
       .about = "A table of your program, while it runs or from a file.",
       .mouse = "Scroll to zoom at the cursor, drag to pan, double-click to show the whole table. Click a slot to pin "
                "it. Drop a dump with its description beside it on the window to open it.",
       .file_entry = "Open a running table…",
       .files = {{translatable("dump of a table"), {".npy", ".npz", ".bin", ".dat", ".raw"}}},
       .max_files = 4,
       .takes = [](std::filesystem::path const& file) { return !layout_beside(file).empty(); },
       .reference = [] { return rows_of<WatchSetup>(); },
       .replace = replace_watch,
       .subcommand = "look at a table in the memory of another program, or in a file",
       .add_subcommand = [](CLI::App& command) { return std::make_unique<WatchSubcommand>(command); }});
}

}  // namespace slotscape
