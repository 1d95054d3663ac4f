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

/// Mean slots read by a lookup of an absent key, including the empty one that ends it: ½(1 + 1/(1−α)²)
/// (Knuth 1963). `load` is below 1.
double mean_probes_of_a_miss(double load);

/// The same of a table of so many slots, of which so many are taken: exactly, for any size (Knuth 1963; TAOCP 3, §6.4,
/// theorem K). A hit ½(1 + Q₀(m, n−1)), a miss ½(1 + Q₁(m, n)), with Qᵣ(m, n) = Σ C(r+k, k) n(n−1)…(n−k+1) / mᵏ. Slots
/// are read up to the key's, or to the empty one; `taken` is below `slots`.
double linear_probes_of_a_hit(double slots, double taken);
double linear_probes_of_a_miss(double slots, double taken);

/// P(N = n) of the Borel distribution, e^(−μn) (μn)^(n−1) / n! for n ≥ 1 (Borel 1942). In a large table filled to α the
/// length of a cluster together with the empty slot behind it is Borel(α): so n = 1 is an empty slot with no cluster
/// before it, and a cluster of L slots is n = L + 1.
double borel(double mu, double n);

/// Expected clusters of `length` slots in a table of m slots, n of which are taken, exactly: m g(m, n, length) / mⁿ,
/// with g(m, n, k) = C(n, k) (k+1)^(k−1) f(m−k−1, n−k) and f(m, n) = m^(n−1) (m−n) (Knuth 1963; TAOCP 3, §6.4). In
/// large tables (1−α) m of Borel's probability of length + 1: each empty slot ends one block of cluster plus empty
/// slot.
double expected_clusters(double slots, double taken, double length);

/// Expected clusters of any length: m−n empty slots, less those that another one follows, m f(m−1, n) / mⁿ; one in a
/// full table.
double expected_clusters(double slots, double taken);

/// Mean length of a cluster in slots, where there is one: n by the expected number of clusters.
double mean_cluster_length(double slots, double taken);

/// Expected length of the longest cluster. The lengths of a table's clusters are nearly independent and decrease
/// geometrically in the end, so the longest has a Gumbel distribution: it is expected γ / ln(1/ratio) above the length
/// that one cluster is expected to reach: within 10 % of simulated tables. Nothing if that is more than a sixteenth of
/// the table, or if the table is so full that clusters of any length depend on each other, (1−α)² slots < 32: they
/// share the slots, and the longest one is longer than this.
std::optional<double> expected_longest_cluster(double slots, double load);

/// What displacements lose, as a factor, because no two keys have the same hash: a hash that maps the 2^key_bits keys
/// one to one, as those of `HashKind` do, leaves each home to c = 2^key_bits / slots keys at most. So the keys of a
/// home are binomial instead of Poisson, and meet 1 − 1/c times as often. It matters for tables of many slots.
double without_replacement(double slots, int key_bits);

/// Slots read by misses, one from each slot as its home, measured in this table: from the i-th slot of a cluster of L,
/// a miss reads the L − i + 1 that are left of it and the empty one behind, so the mean is 1 + Σ L(L+1)/2 / slots over
/// the clusters; in a full table it reads every slot. Nothing if the histogram of the clusters was cut short.
std::optional<Distribution> measured_misses(Statistics const& statistics);

/// --- Robin Hood hashing with linear probing. A key waits for its slot as a customer does for the server of a queue to
/// which Poisson(α) customers come together in each unit of time, first come first served; so its displacement has the
/// generating function W(z) = (1−α)(A(z)−1) / (α(z−A(z))), A(z) = e^(α(z−1)) (Janson & Viola 2016, "A unified approach
/// to linear probing hashing with buckets", after Viola 2005). Its mean is that of linear probing; `load` is below 1.

/// P(displacement = i) for i below `count`.
std::vector<double> robin_hood_displacement(double load, std::size_t count);

/// Mean slots that a lookup of an absent key reads, in a table of so many slots, of which so many are taken, exactly.
/// Of two keys that meet, the one farther from home has priority, or of equally far ones the smaller. So the keys lie
/// alike in whatever order they come, and the search for an absent key ends at the slot that it would have. In the
/// table with it, of n + 1 keys, it is one like any other, and which of two keys gives way does not change the sum of
/// displacements (Celis, Larson & Munro 1985): a hit of linear probing with one key more, ½(1 + Q₀(m, n)). Our own
/// derivation, simulated in tests/analysis/theory_test.cpp. `taken` is below `slots`.
double robin_hood_probes_of_a_miss(double slots, double taken);

/// Variance of the displacement: α(6 − 5α + 2α²) / (12(1−α)²), from W.
double robin_hood_variance(double load);

/// --- Uniform probing: every key probes the slots in its own random order, which double hashing approximates (Guibas &
/// Szemerédi 1978). For a table filled without erasures; `load` is below 1. Probes include the last one.

/// Mean probes of a stored key: (1/α) ln(1/(1−α)) (Peterson 1957; Knuth, TAOCP 3, §6.4).
double uniform_probes_of_a_hit(double load);
/// Mean probes of an absent key: 1/(1−α).
double uniform_probes_of_a_miss(double load);
/// The same of a table of so many slots, exactly: ((m+1)/n) (H(m+1) − H(m+1−n)), and (m+1)/(m+1−n).
double uniform_probes_of_a_hit(double slots, double taken);
double uniform_probes_of_a_miss(double slots, double taken);
/// P(a stored key takes more than j probes), for j below `count`, exactly: that the slots of its first j probes were
/// among the t taken ones is C(t, j) / C(m, j), on average over t below n C(n, j+1) / (n C(m, j)); α^j / (j+1) in large
/// tables.
std::vector<double> uniform_probes_above(double slots, double taken, std::size_t count);

/// --- Secondary clustering: the order of slots follows from the home slot alone, as in quadratic probing (Knuth,
/// TAOCP 3, §6.4). `load` is below 1.

/// Mean probes of a stored key: 1 − ln(1−α) − α/2.
double secondary_probes_of_a_hit(double load);
/// Mean probes of an absent key: 1/(1−α) − α − ln(1−α).
double secondary_probes_of_a_miss(double load);

/// P(N = n) of the Poisson distribution: the keys of a bucket, where buckets have `mean` on average.
double poisson(double mean, double n);

/// Expected keys of the fullest of `buckets`, that have `mean` keys on average: Σ 1 − (1 − P(Poisson(mean) ≥
/// k))^buckets over k (balls in bins; Raab & Steger 1998).
double expected_fullest_bucket(double buckets, double mean);

/// --- Separate chaining (Knuth, TAOCP 3, 6.4; Cormen et al. 2022, 11.2): n random keys in m chains, α = n/m, where a
/// new key comes first. A hit examines 1 + (α − 1/m)/2 nodes on average, a miss α.

/// Mean nodes before a stored key: (n − 1)/(2m), which is (α − 1/m)/2. Nothing is before the only key.
double chained_nodes_before_a_key(double keys, double heads);
/// The shares of keys with 0, 1, ... `terms` - 1 nodes before them: P(Poisson(α) > j)/α.
std::vector<double> chained_places(double load, std::size_t terms);
/// Mean links that a miss follows, one fewer than nodes unless there are none: α − (1 − (1 − 1/m)^n).
double chained_links_of_a_miss(double keys, double heads);

/// Expected probes of the key that takes the most: Σ 1 − (1 − P(probes > j))^n, with `uniform_probes_above`.
double uniform_probes_of_the_worst(double slots, double taken);

/// The load up to which cuckoo hashing, with `hashes` choices of buckets with `bucket` slots each, places all random
/// keys with a probability that tends to 1 as the table grows. Two single slots: 1/2 (Pagh & Rodler 2004). Otherwise,
/// with ξ from d·b = ξ Q(ξ, b) / Q(ξ, b+1), where Q(ξ, n) = P(Poisson(ξ) ≥ n): ξ / (d·b·Q(ξ, b)^(d−1)) (Dietzfelbinger
/// et al. 2010 for single slots; Cain, Sanders & Wormald 2007 and Fernholz & Ramachandran 2007 for two choices;
/// Fountoulakis, Khosla & Panagiotou 2011). Nothing for fewer than two hashes or an empty bucket.
std::optional<double> cuckoo_threshold(std::uint32_t hashes, std::uint32_t bucket);

/// --- Balanced allocation: each key goes to the less full of two random buckets, in the fluid limit of a large table
/// (gpu/tables/two_choice_load.hpp). For a table filled without erasures. `bucket` is 4 or 8 slots.

/// The shares of buckets with 0, 1, ... `bucket` keys.
std::vector<double> two_choice_buckets(double load, std::uint32_t bucket);
/// The share of keys whose second bucket was less full. (If both are equally full, a key goes to the first.)
double two_choice_second(double load, std::uint32_t bucket);
/// The load at which one key is expected to have met two full buckets.
double two_choice_load(double buckets, std::uint32_t bucket);

/// --- Fights for slots in rounds, as in HashFight: of `keys` in a sub-table of m slots, as many win as there are slots
/// that any of them hits, m (1 − e^(−keys/m)).

/// The keys that win each round, in a table of so many slots whose sub-tables have `percent` of the one before.
std::vector<double> winners_of_rounds(std::uint64_t slots, std::uint32_t percent, double keys);
/// Mean slots that a lookup of an absent key reads: it goes on from each taken one.
double rounds_of_a_miss(std::uint64_t slots, std::uint32_t percent, double keys);

/// --- Groups of `size` slots, tried on a path that follows from the first one, as in SwissTable: a key goes on from a
/// full group. Our own derivation, a mean-field approximation for a large table filled without erasures. The keys of
/// one first group share their path, so a group gets a stream of keys for each place that it has on paths: as the first
/// group of keys, Poisson(1) in each unit of time t = keys per group; at place j, the same from the time on at which
/// all groups before it on that path are full. Streams to one group are taken as independent. So P(the first j+1 groups
/// of a path are full) follows from P(the first j are) and the other streams, step by step in t; no parameter is
/// fitted. What it leaves out are chains of dependence among paths, which lengthen them: simulated tables read up to 2
/// % more groups for hits than this up to α 0.9, and up to 10 % more for misses (tests/analysis/theory_test.cpp).

/// What is known of such a table.
struct GroupsOnPaths {
  double groups_of_a_hit = 1.0;     ///< that a lookup reads, on average
  double groups_of_a_miss = 1.0;    ///< up to the first that is not full
  std::vector<double> with_keys{};  ///< shares of groups with 0, 1, ... `size` keys
};
/// `size`: 15 or 16. Nothing above `max_load_of_paths`.
std::optional<GroupsOnPaths> groups_on_paths(double load, std::uint32_t size);
inline constexpr double max_load_of_paths = 0.9;

/// --- A yard of large buckets, one for each key, and behind it one of small buckets, of which a key that found no room
/// in front takes the less full of two, as in IcebergHT. Our own derivation, for a large table filled without erasures:
/// the keys of front buckets are Poisson up to their slots, and no key ever moves; the others meet balanced allocation.

struct Yards {
  double behind = 0.0;             ///< share of keys that found their front bucket full
  double second = 0.0;             ///< of these, the share in the second of their small buckets
  double full = 0.0;               ///< share of front buckets without room
  std::vector<double> in_front{};  ///< shares of front buckets with 0, 1, ... keys
  std::vector<double> in_back{};   ///< the same of small buckets, of 8 slots
};
/// Nothing where the small buckets are expected to refuse a key.
std::optional<Yards> two_yards(double keys, double front_buckets, std::uint32_t front_slots, double back_buckets);

/// Slots before that of a key in its bucket, on average, where a bucket is filled from its first slot on.
double slots_before_a_key(std::vector<double> const& buckets_by_keys);
/// Keys of a bucket, on average.
double mean_keys(std::vector<double> const& buckets_by_keys);

/// Whether this hash spreads keys of this kind over home slots as if at random, which the formulas assume. Of a hash
/// that somebody wrote it is not known.
bool spreads_well(HashKind hash, KeyDistribution keys);

}  // namespace slotscape::theory
