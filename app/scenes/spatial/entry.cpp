#include "app/scene/entry.hpp"

#include "app/clouds/load_cloud.hpp"
#include "app/scenes/spatial/command_line.hpp"
#include "app/scenes/spatial/loader.hpp"
#include "app/scenes/spatial/scene.hpp"
#include "gpu/base/error.hpp"

namespace slotscape {
namespace {

SpatialSetup read_spatial(JsonNode const& node)
{
  SpatialSetup set_up;
  read_fields(node, set_up);
  try {
    spatial::validate(set_up.settings.hashing);
  } catch (Error const& error) {
    node.fail(error.what());
  }
  return set_up;
}

Json write_spatial(SpatialSetup const& set_up, std::filesystem::path const& folder)
{
  return object_of_fields(folder, set_up);
}

/// Model files may have disappeared by the next start.
SceneSetup replace_spatial(SceneSetup remembered)
{
  auto& set_up = std::any_cast<SpatialSetup&>(remembered);
  set_up.voxel.reset();
  set_up.voxel_of.reset();
  SpatialSceneSettings& settings = set_up.settings;
  settings.models = SpatialSceneSettings{}.models;
  settings.same_coordinates.reset();
  settings.hashing = {};
  if (settings.view.paint_by == spatial::PaintBy::attribute) { settings.view.paint_by = spatial::PaintBy::status; }
  return remembered;
}

}  // namespace

SceneEntry spatial_scene()
{
  return entry_of<SpatialScene, SpatialSetup>(
      {.name = "spatial",
       .title = "Spatial hashing",
       .what = "Spatial hashing of two models",
       .keys = "F4",
       .mouse =
           "Drag to orbit, right-drag to pan, scroll to zoom. The chosen model has arrows to move it and rings to turn "
           "it; or Shift+drag a model to move it, Ctrl+drag to turn it, Ctrl+scroll to scale it. Click a voxel to "
           "select it and choose its model, double-click to fly to it. Drop a model on the window to replace the "
           "chosen one, a second one to replace the other.",
       .panels = {.plots = "Stages", .slot_card = "Voxel card"},
       .files = {model_kind()},
       .max_files = spatial::model_count,
       .takes =
           [](std::filesystem::path const& file) {
             auto const use = clouds::use_of_array(file);
             return use == clouds::ArrayUse::none || use == clouds::ArrayUse::points ||
                    use == clouds::ArrayUse::whole_points;
           },
       .reference = [] { return rows_of<SpatialSetup>(); },
       .rewind = [](SceneSetup& set_up, double seconds) { rewind(std::any_cast<SpatialSetup&>(set_up), seconds); },
       .replace = replace_spatial,
       .set_seed = [](SceneSetup& set_up,
                      std::uint64_t seed) { std::any_cast<SpatialSetup&>(set_up).settings.seed = seed; },
       .subcommand = "voxelise, hash and intersect two moving models",
       .add_subcommand = [](CLI::App& command) { return std::make_unique<SpatialSubcommand>(command); },
       .add_files = [](CLI::App& command) { return std::make_unique<SpatialFiles>(command); }},
      read_spatial, write_spatial);
}

}  // namespace slotscape
