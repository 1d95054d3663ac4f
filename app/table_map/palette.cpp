#include "app/table_map/palette.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <span>

namespace slotscape {
namespace {

double polynomial(std::span<double const> coefficients, double t)
{
  double sum = 0.0;
  for (std::size_t i = coefficients.size(); i-- > 0;) { sum = sum * t + coefficients[i]; }
  return sum;
}

struct Polynomials {
  std::array<double, 7> red;
  std::array<double, 7> green;
  std::array<double, 7> blue;
};

constexpr Polynomials cividis{{-4.54 / 255, -35.34 / 255, 2381.73 / 255, -6402.7 / 255, 7024.72 / 255, -2710.57 / 255,
                               0.0},
                              {32.49 / 255, 170.73 / 255, 52.82 / 255, -131.46 / 255, 176.58 / 255, -67.37 / 255, 0.0},
                              {81.24 / 255, 442.36 / 255, -2482.43 / 255, 6167.24 / 255, -6614.94 / 255, 2475.67 / 255,
                               0.0}};

constexpr Polynomials viridis{
    {0.277727327, 0.105093043, -0.330861829, -4.634230499, 6.228269936, 4.776384998, -5.435455856},
    {0.005407345, 1.404613530, 0.214847559, -5.799100973, 14.179933367, -13.745145378, 4.645852612},
    {0.334099805, 1.384590163, 0.095095163, -19.332440956, 56.690552601, -65.353032633, 26.312435250}};

constexpr Polynomials turbo{{0.13572138, 4.61539260, -42.66032258, 132.13108234, -152.94239396, 59.28637943, 0.0},
                            {0.09140261, 2.19418839, 4.84296658, -14.18503333, 4.27729857, 2.82956604, 0.0},
                            {0.10667330, 12.64194608, -60.58204836, 110.36276771, -89.90310912, 27.34824973, 0.0}};

Polynomials const& polynomials(Palette palette)
{
  switch (palette) {
    case Palette::viridis: return viridis;
    case Palette::turbo: return turbo;
    case Palette::cividis: break;
  }
  return cividis;
}

}  // namespace

Color palette_color(Palette palette, double t)
{
  Polynomials const& curve = polynomials(palette);
  double const at = std::clamp(t, 0.0, 1.0);
  auto const channel = [at](std::array<double, 7> const& coefficients) {
    return static_cast<float>(std::clamp(polynomial(coefficients, at), 0.0, 1.0));
  };
  return {channel(curve.red), channel(curve.green), channel(curve.blue)};
}

bool takes_dark_ink(Color const& color)
{
  constexpr float luminance_of_equal_contrast = 0.18f;  // contrasts equally with black and with white text
  auto const linear = [](float channel) { return std::pow(channel, 2.2f); };
  float const luminance = 0.2126f * linear(color.red) + 0.7152f * linear(color.green) + 0.0722f * linear(color.blue);
  return luminance > luminance_of_equal_contrast;
}

std::array<std::array<std::uint8_t, 4>, 256> palette_table(Palette palette)
{
  std::array<std::array<std::uint8_t, 4>, 256> table{};
  auto const byte = [](float channel) { return static_cast<std::uint8_t>(std::lround(channel * 255.0f)); };
  for (std::size_t i = 0; i < table.size(); ++i) {
    Color const color = palette_color(palette, static_cast<double>(i) / 255.0);
    table[i] = {byte(color.red), byte(color.green), byte(color.blue), 255};
  }
  return table;
}

double scale_end(ViewSettings const& view, Statistics const& statistics, std::string_view measure)
{
  // Measures that number places have few values: each gets its own colour, spread over the whole palette.
  constexpr std::array<std::string_view, 3> numbered{"Sub-table", "Choice", "Hash function"};
  if (view.scale_max > 0.0) { return view.scale_max; }
  bool const of_clusters = view.color_by == ColorBy::cluster_length;
  bool const of_chains = view.color_by == ColorBy::chain_length;
  std::uint64_t const longest = of_clusters ? statistics.clusters.max
                                : of_chains ? statistics.groups.max
                                            : statistics.probe_length.max;
  bool const is_numbered = !of_clusters && !of_chains && std::ranges::find(numbered, measure) != numbered.end();
  if (is_numbered) { return static_cast<double>(std::max<std::uint64_t>(longest, 1)); }
  return static_cast<double>(std::bit_ceil(std::max<std::uint64_t>(longest, 2)));
}

double scale_share(ViewSettings const& view, Statistics const& statistics, std::string_view measure, double value)
{
  double const end = scale_end(view, statistics, measure);
  return view.log_scale ? std::log1p(value) / std::log1p(end) : value / end;
}

}  // namespace slotscape
