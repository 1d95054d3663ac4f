#include "gpu/neighbours/engine.hpp"

#include "gpu/neighbours/make_engine.hpp"

namespace slotscape::neighbours {

void validate(NeighbourSettings const& settings)
{
  require_radius(settings.radius);
  require_divisor(settings.divisor);
  if (!(settings.load_factor >= min_load_factor && settings.load_factor <= max_load_factor)) {
    throw Error("The load factor must be from 0.05 to 0.95.");
  }
}

std::unique_ptr<NeighbourEngine> make_neighbour_engine(Backend backend)
{
  return dispatch(backend, []<class Exec>() { return make_engine_on<Exec>(); });
}

}  // namespace slotscape::neighbours
