#pragma once

#include "app/scenes/spatial/state.hpp"
#include "gpu/base/work.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

namespace slotscape {

/// The points of both models in the scene, and their normals if they have any.
struct PlacedModels {
  spatial::PerModel<std::vector<spatial::Vector>> points;
  spatial::PerModel<std::vector<spatial::Vector>> normals;
};
/// The distance of each point from the nearest point of the other model, in units of the scene. Negative distances: the
/// point lies behind the other model's surface, judging by the normal there.
using SignedDistances = spatial::PerModel<std::vector<float>>;

/// Measures cloud-to-cloud distances in the background, and adds them to both models as an attribute. While the models
/// move in a window, the previous distances remain; offscreen, each frame waits for its own.
class DistanceUpdates {
public:
  /// `state` must outlive this object.
  DistanceUpdates(SpatialState& state, Backend backend);

  /// Starts measuring if settings or models have changed, and waits for the result for up to `max_wait` seconds;
  /// without a limit, until it is there. `version`: of the clouds.
  void follow(std::uint64_t version, std::optional<double> max_wait);
  void cancel() { measuring_.cancel(); }
  bool is_busy() const { return measuring_.busy(); }
  /// Adds the frame's duration to the time spent on measuring.
  void pass(double elapsed_seconds) { seconds_ = is_busy() ? seconds_ + elapsed_seconds : 0.0; }
  /// The progress for a progress bar; nothing if measuring is fast enough without one.
  std::optional<ProgressSnapshot> progress() const;

private:
  /// The input of a measurement.
  struct Query {
    std::uint64_t version = 0;
    spatial::PerModel<spatial::Pose> poses;
    std::shared_ptr<PlacedModels> models = nullptr;  ///< the thread that measures moves its content out
    friend bool operator==(Query const& a, Query const& b) { return a.version == b.version && a.poses == b.poses; }
  };
  using Measuring = Work<Query, SignedDistances>;

  bool can_measure() const;
  void take(Measuring::Outcome outcome);
  /// Adds the attribute to both models and the statistics to the state, if the settings ask for distances.
  void publish();
  void withdraw();

  SpatialState& state_;
  Measuring measuring_;
  std::optional<Query> failed_;    ///< input that failed, so that it is not tried again
  std::optional<Query> measured_;  ///< input that `distances_` was measured for
  SignedDistances distances_;
  std::uint64_t published_ = 0;  ///< number of times that distances were published
  double seconds_ = 0.0;         ///< seconds of frame time since measuring began
};

/// Turns distances on or off; turning them on also colours the models by distance.
void show_distances(SpatialSceneSettings& settings, bool shown);

}  // namespace slotscape
