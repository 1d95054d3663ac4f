#pragma once

#include "gpu/spatial/footprints.hpp"

/// The appearance of instances: the same as in shaders/paint.glsl and shaders/voxel_shades.glsl.
namespace slotscape::spatial {

SLOTSCAPE_HOST_DEVICE constexpr Vector mixed(Vector a, Vector b, float share)
{
  return a + share * (b - a);
}

SLOTSCAPE_HOST_DEVICE constexpr Vector unpacked_color(std::uint32_t rgb)
{
  constexpr float scale = 1.0f / 255.0f;
  return {static_cast<float>(rgb & 0xffu) * scale, static_cast<float>((rgb >> 8) & 0xffu) * scale,
          static_cast<float>((rgb >> 16) & 0xffu) * scale};
}

/// Maps 0 to 1 to the nearest integer of 0 to 255.
SLOTSCAPE_HOST_DEVICE constexpr std::uint32_t packed_channel(float channel)
{
  float const half_more = (channel < 0.0f ? 0.0f : channel > 1.0f ? 1.0f : channel) * 255.0f + 0.5f;
  return static_cast<std::uint32_t>(half_more);
}

SLOTSCAPE_HOST_DEVICE constexpr std::uint32_t packed_color(Vector color)
{
  return packed_channel(color.x) | packed_channel(color.y) << 8 | packed_channel(color.z) << 16;
}

SLOTSCAPE_HOST_DEVICE inline Vector palette_at(PaintColors const& colors, float value)
{
  float const t = colors.log_scale ? logf(1.0f + value) / logf(1.0f + colors.scale_max) : value / colors.scale_max;
  return unpacked_color(colors.palette[packed_channel(t)]);
}

SLOTSCAPE_HOST_DEVICE inline Vector paint_color(PaintColors const& colors, std::uint32_t paint)
{
  std::uint32_t const value = paint & Paint::largest_value;
  if ((paint & Paint::no_voxel) != 0) { return colors.nowhere; }
  if (colors.paint_by == PaintBy::status) { return colors.status[(paint >> Paint::status_shift) & 3u]; }
  if (colors.paint_by == PaintBy::model) { return colors.models[(paint & Paint::model_b) != 0 ? 1 : 0]; }
  if ((paint & Paint::no_value) != 0) { return colors.neutral; }
  if (!colors.shows_colors) { return palette_at(colors, static_cast<float>(value)); }
  return unpacked_color((value >> 16) | (value & 0xff00u) | (value & 0xffu) << 16);
}

SLOTSCAPE_HOST_DEVICE constexpr float light_on(Vector normal, Vector key_light)
{
  float const lamp = dot(normal, key_light);
  return 0.56f + 0.12f * normal.z + 0.42f * (lamp > 0.0f ? lamp : 0.0f);
}

/// Lights both sides of a surface alike, because the sign of a normal may be a guess. A normal of length 0 is lit from
/// everywhere.
SLOTSCAPE_HOST_DEVICE inline float light_on_surface(Vector normal, Vector towards_eye, Vector key_light)
{
  if (dot(normal, normal) < 0.25f) { return 0.78f; }
  Vector const unit = normalized(normal);
  float const inner = smooth_step(-0.3f, 0.3f, -dot(unit, towards_eye));
  float const outside = light_on(unit, key_light);
  return outside + inner * (light_on(-1.0f * unit, key_light) - outside);
}

SLOTSCAPE_HOST_DEVICE constexpr Vector unpacked_direction(std::uint32_t packed)
{
  constexpr float scale = 1.0f / 127.0f;
  return {static_cast<float>(static_cast<std::int8_t>(packed & 0xffu)) * scale,
          static_cast<float>(static_cast<std::int8_t>((packed >> 8) & 0xffu)) * scale,
          static_cast<float>(static_cast<std::int8_t>((packed >> 16) & 0xffu)) * scale};
}

/// An instance's colours after lighting.
struct LitInstance {
  std::uint32_t faces[3];  ///< colours of the faces across x, y and z; other shapes use only the first
  float edges;             ///< how dark the edges of a cube are
};

SLOTSCAPE_HOST_DEVICE inline LitInstance lit(Instance const& instance, Seen const& seen, bool as_cube,
                                             PaintColors const& colors)
{
  Vector const tint = paint_color(colors, instance.paint);
  Vector const towards_eye = -1.0f * normalized(seen.center);
  float const surface = light_on_surface(unpacked_direction(instance.normal), towards_eye, colors.key_light);
  if (!as_cube) {
    std::uint32_t const color = packed_color(surface * tint);
    return {{color, color, color}, 0.0f};
  }
  auto const towards = [](float center) { return center < 0.0f ? 1.0f : -1.0f; };
  Vector const faces{light_on({towards(seen.center.x), 0.0f, 0.0f}, colors.key_light),
                     light_on({0.0f, towards(seen.center.y), 0.0f}, colors.key_light),
                     light_on({0.0f, 0.0f, towards(seen.center.z)}, colors.key_light)};
  float const cubic = 0.25f + 0.35f * smooth_step(3.0f, 24.0f, seen.pixels);
  Vector const shades = mixed({surface, surface, surface}, (0.55f + 0.5f * surface) * faces, cubic);
  return {{packed_color(shades.x * tint), packed_color(shades.y * tint), packed_color(shades.z * tint)},
          0.42f * smooth_step(4.0f, 14.0f, seen.pixels)};
}

}  // namespace slotscape::spatial
