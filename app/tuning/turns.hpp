#pragma once

#include <cstddef>
#include <map>
#include <span>
#include <vector>

namespace slotscape::tuning {

/// The rate of one candidate in one pass over several candidates.
struct Turn {
  std::size_t who = 0;
  int pass = 0;  ///< negative: of an earlier session, in which the machine may have been faster or slower throughout
  double rate = 0.0;
};

/// The result of a candidate's turns.
struct Standing {
  double rate = 0.0;         ///< rate in a typical pass
  double uncertainty = 0.0;  ///< of the rate, as a share, when compared with that of others (95 % confidence)
  int turns = 0;
};

/// Compares candidates that were measured in turn. The machine may be slower in one pass than in another: a rate is
/// modelled as the product of a candidate's rate and a factor of the pass, both fitted by medians, which are robust
/// against a few bad moments (Tukey 1977, median polish of logarithms). The residuals give the uncertainty.
///
/// First, sessions are scaled to the pace of the faster one, using candidates with turns in both. This adds its own
/// uncertainty to candidates that have turns only in the present session.
std::map<std::size_t, Standing> standings_of(std::span<Turn const> turns);

/// Half the width of the 95 % confidence interval of the median, computed from the samples' median distance, which is
/// robust against a few bad ones. For up to five samples, the range is scaled instead.
double uncertainty_of_median(std::vector<double> samples);

/// The uncertainty of the ratio of two rates.
double joint_uncertainty(double a, double b);

}  // namespace slotscape::tuning
