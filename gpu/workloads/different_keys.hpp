#pragma once

#include "gpu/base/progress.hpp"
#include "gpu/base/random.hpp"
#include "gpu/execution/atomics.hpp"
#include "gpu/execution/executor.hpp"
#include "gpu/workloads/key_stream.hpp"

#include <algorithm>
#include <bit>
#include <optional>
#include <span>

/// Counts the different keys of a stream that may repeat keys.
namespace slotscape::different_keys {

/// Records the number of the first insertion of each key, in a separate set that is always at most half full.
template <PairFormat Format>
struct NoteFirst {
  using Key = typename Format::Key;
  KeyStream<Format> stream;
  std::uint64_t first;  ///< position in the stream
  std::uint64_t mask;
  Key* seen;
  std::uint64_t* numbers;

  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t i) const
  {
    Key const key = stream.key(first + i);
    for (std::uint64_t slot = random64(0, key) & mask;; slot = (slot + 1) & mask) {
      Key before = exec::load_relaxed(seen[slot]);
      if (before == Format::empty_key) { before = exec::compare_exchange(seen[slot], Format::empty_key, key); }
      if (before == Format::empty_key || before == key) { return exec::atomic_min(numbers[slot], first + i); }
    }
  }
};

inline constexpr std::uint64_t no_number = ~std::uint64_t{0};

struct CountNumbers {
  std::uint64_t const* numbers;
  SLOTSCAPE_HOST_DEVICE Outcome operator()(std::uint64_t i) const
  {
    return numbers[i] != no_number ? Outcome::found : Outcome::missing;
  }
};

/// A prefix of a stream.
struct Beginning {
  std::uint64_t keys = 0;
  std::uint64_t different = 0;  ///< number of different keys
};

/// The shortest prefix of a stream with `wanted` different keys, or all of its first `most` keys if these have fewer.
/// Returns nullopt if it was cancelled.
template <exec::Executor Exec, PairFormat Format>
std::optional<Beginning> beginning_with(Exec& exec, KeyStream<Format> const& stream, std::uint64_t wanted,
                                        std::uint64_t most, Progress const& progress)
{
  using Key = typename Format::Key;
  std::uint64_t const part = std::max<std::uint64_t>(wanted / 4, 1u << 12);
  std::uint64_t const slots = std::bit_ceil(2 * (std::min(wanted, most) + part));
  typename Exec::template Buffer<Key> seen(exec, slots);
  typename Exec::template Buffer<std::uint64_t> numbers(exec, slots);
  exec.fill(seen.data(), slots, Format::empty_key);
  exec.fill(numbers.data(), slots, no_number);
  Beginning found;
  while (found.different < wanted && found.keys < most) {
    if (progress.cancelled()) { return std::nullopt; }
    std::uint64_t const count = std::min(part, most - found.keys);
    exec.for_each(count, NoteFirst<Format>{stream, found.keys, slots - 1, seen.data(), numbers.data()});
    found.keys += count;
    found.different = exec.tally(slots, CountNumbers{numbers.data()})[Outcome::found];
  }
  if (found.different < wanted) { return found; }
  exec.sort(numbers.data(), slots);
  std::uint64_t last = 0;
  exec.download(std::span(&last, 1), static_cast<std::uint64_t const*>(numbers.data() + wanted - 1));
  return Beginning{last + 1, wanted};
}

}  // namespace slotscape::different_keys
