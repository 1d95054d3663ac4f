#include "gpu/analysis/theory.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>

namespace slotscape::theory {
namespace {

/// Probabilities of 0, 1, ... `size` - 1 keys, and of at least `size`.
using Counts = std::vector<double>;

Counts poisson_counts(double mean, std::size_t size)
{
  Counts counts(size + 1, 0.0);
  double below = 0.0;
  for (std::size_t k = 0; k < size; ++k) { below += counts[k] = poisson(mean, static_cast<double>(k)); }
  counts[size] = std::max(0.0, 1.0 - below);
  return counts;
}

/// The distribution of the sum of two independent counts.
Counts sum_of(Counts const& a, Counts const& b)
{
  std::size_t const size = a.size() - 1;
  Counts sum(size + 1, 0.0);
  for (std::size_t i = 0; i <= size; ++i) {
    if (a[i] == 0.0) { continue; }
    for (std::size_t j = 0; j <= size; ++j) { sum[std::min(i + j, size)] += a[i] * b[j]; }
  }
  return sum;
}

/// Fills groups in time steps; time counts keys per group.
class Paths {
public:
  explicit Paths(std::size_t size) : size_(size), step_(max_load_of_paths * static_cast<double>(size) / steps)
  {
    for (std::vector<double>& full : full_) { full.assign(steps + 1, 0.0); }
    std::ranges::fill(full_[0], 1.0);
    for (int n = 0; n <= steps; ++n) { arrivals_.push_back(poisson_counts(n * step_, size)); }
    by_step_.resize(steps + 1, Counts(size + 1, 0.0));
    by_step_[0][0] = 1.0;
    for (int n = 1; n <= steps; ++n) {
      for (std::vector<double>& full : full_) { full[n] = full[n - 1]; }
      for (int round = 0; round < rounds; ++round) { advance(n); }  // streams and full groups depend on each other
    }
  }

  GroupsOnPaths at(double load) const
  {
    double const time = load * static_cast<double>(size_) / step_;
    auto const n = std::min(static_cast<int>(time), steps - 1);
    double const share = time - n;
    GroupsOnPaths found;
    double passed = 0.0;  // full groups passed by all keys so far
    for (int j = 1; j <= places; ++j) {
      std::vector<double> const& full = full_[j];
      double const here = full[n] + share * (full[n + 1] - full[n]);
      found.groups_of_a_miss += here;
      for (int k = 0; k < n; ++k) { passed += (full[k] + full[k + 1]) / 2.0; }
      passed += share * (full[n] + here) / 2.0;
    }
    if (time > 0.0) { found.groups_of_a_hit += passed / time; }
    found.with_keys.resize(size_ + 1);
    for (std::size_t k = 0; k <= size_; ++k) {
      found.with_keys[k] = by_step_[n][k] + share * (by_step_[n + 1][k] - by_step_[n][k]);
    }
    return found;
  }

private:
  static constexpr int steps = 128;
  static constexpr int places = 32;  ///< on a path; hardly any key gets further at this load
  static constexpr int rounds = 4;
  static constexpr double negligible = 1e-12;

  /// For each step k at which a stream may have started, with probability full(k) - full(k-1): the stream's arrivals up
  /// to step n.
  template <class Use>
  void for_each_start(std::vector<double> const& full, int n, Use const& use) const
  {
    for (int k = 1; k <= n; ++k) {
      double const weight = full[k] - full[k - 1];
      if (weight > negligible) { use(weight, arrivals_[n - k], arrivals_[n - k + 1]); }
    }
  }

  /// The keys that a group receives by step n as place j of a path.
  Counts stream(int j, int n) const
  {
    if (j == 0) { return arrivals_[n]; }
    Counts counts(size_ + 1, 0.0);
    counts[0] = 1.0 - full_[j][n];
    for_each_start(full_[j], n, [&](double weight, Counts const& late, Counts const& early) {
      for (std::size_t i = 0; i <= size_; ++i) { counts[i] += weight * (late[i] + early[i]) / 2.0; }
    });
    return counts;
  }

  void advance(int n)
  {
    int used = 1;  // places that keys have reached
    while (used < places && full_[used][n] > negligible) { ++used; }
    std::vector<Counts> before{poisson_counts(0.0, size_)};
    std::vector<Counts> streams;
    for (int j = 0; j < used; ++j) {
      streams.push_back(stream(j, n));
      before.push_back(sum_of(before.back(), streams.back()));
    }
    by_step_[n] = before.back();
    set(1, n, by_step_[n][size_]);
    Counts after = poisson_counts(0.0, size_);
    std::vector<Counts> others(static_cast<std::size_t>(used));  // all streams except the stream of place j
    for (int j = used - 1; j >= 0; --j) {
      others[static_cast<std::size_t>(j)] = sum_of(before[static_cast<std::size_t>(j)], after);
      after = sum_of(after, streams[static_cast<std::size_t>(j)]);
    }
    for (int j = 1; j < std::min(used + 1, places); ++j) {
      set(j + 1, n, fills_next(full_[j], n, j < used ? others[static_cast<std::size_t>(j)] : by_step_[n]));
    }
  }

  /// P(all groups up to place j are full): at that place, the path's own keys arrive in addition to the others.
  double fills_next(std::vector<double> const& full, int n, Counts const& others) const
  {
    Counts at_least = others;
    for (std::size_t i = size_; i > 0; --i) { at_least[i - 1] += at_least[i]; }
    double fills = 0.0;
    for_each_start(full, n, [&](double weight, Counts const& late, Counts const& early) {
      for (std::size_t i = 0; i <= size_; ++i) { fills += weight * (late[i] + early[i]) / 2.0 * at_least[size_ - i]; }
    });
    return fills;
  }

  /// A longer path is full no earlier than its beginning, and full groups stay full.
  void set(int j, int n, double full) { full_[j][n] = std::min(full_[j - 1][n], std::max(full_[j][n - 1], full)); }

  std::size_t size_;
  double step_;
  std::array<std::vector<double>, places + 1> full_;  ///< P(the first j groups of a path are full), by step
  std::vector<Counts> arrivals_;                      ///< of keys with the same first group, by step
  std::vector<Counts> by_step_;                       ///< keys in a group, by step
};

}  // namespace

std::optional<GroupsOnPaths> groups_on_paths(double load, std::uint32_t size)
{
  if (size != 15 && size != 16) { throw std::invalid_argument("groups have 15 or 16 slots"); }
  if (load > max_load_of_paths) { return std::nullopt; }
  static Paths const of_15(15);
  static Paths const of_16(16);
  return (size == 15 ? of_15 : of_16).at(load);
}

}  // namespace slotscape::theory
