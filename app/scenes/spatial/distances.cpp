#include "app/scenes/spatial/distances.hpp"

#include "app/clouds/colors.hpp"
#include "app/clouds/nearest.hpp"
#include "app/scene/scene.hpp"
#include "app/scenes/spatial/coloring.hpp"
#include "app/scenes/spatial/coordinates.hpp"
#include "app/scenes/spatial/placement.hpp"
#include "app/scenes/spatial/placing.hpp"
#include "app/scenes/spatial/updates.hpp"
#include "gpu/base/translation.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

namespace slotscape {
namespace {

using spatial::Model;
using spatial::Vector;

PlacedModels placed_models(SpatialState const& state)
{
  PlacedModels placed;
  bool const is_common = placement_of(state) == PlacedAs::same_coordinates;
  for (Model const model : both_models) {
    clouds::PointCloud const& cloud = state.clouds[model];
    // If both models share coordinates, `scene_of_file(state, model)` moves both alike; otherwise it may move one of
    // them by half a voxel.
    Similarity const to_scene =
        is_common ? scene_of_file(state, model) : scene_of_file(cloud.frame, state.poses[model]);
    std::vector<Vector>& points = placed.points[model];
    points.reserve(cloud.positions.size());
    for (std::size_t i = 0; i < cloud.positions.size(); ++i) {
      points.push_back(clouds::to_vector(to_scene(cloud.original(i))));
    }
    std::vector<Vector>& normals = placed.normals[model];
    normals.reserve(cloud.normals.size());
    for (Vector const& normal : cloud.normals) { normals.push_back(state.poses[model].direction(normal)); }
  }
  return placed;
}

std::vector<float> distances_from(PlacedModels const& placed, Model model, neighbours::NeighbourEngine& engine,
                                  Progress const& progress)
{
  std::vector<Vector> const& places = placed.points[model];
  std::vector<Vector> const& points = placed.points[spatial::other(model)];
  std::vector<Vector> const& normals = placed.normals[spatial::other(model)];
  clouds::Nearest nearest = clouds::nearest_points(engine, points, places, progress);
  for (std::size_t i = 0; i < places.size() && !normals.empty(); ++i) {
    std::uint32_t const number = nearest.numbers[i];
    bool const is_behind = dot(places[i] - points[number], normals[number]) < 0.0f;
    if (is_behind) { nearest.distances[i] = -nearest.distances[i]; }
  }
  return std::move(nearest.distances);
}

SignedDistances measure(PlacedModels const& placed, Backend backend, Progress const& progress)
{
  auto const engine = neighbours::make_neighbour_engine(backend);
  SignedDistances distances;
  distances[Model::a] = distances_from(placed, Model::a, *engine, progress.part(0.0, 0.5));
  distances[Model::b] = distances_from(placed, Model::b, *engine, progress.part(0.5, 1.0));
  return distances;
}

clouds::Attribute attribute_of(std::span<float const> values)
{
  clouds::Attribute attribute(std::string(distance_attribute), clouds::NumberType::float32);
  for (float const value : values) { attribute.add(static_cast<double>(value)); }
  return attribute;
}

}  // namespace

DistanceUpdates::DistanceUpdates(SpatialState& state, Backend backend)
    : state_(state), measuring_([backend](Query const& query, Progress const& progress) {
        return measure(std::exchange(*query.models, {}), backend, progress);
      })
{
}

bool DistanceUpdates::can_measure() const
{
  return std::ranges::none_of(both_models, [&](Model model) {
    return is_absent(state_, model) || state_.clouds[model].positions.empty();
  });
}

void DistanceUpdates::follow(std::uint64_t version, std::optional<double> max_wait)
{
  if (!state_.settings.distances.shown || !can_measure()) {
    measuring_.cancel();
    measuring_.take();
    failed_.reset();
    return withdraw();
  }
  if (measured_ && measured_->version != version) { withdraw(); }
  Query wanted{version, state_.poses};
  bool const is_known = measured_ == wanted || failed_ == wanted;
  bool const is_asked = measuring_.asked() == wanted && measuring_.busy();
  bool const keeps_up = !max_wait || !state_.settings.animation.moves();
  if (!is_known && !is_asked && keeps_up) {
    failed_.reset();
    wanted.models = std::make_shared<PlacedModels>(placed_models(state_));
    measuring_.start(std::move(wanted));
  } else {
    measuring_.resume();
  }
  if (measuring_.busy()) {
    measuring_.wait(max_wait ? std::optional(std::min(*max_wait, shortest_spatial_wait_seconds)) : max_wait);
  }
  if (auto outcome = measuring_.take()) { take(*std::move(outcome)); }
  bool const is_current = measured_ && measured_->version == version;
  bool const is_shown = state_.distances && state_.distances->is_signed == state_.settings.distances.is_signed;
  if (is_current && !is_shown) { publish(); }
}

void DistanceUpdates::take(Measuring::Outcome outcome)
{
  if (!outcome.result) {
    failed_ = outcome.query;
    failed_->models.reset();
    state_.notice = notice_of_failure(outcome.error, translatable("measure the distances"), measured_.has_value());
    return;
  }
  distances_ = *std::move(outcome.result);
  measured_ = outcome.query;
  measured_->models.reset();
  withdraw();
}

void DistanceUpdates::publish()
{
  withdraw();
  DistanceFacts facts{.unit = length_unit_between(state_, Model::a, Model::b),
                      .is_signed = state_.settings.distances.is_signed,
                      .of = {},
                      .ascending = {},
                      .version = ++published_};
  for (Model const model : both_models) {
    std::vector<float> values = distances_[model];
    for (float& value : values) {
      value = static_cast<float>(static_cast<double>(facts.is_signed ? value : std::abs(value)) / facts.unit.in_scene);
    }
    state_.clouds[model].attributes.push_back(attribute_of(values));
    facts.of[model] = summary_of(values);
    std::ranges::sort(values);
    facts.ascending[model] = std::move(values);
  }
  state_.distances = std::move(facts);
  state_.attributes = clouds::names_to_color_by(both_clouds(state_));
}

void DistanceUpdates::withdraw()
{
  if (!state_.distances) { return; }
  state_.distances.reset();
  for (Model const model : both_models) {
    auto& attributes = state_.clouds[model].attributes;
    bool const is_there = !attributes.empty() && attributes.back().name() == distance_attribute;
    if (is_there) { attributes.pop_back(); }
  }
  state_.attributes = clouds::names_to_color_by(both_clouds(state_));
}

std::optional<ProgressSnapshot> DistanceUpdates::progress() const
{
  constexpr double long_seconds = 0.3;
  if (!is_busy() || seconds_ < long_seconds) { return std::nullopt; }
  ProgressSnapshot now = measuring_.progress().snapshot();
  now.what = tr("Measuring the distances");
  return now;
}

void show_distances(SpatialSceneSettings& settings, bool shown)
{
  settings.distances.shown = shown;
  bool const is_color =
      settings.view.paint_by == spatial::PaintBy::attribute && settings.view.attribute == distance_attribute;
  if (shown) {
    settings.view.paint_by = spatial::PaintBy::attribute;
    settings.view.attribute = distance_attribute;
  } else if (is_color) {
    settings.view.paint_by = spatial::PaintBy::status;
    settings.view.attribute.clear();
  }
}

}  // namespace slotscape
