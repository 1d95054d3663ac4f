#pragma once

#include "app/scenes/spatial/state.hpp"
#include "gpu/base/work.hpp"
#include "gpu/spatial/engine.hpp"

#include <cstdint>
#include <memory>
#include <optional>

namespace slotscape {

/// How long frames wait for work that has already outlasted a frame.
inline constexpr double shortest_spatial_wait_seconds = 1.0 / 60.0;

/// Keeps the engine up to date with the scene's settings: each update hashes the voxels of both models and intersects
/// them. Owns the engine. A slow update continues in the background, and meanwhile nothing else may use the engine.
class VoxelUpdates {
public:
  /// The inputs of an update.
  struct Inputs {
    spatial::SpatialSettings hashing;
    spatial::PerModel<spatial::Pose> poses;         ///< poses in which the models are seen
    spatial::PerModel<spatial::Pose> engine_poses;  ///< relative to the engine's points
    spatial::ShownParts parts;
    std::uint64_t version;  ///< version of the clouds
    friend bool operator==(Inputs const&, Inputs const&) = default;
  };

  /// `state` must outlive this.
  VoxelUpdates(SpatialState& state, Backend backend);

  Inputs inputs() const;
  /// Updates the engine to the settings, waiting up to this many seconds; without a limit, until the update has ended.
  void follow_settings(std::optional<double> max_wait);
  void wait() const { updating_.wait(); }
  void cancel() { updating_.cancel(); }
  /// Counts the time that a running update takes.
  void pass(double elapsed_seconds);

  /// Call only after waiting, or while there are results.
  spatial::SpatialEngine& engine() { return *engine_; }
  spatial::SpatialEngine const& engine() const { return *engine_; }
  /// Begins a change of the engine's points: stops the update and invalidates results. Must be followed by
  /// `end_change`.
  spatial::SpatialEngine& begin_change();
  void end_change() { ++version_; }

  bool is_busy() const { return updating_.busy(); }
  /// Whether the update is slow enough to show a progress bar.
  bool is_long() const { return updating_seconds_ > long_seconds; }
  bool has_results() const { return has_results_ && !is_busy(); }
  /// Whether no work is pending: results are available or impossible.
  bool is_settled() const;
  /// Whether the current results belong to the current settings.
  bool follows_settings() const;
  /// The progress of a running update.
  std::optional<ProgressSnapshot> progress() const;
  /// How often the clouds have changed.
  std::uint64_t version() const { return version_; }
  /// The number of successful updates.
  std::uint64_t count() const { return updates_; }

private:
  using Updating = Work<Inputs, spatial::SpatialSnapshot>;

  static constexpr double long_seconds = 0.3;

  void begin();
  void take(Updating::Outcome outcome);
  /// After a failed or cancelled update, restores the settings of the last successful one.
  void go_back(Updating::Outcome const& outcome);

  SpatialState& state_;
  std::unique_ptr<spatial::SpatialEngine> engine_;
  Updating updating_;
  bool has_results_ = false;             ///< the last update succeeded, and no other one has begun
  bool outlasts_ = false;                ///< the update outlasts a frame, so later frames do not wait for it
  double updating_seconds_ = 0.0;        ///< frame time since the update began
  std::optional<Inputs> last_inputs_;    ///< inputs of the last successful update
  std::optional<Inputs> failed_inputs_;  ///< the inputs that the last update failed for, so that it is not tried again
  SpatialSceneSettings answered_;        ///< settings of the last successful update
  std::uint64_t version_ = 0;
  std::uint64_t updates_ = 0;
};

}  // namespace slotscape
