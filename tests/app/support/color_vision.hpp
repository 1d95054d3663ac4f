#pragma once

#include "app/table_map/palette.hpp"

#include <glm/geometric.hpp>
#include <glm/mat3x3.hpp>
#include <glm/vec3.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

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

inline double linear_of(float channel)
{
  double const c = static_cast<double>(channel);
  return c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4);
}

/// WCAG 2.1: from 1 to 21. Text needs 4.5, and marks that have to be seen need 3.
inline double contrast(Color const& a, Color const& b)
{
  auto const luminance = [](Color const& color) {
    return 0.2126 * linear_of(color.red) + 0.7152 * linear_of(color.green) + 0.0722 * linear_of(color.blue);
  };
  double const first = luminance(a) + 0.05;
  double const second = luminance(b) + 0.05;
  return std::max(first, second) / std::min(first, second);
}

/// CIEDE2000 of two colours in CIELAB: Sharma, Wu and Dalal 2005, 'The CIEDE2000 Color-Difference Formula'.
inline double ciede2000(glm::dvec3 const& first, glm::dvec3 const& second)
{
  auto const radians = [](double degrees) { return degrees * std::numbers::pi / 180.0; };
  auto const seventh = [](double chroma) {
    return std::sqrt(std::pow(chroma, 7) / (std::pow(chroma, 7) + 6103515625.0));
  };
  double const stretch = 1.5 - 0.5 * seventh((std::hypot(first.y, first.z) + std::hypot(second.y, second.z)) / 2.0);
  double const c1 = std::hypot(stretch * first.y, first.z);
  double const c2 = std::hypot(stretch * second.y, second.z);
  auto const hue = [&](glm::dvec3 const& lab) {
    double const degrees = std::atan2(lab.z, stretch * lab.y) * 180.0 / std::numbers::pi;
    return degrees < 0.0 ? degrees + 360.0 : degrees;
  };
  double const h1 = hue(first);
  double const h2 = hue(second);
  double turn = c1 * c2 == 0.0 ? 0.0 : h2 - h1;
  turn += turn > 180.0 ? -360.0 : turn < -180.0 ? 360.0 : 0.0;
  double const h = c1 * c2 == 0.0 ? h1 + h2 : h1 + turn / 2.0;
  double const l = (first.x + second.x) / 2.0 - 50.0;
  double const c = (c1 + c2) / 2.0;
  double const t = 1.0 - 0.17 * std::cos(radians(h - 30.0)) + 0.24 * std::cos(radians(2.0 * h)) +
                   0.32 * std::cos(radians(3.0 * h + 6.0)) - 0.20 * std::cos(radians(4.0 * h - 63.0));
  double const dl = (second.x - first.x) / (1.0 + 0.015 * l * l / std::sqrt(20.0 + l * l));
  double const dc = (c2 - c1) / (1.0 + 0.045 * c);
  double const dh = 2.0 * std::sqrt(c1 * c2) * std::sin(radians(turn / 2.0)) / (1.0 + 0.015 * c * t);
  double const full = h < 0.0 ? h + 360.0 : h >= 360.0 ? h - 360.0 : h;
  double const blue = (full - 275.0) / 25.0;
  double const rotation = -2.0 * seventh(c) * std::sin(radians(60.0 * std::exp(-blue * blue)));
  return std::sqrt(dl * dl + dc * dc + dh * dh + rotation * dc * dh);
}

/// The colour at a share of its brightness, in CIELAB, as a person with this vision sees it.
inline glm::dvec3 lab_seen(Vision vision, Color const& color, double shade = 1.0)
{
  auto const linear = [shade](float channel) { return linear_of(channel * static_cast<float>(shade)); };
  return to_lab(seen_by(vision, {linear(color.red), linear(color.green), linear(color.blue)}));
}

}  // namespace slotscape::test
