#include "app/tuning/turns.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>

namespace slotscape::tuning {
namespace {

constexpr double min_uncertainty = 0.01;  ///< however alike the turns: another process lays its memory out otherwise
constexpr double of_one_turn = 0.2;

double median(std::vector<double> values)
{
  auto const middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::ranges::nth_element(values, middle);
  if (values.size() % 2 != 0) { return *middle; }
  return 0.5 * (*middle + *std::max_element(values.begin(), middle));
}

/// The logarithms of rates: one part of the candidate, one of the pass.
struct Fit {
  std::map<std::size_t, double> candidates;
  std::map<int, double> passes;

  double left_over(Turn const& turn) const
  {
    return std::log(turn.rate) - candidates.at(turn.who) - passes.at(turn.pass);
  }
};

/// The median of what is left over for each key, taken into its part.
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

}  // namespace

std::map<std::size_t, Standing> standings_of(std::span<Turn const> turns)
{
  if (turns.empty()) { return {}; }
  Fit const fit = fit_of(turns);
  std::map<int, int> in_pass;
  for (Turn const& turn : turns) { ++in_pass[turn.pass]; }
  // Of a pass alone nothing would be left over: its part would follow the candidate's rate. Then the rates themselves
  // tell.
  std::map<std::size_t, std::vector<double>> rest;
  for (Turn const& turn : turns) {
    bool const alone = in_pass[turn.pass] == 1;
    rest[turn.who].push_back(alone ? std::log(turn.rate) - fit.candidates.at(turn.who) : fit.left_over(turn));
  }
  // The parts of the passes follow the candidates, so that too little is left over: of two, half of their difference.
  auto const count = static_cast<double>(rest.size());
  double const correction = count > 1.0 ? std::sqrt(count / (count - 1.0)) : 1.0;
  std::map<std::size_t, Standing> standings;
  for (auto& [who, values] : rest) {
    auto const number = static_cast<int>(values.size());
    double const off = uncertainty_of_median(std::move(values));
    standings[who] = {std::exp(fit.candidates.at(who)), std::max(min_uncertainty, std::expm1(correction * off)),
                      number};
  }
  return standings;
}

double uncertainty_of_median(std::vector<double> samples)
{
  constexpr std::array stretched{0.0, of_one_turn, 10.0, 2.5, 1.5, 1.2};  // of the range, by how many there are
  if (samples.size() < 2) { return of_one_turn; }
  std::ranges::sort(samples);
  if (samples.size() < stretched.size()) {
    return 0.5 * stretched[samples.size()] * (samples.back() - samples.front());
  }
  auto const count = static_cast<double>(samples.size());
  double const middle = median(samples);
  std::vector<double> off(samples.size());
  std::ranges::transform(samples, off.begin(), [&](double sample) { return std::abs(sample - middle); });
  return (3.4 + 20.0 / count) * median(std::move(off)) / std::sqrt(count);  // found by drawing normal samples
}

double joint_uncertainty(double a, double b)
{
  return std::sqrt(a * a + b * b);
}

}  // namespace slotscape::tuning
