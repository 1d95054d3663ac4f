#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

/// Formulas for tables of chains, and for tables that grow bucket by bucket.
namespace slotscape::theory {

/// --- Separate chaining (Knuth, TAOCP 3, 6.4; Cormen et al. 2022, 11.2) and linear hashing (Larson 1988): n random
/// keys, with new keys at the front of their chains.

/// Heads that a random key hashes to with the same probability each.
struct EqualHeads {
  double count = 0.0;
  double probability = 0.0;
};
using Heads = std::vector<EqualHeads>;

/// Separate chaining: m heads with the probability 1/m.
Heads equal_heads(double heads);
/// Linear hashing: the round began with N heads, the largest power of two up to `in_use`. The p = in_use − N heads that
/// were split, and the p new ones, have the probability 1/(2N); the others have 1/N.
Heads heads_split_in_turn(std::uint64_t in_use);

/// Mean nodes that a miss examines: n Σ p², over the probabilities p of all heads. With equal heads, α; in linear
/// hashing, (α/2)(2 + x − x²), where x is the split share of the round's heads.
double chained_nodes_of_a_miss(double keys, Heads const& heads);
/// Mean nodes before a stored key: ½(n − 1) Σ p². A single key has no nodes before it.
double chained_nodes_before_a_key(double keys, Heads const& heads);
/// Mean links that a miss follows, one fewer than nodes unless the chain is empty.
double chained_links_of_a_miss(double keys, Heads const& heads);
/// The shares of keys with 0, 1, ... `terms` − 1 nodes before them, from Poisson distributions of lengths.
std::vector<double> chained_places(double keys, Heads const& heads, std::size_t terms);
/// The shares of chains with 0, 1, ... `terms` − 1 nodes: Poisson distributions.
std::vector<double> chain_lengths(double keys, Heads const& heads, std::size_t terms);
/// Expected length of the longest chain (balls in bins; Raab & Steger 1998).
double expected_longest_chain(double keys, Heads const& heads);

/// --- Coalesced hashing: keys inserted one after another, each at the end of its chain. Probes are slots that a lookup
/// reads, an empty home included.

struct CoalescedProbes {
  double hit = 1.0;
  double miss = 1.0;
  double empty_home = 1.0;  ///< probability that an absent key's home is empty
};

/// `homes`: the slots that are not in the cellar. Without a cellar, exactly (Knuth, TAOCP 3, 6.4, Algorithm C): a hit
/// 1 + (m/8n)(r − 1 − 2n/m) + (n − 1)/4m, a miss 1 + ¼(r − 1 − 2n/m), with r = (1 + 2/m)ⁿ. With a cellar, for large
/// tables (Vitter 1982, 'Implementations for Coalesced Hashing'): with α = n/m, β = homes/m and e^(−λ) + λ = 1/β, up to
/// α = λβ, while the cellar has free slots, a hit 1 + α/2β, a miss e^(−α/β) + α/β; beyond, with x = α/β − λ and
/// k = 3 − 2/β + 2λ, a hit 1 + (β/8α)(e^2x − 1 − 2x) k + ¼(α/β + λ) + ¼λ(1 − λβ/α), a miss 1/β + ¼(e^2x − 1) k − ½x.
CoalescedProbes coalesced_probes(double slots, double homes, double taken);

/// --- Extendible hashing (Fagin, Nievergelt, Pippenger & Strong 1979): a bucket is split as long as more keys share
/// its bits than it has slots. Buckets are the leaves of a binary trie, so their expected numbers follow from those of
/// prefixes of d bits that t keys share, 2^d C(n, t) 2^(−dt) (1 − 2^−d)^(n−t), which are divided in two if t is more
/// than a bucket holds.

struct SplitBuckets {
  double count = 1.0;               ///< expected number; n / (b ln 2) for many keys, up to fluctuations
  double slots_of_a_miss = 1.0;     ///< mean slots read: up to the first empty one
  std::vector<double> with_keys{};  ///< shares of buckets with 0, 1, ... `size` keys
};
SplitBuckets split_buckets(std::uint64_t keys, std::uint32_t size);

}  // namespace slotscape::theory
