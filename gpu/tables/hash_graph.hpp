#pragma once

#include "gpu/execution/atomics.hpp"
#include "gpu/tables/bucket_ranges.hpp"
#include "gpu/tables/hash.hpp"

namespace slotscape {

/// The parallel loops that build a HashGraph.
namespace hash_graph {

template <PairFormat Format, class Hasher>
struct CountKeys {
  Hasher hasher;
  typename Format::Key const* keys;
  std::uint32_t* counts;

  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t i) const { exec::fetch_add(counts[hasher.home(keys[i])], 1); }
};

/// Writes the range of each bucket from the buckets' starts.
struct WriteRanges {
  std::uint32_t const* starts;
  std::uint64_t buckets;
  Slot stored;
  std::uint64_t* ranges;

  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t bucket) const
  {
    Slot const end = bucket + 1 == buckets ? stored : starts[bucket + 1];
    ranges[bucket] = BucketRange{starts[bucket], end}.number();
  }
};

/// Puts each pair at the next free place of its bucket.
template <PairFormat Format, class Hasher>
struct Scatter {
  Hasher hasher;
  Contents<Format> pairs;
  std::uint32_t* next;
  typename Format::Word* words;

  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t i) const
  {
    words[exec::fetch_add(next[hasher.home(pairs.keys[i])], 1)] = pack(pairs.keys[i], pairs.values[i]);
  }
};

}  // namespace hash_graph

/// HashGraph (Green 2019, 'HashGraph: Scalable Hash Tables Using a Sparse Graph Data Structure'): the table is the
/// adjacency list, in compressed sparse rows, of a graph whose edges go from hashes to keys. Built by counting, a
/// prefix sum and a scatter, so no two keys compete for a place.
struct HashGraph : StaticFamily<HashGraph>, BucketRanges {
  static constexpr FamilyInfo info{
      .name = "hash_graph",
      .title = "HashGraph",
      .source = "Green 2019, HashGraph: Scalable Hash Tables Using a Sparse Graph Data Structure",
      .idea =
          "Keys are counted by bucket, and the buckets are stored one after another without gaps: there is no probing, "
          "and any load works. A key's home is its bucket number; there are as many buckets as slots.",
      .guarantees = guarantees,
      .wide = true,
      .measure = {"Place in bucket", "keys before it"},
      .first_access = 2,
      .groups = {"Bucket size", "keys"},
      .theory = TheoryOf::poisson_groups,
      .misses_by = MissesBy::home,
      .steps = {.ends = "Its bucket ends here"}};

  template <PairFormat Format, class Hasher = HasherOf<Format>>
  struct Layout {
    Hasher hasher;
    Slot stored;  ///< number of pairs, stored in the first slots

    SLOTSCAPE_HOST_DEVICE std::uint64_t slots() const { return hasher.slots(); }
    SLOTSCAPE_HOST_DEVICE std::uint64_t metadata() const { return hasher.slots(); }
    SLOTSCAPE_HOST_DEVICE Slot home(typename Format::Key key) const { return hasher.home(key); }
  };

  template <PairFormat Format, class Hasher = HasherOf<Format>>
  static Layout<Format, Hasher> layout(TableSettings const& settings)
  {
    return {{settings.hash, settings.slots}, 0};
  }

  /// If keys are sorted by home, a build counts and scatters within one range of buckets at a time, which stays in the
  /// caches.
  template <class Layout>
  static Layout homes(Layout const& layout, std::uint64_t)
  {
    return layout;
  }

  template <exec::Executor Exec, PairFormat Format, class Hasher>
  static Built build(Exec& exec, Layout<Format, Hasher>& layout, std::uint64_t, Contents<Format> const& pairs,
                     typename Format::Word* words, std::uint64_t* ranges)
  {
    std::uint64_t const buckets = layout.slots();
    layout.stored = static_cast<Slot>(pairs.count);
    typename Exec::template Buffer<std::uint32_t> places(exec, buckets);
    exec.fill(places.data(), buckets, std::uint32_t{0});
    exec.for_each(pairs.count, hash_graph::CountKeys<Format, Hasher>{layout.hasher, pairs.keys, places.data()});
    exec.exclusive_scan(places.data(), buckets);
    exec.for_each(buckets, hash_graph::WriteRanges{places.data(), buckets, layout.stored, ranges});
    exec.for_each(pairs.count, hash_graph::Scatter<Format, Hasher>{layout.hasher, pairs, places.data(), words});
    return Built::done;
  }
};

namespace families {
using hash_graph = HashGraph;
}

}  // namespace slotscape
