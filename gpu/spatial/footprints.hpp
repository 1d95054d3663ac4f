#pragma once

#include "gpu/spatial/drawing.hpp"

#include <cmath>

/// Computes which samples of the canvas an instance covers, and its nearness at each. Nearness is 1 / depth: for a
/// plane, it changes linearly along a line of samples.
namespace slotscape::spatial {

SLOTSCAPE_HOST_DEVICE constexpr float smooth_step(float from, float to, float at)
{
  float const t = at <= from ? 0.0f : at >= to ? 1.0f : (at - from) / (to - from);
  return t * t * (3.0f - 2.0f * t);
}

SLOTSCAPE_HOST_DEVICE constexpr float absolute(float a)
{
  return a < 0.0f ? -a : a;
}

SLOTSCAPE_HOST_DEVICE constexpr float taxicab_length(Vector a)
{
  return absolute(a.x) + absolute(a.y) + absolute(a.z);
}

/// The samples in a range of columns and rows, ends included.
struct SampleRange {
  std::int32_t left = 0;
  std::int32_t top = 0;
  std::int32_t right = -1;
  std::int32_t bottom = -1;

  SLOTSCAPE_HOST_DEVICE constexpr bool empty() const { return right < left || bottom < top; }
  SLOTSCAPE_HOST_DEVICE constexpr std::int64_t count() const
  {
    return empty() ? 0 : (std::int64_t{right} - left + 1) * (std::int64_t{bottom} - top + 1);
  }
};

/// The canvas as a raster of `per_axis` x `per_axis` samples per pixel.
struct Raster {
  Sight sight;
  std::int32_t per_axis;

  SLOTSCAPE_HOST_DEVICE std::int32_t columns() const { return static_cast<std::int32_t>(sight.width) * per_axis; }
  SLOTSCAPE_HOST_DEVICE std::int32_t rows() const { return static_cast<std::int32_t>(sight.height) * per_axis; }
  SLOTSCAPE_HOST_DEVICE float samples_per_unit() const { return sight.pixels_per_unit * static_cast<float>(per_axis); }
  /// The direction from the eye through a point on the raster, at a depth of one unit.
  SLOTSCAPE_HOST_DEVICE Vector direction(float column, float row) const
  {
    float const scale = 1.0f / samples_per_unit();
    float const across = (column - 0.5f * static_cast<float>(columns())) * scale;
    float const down = (row - 0.5f * static_cast<float>(rows())) * scale;
    return sight.forward + across * sight.right - down * sight.up;
  }
  /// The samples whose centres are within the given reach of a point on the raster.
  SLOTSCAPE_HOST_DEVICE SampleRange around(float column, float row, float reach_across, float reach_down) const
  {
    return {at_least(column - reach_across), at_least(row - reach_down), at_most(column + reach_across, columns()),
            at_most(row + reach_down, rows())};
  }
  SLOTSCAPE_HOST_DEVICE SampleRange all() const { return {0, 0, columns() - 1, rows() - 1}; }

private:
  SLOTSCAPE_HOST_DEVICE static std::int32_t at_least(float from)
  {
    return from <= 0.5f ? 0 : from >= 1.0e9f ? 1000000000 : static_cast<std::int32_t>(ceilf(from - 0.5f));
  }
  SLOTSCAPE_HOST_DEVICE static std::int32_t at_most(float to, std::int32_t end)
  {
    if (to < 0.5f) { return -1; }
    return to >= static_cast<float>(end) ? end - 1 : static_cast<std::int32_t>(floorf(to - 0.5f));
  }
};

/// An instance's position in the view.
struct Seen {
  Vector center;  ///< relative to the eye
  float depth;
  float pixels;  ///< a voxel's side, or a point's diameter
  float column;  ///< of the centre, in samples
  float row;
};

/// A distant voxel is drawn as a square.
inline constexpr float like_points = 2.5f;           // a voxel of up to this many pixels looks like a point
inline constexpr float voxel_as_square = 1.35f;      // side of a square that looks about as large as a unit cube
inline constexpr float min_round_pixels = 2.0f;      // smaller points are squares
inline constexpr float without_gaps = 1.0f + 2e-4f;  // rounding must not open gaps between neighbours

/// Decides how an instance is drawn.
class Shaper {
public:
  SLOTSCAPE_HOST_DEVICE Shaper(DrawingRequest const& request, std::int32_t per_axis)
      : raster_{request.sight, per_axis},
        kind_(request.kind),
        voxel_(request.voxel),
        diameter_(request.diameter),
        min_pixels_(request.min_pixels),
        max_pixels_(request.max_pixels)
  {
  }

  SLOTSCAPE_HOST_DEVICE Raster const& raster() const { return raster_; }
  SLOTSCAPE_HOST_DEVICE Seen see(Vector position) const
  {
    Sight const& sight = raster_.sight;
    Vector const center = position - sight.eye;
    float const depth = dot(center, sight.forward);
    float const safe_depth = depth > 1e-6f ? depth : 1e-6f;
    float const scale = 1.0f / safe_depth;
    Seen seen{center, depth, pixels_at(scale), 0.0f, 0.0f};
    float const samples = raster_.samples_per_unit() * scale;
    seen.column = 0.5f * static_cast<float>(raster_.columns()) + samples * dot(center, sight.right);
    seen.row = 0.5f * static_cast<float>(raster_.rows()) - samples * dot(center, sight.up);
    return seen;
  }
  SLOTSCAPE_HOST_DEVICE bool is_cube(Seen const& seen) const
  {
    return kind_ == InstanceKind::voxels && seen.pixels >= like_points;
  }
  SLOTSCAPE_HOST_DEVICE bool has_round_points() const { return kind_ == InstanceKind::points; }
  SLOTSCAPE_HOST_DEVICE bool is_round(Seen const& seen) const
  {
    return kind_ == InstanceKind::points && seen.pixels >= min_round_pixels;
  }
  /// Half the side of a cube. Large cubes leave a gap between neighbours.
  SLOTSCAPE_HOST_DEVICE float half_side(Seen const& seen) const
  {
    float const gap = 0.05f * smooth_step(10.0f, 30.0f, seen.pixels);
    return 0.5f * voxel_ * (1.0f - gap) * without_gaps;
  }
  /// Half the side of a square, or the radius of a disc, in samples. Both are at least a pixel across.
  SLOTSCAPE_HOST_DEVICE float reach(Seen const& seen) const
  {
    float const pixels = seen.pixels * (kind_ == InstanceKind::voxels ? voxel_as_square : 1.0f);
    return 0.5f * (pixels > 1.0f ? pixels : 1.0f) * static_cast<float>(raster_.per_axis);
  }
  /// The samples that the instance may cover.
  SLOTSCAPE_HOST_DEVICE SampleRange range(Seen const& seen) const
  {
    if (is_cube(seen)) { return range_of_cube(seen); }
    if (!(seen.depth >= raster_.sight.near)) { return {}; }
    float const samples = reach(seen);
    return raster_.around(seen.column, seen.row, samples, samples);
  }

private:
  SLOTSCAPE_HOST_DEVICE float pixels_at(float scale) const
  {
    if (kind_ == InstanceKind::voxels) { return voxel_ * raster_.sight.pixels_per_unit * scale; }
    float const pixels = diameter_ * raster_.sight.pixels_per_unit * scale;
    return pixels < min_pixels_ ? min_pixels_ : pixels > max_pixels_ ? max_pixels_ : pixels;
  }
  /// A corner is offset from the centre by o = (±h, ±h, ±h), so it appears (o·right − slope o·forward) / (depth +
  /// o·forward) beside it.
  SLOTSCAPE_HOST_DEVICE SampleRange range_of_cube(Seen const& seen) const
  {
    Sight const& sight = raster_.sight;
    float const half = half_side(seen);
    float const deep = half * taxicab_length(sight.forward);
    if (seen.depth + deep < sight.near) { return {}; }
    float const nearest = seen.depth - deep;
    if (nearest < 0.1f * half) { return raster_.all(); }
    float const across = dot(seen.center, sight.right) / seen.depth;
    float const up = dot(seen.center, sight.up) / seen.depth;
    float const samples = raster_.samples_per_unit() * half / nearest;
    return raster_.around(seen.column, seen.row, samples * taxicab_length(sight.right - across * sight.forward),
                          samples * taxicab_length(sight.up - up * sight.forward));
  }

  Raster raster_;
  InstanceKind kind_;
  float voxel_;
  float diameter_;
  float min_pixels_;
  float max_pixels_;
};

/// Where a line of sight meets a shape.
struct Meeting {
  float nearness = 0.0f;  ///< 0: nowhere
  std::int32_t axis = 0;  ///< of a cube: the axis across which the face lies
};

/// Intersects lines of sight with a cube. Along each axis, a line is between the cube's two planes while its nearness
/// is between theirs; the line enters at the last of the near planes.
class CubeFront {
public:
  SLOTSCAPE_HOST_DEVICE CubeFront(Vector center, float half)
  {
    set_axis(0, center.x, half);
    set_axis(1, center.y, half);
    set_axis(2, center.z, half);
  }

  SLOTSCAPE_HOST_DEVICE Meeting meet(Vector direction) const
  {
    float const along[3]{direction.x, direction.y, direction.z};
    Meeting meeting{no_plane, 0};
    float leaves = 0.0f;
    for (int axis = 0; axis < 3; ++axis) {
      float const enters = in_[axis] == 0.0f ? no_plane : along[axis] * in_[axis];
      if (enters < meeting.nearness) { meeting = {enters, axis}; }
      float const a = along[axis] * out_a_[axis];
      float const b = along[axis] * out_b_[axis];
      leaves = a > leaves ? a : leaves;
      leaves = b > leaves ? b : leaves;
    }
    bool const meets = meeting.nearness >= leaves && meeting.nearness > 0.0f && meeting.nearness < no_plane;
    return meets ? meeting : Meeting{};
  }

private:
  static constexpr float no_plane = 3.0e38f;

  /// An eye between the two planes of an axis sees neither face from outside.
  SLOTSCAPE_HOST_DEVICE void set_axis(int axis, float center, float half)
  {
    float const low = center - half;
    float const high = center + half;
    bool const between = low <= 0.0f && high >= 0.0f;
    float const near = center < 0.0f ? high : low;
    float const far = center < 0.0f ? low : high;
    in_[axis] = between ? 0.0f : 1.0f / near;
    out_a_[axis] = 1.0f / far;
    out_b_[axis] = between && near != 0.0f ? 1.0f / near : out_a_[axis];
  }

  float in_[3];  // 1 / the coordinate of the near plane, and of the planes where the line may leave
  float out_a_[3];
  float out_b_[3];
};

}  // namespace slotscape::spatial
