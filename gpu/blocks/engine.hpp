#pragma once

#include "gpu/base/progress.hpp"
#include "gpu/engine/engine.hpp"
#include "gpu/neighbours/points.hpp"

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

/// Compares two tables of the same cloud: a table of voxels, and a table of blocks of 8³ voxels, each with a mask of
/// one bit per voxel (Niessner et al. 2013 store the distances of a surface in such blocks).
namespace slotscape::blocks {

struct BlocksSettings {
  float voxel = 0.0f;        ///< side of a voxel; more than 0
  double load_factor = 0.5;  ///< for both tables, which use linear probing: `min_load_factor` to `max_load_factor`
  HashKind hash = HashKind::murmur3;
  std::uint64_t accesses = 1'000'000;  ///< of each kind, random and to neighbours; 1 to `max_accesses`
  std::uint64_t rays = 20'000;         ///< 1 to `max_accesses`
  std::uint64_t seed = 1;
  friend bool operator==(BlocksSettings const&, BlocksSettings const&) = default;
};

inline constexpr double min_load_factor = 0.05;
inline constexpr double max_load_factor = 0.95;
inline constexpr std::uint64_t max_accesses = std::uint64_t{1} << 28;
/// Limit along an axis: a ray may pass all of these voxels.
inline constexpr std::uint64_t max_voxels_along = std::uint64_t{1} << 16;

/// Throws Error that says what to do.
void validate(BlocksSettings const& settings);

/// The access patterns. `random`: every second query is for an occupied voxel, the others for voxels anywhere in the
/// box. `neighbouring`: the 26 voxels around occupied ones, in the order of their keys. `rays`: from random points on
/// the sides of the box towards random points in it, voxel by voxel (Amanatides & Woo 1987), to the first occupied one.
enum class Pattern : std::uint8_t { random, neighbouring, rays };
inline constexpr std::array<std::string_view, 3> pattern_names{"random", "neighbouring", "rays"};

/// The cost of an access pattern.
struct Accesses {
  std::uint64_t voxels = 0;    ///< that were queried
  std::uint64_t found = 0;     ///< occupied voxels among them
  std::uint64_t lookups = 0;   ///< in the table; none for voxels of the last block looked up
  std::uint64_t slots = 0;     ///< read by the lookups
  std::uint64_t checksum = 0;  ///< of the answers; the same for both tables
  double seconds = 0.0;        ///< without counting; by CUDA events, or by wall clock on the CPU
};

struct Structure {
  std::uint64_t entries = 0;  ///< voxels, or blocks
  std::uint64_t slots = 0;
  std::uint64_t table_bytes = 0;
  std::uint64_t mask_bytes = 0;
  double seconds = 0.0;  ///< to insert all entries and, for blocks, to set the bits of their masks
  std::array<Accesses, pattern_names.size()> patterns{};

  std::uint64_t bytes() const { return table_bytes + mask_bytes; }
  Accesses const& of(Pattern pattern) const { return patterns[static_cast<std::size_t>(pattern)]; }
};

struct Comparison {
  std::uint64_t points = 0;
  std::array<std::uint64_t, 3> size{};  ///< of the box in voxels
  Structure voxels;
  Structure blocks;
};

/// Runs comparisons on one device. Call it from one thread; each call blocks until its result is ready.
class BlocksEngine {
public:
  virtual ~BlocksEngine() = default;

  virtual Backend backend() const = 0;
  virtual std::string device_name() const = 0;
  /// Throws Cancelled, and Error that says what to do: for invalid settings, if there are no points, or a coordinate is
  /// infinite or not a number, or if the box has more voxels than `max_voxels_along`.
  virtual Comparison compare(std::span<neighbours::Point const> points, BlocksSettings const& settings,
                             Progress const& progress = {}) = 0;
};

/// Throws Error if the backend is not available.
std::unique_ptr<BlocksEngine> make_blocks_engine(Backend backend);

}  // namespace slotscape::blocks
