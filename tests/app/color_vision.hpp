#pragma once

#include "app/table_map/palette.hpp"

#include <glm/geometric.hpp>
#include <glm/mat3x3.hpp>
#include <glm/vec3.hpp>

#include <algorithm>
#include <array>
#include <cmath>

namespace slotscape::test {

enum class Vision { normal, protanopia, deuteranopia, tritanopia };
inline constexpr std::array all_visions{Vision::normal, Vision::protanopia, Vision::deuteranopia, Vision::tritanopia};

/// What light of linear red, green and blue looks like: Machado, Oliveira and Fernandes 2009, 'A Physiologically-based
/// Model for Simulation of Color Vision Deficiency', severity 1.
inline glm::dvec3 seen_by(Vision vision, glm::dvec3 const& linear)
{
  auto const rows = [](glm::dvec3 const& red, glm::dvec3 const& green, glm::dvec3 const& blue) {
    return glm::transpose(glm::dmat3(red, green, blue));
  };
  switch (vision) {
    case Vision::protanopia:
      return rows({0.152286, 1.052583, -0.204868}, {0.114503, 0.786281, 0.099216}, {-0.003882, -0.048116, 1.051998}) *
             linear;
    case Vision::deuteranopia:
      return rows({0.367322, 0.860646, -0.227968}, {0.280085, 0.672501, 0.047413}, {-0.011820, 0.042940, 0.968881}) *
             linear;
    case Vision::tritanopia:
      return rows({1.255528, -0.076749, -0.178779}, {-0.078411, 0.930809, 0.147602}, {0.004733, 0.691367, 0.303900}) *
             linear;
    case Vision::normal: break;
  }
  return linear;
}

/// CIELAB of linear sRGB, white point D65.
inline glm::dvec3 to_lab(glm::dvec3 const& linear)
{
  glm::dvec3 const c = glm::clamp(linear, 0.0, 1.0);
  auto const curve = [](double t) { return t > 216.0 / 24389.0 ? std::cbrt(t) : (24389.0 / 27.0 * t + 16.0) / 116.0; };
  double const x = curve((0.4124564 * c.r + 0.3575761 * c.g + 0.1804375 * c.b) / 0.95047);
  double const y = curve(0.2126729 * c.r + 0.7151522 * c.g + 0.0721750 * c.b);
  double const z = curve((0.0193339 * c.r + 0.1191920 * c.g + 0.9503041 * c.b) / 1.08883);
  return {116.0 * y - 16.0, 500.0 * (x - y), 200.0 * (y - z)};
}

/// The colour at a share of its brightness, in CIELAB, as a person with this vision sees it.
inline glm::dvec3 lab_seen(Vision vision, Color const& color, double shade = 1.0)
{
  auto const linear = [shade](float channel) {
    double const c = static_cast<double>(channel) * shade;
    return c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4);
  };
  return to_lab(seen_by(vision, {linear(color.red), linear(color.green), linear(color.blue)}));
}

}  // namespace slotscape::test
