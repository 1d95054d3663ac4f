#pragma once

#include "gpu/base/random.hpp"

#include <cmath>

namespace slotscape {

/// Ranks from 0 with P(rank) ~ (rank + 1)^-exponent, by rejection-inversion (Hörmann & Derflinger 1996). Any thread can
/// draw any rank.
struct ZipfRanks {
  std::uint64_t count;  ///< number of different ranks, at least 1
  double exponent;      ///< must be positive

  SLOTSCAPE_HOST_DEVICE std::uint64_t operator()(std::uint64_t seed, std::uint64_t number) const
  {
    double const first = area(1.5) - 1.0;
    double const last = area(static_cast<double>(count) + 0.5);
    for (std::uint64_t attempt = 0;; ++attempt) {
      double const u = last + random_unit(seed + attempt, number) * (first - last);
      double const x = inverse_area(u);
      double const rank = floor(x + 0.5) < 1.0 ? 1.0 : floor(x + 0.5);
      bool const accepted = u >= area(rank + 0.5) - exp(-exponent * log(rank));
      if ((accepted || attempt == 63) && rank <= static_cast<double>(count)) {
        return static_cast<std::uint64_t>(rank) - 1;
      }
    }
  }

private:
  /// The integral of x^-exponent, and its inverse.
  SLOTSCAPE_HOST_DEVICE double area(double x) const
  {
    double const t = 1.0 - exponent;
    return fabs(t) < 1e-9 ? log(x) : expm1(t * log(x)) / t;
  }
  SLOTSCAPE_HOST_DEVICE double inverse_area(double area) const
  {
    double const t = 1.0 - exponent;
    return fabs(t) < 1e-9 ? exp(area) : exp(log1p(t * area) / t);
  }
};

}  // namespace slotscape
