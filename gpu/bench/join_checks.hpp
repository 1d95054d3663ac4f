#pragma once

#include "gpu/base/random.hpp"
#include "gpu/bench/join_bench.hpp"
#include "gpu/execution/atomics.hpp"
#include "gpu/workloads/key_stream.hpp"
#include "gpu/workloads/zipf.hpp"

/// The columns of joins and group-bys, and the plain computations that check the results. Each row has the number of
/// its key in addition to the key, so that a check needs only counters in an array: it hashes nothing.
namespace slotscape::bench::row_passes {

/// The number of a key that is not on the build side.
inline constexpr std::uint32_t no_key = 0xffffffffu;

/// Keys and their numbers. In a file, the number of a key is its first position in the sorted list of all keys.
template <PairFormat Format>
struct NumberedKeys {
  using Key = typename Format::Key;

  KeyStream<Format> stream;
  std::uint64_t count;  ///< of numbers
  KeySkew skew;

  SLOTSCAPE_HOST_DEVICE bool in_file() const { return stream.distribution == KeyDistribution::file; }
  SLOTSCAPE_HOST_DEVICE Key key(std::uint64_t number) const
  {
    return in_file() ? stream.sorted_file_keys[number] : stream.key(number);
  }
  SLOTSCAPE_HOST_DEVICE std::uint32_t number_in_file(Key key) const
  {
    std::uint64_t low = 0;
    for (std::uint64_t high = stream.file_count; low < high;) {
      std::uint64_t const middle = (low + high) / 2;
      if (stream.sorted_file_keys[middle] < key) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return static_cast<std::uint32_t>(low);
  }
  /// The number of a random key, determined by seed and row alone.
  SLOTSCAPE_HOST_DEVICE std::uint32_t draw(std::uint64_t seed, std::uint64_t row) const
  {
    std::uint64_t rank = 0;
    if (!(skew.half && row % 2 == 0)) {
      rank = skew.exponent > 0.0 ? ZipfRanks{count, skew.exponent}(seed, row) : random_below(seed, row, count);
    }
    return in_file() ? number_in_file(stream.file_keys[rank]) : static_cast<std::uint32_t>(rank);
  }
};

/// A column: the key of each row, and the key's number.
template <class Key>
struct Column {
  Key* keys;
  std::uint32_t* numbers;
};

/// The build side: all keys equally often, in random order; left-over rows repeat the keys with the largest numbers,
/// which skewed probes look up least. Or the keys of a file, in file order.
template <PairFormat Format>
struct DrawBuild {
  NumberedKeys<Format> keys;
  Shuffle shuffle;
  Column<typename Format::Key> to;

  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t i) const
  {
    if (keys.in_file()) {
      to.keys[i] = keys.stream.key(i);
      to.numbers[i] = keys.number_in_file(to.keys[i]);
    } else {
      std::uint64_t const place = shuffle(static_cast<std::uint32_t>(i)) % keys.count;
      to.numbers[i] = static_cast<std::uint32_t>(keys.count - 1 - place);
      to.keys[i] = keys.key(to.numbers[i]);
    }
  }
};

template <PairFormat Format>
struct DrawProbe {
  NumberedKeys<Format> keys;
  std::uint64_t seed;
  double hit_share;
  typename Format::Key const* rows;  ///< of a file, instead of random ones; or null
  std::uint64_t row_count;           ///< of the file
  Column<typename Format::Key> to;

  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t i) const
  {
    if (rows != nullptr) {
      to.keys[i] = rows[i % row_count];
      std::uint32_t const number = keys.number_in_file(to.keys[i]);
      bool const is_there = number < keys.count && keys.key(number) == to.keys[i];
      to.numbers[i] = is_there ? number : no_key;
      return;
    }
    bool const hits = random_unit(~seed, i) < hit_share;
    to.numbers[i] = hits ? keys.draw(seed, i) : no_key;
    to.keys[i] = hits ? keys.key(to.numbers[i]) : keys.stream.miss(i);
  }
};

/// The column of a group-by. Values are amounts of up to 24 bits.
template <PairFormat Format>
struct DrawRows {
  NumberedKeys<Format> keys;
  std::uint64_t seed;
  Column<typename Format::Key> to;
  std::uint64_t* values;

  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t i) const
  {
    to.numbers[i] = keys.in_file() ? keys.number_in_file(keys.stream.key(i)) : keys.draw(seed, i);
    to.keys[i] = keys.key(to.numbers[i]);
    values[i] = random64(~seed, i) >> 40;
  }
};

/// The term of a row, or of a group, in a checksum of rows or groups.
SLOTSCAPE_HOST_DEVICE inline std::uint64_t checksum_term(std::uint64_t row)
{
  return random64(0x6a6f696e, row);
}
SLOTSCAPE_HOST_DEVICE inline std::uint64_t checksum_term(std::uint64_t key, std::uint64_t rows, std::uint64_t sum)
{
  return random64(random64(0x67726f75, key) ^ rows, sum);
}

/// A counter and a sum for each key number, or for each row.
struct Tallies {
  std::uint32_t* counts;
  std::uint64_t* sums;

  SLOTSCAPE_HOST_DEVICE void add(std::uint64_t i, std::uint64_t more) const
  {
    exec::fetch_add(counts[i], 1u);
    exec::fetch_add(sums[i], more);
  }
};

struct CountBuild {
  std::uint32_t const* numbers;
  Tallies of_keys;

  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t i) const { of_keys.add(numbers[i], checksum_term(i)); }
};
struct CountGroups {
  std::uint32_t const* numbers;
  std::uint64_t const* values;
  Tallies of_keys;

  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t i) const { of_keys.add(numbers[i], values[i]); }
};

/// Adds a result row to its probe row. Invalid row numbers, or rows with different keys, give `missing`.
struct CheckResult {
  joins::JoinedView found;
  std::uint64_t build_rows;
  std::uint64_t probe_rows;
  std::uint32_t const* build_numbers;
  std::uint32_t const* probe_numbers;
  Tallies of_rows;

  SLOTSCAPE_HOST_DEVICE Outcome operator()(std::uint64_t i) const
  {
    std::uint32_t const probe = found.probe_rows[i];
    if (probe >= probe_rows) { return Outcome::missing; }
    std::uint32_t const build = found.build_rows == nullptr ? joins::no_row : found.build_rows[i];
    if (build != joins::no_row && (build >= build_rows || build_numbers[build] != probe_numbers[probe])) {
      return Outcome::missing;
    }
    of_rows.add(probe, checksum_term(build));
    return Outcome::found;
  }
};

/// Whether a probe row has exactly the expected results.
struct CheckProbeRow {
  joins::JoinKind kind;
  std::uint32_t const* probe_numbers;
  Tallies of_keys;
  Tallies of_rows;

  SLOTSCAPE_HOST_DEVICE Outcome operator()(std::uint64_t i) const
  {
    using joins::JoinKind;
    std::uint32_t const number = probe_numbers[i];
    std::uint32_t const rows = number == no_key ? 0 : of_keys.counts[number];
    std::uint32_t count = rows;
    std::uint64_t sum = rows == 0 ? 0 : of_keys.sums[number];
    bool const alone = kind == JoinKind::left ? rows == 0 : kind != JoinKind::inner;
    if (alone) {
      count = kind == JoinKind::semi ? (rows != 0 ? 1 : 0) : rows == 0 ? 1 : 0;
      sum = count * checksum_term(joins::no_row);
    }
    return of_rows.counts[i] == count && of_rows.sums[i] == sum ? Outcome::found : Outcome::missing;
  }
};

/// Whether the build side has the key of a probe row.
struct IsMatched {
  std::uint32_t const* probe_numbers;
  Tallies of_keys;

  SLOTSCAPE_HOST_DEVICE Outcome operator()(std::uint64_t i) const
  {
    std::uint32_t const number = probe_numbers[i];
    return number != no_key && of_keys.counts[number] != 0 ? Outcome::found : Outcome::missing;
  }
};

/// Sums the terms of groups: of those found, or of those counted.
template <class Key>
struct SumFound {
  static constexpr std::uint64_t per_item = 256;

  joins::GroupsView<Key> found;
  std::uint64_t* sum;

  template <class Tile>
  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t item, Tile tile) const
  {
    std::uint64_t mine = 0;
    std::uint64_t const end = (item + 1) * per_item < found.count ? (item + 1) * per_item : found.count;
    for (std::uint64_t i = item * per_item + static_cast<std::uint64_t>(tile.rank()); i < end; i += Tile::size) {
      mine += checksum_term(found.keys[i], found.counts[i], found.sums[i]);
    }
    std::uint64_t const all = tile.sum(mine);
    if (tile.rank() == 0) { exec::fetch_add(*sum, all); }
  }
};
template <PairFormat Format>
struct SumCounted {
  static constexpr std::uint64_t per_item = 256;

  NumberedKeys<Format> keys;
  Tallies of_keys;
  std::uint64_t* sum;
  std::uint64_t* groups;

  template <class Tile>
  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t item, Tile tile) const
  {
    std::uint64_t mine = 0;
    std::uint64_t counted = 0;
    std::uint64_t const end = (item + 1) * per_item < keys.count ? (item + 1) * per_item : keys.count;
    for (std::uint64_t i = item * per_item + static_cast<std::uint64_t>(tile.rank()); i < end; i += Tile::size) {
      if (of_keys.counts[i] == 0) { continue; }
      mine += checksum_term(keys.key(i), of_keys.counts[i], of_keys.sums[i]);
      ++counted;
    }
    std::uint64_t const all = tile.sum(mine);
    std::uint64_t const all_counted = tile.sum(counted);
    if (tile.rank() != 0) { return; }
    exec::fetch_add(*sum, all);
    exec::fetch_add(*groups, all_counted);
  }
};

}  // namespace slotscape::bench::row_passes
