#pragma once

#include "app/scenes/spatial/state.hpp"
#include "gpu/base/work.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

namespace slotscape {

/// The points of both models where they stand in the scene, and their normals there, which may be missing.
struct PlacedModels {
  spatial::PerModel<std::vector<spatial::Vector>> points;
  spatial::PerModel<std::vector<spatial::Vector>> normals;
};
/// How far each point is from the nearest one of the other model, in units of the scene: negative if it lies behind
/// that one's normal.
using SignedDistances = spatial::PerModel<std::vector<float>>;

/// Measures from cloud to cloud beside the frames, and adds the distances to both models as an attribute. While the
/// models move, the last distances stay.
class DistanceUpdates {
public:
  /// `state` outlives it.
  DistanceUpdates(SpatialState& state, Backend backend);

  /// Follows the settings and the models, waiting for up to so many seconds; nothing: until it has. version: of the
  /// clouds.
  void follow(std::uint64_t version, std::optional<double> max_wait);
  void cancel() { measuring_.cancel(); }
  bool is_busy() const { return measuring_.busy(); }
  /// Time passes while distances are measured.
  void pass(double elapsed_seconds) { seconds_ = is_busy() ? seconds_ + elapsed_seconds : 0.0; }
  /// Nothing unless measuring takes so long that a bar shows how far it is.
  std::optional<ProgressSnapshot> progress() const;

private:
  /// What the distances depend on.
  struct Query {
    std::uint64_t version = 0;
    spatial::PerModel<spatial::Pose> poses;
    std::shared_ptr<PlacedModels> models = nullptr;  ///< emptied by the thread that measures
    friend bool operator==(Query const& a, Query const& b) { return a.version == b.version && a.poses == b.poses; }
  };
  using Measuring = Work<Query, SignedDistances>;

  bool can_measure() const;
  void take(Measuring::Outcome outcome);
  /// Gives both models the attribute, and the state the facts, as the settings ask.
  void publish();
  void withdraw();

  SpatialState& state_;
  Measuring measuring_;
  std::optional<Query> failed_;    ///< not tried again
  std::optional<Query> measured_;  ///< what these belong to
  SignedDistances distances_;
  std::uint64_t published_ = 0;  ///< how many times
  double seconds_ = 0.0;         ///< of frames, since the measuring began
};

/// Turns the distances on, which colours the models by them, or off.
void show_distances(SpatialSceneSettings& settings, bool shown);

}  // namespace slotscape
