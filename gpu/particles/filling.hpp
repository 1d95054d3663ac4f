#pragma once

#include "gpu/particles/engine.hpp"

#include <cstdint>
#include <vector>

namespace slotscape::particles {

/// Bodies and their velocities.
struct Filling {
  std::vector<Body> bodies;
  std::vector<Body> velocities;
};

/// The radius with which this number of particles at rest fills a fifth of the box.
float usual_radius(std::uint64_t particles);

/// Particles at rest in a block at one side of the box: a breaking dam. Throws Error, with advice, if they do not fit.
Filling dam(std::uint64_t particles, float radius, std::uint64_t seed);

/// A stream of particles from above, one layer at a time.
class Jet {
public:
  /// The particles that arrive in one step.
  Filling pour(float radius);

private:
  double due_ = 0.0;  ///< layers
  std::uint64_t poured_ = 0;
};

}  // namespace slotscape::particles
