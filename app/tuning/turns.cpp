#include "app/tuning/turns.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>

namespace slotscape::tuning {
namespace {

constexpr double min_uncertainty = 0.01;  ///< even for equal turns: another process has another memory layout
constexpr double of_one_turn = 0.2;

double median(std::vector<double> values)
{
  auto const middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::ranges::nth_element(values, middle);
  if (values.size() % 2 != 0) { return *middle; }
  return 0.5 * (*middle + *std::max_element(values.begin(), middle));
}

/// A model of the logarithms of rates: the sum of a part for the candidate and a part for the pass.
struct Fit {
  std::map<std::size_t, double> candidates;
  std::map<int, double> passes;

  double left_over(Turn const& turn) const
  {
    return std::log(turn.rate) - candidates.at(turn.who) - passes.at(turn.pass);
  }
};

/// Moves the median residual of each key into its part.
template <class Key, class KeyOf>
void polish(std::map<Key, double>& parts, std::span<Turn const> turns, Fit const& fit, KeyOf const& key_of)
{
  std::map<Key, std::vector<double>> rest;
  for (Turn const& turn : turns) { rest[std::invoke(key_of, turn)].push_back(fit.left_over(turn)); }
  for (auto& [key, values] : rest) { parts[key] += median(std::move(values)); }
}

Fit fit_of(std::span<Turn const> turns)
{
  constexpr int rounds = 12;
  Fit fit;
  for (Turn const& turn : turns) {
    fit.candidates[turn.who] = 0.0;
    fit.passes[turn.pass] = 0.0;
  }
  for (int round = 0; round < rounds; ++round) {
    polish(fit.candidates, turns, fit, &Turn::who);
    polish(fit.passes, turns, fit, &Turn::pass);
  }
  std::vector<double> passes;
  for (auto const& [pass, part] : fit.passes) { passes.push_back(part); }
  double const typical = median(std::move(passes));
  for (auto& [who, part] : fit.candidates) { part += typical; }
  for (auto& [pass, part] : fit.passes) { part -= typical; }
  return fit;
}

/// The median logarithm of the rates of each candidate that has turns of an earlier session.
std::map<std::size_t, double> levels_before(std::span<Turn const> turns)
{
  std::map<std::size_t, std::vector<double>> rates;
  for (Turn const& turn : turns) {
    if (turn.pass < 0) { rates[turn.who].push_back(std::log(turn.rate)); }
  }
  std::map<std::size_t, double> levels;
  for (auto& [who, logs] : rates) { levels[who] = median(std::move(logs)); }
  return levels;
}

/// By how much candidates were faster in this session than before, as logarithms, turn by turn.
std::vector<double> changes_since(std::map<std::size_t, double> const& before, std::span<Turn const> turns)
{
  std::vector<double> changes;
  for (Turn const& turn : turns) {
    auto const level = before.find(turn.who);
    if (turn.pass > 0 && level != before.end()) { changes.push_back(std::log(turn.rate) - level->second); }
  }
  return changes;
}

}  // namespace

std::map<std::size_t, Standing> standings_of(std::span<Turn const> as_measured)
{
  if (as_measured.empty()) { return {}; }
  std::vector<Turn> turns(as_measured.begin(), as_measured.end());
  std::map<std::size_t, double> const before = levels_before(turns);
  std::vector<double> const changes = changes_since(before, turns);
  double const faster = changes.empty() ? 0.0 : median(changes);
  for (Turn& turn : turns) {
    if ((turn.pass < 0) == (faster > 0.0)) { turn.rate *= std::exp(std::abs(faster)); }
  }
  Fit const fit = fit_of(turns);
  std::map<int, int> in_pass;
  for (Turn const& turn : turns) { ++in_pass[turn.pass]; }
  // A pass with a single turn has no residual: its part follows the candidate's rate. The rate itself is used instead.
  std::map<std::size_t, std::vector<double>> rest;
  for (Turn const& turn : turns) {
    bool const alone = in_pass[turn.pass] == 1;
    rest[turn.who].push_back(alone ? std::log(turn.rate) - fit.candidates.at(turn.who) : fit.left_over(turn));
  }
  // The effect fitted to each pass absorbs part of the candidates' deviations, so residuals are too small: with two
  // candidates, each is half of their difference.
  auto const count = static_cast<double>(rest.size());
  double const correction = count > 1.0 ? std::sqrt(count / (count - 1.0)) : 1.0;
  std::map<std::size_t, Standing> standings;
  for (auto& [who, values] : rest) {
    auto const number = static_cast<int>(values.size());
    double const off = uncertainty_of_median(std::move(values));
    double uncertainty = std::max(min_uncertainty, std::expm1(correction * off));
    if (!changes.empty() && !before.contains(who)) {
      uncertainty = joint_uncertainty(uncertainty, std::expm1(uncertainty_of_median(changes)));
    }
    standings[who] = {std::exp(fit.candidates.at(who)), uncertainty, number};
  }
  return standings;
}

double uncertainty_of_median(std::vector<double> samples)
{
  constexpr std::array stretched{0.0, of_one_turn, 10.0, 2.5, 1.5, 1.2};  // factors for the range of 0, 1, ... samples
  if (samples.size() < 2) { return of_one_turn; }
  std::ranges::sort(samples);
  if (samples.size() < stretched.size()) {
    return 0.5 * stretched[samples.size()] * (samples.back() - samples.front());
  }
  auto const count = static_cast<double>(samples.size());
  double const middle = median(samples);
  std::vector<double> off(samples.size());
  std::ranges::transform(samples, off.begin(), [&](double sample) { return std::abs(sample - middle); });
  return (3.4 + 20.0 / count) * median(std::move(off)) / std::sqrt(count);  // found by simulation with normal samples
}

double joint_uncertainty(double a, double b)
{
  return std::sqrt(a * a + b * b);
}

}  // namespace slotscape::tuning
