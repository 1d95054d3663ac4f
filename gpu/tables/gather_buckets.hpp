#pragma once

#include "gpu/execution/atomics.hpp"
#include "gpu/tables/static_family.hpp"

namespace slotscape {

/// The parallel loops of `BucketedPairs`. `bucket_of(key)` is the first-level hash.
namespace bucket_passes {

/// Counts each bucket's pairs; the count before a pair is added is its rank in the bucket.
template <PairFormat Format, class BucketOf>
struct Count {
  Contents<Format> pairs;
  BucketOf bucket_of;
  std::uint32_t* counts;
  std::uint32_t* ranks;
  std::uint32_t limit;
  std::uint32_t* overfull;

  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t i) const
  {
    if (exec::is_raised(*overfull)) { return; }  // keeps counters from getting far beyond the limit
    std::uint32_t const rank = exec::fetch_add(counts[bucket_of(pairs.keys[i])], 1);
    ranks[i] = rank;
    if (rank >= limit) { exec::raise(*overfull); }
  }
};

/// Puts each pair at its rank within its bucket.
template <PairFormat Format, class BucketOf>
struct Scatter {
  Contents<Format> pairs;
  BucketOf bucket_of;
  std::uint32_t const* starts;
  std::uint32_t const* ranks;
  std::uint32_t* overfull;
  typename Format::Word* out;

  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t i) const
  {
    if (exec::is_raised(*overfull)) { return; }  // not all pairs have a rank
    auto const key = pairs.keys[i];
    out[starts[bucket_of(key)] + ranks[i]] = pack(key, pairs.values[i]);
  }
};

}  // namespace bucket_passes

/// Pairs grouped by bucket: atomic counts, prefix sums, scatter (Alcantara et al. 2009, Algorithm 1, phase 1). The
/// buffers only grow, so repeated builds allocate nothing. Never waits for the device.
template <exec::Executor Exec, PairFormat Format>
class BucketedPairs {
  template <class T>
  using Buffer = typename Exec::template Buffer<T>;

public:
  /// Sets *overfull, in device memory, if a bucket has more than `limit` pairs; then no pair is in place.
  template <class BucketOf>
  void gather(Exec& exec, Contents<Format> const& pairs, BucketOf const& bucket_of, std::uint32_t buckets,
              std::uint32_t limit, std::uint32_t* overfull)
  {
    using namespace bucket_passes;
    exec::grow(exec, starts_, std::uint64_t{buckets} + 1);
    exec::grow(exec, ranks_, pairs.count);
    exec::grow(exec, pairs_, pairs.count);
    exec.fill(starts_.data(), std::uint64_t{buckets} + 1, std::uint32_t{0});
    exec.for_each(pairs.count,
                  Count<Format, BucketOf>{pairs, bucket_of, starts_.data(), ranks_.data(), limit, overfull});
    exec.prefix_sums(starts_.data(), std::uint64_t{buckets} + 1);
    exec.for_each(pairs.count,
                  Scatter<Format, BucketOf>{pairs, bucket_of, starts_.data(), ranks_.data(), overfull, pairs_.data()});
  }

  /// Bucket b has the pairs [starts[b], starts[b + 1]).
  std::uint32_t const* starts() const { return starts_.data(); }
  typename Format::Word const* pairs() const { return pairs_.data(); }

private:
  Buffer<std::uint32_t> starts_;
  Buffer<std::uint32_t> ranks_;
  Buffer<typename Format::Word> pairs_;
};

}  // namespace slotscape
