#include "app/pictures/transformed.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace slotscape::pictures {
namespace {

constexpr double radians = std::numbers::pi / 180.0;

/// Interpolates between the centres of pixels; beyond the outermost centres, the grey is constant.
double grey_at(matching::Picture const& picture, Point place)
{
  double const x = std::clamp(place.x - 0.5, 0.0, picture.width - 1.0);
  double const y = std::clamp(place.y - 0.5, 0.0, picture.height - 1.0);
  auto const left = static_cast<std::size_t>(x);
  auto const top = static_cast<std::size_t>(y);
  std::size_t const right = std::min<std::size_t>(left + 1, picture.width - 1);
  std::size_t const bottom = std::min<std::size_t>(top + 1, picture.height - 1);
  double const across = x - static_cast<double>(left);
  double const down = y - static_cast<double>(top);
  auto const pixel = [&](std::size_t column, std::size_t row) {
    return static_cast<double>(picture.pixels[row * picture.width + column]);
  };
  return (1.0 - down) * ((1.0 - across) * pixel(left, top) + across * pixel(right, top)) +
         down * ((1.0 - across) * pixel(left, bottom) + across * pixel(right, bottom));
}

bool is_inside(matching::Picture const& picture, Point place)
{
  return place.x >= 0.0 && place.y >= 0.0 && place.x <= picture.width && place.y <= picture.height;
}

/// The mean over a parallelogram, from samples * samples places in it.
double mean_grey(matching::Picture const& picture, Point corner, Point right, Point down, int samples, double outside)
{
  double sum = 0.0;
  for (int v = 0; v < samples; ++v) {
    for (int u = 0; u < samples; ++u) {
      Point const place = corner + ((u + 0.5) / samples) * right + ((v + 0.5) / samples) * down;
      sum += is_inside(picture, place) ? grey_at(picture, place) : outside;
    }
  }
  return sum / (samples * samples);
}

/// Covers the pixels of a rectangle or an ellipse; returns the number of newly covered ones.
std::uint64_t cover(matching::Picture& picture, std::vector<bool>& covered, Dice& dice)
{
  double const side = std::min(picture.width, picture.height);
  double const half_width = side * dice.between(0.05, 0.14);
  double const half_height = side * dice.between(0.05, 0.14);
  double const x = dice.between(0.0, picture.width);
  double const y = dice.between(0.0, picture.height);
  auto const grey = static_cast<std::uint8_t>(dice.below(256));
  bool const is_round = dice.chance(0.5);
  std::uint64_t fresh = 0;
  for (std::size_t i = 0; i < picture.pixels.size(); ++i) {
    std::size_t const row = i / picture.width;
    double const across = (static_cast<double>(i - row * picture.width) + 0.5 - x) / half_width;
    double const down = (static_cast<double>(row) + 0.5 - y) / half_height;
    bool const hit = is_round ? across * across + down * down < 1.0 : std::abs(across) < 1.0 && std::abs(down) < 1.0;
    if (!hit) { continue; }
    picture.pixels[i] = grey;
    if (!covered[i]) { ++fresh; }
    covered[i] = true;
  }
  return fresh;
}

}  // namespace

Point in_reference(matching::Similarity const& query_to_reference, Point in_query)
{
  double const angle = query_to_reference.rotation_degrees * radians;  // y points down, so the angle runs from x to -y
  return query_to_reference.scale * turned(in_query, -angle) +
         Point{query_to_reference.shift_x, query_to_reference.shift_y};
}

matching::Similarity about_middle(matching::Picture const& reference, std::uint32_t query_width,
                                  std::uint32_t query_height, double rotation_degrees, double scale, Point shift)
{
  matching::Similarity similarity{rotation_degrees, scale, 0.0, 0.0};
  Point const to = Point{reference.width / 2.0, reference.height / 2.0} + shift;
  Point const moved = to - in_reference(similarity, {query_width / 2.0, query_height / 2.0});
  similarity.shift_x = moved.x;
  similarity.shift_y = moved.y;
  return similarity;
}

matching::Picture transformed(matching::Picture const& reference, matching::Similarity const& query_to_reference,
                              std::uint32_t width, std::uint32_t height, std::uint8_t outside)
{
  matching::Picture query{width, height, std::vector<std::uint8_t>(std::size_t{width} * height)};
  int const samples = std::clamp(static_cast<int>(std::ceil(query_to_reference.scale)), 1, 16);
  Point const right = in_reference(query_to_reference, {1.0, 0.0}) - in_reference(query_to_reference, {});
  Point const down = in_reference(query_to_reference, {0.0, 1.0}) - in_reference(query_to_reference, {});
  for (std::uint32_t y = 0; y < height; ++y) {
    for (std::uint32_t x = 0; x < width; ++x) {
      Point const corner = in_reference(query_to_reference, {static_cast<double>(x), static_cast<double>(y)});
      double const grey = mean_grey(reference, corner, right, down, samples, outside);
      query.pixels[std::size_t{y} * width + x] = static_cast<std::uint8_t>(std::lround(grey));
    }
  }
  return query;
}

matching::Picture with_noise(matching::Picture picture, double share, std::uint64_t seed)
{
  Dice dice(seed);
  for (std::uint8_t& pixel : picture.pixels) {
    if (dice.chance(share)) { pixel = static_cast<std::uint8_t>(dice.below(256)); }
  }
  return picture;
}

matching::Picture with_occlusion(matching::Picture picture, double share, std::uint64_t seed)
{
  Dice dice(seed);
  std::vector<bool> covered(picture.pixels.size());
  auto const wanted = static_cast<std::uint64_t>(std::clamp(share, 0.0, 1.0) * static_cast<double>(covered.size()));
  for (std::uint64_t done = 0; done < wanted;) { done += cover(picture, covered, dice); }
  return picture;
}

}  // namespace slotscape::pictures
