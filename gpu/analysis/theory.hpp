#pragma once

#include "gpu/analysis/statistics.hpp"
#include "gpu/workloads/settings.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace slotscape::theory {

/// Mean probe length of a stored key under linear probing, in slots from home: the mean probes of a hit less one,
/// ½(1 + 1/(1−α)) − 1 (Knuth, "Notes on 'open' addressing", 1963). `load` is below 1.
double mean_probe_length(double load);

/// Mean slots read by a lookup of an absent key, including the empty slot that ends it: ½(1 + 1/(1−α)²) (Knuth 1963).
/// `load` is below 1.
double mean_probes_of_a_miss(double load);

/// Mean slots read in a table with `slots` slots, of which `taken` are taken: exact for any size (Knuth 1963; TAOCP 3,
/// §6.4, theorem K). A hit ½(1 + Q₀(m, n−1)), a miss ½(1 + Q₁(m, n)), with Qᵣ(m, n) = Σ C(r+k, k) n(n−1)…(n−k+1) / mᵏ.
/// Slots are read up to the key's, or to the empty one; `taken` is below `slots`.
double linear_probes_of_a_hit(double slots, double taken);
double linear_probes_of_a_miss(double slots, double taken);

/// P(N = n) of the Borel distribution, e^(−μn) (μn)^(n−1) / n! for n ≥ 1 (Borel 1942). In a large table filled to α,
/// the length of a cluster together with the empty slot behind it is Borel(α): n = 1 is an empty slot with no cluster
/// before it, and a cluster of L slots is n = L + 1.
double borel(double mu, double n);

/// Expected number of clusters of `length` slots in a table of m slots, n of which are taken, exactly: m g(m, n,
/// length) / mⁿ, with g(m, n, k) = C(n, k) (k+1)^(k−1) f(m−k−1, n−k) and f(m, n) = m^(n−1) (m−n) (Knuth 1963; TAOCP 3,
/// §6.4). In large tables, it is (1−α) m times Borel's probability of length + 1: each empty slot ends one block of a
/// cluster and an empty slot.
double expected_clusters(double slots, double taken, double length);

/// Expected number of clusters of any length: m−n empty slots, less those followed by another empty slot, m f(m−1, n) /
/// mⁿ; 1 in a full table.
double expected_clusters(double slots, double taken);

/// Mean length of a cluster in slots, if there is any: n over the expected number of clusters.
double mean_cluster_length(double slots, double taken);

/// Expected length of the longest cluster. The lengths of a table's clusters are nearly independent, and their tail
/// decreases geometrically, so the longest has a Gumbel distribution: its expectation is γ / ln(1/ratio) above the
/// length that one cluster is expected to reach. This is within 10 % of simulated tables. nullopt if that is more than
/// a sixteenth of the table, or if the table is so full that clusters of any length depend on each other, (1−α)² slots
/// < 32: the clusters share the slots, and the longest is longer than predicted.
std::optional<double> expected_longest_cluster(double slots, double load);

/// The factor by which displacements are reduced because no two keys have the same hash: a bijective hash of the
/// 2^key_bits keys, like those of `HashKind`, gives each home at most c = 2^key_bits / slots keys. The number of keys
/// of a home is therefore binomial instead of Poisson, and keys collide 1 − 1/c times as often. This matters for tables
/// with many slots.
double without_replacement(double slots, int key_bits);

/// Slots read by misses, one from each slot as its home, measured in this table: from the i-th slot of a cluster of L
/// slots, a miss reads the remaining L − i + 1 slots and the empty one behind, so the mean is 1 + Σ L(L+1)/2 / slots
/// over the clusters; in a full table, it reads every slot. nullopt if the histogram of the clusters was cut short.
std::optional<Distribution> measured_misses(Statistics const& statistics);

/// --- Robin Hood hashing with linear probing. A key waits for its slot like a customer in a first-come, first-served
/// queue at which Poisson(α) customers arrive together in each unit of time; so its displacement has the generating
/// function W(z) = (1−α)(A(z)−1) / (α(z−A(z))), A(z) = e^(α(z−1)) (Janson & Viola 2016, "A unified approach to linear
/// probing hashing with buckets", after Viola 2005). Its mean is that of linear probing; `load` is below 1.

/// P(displacement = i) for i below `count`.
std::vector<double> robin_hood_displacement(double load, std::size_t count);

/// Mean slots read by a lookup of an absent key, in a table with `slots` slots, of which `taken` are taken, exactly. Of
/// two keys that collide, the one farther from home has priority or, at equal distance, the smaller one. So the
/// positions of keys do not depend on their order, and the search for an absent key ends at the slot that the key would
/// have. In the table that includes it, with n + 1 keys, it is one key among others, and which of two keys gives way
/// does not change the sum of displacements (Celis, Larson & Munro 1985): the cost is that of a hit of linear probing
/// with one more key, ½(1 + Q₀(m, n)). Our own derivation, simulated in tests/analysis/theory_test.cpp. `taken` is
/// below `slots`.
double robin_hood_probes_of_a_miss(double slots, double taken);

/// Variance of the displacement, from W: α(6 − 5α + 2α²) / (12(1−α)²).
double robin_hood_variance(double load);

/// --- Uniform probing: every key probes the slots in its own random order, which double hashing approximates (Guibas &
/// Szemerédi 1978). For a table filled without erasures; `load` is below 1. Probes include the last one.

/// Mean probes of a stored key: (1/α) ln(1/(1−α)) (Peterson 1957; Knuth, TAOCP 3, §6.4).
double uniform_probes_of_a_hit(double load);
/// Mean probes of an absent key: 1/(1−α).
double uniform_probes_of_a_miss(double load);
/// Mean probes in a table with `slots` slots, exactly: ((m+1)/n) (H(m+1) − H(m+1−n)), and (m+1)/(m+1−n).
double uniform_probes_of_a_hit(double slots, double taken);
double uniform_probes_of_a_miss(double slots, double taken);
/// P(a stored key takes more than j probes), for j below `count`, exactly: the slots of its first j probes were all
/// among the t taken ones with probability C(t, j) / C(m, j), averaged over t below n: C(n, j+1) / (n C(m, j)); α^j /
/// (j+1) in large tables.
std::vector<double> uniform_probes_above(double slots, double taken, std::size_t count);

/// --- Secondary clustering: the home slot alone decides the order of slots, as in quadratic probing (Knuth, TAOCP 3,
/// §6.4). `load` is below 1.

/// Mean probes of a stored key: 1 − ln(1−α) − α/2.
double secondary_probes_of_a_hit(double load);
/// Mean probes of an absent key: 1/(1−α) − α − ln(1−α).
double secondary_probes_of_a_miss(double load);

/// P(N = n) of the Poisson distribution: the number of keys in a bucket, with a mean of `mean` keys per bucket.
double poisson(double mean, double n);

/// P(N ≥ n), accurate even if it is tiny.
double poisson_at_least(double mean, std::uint32_t n);

/// Expected number of keys in the fullest of `buckets` buckets with `mean` keys on average: Σ 1 − (1 − P(Poisson(mean)
/// ≥ k))^buckets over k (balls in bins; Raab & Steger 1998).
double expected_fullest_bucket(double buckets, double mean);

/// Expected maximum of the probes over all keys: Σ 1 − (1 − P(probes > j))^n, with `uniform_probes_above`.
double uniform_probes_of_the_worst(double slots, double taken);

/// The load up to which cuckoo hashing, with `hashes` choices of buckets with `bucket` slots each, places all random
/// keys with a probability that tends to 1 as the table grows. Two single slots: 1/2 (Pagh & Rodler 2004). Otherwise,
/// with ξ from d·b = ξ Q(ξ, b) / Q(ξ, b+1), where Q(ξ, n) = P(Poisson(ξ) ≥ n): ξ / (d·b·Q(ξ, b)^(d−1)) (Dietzfelbinger
/// et al. 2010 for single slots; Cain, Sanders & Wormald 2007 and Fernholz & Ramachandran 2007 for two choices;
/// Fountoulakis, Khosla & Panagiotou 2011). nullopt for fewer than two hashes or an empty bucket.
std::optional<double> cuckoo_threshold(std::uint32_t hashes, std::uint32_t bucket);

/// --- Balanced allocation: each key goes to the less full of two random buckets, in the fluid limit of a large table
/// (gpu/tables/two_choice_load.hpp). For a table filled without erasures. `bucket` is 4 or 8 slots.

/// The shares of buckets with 0, 1, ... `bucket` keys.
std::vector<double> two_choice_buckets(double load, std::uint32_t bucket);
/// The share of keys whose second bucket was less full. (If both are equally full, a key goes to the first.)
double two_choice_second(double load, std::uint32_t bucket);
/// The load at which one key is expected to find both of its buckets full.
double two_choice_load(double buckets, std::uint32_t bucket);

/// --- Fights for slots in rounds, as in HashFight: in a sub-table of m slots, one of the `keys` wins each slot that is
/// hit by any key: m (1 − e^(−keys/m)) slots.

/// The keys that win each round, in a table with `slots` slots in which each sub-table has `percent` of the size of the
/// previous one.
std::vector<double> winners_of_rounds(std::uint64_t slots, std::uint32_t percent, double keys);
/// Mean slots read by a lookup of an absent key: it continues after each taken slot.
double rounds_of_a_miss(std::uint64_t slots, std::uint32_t percent, double keys);

/// --- Groups of `size` slots, tried on a path that is determined by the first group, as in SwissTable: a key moves on
/// from a full group. Our own derivation, a mean-field approximation for a large table filled without erasures. Keys
/// with the same first group share their path, so a group receives one stream of keys for each position that it has on
/// paths: as the first group of keys, Poisson(1) in each unit of time t = keys per group; at position j, the same from
/// the time on at which all groups before it on that path are full. Streams to one group are assumed to be independent.
/// So P(the first j+1 groups of a path are full) follows from P(the first j are) and the other streams, step by step in
/// t; no parameter is fitted. The model ignores chains of dependence among paths, which lengthen them: simulated tables
/// read up to 2 % more groups for hits than predicted up to α 0.9, and up to 10 % more for misses
/// (tests/analysis/theory_test.cpp).

/// The predictions for a table of groups on paths.
struct GroupsOnPaths {
  double groups_of_a_hit = 1.0;     ///< mean number that a lookup reads
  double groups_of_a_miss = 1.0;    ///< up to the first group that is not full
  std::vector<double> with_keys{};  ///< shares of groups with 0, 1, ... `size` keys
};
/// `size`: 15 or 16. nullopt above `max_load_of_paths`.
std::optional<GroupsOnPaths> groups_on_paths(double load, std::uint32_t size);
inline constexpr double max_load_of_paths = 0.9;

/// --- A front yard of large buckets, one for each key, and a backyard of small buckets, as in IcebergHT: a key that
/// finds no room in its front bucket takes the less full of two small ones. Our own derivation, for a large table
/// filled without erasures: the keys of front buckets are Poisson up to their slots, and no key ever moves; the others
/// follow balanced allocation.

struct Yards {
  double behind = 0.0;             ///< share of keys that found their front bucket full
  double second = 0.0;             ///< the share of these in the second of their small buckets
  double full = 0.0;               ///< share of front buckets without room
  std::vector<double> in_front{};  ///< shares of front buckets with 0, 1, ... keys
  std::vector<double> in_back{};   ///< shares of small buckets, which have 8 slots
};
/// nullopt if the small buckets are expected to reject a key.
std::optional<Yards> two_yards(double keys, double front_buckets, std::uint32_t front_slots, double back_buckets);

/// Mean number of slots before a key in its bucket, if buckets are filled from the first slot on.
double slots_before_a_key(std::vector<double> const& buckets_by_keys);
/// Mean number of keys in a bucket.
double mean_keys(std::vector<double> const& buckets_by_keys);

/// Whether this hash spreads keys of this kind over home slots as if at random, which the formulas assume. Unknown,
/// hence false, for a user's own hash.
bool spreads_well(HashKind hash, KeyDistribution keys);

}  // namespace slotscape::theory
