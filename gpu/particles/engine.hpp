#pragma once

#include "gpu/engine/inspected_table.hpp"
#include "gpu/particles/particles.hpp"
#include "gpu/tables/settings.hpp"

#include <array>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace slotscape::particles {

inline constexpr float max_gravity = 30.0f;
inline constexpr int max_iterations = 10;
inline constexpr int max_substeps = 8;
/// The maximum load factor of a table of cells: missing cells are also looked up, and these lookups read up to the next
/// empty slot.
inline constexpr double max_load = 0.95;

struct ParticleSettings {
  float gravity = 9.81f;   ///< 0 to `max_gravity`
  float viscosity = 0.1f;  ///< 0 to 1
  int iterations = 2;      ///< iterations of the constraints per step: 0 to `max_iterations`
  int substeps = 1;        ///< per step, each with its own cells: 1 to `max_substeps`
  HashChoice hash = {};
  std::uint64_t slots = 0;  ///< of the table of cells; 0: a power of two, at least twice the number of cells
  friend bool operator==(ParticleSettings const&, ParticleSettings const&) = default;
};

/// The stages of a step whose times are measured, in order.
inline constexpr std::array<std::string_view, 4> stage_names{"Sort", "Table", "Neighbours", "Motion"};
inline constexpr double step_seconds = 1.0 / 60.0;

/// The state after a step. Particles have a mass of 1.
struct StepSnapshot {
  std::uint64_t particles = 0;
  std::uint64_t cells = 0;  ///< cells with particles
  std::uint64_t slots = 0;
  std::uint64_t near = 0;  ///< ordered pairs within the radius
  std::array<double, 3> momentum{};
  double kinetic = 0.0;  ///< energies
  double potential = 0.0;
  double density = 0.0;  ///< mean, in units of the rest density
  double densest = 0.0;
  double fastest = 0.0;  ///< metres per second
  std::array<double, stage_names.size()> stage_seconds{};
};

/// Quantities that a picture can show for each particle.
enum class Quantity : std::uint8_t { speed, density, cell, slot, probe_length };

/// The neighbours used by the last step or substep, in host memory (CSR): those of body i are `numbers` from offsets[i]
/// up to offsets[i + 1].
struct NearFrame {
  std::vector<Body> bodies;  ///< at the positions where neighbours were searched
  std::vector<std::uint64_t> offsets;
  std::vector<std::uint32_t> numbers;
};

/// Particles in the memory of one device. Call it from one thread; each call blocks. On a CPU, the result does not
/// depend on the number of threads.
class ParticleEngine {
public:
  virtual ~ParticleEngine() = default;

  virtual Backend backend() const = 0;
  virtual std::string device_name() const = 0;

  /// Replaces all particles, and allocates room for `capacity` particles. Throws Error, with advice, and changes
  /// nothing, if there are too many, the radius is invalid, or memory runs out.
  virtual void place(std::span<Body const> bodies, std::span<Body const> velocities, float radius,
                     std::uint64_t capacity) = 0;
  /// Adds as many of the given particles as fit.
  virtual void add(std::span<Body const> bodies, std::span<Body const> velocities) = 0;
  /// Moves all particles by `step_seconds`. Throws Error, with advice, if the settings are invalid or the cells do not
  /// fit into the table; the substeps before the error stay in effect.
  virtual StepSnapshot step(ParticleSettings const& settings, Stirrer const& stirrer) = 0;
  /// After a step: stores its cells in a table with these settings, and looks them up again, while nothing moves.
  /// Returns how many seconds that took. Throws Error like `step`.
  virtual double rehash(ParticleSettings const& settings) = 0;

  /// --- Results of the last step.
  ///
  /// Each particle with the quantity to show. The order changes from step to step.
  virtual std::vector<Body> shown(Quantity quantity) = 0;
  virtual NearFrame near() = 0;
  /// Maps keys of cells to their numbers. Null before the first step.
  virtual InspectedTable* table() = 0;
};

/// Throws Error, with advice, if the settings are invalid.
void validate(ParticleSettings const& settings);

/// Throws Error if the backend is unavailable.
std::unique_ptr<ParticleEngine> make_particle_engine(Backend backend);

/// Makes the engine of a backend; each backend specialises it.
template <class Exec>
std::unique_ptr<ParticleEngine> make_engine_on();

}  // namespace slotscape::particles
