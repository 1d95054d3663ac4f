#include "app/scene/entry.hpp"

#include "app/clouds/load_cloud.hpp"
#include "app/scenes/sparse/command_line.hpp"
#include "app/scenes/sparse/scene.hpp"
#include "gpu/base/error.hpp"

namespace slotscape {
namespace {

SparseSetup read_sparse(JsonNode const& node)
{
  SparseSetup set_up;
  read_fields(node, set_up);
  try {
    sparse::validate(set_up.settings.convolution);
  } catch (Error const& error) {
    node.fail(error.what());
  }
  return set_up;
}

Json write_sparse(SparseSetup const& set_up, std::filesystem::path const& folder)
{
  return object_of_fields(folder, set_up);
}

/// Files may have disappeared by the next start.
SceneSetup replace_sparse(SceneSetup remembered)
{
  std::any_cast<SparseSetup&>(remembered).settings.source = {};
  return remembered;
}

}  // namespace

SceneEntry sparse_scene()
{
  return entry_of<SparseScene, SparseSetup>(
      {.name = "sparse",
       .title = "Sparse convolution",
       .what = "Sparse convolution: where a site's lookups go",
       .keys = "F6",
       .about = "The active sites of a point cloud, and the lookups of a convolution.",
       .mouse =
           "Click a site to see what it reads, or a slot to see which site is in it. Drag to move, scroll to zoom, "
           "double-click to show all. Drop a model, a point cloud or a .npy file of sites on the window to open it.",
       .panels = {.plots = "Stages and layers", .slot_card = "Site card"},
       .files = sites_kinds(),
       .takes =
           [](std::filesystem::path const& file) { return clouds::use_of_array(file) != clouds::ArrayUse::column; },
       .reference = [] { return rows_of<SparseSetup>(); },
       .replace = replace_sparse,
       .set_seed = [](SceneSetup& set_up,
                      std::uint64_t seed) { std::any_cast<SparseSetup&>(set_up).settings.source.seed = seed; },
       .subcommand = "active sites in a table, and what the outputs of a convolution read",
       .add_subcommand = [](CLI::App& command) { return std::make_unique<SparseSubcommand>(command); }},
      read_sparse, write_sparse);
}

}  // namespace slotscape
