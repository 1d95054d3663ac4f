#pragma once

#include <cstddef>
#include <map>
#include <span>
#include <vector>

namespace slotscape::tuning {

/// A rate of one candidate, measured in one pass over several.
struct Turn {
  std::size_t who = 0;
  int pass = 0;  ///< negative: of an earlier session, in which the machine may have been faster or slower throughout
  double rate = 0.0;
};

/// What a candidate's turns say.
struct Standing {
  double rate = 0.0;         ///< in a typical pass
  double uncertainty = 0.0;  ///< of it, as a share, where it is compared with that of others (95 % confidence)
  int turns = 0;
};

/// Compares candidates that were measured in turn. The machine may be slower in one pass than in another: a rate is
/// taken as that of the candidate times that of the pass, both fitted by medians, which a few bad moments do not move
/// (Tukey 1977, median polish of logarithms). What is left over tells the uncertainty.
///
/// Sessions are brought to the pace of the faster one first, by the candidates that had turns in both: what has turns
/// in this one alone is as uncertain as that, too.
std::map<std::size_t, Standing> standings_of(std::span<Turn const> turns);

/// Half the width of the interval that holds the median of what the samples were drawn from (95 % confidence): from
/// their median distance, which a few bad ones do not move. Up to five samples are too few for that: their range is
/// stretched.
double uncertainty_of_median(std::vector<double> samples);

/// So uncertain is a ratio of two rates.
double joint_uncertainty(double a, double b);

}  // namespace slotscape::tuning
