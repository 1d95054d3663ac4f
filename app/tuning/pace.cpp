#include "app/tuning/pace.hpp"

#include <algorithm>
#include <cmath>

namespace slotscape::tuning {
namespace {

double quantile_of(std::vector<double> values, double share)
{
  auto const rank = static_cast<std::ptrdiff_t>(share * static_cast<double>(values.size() - 1));
  std::nth_element(values.begin(), values.begin() + rank, values.end());
  return values[static_cast<std::size_t>(rank)];
}

}  // namespace

void Pace::add(double rate, double now)
{
  if (!(rate > 0.0)) { return; }
  rates_.push_back(rate);
  measured_at_ = now;
}

bool Pace::changed() const
{
  if (rates_.size() < 2) { return false; }
  return std::abs(std::log(rates_.back() / rates_[rates_.size() - 2])) > different;
}

double Pace::best() const
{
  return quantile_of(rates_, 0.8);
}

double Pace::to_best(double pace) const
{
  if (!(pace > 0.0) || rates_.empty()) { return 1.0; }
  double const factor = std::min(best() / pace, max_correction);
  return std::abs(std::log(factor)) <= same ? 1.0 : factor;
}

double Pace::unrest() const
{
  if (rates_.empty()) { return 0.0; }
  return std::max(0.0, 1.0 - quantile_of(rates_, 0.1) / best());
}

}  // namespace slotscape::tuning
