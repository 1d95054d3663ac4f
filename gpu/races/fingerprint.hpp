#pragma once

#include "gpu/base/random.hpp"
#include "gpu/races/program.hpp"

#include <bit>
#include <cstdint>
#include <unordered_map>

namespace slotscape::races {

/// A 128-bit hash: two sequences of odd multiplications and rotations over the same words, each with a final mixing.
struct Fingerprint {
  std::uint64_t low = 0;
  std::uint64_t high = 0;

  void add(std::uint64_t word)
  {
    low = std::rotl((low ^ word) * 0x9e3779b97f4a7c15u, 29);
    high = std::rotl((high + word) * 0xd1b54a32d192ed03u, 37);
  }
  Fingerprint mixed() const { return {random64(low, 1), random64(high, 2)}; }
  friend bool operator==(Fingerprint const&, Fingerprint const&) = default;
};

struct FingerprintHash {
  std::size_t operator()(Fingerprint const& print) const { return static_cast<std::size_t>(print.low); }
};
template <class T>
using FingerprintMap = std::unordered_map<Fingerprint, T, FingerprintHash>;

/// A fingerprint of everything that determines what can follow.
inline Fingerprint fingerprint(Moment const& moment)
{
  Fingerprint print;
  for (Word const word : moment.memory) { print.add(word); }
  for (std::size_t thread = 0; thread < max_threads; ++thread) {
    print.add((std::uint64_t{moment.ended_before[thread]} << 32) | moment.at[thread]);
  }
  print.add(moment.waiting.size());
  for (Moment::Store const& store : moment.waiting) {
    print.add((std::uint64_t{store.thread} << 32) | store.place);
    print.add(store.word);
  }
  print.add(moment.past.size());
  for (Moment::Past const& past : moment.past) {
    print.add(past.place);
    print.add(past.word);
  }
  for (Moment::Seen const& seen : moment.seen) {
    print.add((std::uint64_t{seen.thread} << 56) | (seen.place << 24) | seen.writes);
  }
  return print.mixed();
}

}  // namespace slotscape::races
