#pragma once

#include "app/scenes/spatial/state.hpp"
#include "gpu/base/work.hpp"
#include "gpu/spatial/engine.hpp"

#include <cstdint>
#include <memory>
#include <optional>

namespace slotscape {

/// What frames wait for work that has outlasted one.
inline constexpr double shortest_spatial_wait_seconds = 1.0 / 60.0;

/// Has the engine follow the scene's settings: each update hashes the voxels of both models and intersects them. Owns
/// the engine. An update may take longer than a frame, and then goes on beside the frames; meanwhile nobody else uses
/// the engine.
class VoxelUpdates {
public:
  /// What an update depends on.
  struct Inputs {
    spatial::SpatialSettings hashing;
    spatial::PerModel<spatial::Pose> poses;         ///< as they are seen
    spatial::PerModel<spatial::Pose> engine_poses;  ///< the same, for the points that the engine has
    spatial::ShownParts parts;
    std::uint64_t version;  ///< of the clouds
    friend bool operator==(Inputs const&, Inputs const&) = default;
  };

  /// `state` outlives it.
  VoxelUpdates(SpatialState& state, Backend backend);

  Inputs inputs() const;
  /// Has the engine follow the settings, waiting for up to so many seconds; nothing: until it has.
  void follow_settings(std::optional<double> max_wait);
  void wait() const { updating_.wait(); }
  void cancel() { updating_.cancel(); }
  /// Time passes while an update goes on.
  void pass(double elapsed_seconds);

  /// Only for those who have waited, or while there are results.
  spatial::SpatialEngine& engine() { return *engine_; }
  spatial::SpatialEngine const& engine() const { return *engine_; }
  /// For a change of the engine's points: stops the update, and there are no results. `end_change` follows.
  spatial::SpatialEngine& begin_change();
  void end_change() { ++version_; }

  bool is_busy() const { return updating_.busy(); }
  /// Whether the update takes so long that a bar says how far it is.
  bool is_long() const { return updating_seconds_ > long_seconds; }
  bool has_results() const { return has_results_ && !is_busy(); }
  /// Whether nothing is left to do: there are results, or there cannot be any.
  bool is_settled() const;
  /// Whether what there is belongs to the settings as they are now.
  bool follows_settings() const;
  /// Of an update that goes on.
  std::optional<ProgressSnapshot> progress() const;
  /// How many times the clouds have changed.
  std::uint64_t version() const { return version_; }
  /// How many updates have ended well.
  std::uint64_t count() const { return updates_; }

private:
  using Updating = Work<Inputs, spatial::SpatialSnapshot>;

  static constexpr double long_seconds = 0.3;

  void begin();
  void take(Updating::Outcome outcome);
  /// After an update that failed or was cancelled: has the settings ask for the last one that did not.
  void go_back(Updating::Outcome const& outcome);

  SpatialState& state_;
  std::unique_ptr<spatial::SpatialEngine> engine_;
  Updating updating_;
  bool has_results_ = false;             ///< the last update has ended well, and no other one has begun
  bool outlasts_ = false;                ///< the update takes longer than a frame, so later ones do not wait for it
  double updating_seconds_ = 0.0;        ///< of frames, since the update began
  std::optional<Inputs> last_inputs_;    ///< of the last update that ended well
  std::optional<Inputs> failed_inputs_;  ///< not tried again
  SpatialSceneSettings answered_;        ///< what the settings were then
  std::uint64_t version_ = 0;
  std::uint64_t updates_ = 0;
};

}  // namespace slotscape
