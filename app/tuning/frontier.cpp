#include "app/tuning/frontier.hpp"

#include <algorithm>
#include <numeric>

namespace slotscape::tuning {
namespace {

bool can_be_chosen(Results const& results, Measured const& measured)
{
  double const most = results.workload.most_bytes;
  bool const affordable = most <= 0.0 || measured.bytes_per_key <= most;
  return affordable && measured.failed == 0 && measured.throughput > 0.0 && !measured.clogged_after;
}

/// Candidates as points, and which ones they are.
struct Points {
  std::vector<std::size_t> indices;
  std::vector<Tradeoff> points;

  std::vector<std::size_t> frontier() const
  {
    std::vector<std::size_t> frontier = frontier_of(points);
    for (std::size_t& i : frontier) { i = indices[i]; }
    return frontier;
  }
};

/// Of what was measured at least so thoroughly.
Points points_of(Results const& results, Stage stage)
{
  Points list;
  for (std::size_t i = 0; i < results.measured.size(); ++i) {
    Measured const& measured = results.measured[i];
    if (measured.stage < stage || !can_be_chosen(results, measured)) { continue; }
    list.indices.push_back(i);
    list.points.push_back({measured.bytes_per_key, measured.throughput});
  }
  return list;
}

double throughput_a_byte(Tradeoff const& point)
{
  return point.bytes > 0.0 ? point.throughput / point.bytes : 0.0;
}

}  // namespace

std::vector<std::size_t> frontier_of(std::span<Tradeoff const> points)
{
  std::vector<std::size_t> order(points.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) {
    return points[a].bytes != points[b].bytes ? points[a].bytes < points[b].bytes
                                              : points[a].throughput > points[b].throughput;
  });
  std::vector<std::size_t> frontier;
  for (std::size_t const i : order) {
    bool const better = frontier.empty() || points[i].throughput > points[frontier.back()].throughput;
    if (better) { frontier.push_back(i); }
  }
  return frontier;
}

std::optional<std::size_t> knee_of(std::span<Tradeoff const> points, std::span<std::size_t const> frontier)
{
  if (frontier.empty()) { return std::nullopt; }
  return *std::ranges::max_element(frontier, {}, [&](std::size_t i) { return throughput_a_byte(points[i]); });
}

Choice choose(Results const& results)
{
  Points const refined = points_of(results, Stage::refined);
  Points const all = refined.points.empty() ? points_of(results, Stage::coarse) : refined;
  Points const checked = points_of(results, Stage::checked);
  Choice choice;
  choice.frontier = all.frontier();
  if (choice.frontier.empty()) { return choice; }
  Points const& sure = checked.points.empty() ? all : checked;
  std::vector<std::size_t> const best = frontier_of(sure.points);
  choice.knee = sure.indices[*knee_of(sure.points, best)];
  choice.fastest = choice.frontier.back();
  choice.winner = results.workload.most_bytes > 0.0 ? sure.indices[best.back()] : choice.knee;
  return choice;
}

}  // namespace slotscape::tuning
