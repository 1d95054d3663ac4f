#pragma once

#include "gpu/library/table.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <numeric>
#include <random>
#include <string>

/// Is a key that many threads insert at once ever stored twice? Batches whose keys repeat, in tables up to the load
/// that is safe for them, and again after erasures. What one thread leaves where others have just looked shows in few
/// of a hundred tables, so this is run for as long as there is time: scripts/stress.
namespace slotscape::repeats {

/// Writes `distinct` keys, each as often as the others: copies are neighbours, or apart by a stride.
template <class Key>
struct WriteKeys {
  Key* keys;
  Key* values;  ///< or null
  std::uint64_t count;
  std::uint64_t distinct;
  std::uint64_t stride;  ///< without a common divisor with `count`; 0: copies are neighbours
  Key first;

  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t i) const
  {
    constexpr auto odd = static_cast<Key>(0x9e3779b97f4a7c15u);
    std::uint64_t const number = stride == 0 ? i / (count / distinct) : i * stride % count % distinct;
    keys[i] = (static_cast<Key>(number) * odd + first) & (~Key{0} >> 1);  // which no table reserves
    if (values != nullptr) { values[i] = static_cast<Key>(i & 1023); }
  }
};

struct Checked {
  std::string fault = {};  ///< empty: none
  std::uint64_t operations = 0;
};

/// One table, of up to `max_keys` keys, as the seed has it.
template <class Backend, TableFamily Family, class Key>
Checked search(Backend& backend, std::uint64_t seed, std::uint64_t max_keys)
{
  using Array = typename Backend::template Array<Key>;
  std::mt19937_64 random(seed);
  TableSettings settings{.family = std::string(Family::info.name), .key_bits = 8 * sizeof(Key)};
  if (random() % 2 == 0) { settings.deletion = Deletion::tombstone_reuse; }
  for (Parameter const& parameter : Family::info.parameters) {
    settings.parameters[std::string(parameter.name)] = parameter.choices[random() % parameter.choices.size()];
  }
  std::uint64_t const wanted = std::min(max_keys, std::uint64_t{1000} << random() % 11);
  auto table = backend.template make<Family, Key>(
      {.slots = Family::info.slot_counts == SlotCounts::any ? wanted : std::bit_ceil(wanted),
       .deletion = settings.deletion,
       .parameters = settings.parameters});
  settings.slots = table.slots();
  double const safe = Family::guarantees(settings).safe_load;
  double const load = std::min(safe, 0.45 + 0.1 * static_cast<double>(random() % 6));
  auto const distinct =
      std::max<std::uint64_t>(1, static_cast<std::uint64_t>(static_cast<double>(settings.slots) * load));
  std::uint64_t const count = distinct * (2 + random() % 6);
  std::uint64_t stride = random() % 2 == 0 ? 0 : 1'000'003;
  while (stride != 0 && std::gcd(stride, count) != 1) { stride += 2; }
  auto const first = static_cast<Key>(random());
  Array keys(count);
  Array values(count);
  Array once(distinct);
  backend.for_each(count, WriteKeys<Key>{keys.data(), values.data(), count, distinct, stride, first});
  backend.for_each(distinct, WriteKeys<Key>{once.data(), nullptr, distinct, distinct, 0, first});

  std::uint64_t const how = random() % 3;
  std::uint64_t const part = random() % 2 == 0 ? count : std::max<std::uint64_t>(1, count / 7);
  std::uint64_t operations = 0;
  bool is_full = false;
  auto const insert_all = [&] {
    std::uint64_t inserted = 0;
    for (std::uint64_t at = 0; at < count; at += part) {
      std::uint64_t const many = std::min(part, count - at);
      Key const* const from = keys.data() + at;
      Key const* const with = values.data() + at;
      auto const done = how == 0   ? table.insert(from, with, many)
                        : how == 1 ? table.insert_or_max(from, with, many)
                                   : table.insert_or_assign(from, with, many);
      inserted += done.inserted;
      is_full = is_full || done.full != 0;
    }
    operations += count;
    return inserted;
  };
  auto const fault = [&](std::string const& what, std::uint64_t expected, std::uint64_t found) {
    return Checked{"seed " + std::to_string(seed) + ", " + settings.family + ", " + std::to_string(settings.key_bits) +
                       " bits, " + std::to_string(settings.slots) + " slots: " + std::to_string(found) + " keys " +
                       what + " of " + std::to_string(expected),
                   operations};
  };
  std::uint64_t missing = distinct;
  for (int round = 0;; ++round) {
    std::uint64_t const inserted = insert_all();
    if (is_full) { return {"", operations}; }
    if (inserted != missing) { return fault("inserted", missing, inserted); }
    if (table.size() != distinct) { return fault("held", distinct, table.size()); }
    if (round == 3) { return {"", operations}; }
    missing = std::max<std::uint64_t>(1, distinct * (1 + random() % 9) / 10);  // tombstones, among keys that stay
    std::uint64_t const erased = table.erase(once.data(), missing);
    if (erased != missing) { return fault("erased", missing, erased); }
    if (table.size() != distinct - missing) { return fault("left", distinct - missing, table.size()); }
  }
}

}  // namespace slotscape::repeats
