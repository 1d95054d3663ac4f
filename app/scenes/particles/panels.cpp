#include "app/base/fixed.hpp"
#include "app/base/text.hpp"
#include "app/scenes/particles/box_view.hpp"
#include "app/scenes/particles/gui.hpp"
#include "app/simulation/throughput.hpp"
#include "app/table_map/mean_and_max.hpp"
#include "app/widgets/controls.hpp"
#include "app/widgets/hash_row.hpp"
#include "app/widgets/labels.hpp"
#include "app/widgets/number_rows.hpp"
#include "app/widgets/setting_row.hpp"
#include "gpu/base/translation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <numeric>

namespace slotscape {
namespace {

using particles::Quantity;

void drive_row(Look const& look, ParticleState& state)
{
  ParticleSceneSettings& settings = state.settings;
  if (text_button(settings.runs ? translatable("Pause") : translatable("Run"))) { settings.runs = !settings.runs; }
  hint(look, "Each frame advances by one step (Space).");
  ImGui::SameLine();
  if (text_button("Step")) { state.step(); }
  hint(look, "Pauses, and advances by one step (N).");
  ImGui::SameLine();
  if (text_button("Restart")) { state.restart(); }
  hint(look, "Puts the particles back where they started (R).");
}

/// A row for a setting whose value 0 means that the program chooses. The slider shows the chosen value, `now`, until it
/// is moved.
template <class Number>
void chosen_row(Look const& look, ParticleState& state, std::string_view name, Number ParticleSceneSettings::*member,
                Number now, SettingControl const& control)
{
  ParticleSceneSettings shown = state.settings;
  shown.*member = now;
  if (setting_row(look, name, shown, control)) { state.settings.*member = shown.*member; }
}
template <class Number>
void usual_button(Look const& look, Number& number, char const* label, std::string const& what)
{
  ImGui::BeginDisabled(number == Number{});
  if (text_button(label)) { number = Number{}; }
  ImGui::EndDisabled();
  hint(look, what);
}

double grid_seconds(StageSeconds const& stages)
{
  return stages[0] + stages[1] + stages[2];
}

/// A colour bar from the lowest to the highest value, on the current line of a window.
void draw_colors(Look const& look, ParticleState const& state)
{
  constexpr int parts = 32;
  auto const scale = color_scale_of(state.shown->quantity, state.result.largest);
  if (!scale) { return; }
  std::string_view const unit = state.shown->quantity == Quantity::speed ? " m/s" : "";
  ImGui::SameLine(0.0f, look(8.0f));
  ImGui::TextUnformatted(fmt::format("{:g}", scale->low).c_str());
  ImGui::SameLine(0.0f, look(4.0f));
  ImVec2 const corner = ImGui::GetCursorScreenPos();
  ImVec2 const size{look(2.0f), ImGui::GetTextLineHeight()};
  for (int i = 0; i < parts; ++i) {
    ImVec2 const at{corner.x + static_cast<float>(i) * size.x, corner.y};
    Color const color = palette_color(scale->palette, static_cast<double>(i) / (parts - 1));
    ImGui::GetWindowDrawList()->AddRectFilled(at, {at.x + size.x, at.y + size.y}, packed(color));
  }
  ImGui::Dummy({parts * size.x, size.y});
  ImGui::SameLine(0.0f, look(4.0f));
  ImGui::TextUnformatted(fmt::format("{:g}{}", scale->high, unit).c_str());
}

}  // namespace

void particles_panel(Look const& look, ParticleState& state)
{
  heading(look, "PARTICLES");
  drive_row(look, state);
  setting_row(look, "particles", state.settings, {.low = 1000.0, .coarse = true});
  chosen_row(look, state, "radius", &ParticleSceneSettings::radius, static_cast<double>(radius_of(state.settings)),
             {.low = 0.03, .high = 0.5});
  usual_button(look, state.settings.radius, translatable("Usual radius"),
               translatable("The radius at which the particles fill a fifth of the box."));
  setting_row(look, "pours", state.settings);
  setting_row(look, "color_by", state.settings);
}

void fluid_panel(Look const& look, ParticleState& state)
{
  heading(look, "FLUID");
  for (std::string_view const name : {"gravity", "viscosity", "iterations", "substeps"}) {
    setting_row(look, name, state.settings);
  }
}

void particle_table_panel(Look const& look, ParticleState& state)
{
  heading(look, "TABLE");
  hash_setting_row(look, &ParticleSceneSettings::hash, state.settings, state.hash_field);
  std::uint64_t const now = state.settings.slots != 0 ? state.settings.slots : state.result.step.slots;
  chosen_row(look, state, "slots", &ParticleSceneSettings::slots, now,
             {.low = 1024.0, .high = 1048576.0, .coarse = true});
  usual_button(look, state.settings.slots, translatable("Usual slots"),
               translatable("A power of two, at least twice the number of cells."));
}

std::string text_of_step(ParticleState const& state)
{
  particles::StepSnapshot const& step = state.result.step;
  double const grid = grid_seconds(step.stage_seconds);
  return tr("Step {}: {} particles · {} cells in {} slots · grid {}, motion {}", grouped(state.shown->steps),
            grouped(step.particles), grouped(step.cells), grouped(step.slots), milliseconds(grid),
            milliseconds(step.stage_seconds[3]));
}

void draw_step_line(Look const& look, ParticleState const& state, Rectangle const& canvas)
{
  ImGui::SetNextWindowPos({static_cast<float>(canvas.x) + look(8.0f), static_cast<float>(canvas.y) + look(8.0f)});
  ImGui::Begin("##step_of_particles", nullptr,
               strip_flags | ImGuiWindowFlags_AlwaysAutoResize | ImGuiWindowFlags_NoInputs);
  ImGui::PushTextWrapPos(static_cast<float>(canvas.width) - look(16.0f));
  ImGui::TextUnformatted(text_of_step(state).c_str());
  ImGui::TextUnformatted(translated(to_label(state.shown->quantity)).c_str());
  draw_colors(look, state);
  ImGui::PopTextWrapPos();
  remark(look, tr("Drag with the right button to stir."));
  ImGui::End();
}

void particle_numbers_panel(Look const& look, ParticleState const& state)
{
  particles::StepSnapshot const& step = state.result.step;
  Statistics const& table = state.table.statistics;
  auto const per_particle = [&](double sum) {
    return sum / static_cast<double>(std::max<std::uint64_t>(step.particles, 1));
  };
  heading(look, "THIS STEP");
  if (!begin_number_rows("step_of_particles")) { return; }
  number_row(look, "Particles", "Particles in the box.", grouped(step.particles));
  number_row(look, "Neighbours", "Neighbours within the radius of a particle, on average.",
             fmt::format("{:.1f}", per_particle(static_cast<double>(step.near))));
  number_row(look, "Density", "Relative to the density at rest: mean / maximum.",
             fmt::format("{:.2f} / {:.2f}", step.density, step.densest));
  number_row(look, "Fastest", "Speed of the fastest particle.", fmt::format("{:.2f} m/s", step.fastest));
  number_row(look, "Energy", "Kinetic and potential energy of a particle, on average; its mass is 1.",
             fmt::format("{:.2f} + {:.2f}", per_particle(step.kinetic), per_particle(step.potential)));
  number_row(look, "Cells", "Cells with particles: the keys of the table.", grouped(step.cells));
  number_row(look, "Slots", "Slots of the table.", grouped(step.slots));
  std::uint64_t const at_home = table.probe_length.histogram.empty() ? 0 : table.probe_length.histogram.front();
  number_row(look, "Not at home", "Cells whose home was already taken by another cell.",
             grouped(table.probe_length.count - std::min(table.probe_length.count, at_home)));
  number_row(look, "Probe length", "Slots from a cell's home to where it is: mean / maximum.",
             mean_and_max(table.probe_length));
  ImGui::EndTable();
}

void particle_stages_panel(Look const& look, ParticleState const& state)
{
  StageSeconds const& now = state.result.step.stage_seconds;
  StageSeconds const& mean = state.result.mean_seconds;
  constexpr std::array<char const*, 4> names{translatable("Sort"), translatable("Table"), translatable("Neighbours"),
                                             translatable("Motion")};
  constexpr std::array<char const*, 4> hints{
      translatable("Sorts the particles by cell."),
      translatable("Puts the cells into the table, and looks up the 27 around each of them: a bad hash takes longer."),
      translatable("Lists the neighbours of each particle."),
      translatable("Moves particles apart, and brings their velocities closer to each other.")};
  heading(look, "STAGES");
  if (!begin_number_rows("stages_of_particles")) { return; }
  for (std::size_t i = 0; i < now.size(); ++i) {
    number_row(look, names[i], translated(hints[i]),
               fmt::format("{} · {}", milliseconds(now[i]), milliseconds(mean[i])));
  }
  number_row(look, "Step", "All stages: the last step, and the mean since the start.",
             fmt::format("{} · {}", milliseconds(std::reduce(now.begin(), now.end())),
                         milliseconds(std::reduce(mean.begin(), mean.end()))));
  ImGui::EndTable();
}

}  // namespace slotscape
