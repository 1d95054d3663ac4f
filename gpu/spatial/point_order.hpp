#pragma once

#include "gpu/execution/executor.hpp"
#include "gpu/spatial/pipeline.hpp"

#include <algorithm>
#include <span>
#include <utility>

/// The order in which an engine stores points: along a Morton curve. Points that are close in space share voxels in
/// every pose, and are close in memory.
namespace slotscape::spatial {

namespace passes {

/// Computes each point's position along the curve, by interleaving 10 bits per axis.
struct FindPlaces {
  Vector const* positions;
  Vector low;   ///< the corner of a cube around all points
  float scale;  ///< the curve's cells along an axis / the cube's side
  std::uint32_t* places;
  std::uint32_t* order;

  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t i) const
  {
    Vector const place = positions[i] - low;
    places[i] = morton(cell(place.x), cell(place.y), cell(place.z));
    order[i] = static_cast<std::uint32_t>(i);
  }

  static constexpr std::uint32_t cells = 1024;

private:
  SLOTSCAPE_HOST_DEVICE std::uint32_t cell(float along) const
  {
    float const at = along * scale;
    return at < static_cast<float>(cells) ? static_cast<std::uint32_t>(at) : cells - 1;
  }
};

template <class T>
struct Rearrange {
  T const* from;
  std::uint32_t const* order;
  T* to;

  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t i) const { to[i] = from[order[i]]; }
};

}  // namespace passes

/// Copies values of points to device memory, in the given order.
template <exec::Executor Exec, class T>
typename Exec::template Buffer<T> rearranged(Exec& exec, std::span<T const> values, std::uint32_t const* order)
{
  typename Exec::template Buffer<T> given(exec, values.size());
  typename Exec::template Buffer<T> result(exec, values.size());
  exec.upload(given.data(), values);
  exec.for_each(values.size(), passes::Rearrange<T>{given.data(), order, result.data()});
  exec.wait();
  return result;
}

/// The points in the order in which the engine stores them. All must be finite. Throws Cancelled.
template <exec::Executor Exec>
ModelPoints<Exec> ordered_points(Exec& exec, PointsView const& points, Progress const& progress)
{
  using Places = typename Exec::template Buffer<std::uint32_t>;
  Vector low = points.positions.front();
  Vector high = low;
  for (Vector const& p : points.positions) {
    low = {std::min(low.x, p.x), std::min(low.y, p.y), std::min(low.z, p.z)};
    high = {std::max(high.x, p.x), std::max(high.y, p.y), std::max(high.z, p.z)};
  }
  float const side = std::max({high.x - low.x, high.y - low.y, high.z - low.z});
  float const scale = side > 0.0f ? static_cast<float>(passes::FindPlaces::cells) / side : 0.0f;
  std::uint64_t const count = points.positions.size();
  Places order(exec, count);
  {
    Places places(exec, count);
    typename Exec::template Buffer<Vector> given(exec, count);
    exec.upload(given.data(), points.positions);
    exec.for_each(count, passes::FindPlaces{given.data(), low, scale, places.data(), order.data()});
    progress.require();
    exec.sort_pairs(places.data(), order.data(), count);
  }
  progress.require();
  auto positions = rearranged(exec, points.positions, order.data());
  progress.require();
  auto normals = rearranged(exec, points.normals, order.data());
  return {std::move(positions), std::move(normals), count, std::move(order), points.open};
}

}  // namespace slotscape::spatial
