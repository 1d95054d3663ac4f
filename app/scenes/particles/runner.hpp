#pragma once

#include "gpu/base/progress.hpp"
#include "gpu/particles/filling.hpp"

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace slotscape {

/// The initial conditions. A change restarts the simulation.
struct ParticleStart {
  std::uint64_t particles = 0;
  float radius = 0.0f;
  std::uint64_t seed = 0;
  std::uint64_t restarts = 0;
  friend bool operator==(ParticleStart const&, ParticleStart const&) = default;
};

/// The input of a step.
struct ParticlesQuery {
  ParticleStart start;
  std::uint64_t steps = 1;  ///< number of steps since the start
  particles::ParticleSettings settings;
  particles::Stirrer stirrer;
  bool pours = false;
  particles::Quantity quantity = particles::Quantity::speed;
  friend bool operator==(ParticlesQuery const&, ParticlesQuery const&) = default;
};

using StageSeconds = std::array<double, particles::stage_names.size()>;

struct ParticlesResult {
  std::shared_ptr<std::vector<particles::Body> const> bodies;  ///< particles with their positions and quantities
  float largest = 0.0f;                                        ///< largest of these quantities
  particles::StepSnapshot step;                                ///< the last step
  StageSeconds mean_seconds{};                                 ///< mean over the steps since the start
  double worst_seconds = 0.0;                                  ///< the slowest step
};

/// Places particles, pours new ones and makes the steps that a query needs beyond the previous one. Afterwards the
/// engine holds the cells of the last step.
class ParticleRunner {
public:
  explicit ParticleRunner(Backend backend) : engine_(particles::make_particle_engine(backend)) {}

  /// Throws Error or Cancelled.
  ParticlesResult compute(ParticlesQuery const& query, Progress const& progress);
  particles::ParticleEngine& engine() { return *engine_; }

private:
  void start(ParticleStart const& start);
  void step(ParticlesQuery const& query);

  std::unique_ptr<particles::ParticleEngine> engine_;
  std::optional<ParticleStart> started_;
  particles::ParticleSettings made_with_;
  particles::Jet jet_;
  std::uint64_t made_ = 0;
  StageSeconds seconds_{};  ///< stage times summed over all steps
  ParticlesResult result_;
};

}  // namespace slotscape
