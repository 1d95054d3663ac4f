#pragma once

#include "gpu/analysis/statistics.hpp"
#include "gpu/workloads/settings.hpp"

#include <optional>

namespace slotscape::theory {

/// Mean probe length of a stored key under linear probing, in slots from home: the mean probes of a hit less one,
/// ½(1 + 1/(1−α)) − 1 (Knuth, "Notes on 'open' addressing", 1963). `load` is below 1.
double mean_probe_length(double load);

/// Mean slots read by a lookup of a key that is not there, the empty one that ends it included: ½(1 + 1/(1−α)²)
/// (Knuth 1963). `load` is below 1.
double mean_probes_of_a_miss(double load);

/// P(N = n) of the Borel distribution, e^(−μn) (μn)^(n−1) / n! for n ≥ 1 (Borel 1942). In a large table filled to α the
/// length of a cluster together with the empty slot behind it is Borel(α): so n = 1 is an empty slot with no cluster
/// before it, and a cluster of L slots is n = L + 1.
double borel(double mu, double n);

/// P(a cluster has `length` slots), given that there is one (length ≥ 1): Borel(α) at length + 1, without the case of
/// no cluster, which has probability e^(−α).
double cluster_length_probability(double load, double length);

/// Expected clusters of `length` slots in a table of `slots`: each of the (1−α)·slots empty slots ends one block of
/// cluster plus empty slot.
double expected_clusters(double slots, double load, double length);

/// Expected clusters of any length: (1−α)(1−e^(−α))·slots.
double expected_clusters(double slots, double load);

/// Mean length of a cluster in slots: α / ((1−α)(1−e^(−α))).
double mean_cluster_length(double load);

/// Mean slots read by a miss whose home is equally likely to be any slot, of this very table: 1 + Σ L(L+1)/2 / slots
/// over its clusters. Nothing where the histogram was cut short.
std::optional<double> measured_probes_of_a_miss(Statistics const& statistics);

/// Whether keys of this kind under this hash land on home slots as if at random, which the formulas assume.
bool spreads_well(HashKind hash, KeyDistribution keys);

}  // namespace slotscape::theory
