#pragma once

#include "app/base/enum_names.hpp"
#include "app/base/setting.hpp"
#include "app/table_map/settings.hpp"
#include "gpu/particles/engine.hpp"

namespace slotscape {

struct ParticleSceneSettings {
  std::uint64_t particles = 30000;  ///< number of particles at the start
  double radius = 0.0;              ///< metres; 0: chosen so that the particles fill a fifth of the box
  std::uint64_t seed = 1;
  double gravity = 9.81;
  double viscosity = 0.1;
  int iterations = 2;
  int substeps = 1;
  HashChoice hash = {};
  std::uint64_t slots = 0;  ///< slots of the table; 0: as many as needed
  bool pours = false;
  bool runs = true;
  std::uint64_t steps = 60;  ///< number of steps to make without a window
  particles::Quantity color_by = particles::Quantity::speed;
  bool show_map = true;
  ViewSettings map{.color_by = ColorBy::probe_length};
  friend bool operator==(ParticleSceneSettings const&, ParticleSceneSettings const&) = default;
};
template <>
std::span<Setting<ParticleSceneSettings> const> settings_of();

particles::ParticleSettings engine_settings(ParticleSceneSettings const& settings);
/// The particles' radius in metres.
float radius_of(ParticleSceneSettings const& settings);

template <>
std::span<EnumName<particles::Quantity> const> enum_names();

}  // namespace slotscape
