#include "gpu/particles/engine.hpp"

#include "gpu/base/error.hpp"
#include "gpu/execution/dispatch.hpp"
#include "gpu/tables/slot_counts.hpp"

namespace slotscape::particles {

// Specialised in the source file of each backend.
template <>
std::unique_ptr<ParticleEngine> make_engine_on<exec::Cpu>();
template <>
std::unique_ptr<ParticleEngine> make_engine_on<exec::Cuda>();

void validate(ParticleSettings const& settings)
{
  auto const require = [](bool holds, char const* sentence) {
    if (!holds) { throw Error(sentence); }
  };
  require(settings.gravity >= 0.0f && settings.gravity <= max_gravity, "Gravity must be from 0 to 30.");
  require(settings.viscosity >= 0.0f && settings.viscosity <= 1.0f, "The viscosity must be from 0 to 1.");
  require(settings.iterations >= 0 && settings.iterations <= max_iterations, "Iterations must be from 0 to 10.");
  require(settings.substeps >= 1 && settings.substeps <= max_substeps, "Substeps must be from 1 to 8.");
  require(settings.slots == 0 || (settings.slots >= min_slots && settings.slots <= max_slots),
          "The number of slots must be 0, for as many as fit, or from 2 to 2147483648.");
}

std::unique_ptr<ParticleEngine> make_particle_engine(Backend backend)
{
  return dispatch(backend, []<class Exec>() { return make_engine_on<Exec>(); });
}

}  // namespace slotscape::particles
