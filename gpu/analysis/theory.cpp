#include "gpu/analysis/theory.hpp"

#include <cmath>

namespace slotscape::theory {

double mean_probe_length(double load)
{
  return 0.5 * (1.0 + 1.0 / (1.0 - load)) - 1.0;
}

double mean_probes_of_a_miss(double load)
{
  double const free = 1.0 - load;
  return 0.5 * (1.0 + 1.0 / (free * free));
}

double borel(double mu, double n)
{
  if (n < 1.0) { return 0.0; }
  if (mu <= 0.0) { return n == 1.0 ? 1.0 : 0.0; }
  // Through logarithms: (μn)^(n−1) and n! overflow a double from n = 150 or so.
  return std::exp(-mu * n + (n - 1.0) * std::log(mu * n) - std::lgamma(n + 1.0));
}

double cluster_length_probability(double load, double length)
{
  if (load <= 0.0 || length < 1.0) { return 0.0; }
  return borel(load, length + 1.0) / -std::expm1(-load);
}

double expected_clusters(double slots, double load, double length)
{
  return length < 1.0 ? 0.0 : slots * (1.0 - load) * borel(load, length + 1.0);
}

double expected_clusters(double slots, double load)
{
  return slots * (1.0 - load) * -std::expm1(-load);
}

double mean_cluster_length(double load)
{
  return load <= 0.0 ? 1.0 : load / ((1.0 - load) * -std::expm1(-load));
}

std::optional<double> measured_probes_of_a_miss(Statistics const& statistics)
{
  if (statistics.slots == 0 || statistics.clusters.beyond != 0) { return std::nullopt; }
  double steps = 0.0;
  auto const& clusters = statistics.clusters.histogram;
  for (std::size_t length = 0; length < clusters.size(); ++length) {
    double const slots = static_cast<double>(length);
    steps += clusters[length] * slots * (slots + 1.0) / 2.0;
  }
  return 1.0 + steps / static_cast<double>(statistics.slots);
}

bool spreads_well(HashKind hash, KeyDistribution keys)
{
  if (keys == KeyDistribution::one_home || keys == KeyDistribution::file) { return false; }
  return keys == KeyDistribution::uniform || hash == HashKind::murmur3 || hash == HashKind::xxhash;
}

}  // namespace slotscape::theory
