#include "app/scenes/particles/settings.hpp"

#include "app/simulation/hash_choice.hpp"
#include "gpu/particles/filling.hpp"

#include <array>

namespace slotscape {
namespace {

using Settings = ParticleSceneSettings;
using particles::Quantity;

constexpr std::uint64_t most_slots_of_cells = std::uint64_t{1} << 24;
constexpr std::uint64_t most_steps = 1'000'000;

}  // namespace

template <>
std::span<EnumName<Quantity> const> enum_names()
{
  static constexpr std::array<EnumName<Quantity>, 5> quantity_names{
      {{Quantity::speed, "speed", "Speed"},
       {Quantity::density, "density", "Density"},
       {Quantity::cell, "cell", "Cell"},
       {Quantity::slot, "slot", "Slot"},
       {Quantity::probe_length, "probe_length", "Probe length"}}};
  return quantity_names;
}

particles::ParticleSettings engine_settings(ParticleSceneSettings const& settings)
{
  return {.gravity = static_cast<float>(settings.gravity),
          .viscosity = static_cast<float>(settings.viscosity),
          .iterations = settings.iterations,
          .substeps = settings.substeps,
          .hash = settings.hash,
          .slots = settings.slots};
}

float radius_of(ParticleSceneSettings const& settings)
{
  return settings.radius > 0.0 ? static_cast<float>(settings.radius) : particles::usual_radius(settings.particles);
}

template <>
std::span<Setting<ParticleSceneSettings> const> settings_of()
{
  static auto const settings = std::to_array<Setting<Settings>>({
      whole_setting(
          {.name = "particles",
           .label = "Particles",
           .what = "particles at the start",
           .argument = "N",
           .hint = "Particles at the start; pouring can double their number. Changing this restarts the simulation.",
           .less = {"Comma", "Half the particles"},
           .more = {"Period", "Twice the particles"}},
          &Settings::particles, 1, particles::max_particles, Scale::log),
      saved_only_if([](Settings const& from) { return from.radius > 0.0; },
                    number_setting({.name = "radius",
                                    .label = "Radius",
                                    .what = "how far particles act on each other, and the width of a cell, in metres",
                                    .argument = "R",
                                    .hint = "How far particles act on each other, and the width of a cell, in metres. "
                                            "Changing this restarts the simulation.",
                                    .standard = "the particles fill a fifth of the box"},
                                   &Settings::radius, particles::min_radius, particles::max_radius)),
      whole_setting({.name = "seed", .what = "of the places at the start"}, &Settings::seed),
      number_setting({.name = "gravity",
                      .label = "Gravity",
                      .what = "in metres per squared second",
                      .argument = "G",
                      .hint = "In metres per second squared."},
                     &Settings::gravity, 0.0, particles::max_gravity),
      number_setting({.name = "viscosity",
                      .label = "Viscosity",
                      .what = "how much near particles share their velocities",
                      .argument = "X",
                      .hint = "How strongly nearby particles match their velocities."},
                     &Settings::viscosity, 0.0, 1.0),
      whole_setting(
          {.name = "iterations",
           .label = "Iterations",
           .what = "how often a step moves particles apart",
           .argument = "N",
           .hint = "How often a step moves particles apart: more iterations are slower, but make the fluid stiffer."},
          &Settings::iterations, 0, particles::max_iterations),
      whole_setting(
          {.name = "substeps",
           .label = "Substeps",
           .what = "parts of a step, each with a grid of its own",
           .argument = "N",
           .hint =
               "Parts of a step of 1/60 s, each with its own grid. In each, a particle moves by at most one radius."},
          &Settings::substeps, 1, particles::max_substeps),
      hash_setting({.name = "hash",
                    .label = "Hash",
                    .what = "hash of the table of cells",
                    .argument = "HASH",
                    .hint = "Formulas read the cell's coordinates as x, y and z.",
                    .note = "see [hash functions](hash-functions.md)"},
                   &Settings::hash),
      saved_only_if([](Settings const& from) { return from.slots != 0; },
                    whole_setting({.name = "slots",
                                   .label = "Slots",
                                   .what = "slots of the table of cells",
                                   .argument = "M",
                                   .hint = "Slots of the table of cells.",
                                   .standard = "a power of two, at least twice as many as cells"},
                                  &Settings::slots, 16, most_slots_of_cells, Scale::log)),
      flag_setting({.name = "pours",
                    .label = "Pour",
                    .what = "a stream of particles falls into the box",
                    .option = "pour",
                    .hint = "A stream of particles falls into the box, until there are twice as many as at the start.",
                    .more = {"P", "Start or stop pouring"}},
                   &Settings::pours),
      flag_setting({.name = "runs",
                    .label = "Run",
                    .what = "particles move in the window",
                    .hint = "Each frame advances by one step.",
                    .more = {"Space", "Pause or resume"}},
                   &Settings::runs),
      whole_setting({.name = "steps", .what = "steps of a run without a window", .argument = "N"}, &Settings::steps, 1,
                    most_steps),
      choice_setting(
          {.name = "color_by",
           .label = "Colour by",
           .what = "what the colour of a particle stands for",
           .argument = "WHAT",
           .hint = "The quantity that a particle's colour shows. The colours of cells and slots only tell them apart.",
           .more = {"C", "Colour by another quantity"}},
          &Settings::color_by, "quantity"),
      flag_setting({.name = "show_map"}, &Settings::show_map),
      map_setting("map", &Settings::map),
  });
  return settings;
}

}  // namespace slotscape
