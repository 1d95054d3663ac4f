#include "app/simulation/bursts.hpp"

#include <algorithm>
#include <cmath>

namespace slotscape {

namespace {

constexpr double rebuilding_share = 0.25;  ///< of the time

}  // namespace

void Bursts::pass(double seconds)
{
  seconds_left_ = std::min(seconds_left_, 0.0) + rebuilding_share * std::max(seconds, 0.0);
}

BatchRequest Bursts::now_of(BatchRequest const& batch)
{
  auto const part = [&](double share) { return std::llround(share * static_cast<double>(batch.count)); };
  auto const inserts = static_cast<std::uint64_t>(part(batch.insert));
  auto const finds = static_cast<std::uint64_t>(part(batch.find));
  std::uint64_t const others = batch.count - inserts;
  collected_ = std::min(collected_ + inserts, most_);
  std::uint64_t const now = due() ? std::min(collected_, most_ - others) : 0;
  collected_ -= now;

  BatchRequest rest = batch;
  rest.count = others + now;
  auto const share = [&](std::uint64_t of_it) { return static_cast<double>(of_it) / static_cast<double>(rest.count); };
  if (rest.count == 0) { return rest; }
  rest.insert = share(now);
  rest.find = share(finds);
  rest.erase = share(others - finds);
  return rest;
}

}  // namespace slotscape
