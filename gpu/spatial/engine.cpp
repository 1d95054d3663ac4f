#include "gpu/spatial/engine.hpp"

#include "gpu/base/error.hpp"
#include "gpu/spatial/make_engine.hpp"

#include <fmt/format.h>

#include <cmath>

namespace slotscape::spatial {

void validate(SpatialSettings const& settings)
{
  VoxelGrid const& grid = settings.grid;
  bool const linear = settings.family == "linear_probing";
  if (!linear && settings.family != "two_level_cuckoo") {
    throw Error("Voxels can be hashed by two_level_cuckoo or linear_probing, not by '" + settings.family + "'.");
  }
  if (grid.side < min_grid_side || grid.side > max_grid_side) {
    throw Error("The grid must have from " + std::to_string(min_grid_side) + " to " + std::to_string(max_grid_side) +
                " voxels per axis, not " + std::to_string(grid.side) + ".");
  }
  if (!linear && grid.side > max_narrow_grid_side) {
    throw Error("A grid of more than " + std::to_string(max_narrow_grid_side) +
                " voxels per axis needs 64-bit keys, which two_level_cuckoo does not support: choose linear_probing.");
  }
  if (!(grid.extent > 0.0f) || !std::isfinite(grid.extent)) {
    throw Error("The grid's extent must be greater than 0.");
  }
  if (!(settings.load_factor >= min_load_factor && settings.load_factor <= max_load_factor)) {
    throw Error(fmt::format("The target load factor must be from {} to {}.", min_load_factor, max_load_factor));
  }
  if (!linear && settings.load_factor > max_two_level_load) {
    throw Error(fmt::format("two_level_cuckoo supports load factors up to {}: choose a lower one, or linear_probing.",
                            max_two_level_load));
  }
  if (!(settings.inside_below <= settings.outside_above)) {
    throw Error("The inside threshold must not exceed the outside threshold.");
  }
}

std::unique_ptr<SpatialEngine> make_spatial_engine(Backend backend)
{
  return dispatch(backend, []<class Exec>() { return make_engine_on<Exec>(); });
}

std::unique_ptr<InstancePainter> make_instance_painter(Backend backend)
{
  return dispatch(backend, []<class Exec>() { return make_painter_on<Exec>(); });
}

}  // namespace slotscape::spatial
