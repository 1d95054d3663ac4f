#pragma once

#include "app/table_map/settings.hpp"
#include "app/widgets/look.hpp"

#include <array>

namespace slotscape {

struct Color {
  float red;
  float green;
  float blue;
  friend bool operator==(Color const&, Color const&) = default;
};
/// As Dear ImGui takes it.
inline ImU32 packed(Color const& color)
{
  return ImGui::ColorConvertFloat4ToU32({color.red, color.green, color.blue, 1.0f});
}

inline constexpr int palette_count = 3;

/// The colour at `t` in [0, 1]. Cividis (Nuñez, Anderton and Renslow 2018) by the polynomial of d3-scale-chromatic;
/// viridis (Smith and van der Walt 2015) by Zucker's polynomial; turbo (Mikhailov 2019) by his own.
Color palette_color(Palette palette, double t);

/// 256 RGBA entries from t = 0 to 1, for the shader.
std::array<std::array<std::uint8_t, 4>, 256> palette_table(Palette palette);

/// The states differ in luminance: empty is darkest, tombstones are between, live is brightest.
inline constexpr Color empty_color{0x12 / 255.0f, 0x17 / 255.0f, 0x1e / 255.0f};
inline constexpr Color tombstone_color{0xb8 / 255.0f, 0x5a / 255.0f, 0x3c / 255.0f};
inline constexpr Color live_color{0xa9 / 255.0f, 0xd9 / 255.0f, 0xee / 255.0f};
/// The share of their colour that tombstones keep when live keys are coloured by a value.
inline constexpr float tombstone_strength = 0.45f;
/// A slot that holds a link instead of a key.
inline constexpr Color link_color{0x5d / 255.0f, 0x6c / 255.0f, 0x9c / 255.0f};
/// Around the table.
inline constexpr Color canvas_color{0x08 / 255.0f, 0x0a / 255.0f, 0x0e / 255.0f};
/// The same on a light background, for slides and print.
constexpr Color empty_color_on(Background background)
{
  return background == Background::light ? Color{0xee / 255.0f, 0xf1 / 255.0f, 0xf4 / 255.0f} : empty_color;
}
constexpr Color canvas_color_on(Background background)
{
  return background == Background::light ? Color{1.0f, 1.0f, 1.0f} : canvas_color;
}
/// Recent changes, on a dim map of the states.
inline constexpr Color insert_flash{0xff / 255.0f, 0xd8 / 255.0f, 0x4d / 255.0f};
inline constexpr Color find_flash{0x58 / 255.0f, 0xb6 / 255.0f, 0xff / 255.0f};
inline constexpr Color erase_flash{0xff / 255.0f, 0x5c / 255.0f, 0x8a / 255.0f};
/// The share of a state's colour that remains under recent changes.
inline constexpr float recent_dim = 0.30f;

}  // namespace slotscape
