#pragma once

#include "gpu/engine/inspected_table.hpp"
#include "gpu/spatial/voxel_grid.hpp"

#include <array>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

/// Two point clouds, voxelised, hashed and intersected every frame (Alcantara et al. 2009, 'Real-Time Parallel Hashing
/// on the GPU', 4.3 and 6, 'Spatial hashing').
namespace slotscape::spatial {

enum class Model : std::uint8_t { a, b };
inline constexpr int model_count = 2;
constexpr Model other(Model model)
{
  return model == Model::a ? Model::b : Model::a;
}
template <class T>
struct PerModel {
  std::array<T, model_count> of{};
  T& operator[](Model model) { return of[static_cast<std::size_t>(model)]; }
  T const& operator[](Model model) const { return of[static_cast<std::size_t>(model)]; }
  friend bool operator==(PerModel const&, PerModel const&) = default;
};

/// What is known of a voxel of one model with regard to the other model.
enum class VoxelStatus : std::uint8_t { unknown, inside, outside, intersection };
inline constexpr int status_count = 4;

/// Which parts of the two surfaces belong to the result. `both`: all of both, no Boolean.
enum class Boolean : std::uint8_t { both, unite, intersect, a_minus_b, b_minus_a };
/// Whether a voxel of `model` belongs to the surface of the result. What is unknown is shown.
SLOTSCAPE_HOST_DEVICE constexpr bool belongs(Boolean boolean, Model model, VoxelStatus status)
{
  if (status == VoxelStatus::intersection || status == VoxelStatus::unknown) { return true; }
  bool const inside = status == VoxelStatus::inside;
  switch (boolean) {
    case Boolean::both: return true;
    case Boolean::unite: return !inside;
    case Boolean::intersect: return inside;
    case Boolean::a_minus_b: return (model == Model::a) != inside;
    case Boolean::b_minus_a: return (model == Model::b) != inside;
  }
  return true;
}

/// The highest load factor to aim at with two_level_cuckoo.
inline constexpr double most_two_level_load = 0.7;

/// What the tables and the classification are set to.
struct SpatialSettings {
  VoxelGrid grid;
  std::string family = "two_level_cuckoo";  ///< or linear_probing, which a grid of more than 1024^3 needs
  HashKind hash = HashKind::murmur3;        ///< where the family uses one
  double load_factor = 0.5;                 ///< voxels / slots to aim at; two_level_cuckoo takes at most 0.7
  /// Signed distances from the other surface in voxels, by the nearest voxels' points and normals: beyond them a voxel
  /// next to the other surface is taken to be inside (below) or outside (above), and is a seed of the flood-fill.
  float inside_below = -0.25f;
  float outside_above = 0.25f;
  std::uint32_t max_restarts = 4;  ///< of the flood-fill, after seeds that contradict each other were cleared
  friend bool operator==(SpatialSettings const&, SpatialSettings const&) = default;
};
/// Throws Error, saying what to do, where the settings are invalid.
void validate(SpatialSettings const& settings);

/// Points of a model about the origin, in its own coordinates; a unit normal for each, pointing outwards.
struct PointsView {
  std::span<Vector const> positions;
  std::span<Vector const> normals;
};
inline constexpr std::uint64_t max_points = std::uint64_t{1} << 24;  ///< of one model

/// The result for one model in a frame. Counts of `status` are of voxels, indexed by VoxelStatus.
struct ModelSnapshot {
  std::uint64_t points = 0;
  std::uint64_t outside_grid = 0;  ///< points that the grid does not reach, and that have no voxel
  std::uint64_t voxels = 0;
  std::uint64_t shown = 0;  ///< voxels that belong to the result of the Boolean
  std::array<std::uint64_t, status_count> status{};
};

/// The stages of a frame.
enum class Stage : std::uint8_t { voxelise, build, intersect, classify, select };
inline constexpr int stage_count = 5;

struct SpatialSnapshot {
  PerModel<ModelSnapshot> models;
  std::uint32_t rounds = 0;                         ///< sweeps of the flood-fill over the voxels until nothing changed
  std::uint32_t restarts = 0;                       ///< of the flood-fill
  std::uint32_t cleared = 0;                        ///< seeds that contradicted others
  std::array<double, stage_count> stage_seconds{};  ///< by CUDA events, or the wall clock of the CPU
};

/// What colours the instances of a picture.
enum class PaintBy : std::uint8_t { status, model, points, probe_length, slot };

/// A point or a voxel as OpenGL draws it: vertex attributes, 20 bytes.
struct Instance {
  Vector position;       ///< in the world; of a voxel, its centre
  std::uint32_t paint;   ///< see `Paint`
  std::uint32_t normal;  ///< x, y, z as signed bytes, lowest first, each of 127
};
static_assert(sizeof(Instance) == 20);

/// `Instance::paint`: the value in bits 0 to 23, then what is known of the voxel.
struct Paint {
  static constexpr std::uint32_t largest_value = (1u << 24) - 1;
  static constexpr int status_shift = 24;  ///< two bits of VoxelStatus
  static constexpr std::uint32_t model_b = 1u << 26;
  static constexpr std::uint32_t hidden = 1u << 27;    ///< does not belong to the result
  static constexpr std::uint32_t no_voxel = 1u << 28;  ///< a point outside the grid

  /// How many slots share a value of PaintBy::slot in a table with that many: 1, except in huge ones.
  SLOTSCAPE_HOST_DEVICE static constexpr std::uint64_t slots_per_value(std::uint64_t slots)
  {
    return slots / largest_value + 1;
  }
};

enum class InstanceKind : std::uint8_t { points, voxels };
struct InstanceRequest {
  InstanceKind kind = InstanceKind::voxels;
  PaintBy paint_by = PaintBy::status;
  Boolean boolean = Boolean::both;
};

/// A voxel as a person reads it.
struct VoxelInfo {
  Model model = Model::a;
  std::uint32_t index = 0;  ///< dense: 0 to one less than the model's voxels, in the order of slots
  Cell cell;
  Key key = 0;
  Slot slot = 0;
  std::uint32_t points = 0;
  Vector position;  ///< the mean of its points, in the world
  Vector normal;    ///< their mean normal; zero where the normals cancel out
  VoxelStatus status = VoxelStatus::unknown;
  std::optional<Key> seed;  ///< key of the voxel that its status came from, where it came by the flood-fill
  std::array<std::optional<std::uint32_t>, face_count> neighbours{};  ///< their indices, where they are occupied
};

/// The voxel that a ray meets first.
struct Ray {
  Vector origin;
  Vector direction;
};
struct Hit {
  Model model;
  std::uint32_t index;
  float distance;
};

/// Two models in the memory of one device, with their tables. Calls are made from one thread; each returns when its
/// result is there. Errors are `Error`, and leave everything as it was.
class SpatialEngine {
public:
  virtual ~SpatialEngine() = default;

  virtual Backend backend() const = 0;
  virtual std::string device_name() const = 0;

  /// At least one point, at most `max_points`; all coordinates finite.
  virtual void set_model(Model model, PointsView const& points) = 0;
  /// Unit normals of a surface sampled by these points: planes fitted to the points of neighbouring voxels, made to
  /// point outwards where the surface is closed.
  virtual std::vector<Vector> estimate_normals(std::span<Vector const> positions) = 0;

  /// All five stages, for models in these poses.
  virtual SpatialSnapshot update(SpatialSettings const& settings, PerModel<Pose> const& poses, Boolean boolean) = 0;

  /// --- what the last `update` has left.
  /// The table of a model's voxels: keys are voxels, values their dense indices.
  virtual InspectedTable& table(Model model) = 0;
  /// How many instances there are to write.
  virtual std::uint64_t instances(Model model, InstanceKind kind) const = 0;
  /// Writes them to `out`, memory of the engine's own device for at least so many.
  virtual void write_instances(Model model, InstanceRequest const& request, Instance* out) = 0;
  virtual VoxelInfo voxel(Model model, std::uint32_t index) = 0;
  /// Nothing where the slot is empty.
  virtual std::optional<std::uint32_t> voxel_in_slot(Model model, Slot slot) = 0;
  /// Among the voxels that belong to the result.
  virtual std::optional<Hit> pick(Ray const& ray, Boolean boolean) = 0;
  /// All voxels in the order of their indices; without `neighbours`.
  virtual std::vector<VoxelInfo> voxels(Model model) = 0;
};

/// Throws Error where there is no such device.
std::unique_ptr<SpatialEngine> make_spatial_engine(Backend backend);

}  // namespace slotscape::spatial
