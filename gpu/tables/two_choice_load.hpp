#pragma once

#include <array>
#include <cstddef>
#include <vector>

/// Balanced allocation: each key goes to the less full of two random buckets (Azar, Broder, Karlin & Upfal 1999). In a
/// large table with t keys per bucket, the fraction of buckets with at least i keys is s_i, where s_0 = 1 and ds_i/dt =
/// s_{i-1}^2 - s_i^2 (the fluid limit: Mitzenmacher 1996; Vvedenskaya, Dobrushin & Karpelevich 1996).
namespace slotscape::two_choice {

/// The fractions of buckets with at least 0, 1, ... keys, up to the slots of a bucket; and the number of keys per
/// bucket that have so far met two full buckets.
template <std::size_t bucket_slots>
struct Filling {
  std::array<double, bucket_slots + 1> at_least{1.0};
  double keys = 0.0;
  double refused = 0.0;
  double to_second = 0.0;  ///< the part of `keys` whose second bucket was less full

  /// Integrates by the midpoint rule.
  void add(double more)
  {
    Filling const middle = moved_by(*this, more / 2.0);
    double const full = middle.at_least[bucket_slots];
    refused += more * full * full;
    double equal = 0.0;
    for (std::size_t i = 0; i <= bucket_slots; ++i) {
      double const above = i == bucket_slots ? 0.0 : middle.at_least[i + 1];
      equal += (middle.at_least[i] - above) * (middle.at_least[i] - above);
    }
    to_second += more * (1.0 - equal) / 2.0;
    at_least = moved(at_least, middle.at_least, more);
    keys += more;
  }

private:
  using Shares = std::array<double, bucket_slots + 1>;
  static Shares moved(Shares from, Shares const& slope_at, double by)
  {
    for (std::size_t i = 1; i <= bucket_slots; ++i) {
      from[i] += by * (slope_at[i - 1] * slope_at[i - 1] - slope_at[i] * slope_at[i]);
    }
    return from;
  }
  static Filling moved_by(Filling from, double by)
  {
    from.at_least = moved(from.at_least, from.at_least, by);
    return from;
  }
};

inline constexpr double step = 1.0 / 128.0;  ///< keys per bucket

template <std::size_t bucket_slots>
Filling<bucket_slots> filled(double load)
{
  Filling<bucket_slots> now;
  double const keys = load * static_cast<double>(bucket_slots);
  while (now.keys + step < keys) { now.add(step); }
  now.add(keys - now.keys);
  return now;
}

/// The load up to which this many buckets are expected to refuse at most `keys` keys; at most 1.
template <std::size_t bucket_slots>
double load_of_refused(double buckets, double keys)
{
  Filling<bucket_slots> now;
  while (now.keys < static_cast<double>(bucket_slots)) {
    Filling<bucket_slots> next = now;
    next.add(step);
    if (next.refused * buckets > keys) { break; }
    now = next;
  }
  return now.keys / static_cast<double>(bucket_slots);
}

}  // namespace slotscape::two_choice
