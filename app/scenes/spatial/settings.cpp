#include "app/scenes/spatial/settings.hpp"

#include <algorithm>

namespace slotscape {

void exchange_table(spatial::SpatialSettings& hashing)
{
  bool const to_linear = hashing.family != "linear_probing";
  hashing.family = to_linear ? "linear_probing" : "two_level_cuckoo";
  if (to_linear) { return; }
  hashing.grid.side = std::min(hashing.grid.side, spatial::max_narrow_grid_side);
  hashing.load_factor = std::min(hashing.load_factor, spatial::most_two_level_load);
}

}  // namespace slotscape
