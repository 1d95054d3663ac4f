#include "app/scene/entry.hpp"

#include "app/clouds/load_cloud.hpp"
#include "app/scenes/neighbours/command_line.hpp"
#include "app/scenes/neighbours/scene.hpp"
#include "gpu/base/error.hpp"

namespace slotscape {
namespace {

NeighbourSetup read_neighbours(JsonNode const& node)
{
  NeighbourSetup set_up;
  read_fields(node, set_up);
  try {
    validate(set_up.settings.search);
  } catch (Error const& error) {
    node.fail(error.what());
  }
  return set_up;
}

Json write_neighbours(NeighbourSetup const& set_up, std::filesystem::path const& folder)
{
  return object_of_fields(folder, set_up);
}

/// Files may have disappeared by the next start.
SceneSetup replace_neighbours(SceneSetup remembered)
{
  NeighbourSceneSettings& settings = std::any_cast<NeighbourSetup&>(remembered).settings;
  settings.source = {};
  settings.search.radius = 0.0;
  return remembered;
}

}  // namespace

SceneEntry neighbours_scene()
{
  return entry_of<NeighbourScene, NeighbourSetup>(
      {.name = "neighbours",
       .title = "Neighbours",
       .what = "Who is near? Points in the cells of a grid",
       .keys = "Ctrl+Shift+N",
       .about = "The points within a radius of each point of a cloud.",
       .mouse = "Point at a point of the model to see its neighbours, the cells that its search reads, and their "
                "slots. Click to hold the point. Drag to turn, scroll to zoom, double-click to show all. Drop a model "
                "or a point cloud on the window to open it.",
       .panels = {.plots = "Stages", .slot_card = ""},
       .files = point_kinds(),
       .takes =
           [](std::filesystem::path const& file) {
             auto const use = clouds::use_of_array(file);
             return use == clouds::ArrayUse::none || use == clouds::ArrayUse::points ||
                    use == clouds::ArrayUse::whole_points;
           },
       .reference = [] { return rows_of<NeighbourSetup>(); },
       .replace = replace_neighbours,
       .set_seed = [](SceneSetup& set_up,
                      std::uint64_t seed) { std::any_cast<NeighbourSetup&>(set_up).settings.source.seed = seed; },
       .subcommand = "the points within a radius of each point, by cells of a grid",
       .add_subcommand = [](CLI::App& command) { return std::make_unique<NeighboursSubcommand>(command); }},
      read_neighbours, write_neighbours);
}

}  // namespace slotscape
