#include "app/tuning/frontier.hpp"

#include "app/tuning/candidates.hpp"

#include <algorithm>
#include <functional>
#include <numeric>
#include <tuple>

namespace slotscape::tuning {
namespace {

/// Candidates as points, with their indices.
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

/// The points that were measured at this stage or a later one.
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

/// The present setting and the candidates worth changing to.
std::vector<std::size_t> worth_a_change(Results const& results, std::vector<std::size_t> list)
{
  bool const compares = results.in_use() && std::ranges::find(list, *results.in_use()) != list.end();
  if (!compares) { return list; }
  Measured const& present = results.measured[*results.in_use()];
  std::erase_if(list, [&](std::size_t i) {
    Measured const& other = results.measured[i];
    double const off = uncertainty_of(other, present);
    bool const is_faster = other.throughput > present.throughput * (1.0 + off);
    double const costs = std::max(0.0, 1.0 - other.throughput / present.throughput);
    double const saves = 1.0 - other.bytes_per_key / present.bytes_per_key;
    double const bytes = (present.bytes_per_key - other.bytes_per_key) * static_cast<double>(results.different);
    bool const saves_enough = bytes >= least_saved && saves >= memory_for_speed * costs;
    return i != *results.in_use() && !is_faster && !saves_enough;
  });
  return list;
}

/// The best candidates and those that cannot be told apart from them, best first, preceded by the one to take. That is
/// the present setting, if it is among them, since nothing is shown to be better; else, of those measured nearly as
/// good as the best, the one with the least memory, and of those with as much memory the one in fewest shards. A
/// machine's noise must not make tables smaller and slower. If the measurements are not `sure`, only the best.
template <class Score>
std::vector<std::size_t> best_of(Results const& results, std::vector<std::size_t> const& list, Score const& score,
                                 bool sure)
{
  auto const value = [&](std::size_t i) { return std::invoke(score, results.measured[i]); };
  auto const bytes = [&](std::size_t i) { return results.measured[i].bytes_per_key; };
  auto const shards = [&](std::size_t i) { return results.measured[i].candidate.table.shards; };
  std::vector<std::size_t> order = list;
  std::ranges::stable_sort(order, {}, bytes);  // among equals, the smaller first
  std::ranges::stable_sort(order, std::greater{}, value);
  std::size_t const best = order.front();
  std::erase_if(order, [&](std::size_t i) {
    double const off = uncertainty_of(results.measured[i], results.measured[best]);
    return i != best && (!sure || value(i) * (1.0 + off) < value(best));
  });
  constexpr double nearly = 0.9;
  auto chosen = std::ranges::min_element(order, {}, [&](std::size_t i) {
    bool const stays = results.in_use() == i;
    bool const nearly_as_good = value(i) >= nearly * value(best);
    return std::tuple(!stays, !nearly_as_good, bytes(i));
  });
  double const as_small = bytes(*chosen) * (1.0 + same_memory);
  for (auto other = order.begin(); other != order.end(); ++other) {
    bool const as_good = value(*other) >= nearly * value(best) && bytes(*other) <= as_small;
    if (as_good && results.in_use() != *chosen && shards(*other) < shards(*chosen)) { chosen = other; }
  }
  std::rotate(order.begin(), chosen, chosen + 1);
  return order;
}

}  // namespace

bool can_be_chosen(Results const& results, Measured const& measured)
{
  double const most = results.workload.max_bytes;
  bool const affordable = most <= 0.0 || measured.bytes_per_key <= most;
  return affordable && measured.failed == 0 && measured.throughput > 0.0 && !measured.clogged_after;
}

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
  bool const sure = !checked.points.empty();
  choice.frontier = sure ? checked.frontier() : all.frontier();
  if (choice.frontier.empty()) { return choice; }
  for (std::size_t const i : all.frontier()) {
    if (sure && results.measured[i].stage < Stage::checked) { choice.rough.push_back(i); }
  }
  std::vector<std::size_t> const& list = sure ? checked.indices : all.indices;
  auto const balance = [](Measured const& each) { return throughput_a_byte({each.bytes_per_key, each.throughput}); };
  std::vector<std::size_t> const balanced = best_of(results, list, balance, sure);
  std::vector<std::size_t> const fast = best_of(results, list, &Measured::throughput, sure);
  choice.knee = balanced.front();
  bool const any_memory = results.workload.max_bytes <= 0.0;
  std::vector<std::size_t> best = any_memory ? balanced : fast;
  if (any_memory) {
    best = best_of(results, worth_a_change(results, list), balance, sure);
    bool const stays = best.front() == results.in_use() && balanced.front() != results.in_use();
    if (stays) { choice.passed_over = balanced.front(); }
  }
  choice.winner = choice.own = best.front();
  if (is_by_others(results.measured[best.front()].candidate)) {
    std::vector<std::size_t> ours = list;
    std::erase_if(ours, [&](std::size_t i) { return is_by_others(results.measured[i].candidate); });
    choice.own.reset();
    if (!ours.empty()) {
      choice.own =
          (any_memory ? best_of(results, ours, balance, sure) : best_of(results, ours, &Measured::throughput, sure))
              .front();
    }
  }
  choice.equals.assign(best.begin() + 1, best.end());
  bool const winner_is_as_fast = std::ranges::find(fast, *choice.winner) != fast.end();
  choice.fastest = winner_is_as_fast ? choice.winner : fast.front();
  return choice;
}

}  // namespace slotscape::tuning
