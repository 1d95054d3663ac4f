#pragma once

#include "app/scene/facts.hpp"
#include "app/scenes/particles/runner.hpp"
#include "app/scenes/particles/settings.hpp"
#include "app/simulation/hash_choice.hpp"
#include "app/table_map/map_state.hpp"

#include <optional>

namespace slotscape {

/// Everything that the panels and views read and edit.
struct ParticleState {
  ParticleSceneSettings settings;
  HashField hash_field;
  DeviceFacts device;
  std::uint64_t restarts = 0;
  std::uint64_t steps = 1;  ///< number of steps requested since the start
  particles::Stirrer stirrer;

  /// --- the shown result; empty before the first one.
  std::optional<ParticlesQuery> shown;
  ParticlesResult result;
  MapState table;  ///< state of the slot map

  void restart()
  {
    ++restarts;
    steps = 1;
  }
  void step()
  {
    settings.runs = false;
    ++steps;
  }
};

}  // namespace slotscape
