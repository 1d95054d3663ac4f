#include "gpu/bench/neighbour_rivals.hpp"

#include "gpu/base/error.hpp"
#include "gpu/execution/parallel.hpp"

#include <chrono>
#include <cmath>
#include <limits>

#if SLOTSCAPE_HAS_NANOFLANN
#include <nanoflann.hpp>
#endif

namespace slotscape::bench {

#if SLOTSCAPE_HAS_NANOFLANN

namespace {

using neighbours::Point;

/// The point interface that nanoflann requires.
struct PointSet {
  std::span<Point const> points;

  std::size_t kdtree_get_point_count() const { return points.size(); }
  float kdtree_get_pt(std::size_t number, std::size_t axis) const
  {
    Point const& at = points[number];
    return axis == 0 ? at.x : axis == 1 ? at.y : at.z;
  }
  template <class Box>
  bool kdtree_get_bbox(Box&) const
  {
    return false;
  }
};

#if NANOFLANN_VERSION >= 0x150
using Found = std::vector<nanoflann::ResultItem<std::uint32_t, float>>;
using SearchParameters = nanoflann::SearchParameters;
#else
using Found = std::vector<std::pair<std::uint32_t, float>>;
struct SearchParameters : nanoflann::SearchParams {
  SearchParameters() : SearchParams(0, 0.0f, true) {}
};
#endif
using Tree =
    nanoflann::KDTreeSingleIndexAdaptor<nanoflann::L2_Simple_Adaptor<float, PointSet>, PointSet, 3, std::uint32_t>;

double seconds_since(std::chrono::steady_clock::time_point begin)
{
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

}  // namespace

std::string why_no_nanoflann()
{
  return {};
}

RivalNeighbours neighbours_by_nanoflann(std::span<Point const> points, float radius)
{
  RivalNeighbours result;
  PointSet const set{points};
  auto begin = std::chrono::steady_clock::now();
  Tree const tree(3, set, nanoflann::KDTreeSingleIndexAdaptorParams(10));
  result.build_seconds = seconds_since(begin);

  begin = std::chrono::steady_clock::now();
  std::vector<Found> lists(points.size());
  float const beyond = std::nextafter(radius * radius, std::numeric_limits<float>::infinity());  // nanoflann uses <
  exec::tbb::parallel_for(exec::tbb::blocked_range<std::size_t>(0, points.size(), 512), [&](auto const& range) {
    Found found;
    for (std::size_t i = range.begin(); i != range.end(); ++i) {
      tree.radiusSearch(&points[i].x, beyond, found, SearchParameters());
      lists[i] = found;
    }
  });
  result.search_seconds = seconds_since(begin);

  for (std::size_t i = 0; i < lists.size(); ++i) {
    result.offsets.push_back(result.indices.size());
    for (auto const& [number, squared] : lists[i]) {
      if (number == i) { continue; }
      result.indices.push_back(number);
      result.squared.push_back(squared);
    }
  }
  result.offsets.push_back(result.indices.size());
  return result;
}

#else

std::string why_no_nanoflann()
{
  return "nanoflann is not built in: install libnanoflann-dev, and build again";
}

RivalNeighbours neighbours_by_nanoflann(std::span<neighbours::Point const>, float)
{
  throw Error(why_no_nanoflann());
}

#endif

}  // namespace slotscape::bench
