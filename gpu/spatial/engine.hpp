#pragma once

#include "gpu/base/progress.hpp"
#include "gpu/engine/inspected_table.hpp"
#include "gpu/spatial/section.hpp"
#include "gpu/spatial/voxel_grid.hpp"
#include "gpu/tables/settings.hpp"

#include <array>
#include <memory>
#include <numeric>
#include <optional>
#include <span>
#include <string>
#include <string_view>
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

/// Where a voxel of one model lies relative to the other model. If the other model is open, `inside` means behind it
/// and `outside` in front of it; voxels beside its rim or in a hole, whose side cannot be determined, are `unknown`.
enum class VoxelStatus : std::uint8_t { unknown, inside, outside, intersection };
inline constexpr int status_count = 4;

/// Which parts of the two surfaces belong to the result. `both` keeps everything, without a Boolean operation.
enum class Boolean : std::uint8_t { both, unite, intersect, a_minus_b, b_minus_a };
/// Whether a voxel of `model` belongs to the surface of the result. Unknown voxels always belong.
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

/// Which voxels of the result are shown: per model, all statuses except the hidden ones, within a section.
struct ShownParts {
  Boolean boolean = Boolean::both;
  std::uint8_t hidden = 0;  ///< bits as in `bit_of`
  Section section = {};

  constexpr ShownParts() = default;
  constexpr ShownParts(Boolean all_of, std::uint8_t without = 0, Section const& within = {})
      : boolean(all_of), hidden(without), section(within)
  {
  }
  SLOTSCAPE_HOST_DEVICE static constexpr std::uint8_t bit_of(Model model, VoxelStatus status)
  {
    return static_cast<std::uint8_t>(1u << (static_cast<int>(model) * status_count + static_cast<int>(status)));
  }
  SLOTSCAPE_HOST_DEVICE constexpr bool hides_all_of(Model model) const
  {
    constexpr unsigned all = (1u << status_count) - 1;
    return ((hidden >> (static_cast<int>(model) * status_count)) & all) == all;
  }
  friend bool operator==(ShownParts const&, ShownParts const&) = default;
};
/// Ignores the section.
SLOTSCAPE_HOST_DEVICE constexpr bool belongs(ShownParts const& parts, Model model, VoxelStatus status)
{
  return (parts.hidden & ShownParts::bit_of(model, status)) == 0 && belongs(parts.boolean, model, status);
}
/// `at`: the centre of a voxel, or a point in the voxel, in world coordinates.
SLOTSCAPE_HOST_DEVICE inline bool belongs(ShownParts const& parts, Model model, VoxelStatus status, Vector at)
{
  return belongs(parts, model, status) && parts.section.contains(at);
}

/// The highest target load factor of two_level_cuckoo.
inline constexpr double min_load_factor = 0.05;
inline constexpr double max_load_factor = 0.95;
inline constexpr double max_two_level_load = 0.7;
inline constexpr std::array<std::string_view, 2> table_families{"two_level_cuckoo", "linear_probing"};

inline constexpr std::uint32_t max_min_points = 1000;

/// Compares two surveys of one place voxel by voxel, instead of classifying inside and outside: `intersection` voxels
/// are in both surveys, `inside` voxels only in A, `outside` voxels only in B; `unknown` voxels have too few points.
struct Changes {
  bool shown = false;
  std::uint32_t min_points = 1;  ///< in a voxel of one survey; with fewer, the other survey may have missed it
  bool neighbours = false;       ///< a voxel of the other survey among the 26 neighbours counts as a match
  friend bool operator==(Changes const&, Changes const&) = default;
};

/// Settings of the tables and of the classification.
struct SpatialSettings {
  VoxelGrid grid;
  std::string family = "two_level_cuckoo";  ///< or linear_probing, which grids larger than 1024^3 need
  HashChoice hash = {};                     ///< if the family uses a hash function
  double load_factor = 0.5;                 ///< target for voxels / slots; at most 0.7 for two_level_cuckoo
  /// Thresholds on the signed distance from the other surface, in voxels, estimated from the points and normals of the
  /// nearest voxels. A voxel next to that surface is inside if its distance is below the first threshold, and outside
  /// if above the second. In both cases it is a seed of the flood-fill.
  float inside_below = -0.25f;
  float outside_above = 0.25f;
  std::uint32_t max_restarts = 4;  ///< of the flood-fill; each restart first clears contradictory seeds
  Changes changes = {};
  friend bool operator==(SpatialSettings const&, SpatialSettings const&) = default;
};
/// Throws Error if the settings are invalid; the message says what to do.
void validate(SpatialSettings const& settings);

/// A model's points in its own coordinates, centred on the origin, with a unit outward normal for each.
struct PointsView {
  std::span<Vector const> positions;
  std::span<Vector const> normals;
  bool open = false;  ///< the surface encloses nothing, like a terrain: its normals point to the front
};
inline constexpr std::uint64_t max_points = std::uint64_t{1} << 24;  ///< per model

/// How a voxel combines its points' values: the mean of colours, channel by channel; the mean of numbers; or, where a
/// mean is meaningless, as for classes, the value of the first point that has one.
enum class Blend : std::uint8_t { colors, numbers, first };

/// One value for each of a model's points, such as its colour (0xRRGGBB) or a scaled intensity: up to
/// `Paint::largest_value`, or `missing`. Empty if the model has no attribute.
struct AttributeView {
  static constexpr std::uint32_t missing = 0xffffffffu;
  std::span<std::uint32_t const> values;
  Blend blend = Blend::numbers;
};

/// The result for one model in a frame.
struct ModelSnapshot {
  std::uint64_t points = 0;
  std::uint64_t outside_grid = 0;  ///< points beyond the grid, which have no voxel
  std::uint64_t voxels = 0;
  std::uint64_t points_in_section = 0;  ///< points that have a voxel
  std::uint64_t shown = 0;  ///< voxels in the section that belong to the Boolean's result and are not hidden
  /// Voxels whose centres are in the section, by VoxelStatus.
  std::array<std::uint64_t, status_count> status{};

  std::uint64_t voxels_in_section() const { return std::accumulate(status.begin(), status.end(), std::uint64_t{0}); }
};

/// The stages of a frame.
enum class Stage : std::uint8_t { voxelise, build, intersect, classify, select };
inline constexpr int stage_count = 5;

struct SpatialSnapshot {
  PerModel<ModelSnapshot> models;
  std::uint32_t rounds = 0;                         ///< sweeps over the voxels until the flood-fill finished
  std::uint32_t restarts = 0;                       ///< of the flood-fill
  std::uint32_t cleared = 0;                        ///< seeds cleared because they contradicted others
  std::array<double, stage_count> stage_seconds{};  ///< from CUDA events; wall-clock time on the CPU
};

/// What an instance's colour shows.
enum class PaintBy : std::uint8_t { status, model, points, probe_length, slot, attribute };

/// A point or a voxel as OpenGL draws it: 20 bytes of vertex attributes.
struct Instance {
  Vector position;       ///< in world coordinates; a voxel's centre
  std::uint32_t paint;   ///< see `Paint`
  std::uint32_t normal;  ///< x, y, z as signed bytes in 1/127, x lowest
};
static_assert(sizeof(Instance) == 20);

/// Layout of `Instance::paint`: the value in bits 0 to 23, then flags of the voxel.
struct Paint {
  static constexpr std::uint32_t largest_value = (1u << 24) - 1;
  static constexpr int status_shift = 24;  ///< two bits of VoxelStatus
  static constexpr std::uint32_t model_b = 1u << 26;
  static constexpr std::uint32_t no_voxel = 1u << 27;  ///< a point outside the grid
  static constexpr std::uint32_t no_value = 1u << 28;  ///< of PaintBy::attribute
  static constexpr std::uint32_t cut_off = 1u << 29;   ///< outside the section: not drawn, not even as a ghost

  /// How many slots share a value of PaintBy::slot in a table of `slots` slots: 1, except in huge tables.
  SLOTSCAPE_HOST_DEVICE static constexpr std::uint64_t slots_per_value(std::uint64_t slots)
  {
    return slots / largest_value + 1;
  }
};

enum class InstanceKind : std::uint8_t { points, voxels };
struct InstanceRequest {
  InstanceKind kind = InstanceKind::voxels;
  PaintBy paint_by = PaintBy::status;
  ShownParts parts = {};
};

/// All data of one voxel, for display.
struct VoxelInfo {
  Model model = Model::a;
  std::uint32_t index = 0;  ///< dense, from 0, in slot order
  Cell cell;
  Key key = 0;
  Slot slot = 0;
  std::uint32_t points = 0;
  Vector position;  ///< the mean of its points, in world coordinates
  Vector normal;    ///< the normalised mean of their normals; zero if they cancel out
  VoxelStatus status = VoxelStatus::unknown;
  std::optional<Key> seed;  ///< key of the seed that determined its status, if any
  std::array<std::optional<std::uint32_t>, face_count> neighbours{};  ///< indices of the occupied neighbours, by face
};

struct Ray {
  Vector origin;
  Vector direction;
};
/// The first voxel that a ray hits.
struct Hit {
  Model model;
  std::uint32_t index;
  float distance;
};

/// Requests the statistics of a model's table and, if there is a target, its picture.
struct AnalysisRequest {
  Model model = Model::a;
  PictureRequest picture{};
  TexelTarget target{};
};

struct DrawingRequest;
struct CanvasTexel;

/// A model's points in device memory, in the order in which engines store them.
class OrderedPoints {
public:
  virtual ~OrderedPoints() = default;
};

/// Two models and their tables, in the memory of one device. Call it from one thread; each call blocks until its result
/// is ready. Failed calls throw `Error` and change nothing.
class SpatialEngine {
public:
  virtual ~SpatialEngine() = default;

  virtual Backend backend() const = 0;
  virtual std::string device_name() const = 0;

  /// The slow part of `set_model`. May run on any thread, and the result may go to any engine of the same backend.
  /// Takes 1 to `max_points` points with finite coordinates. Throws Cancelled.
  virtual std::unique_ptr<OrderedPoints> order(PointsView const& points, Progress const& progress = {}) = 0;
  virtual void set_model(Model model, std::unique_ptr<OrderedPoints> points) = 0;
  void set_model(Model model, PointsView const& points) { set_model(model, order(points)); }
  /// Sets the values that PaintBy::attribute shows until the next `set_model`. An empty attribute takes no memory.
  virtual void set_attribute(Model model, AttributeView const& attribute) = 0;
  /// Estimates unit normals of the surface that the points sample, by fitting planes to the points of neighbouring
  /// voxels. They point outwards if the surface is closed.
  virtual std::vector<Vector> estimate_normals(std::span<Vector const> positions) = 0;

  /// Runs all five stages for models in these poses. Throws Cancelled. After Cancelled or Error, there are no results
  /// until the next update.
  virtual SpatialSnapshot update(SpatialSettings const& settings, PerModel<Pose> const& poses, ShownParts const& parts,
                                 Progress const& progress = {}) = 0;

  /// --- results of the last `update`. A model's table, which maps the keys of voxels to their dense indices.
  virtual InspectedTable& table(Model model) = 0;
  /// Analyses tables as `InspectedTable::analyse` does, but waits only once for all of them. One request per model.
  virtual std::vector<Snapshot> analyse_tables(std::span<AnalysisRequest const> requests) = 0;
  /// The number of instances that `write_instances` writes.
  virtual std::uint64_t instances(Model model, InstanceKind kind) const = 0;
  /// Writes the instances to `out`, which must be on the engine's device and have room for all of them: first the shown
  /// ones, then the others. Points are in the engine's own order. Returns the number of shown instances.
  virtual std::uint64_t write_instances(Model model, InstanceRequest const& request, Instance* out) = 0;
  /// Like `write_instances`, but writes both models to the engine's own memory, for `draw`.
  virtual void show_instances(InstanceRequest const& request) = 0;
  /// Draws the instances that `show_instances` wrote, even if the models have changed since. Writes `request.texels()`
  /// texels to `out`, memory on the engine's device.
  virtual void draw(DrawingRequest const& request, CanvasTexel* out) = 0;
  virtual VoxelInfo voxel(Model model, std::uint32_t index) = 0;
  /// The index of the voxel in this slot; nullopt if the slot is empty.
  virtual std::optional<std::uint32_t> voxel_in_slot(Model model, Slot slot) = 0;
  /// The first shown voxel on the ray.
  virtual std::optional<Hit> pick(Ray const& ray, ShownParts const& parts) = 0;
  /// All voxels in index order, without `neighbours`.
  virtual std::vector<VoxelInfo> voxels(Model model) = 0;
};

/// Throws Error if there is no such device.
std::unique_ptr<SpatialEngine> make_spatial_engine(Backend backend);

}  // namespace slotscape::spatial
