#include "app/scenes/neighbours/finder.hpp"

#include "app/base/text.hpp"
#include "app/clouds/builtin.hpp"
#include "app/clouds/coordinate_steps.hpp"
#include "app/clouds/load_cloud.hpp"
#include "gpu/base/error.hpp"
#include "gpu/base/translation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <numbers>

namespace slotscape {
namespace {

/// Single precision has 24 bits. Where fewer than 20 of them would remain to tell points apart, coordinates are counted
/// from another origin: a whole number, so that their decimals do not change.
constexpr double farthest_origin = 16.0;  // times the longest side of the box

clouds::Position origin_for(clouds::Box const& box)
{
  double const limit = farthest_origin * clouds::width_of(box);
  auto const along = [&](double low, double high) {
    return std::max(std::abs(low), std::abs(high)) > limit ? std::floor(low) : 0.0;
  };
  return {along(box.low.x, box.high.x), along(box.low.y, box.high.y), along(box.low.z, box.high.z)};
}

std::string note_of_origin(clouds::Position const& origin)
{
  if (origin == clouds::Position{}) { return {}; }
  return tr("Coordinates are counted from {}, because single precision holds few decimals so far from 0.",
            clouds::text_of_position(origin, 1.0));
}

neighbours::Bounds bounds_around(std::vector<neighbours::Point> const& points)
{
  neighbours::Bounds bounds{points.front(), points.front()};
  for (neighbours::Point const& at : points) {
    bounds.low = {std::min(bounds.low.x, at.x), std::min(bounds.low.y, at.y), std::min(bounds.low.z, at.z)};
    bounds.high = {std::max(bounds.high.x, at.x), std::max(bounds.high.y, at.y), std::max(bounds.high.z, at.z)};
  }
  return bounds;
}

/// Moves a point along a circle from its initial position. The phase and the axis depend on its number.
neighbours::Point moved(neighbours::Point at, std::size_t number, double seconds, double radius)
{
  constexpr double golden = 0.6180339887498949;
  constexpr double turns_per_second = 0.25;
  constexpr double turn = 2.0 * std::numbers::pi;
  double const from = turn * golden * static_cast<double>(number);
  double const to = from + turn * turns_per_second * seconds;
  auto const across = static_cast<float>(radius * (std::cos(to) - std::cos(from)));
  auto const up = static_cast<float>(radius * (std::sin(to) - std::sin(from)));
  switch (number % 3) {
    case 0: return {at.x + across, at.y + up, at.z};
    case 1: return {at.x, at.y + across, at.z + up};
    default: return {at.x + up, at.y, at.z + across};
  }
}

}  // namespace

std::string label_of_points(std::string const& name)
{
  for (clouds::Builtin const& builtin : clouds::builtins()) {
    if (builtin.name == name) { return std::string(builtin.label); }
  }
  return std::filesystem::path(name).filename().string();
}

std::vector<FileKind> point_kinds()
{
  return {{translatable("model"), clouds::cloud_file_extensions()}, {translatable("array of points"), {".npy"}}};
}

LoadedPoints load_points(PointSource const& source, Progress const& progress)
{
  clouds::LoadSettings const settings{.points = source.points,
                                      .seed = source.seed,
                                      .ignore_outliers = source.ignore_outliers};
  clouds::PointCloud const cloud = clouds::open_cloud(source.name, settings, progress);
  LoadedPoints loaded;
  std::string const label = label_of_points(source.name);
  for (std::string const& note : cloud.notes) { loaded.findings.push_back(fmt::format("{}: {}", label, note)); }
  loaded.origin = origin_for(clouds::box_of(cloud));
  if (std::string const note = note_of_origin(loaded.origin); !note.empty()) {
    loaded.findings.push_back(fmt::format("{}: {}", label, note));
  }
  loaded.system = cloud.system;
  loaded.numbers = cloud.numbers;
  loaded.is_sampled = cloud.numbers.empty();
  loaded.points.resize(cloud.positions.size());
  for (std::size_t i = 0; i < loaded.points.size(); ++i) {
    clouds::Vector const at = clouds::to_vector(cloud.original(i) - loaded.origin);
    loaded.points[i] = {at.x, at.y, at.z};
  }
  loaded.bounds = bounds_around(loaded.points);
  return loaded;
}

NeighboursResult NeighbourFinder::compute(NeighboursQuery const& query, Progress const& progress)
{
  constexpr double loading_share = 0.4;
  constexpr double building_share = 0.5;
  bool const loads = loaded_ != query.source;
  if (loads) { load(query, progress.part(0.0, loading_share)); }
  double const begin = loads ? loading_share : 0.0;
  build(query, progress.part(begin, building_share));
  if (counted_ != query.search.k) {
    counted_.reset();
    result_.counts = std::make_shared<neighbours::Neighbours const>(
        engine_->search(query.search.k, false, progress.part(building_share, 1.0)));
    counted_ = query.search.k;
  }
  std::vector<neighbours::Point> const& points = *result_.points;
  result_.point = std::min(query.point, static_cast<std::uint32_t>(points.size() - 1));
  result_.visit = engine_->visit(points[result_.point], query.search.k, result_.point);
  return result_;
}

void NeighbourFinder::load(NeighboursQuery const& query, Progress const& progress)
{
  loaded_.reset();
  moved_.reset();
  chosen_radius_.reset();
  result_.loaded = std::make_shared<LoadedPoints const>(load_points(query.source, progress));
  loaded_ = query.source;
}

void NeighbourFinder::move(NeighboursQuery const& query)
{
  if (moved_ == query.seconds) { return; }
  built_.reset();
  std::vector<neighbours::Point> points = result_.loaded->points;
  if (query.seconds > 0.0) {
    for (std::size_t i = 0; i < points.size(); ++i) { points[i] = moved(points[i], i, query.seconds, result_.radius); }
  }
  engine_->set_points(points);
  result_.points = std::make_shared<std::vector<neighbours::Point> const>(std::move(points));
  moved_ = query.seconds;
}

void NeighbourFinder::build(NeighboursQuery const& query, Progress const& progress)
{
  result_.radius = radius_for(query.search, progress);
  move(query);
  neighbours::NeighbourSettings const wanted = engine_settings(query.search, result_.radius);
  if (built_ == wanted) { return; }
  built_.reset();
  counted_.reset();
  result_.cells = engine_->build(wanted, progress);
  built_ = wanted;
}

/// A radius within which a few hundred sampled points have about `usual_neighbours` on average. On a surface, doubling
/// the radius finds four times as many points, so updates by square roots converge in a few steps.
double NeighbourFinder::radius_for(NeighbourSearchSettings const& search, Progress const& progress)
{
  if (search.radius > 0.0) { return search.radius; }
  if (chosen_radius_) { return *chosen_radius_; }
  constexpr std::size_t sampled = 512;
  constexpr int steps = 8;
  constexpr double near_enough = 0.1;
  std::vector<neighbours::Point> const& points = result_.loaded->points;
  std::vector<neighbours::Point> sample;
  for (std::size_t i = 0; i < std::min(sampled, points.size()); ++i) {
    sample.push_back(points[i * points.size() / std::min(sampled, points.size())]);
  }
  auto const& [low, high] = result_.loaded->bounds;
  double const longest = std::max({high.x - low.x, high.y - low.y, high.z - low.z, 1e-6f});
  double radius = longest * std::sqrt(usual_neighbours / static_cast<double>(points.size()) / std::numbers::pi);
  engine_->set_points(points);
  moved_.reset();
  built_.reset();
  for (int step = 0; step < steps; ++step) {
    progress.require();
    engine_->build({.radius = static_cast<float>(radius)});
    auto const found = static_cast<double>(engine_->search(sample, 0, false).neighbours);
    double const others = found / static_cast<double>(sample.size()) - 1.0;
    if (std::abs(others / usual_neighbours - 1.0) < near_enough) { break; }
    radius *= std::clamp(std::sqrt(usual_neighbours / std::max(others, 0.1)), 0.25, 4.0);
    radius = std::min(radius, 2.0 * longest);
  }
  double const to_three_digits = std::pow(10.0, 2.0 - std::floor(std::log10(radius)));
  chosen_radius_ =
      std::max(std::round(radius * to_three_digits) / to_three_digits, static_cast<double>(neighbours::min_radius));
  return *chosen_radius_;
}

}  // namespace slotscape
