#pragma once

#include "app/table_map/settings.hpp"
#include "app/widgets/color.hpp"
#include "gpu/analysis/statistics.hpp"

#include <array>
#include <string_view>

namespace slotscape {

inline constexpr int palette_count = 3;

/// The colour at `t` in [0, 1]. Cividis (Nuñez, Anderton and Renslow 2018) by the polynomial of d3-scale-chromatic;
/// viridis (Smith and van der Walt 2015) by Zucker's polynomial; turbo (Mikhailov 2019) by his own.
Color palette_color(Palette palette, double t);

/// Whether dark text is more legible on this colour than bright text.
bool takes_dark_ink(Color const& color);

/// 256 RGBA entries from t = 0 to 1, for the shader.
std::array<std::array<std::uint8_t, 4>, 256> palette_table(Palette palette);

/// The end of the colour scale: as set, or a power of two no smaller than the table's maximum. For a measure that
/// numbers the possible places of a key, the maximum itself. `measure`: name of the family's measure.
double scale_end(ViewSettings const& view, Statistics const& statistics, std::string_view measure);
/// The position of a value on the colour scale, 0 to 1.
double scale_share(ViewSettings const& view, Statistics const& statistics, std::string_view measure, double value);

/// How much of their colour tombstones keep when live keys are coloured by a value.
inline constexpr float tombstone_strength = 0.45f;
/// The share of a state's colour that remains under recent changes.
inline constexpr float recent_dim = 0.30f;

}  // namespace slotscape
