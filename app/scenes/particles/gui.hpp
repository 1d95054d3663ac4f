#pragma once

#include "app/scenes/particles/state.hpp"
#include "app/widgets/look.hpp"

#include <string>

namespace slotscape {

/// The particles and the forces on them; the fluid; the table of cells.
void particles_panel(Look const& look, ParticleState& state);
void fluid_panel(Look const& look, ParticleState& state);
void particle_table_panel(Look const& look, ParticleState& state);

/// Statistics of the last step, and the times of its stages.
void particle_numbers_panel(Look const& look, ParticleState const& state);
void particle_stages_panel(Look const& look, ParticleState const& state);

/// "Step 120: 30,000 particles · 5,036 cells in 16,384 slots · grid 6.2 ms, fluid 9.9 ms"
std::string text_of_step(ParticleState const& state);
/// Draws this line over the box, with a colour legend and hints for the mouse.
void draw_step_line(Look const& look, ParticleState const& state, Rectangle const& canvas);

}  // namespace slotscape
