#pragma once

#include "gpu/base/random.hpp"
#include "gpu/execution/atomics.hpp"

#include <cstdint>
#include <vector>

namespace slotscape {

/// What is tested: tables or sets of a family, with keys of a type, on a backend. A Backend has
///   Backend()                              which skips the test, or fails it, where there is no device
///   Table<Family, Key> make(options)       a table
///   Set<Family, Key> make_set(options)     a set
///   Array<T>(host), Array<T>(count)        an array on the device; .data() there, .host() a copy
///   for_each(count, f)                     f(i), by as many threads
template <class Backend_, class Family_, class Key_>
struct Case {
  using Backend = Backend_;
  using Family = Family_;
  using Key = Key_;
};

/// Enough for the ways that only large batches take.
inline constexpr std::uint64_t many = 100'000;

/// So many keys, of which a third repeats others.
template <class Key>
std::vector<Key> some_keys(std::uint64_t count)
{
  std::vector<Key> keys;
  for (std::uint64_t i = 0; i < count; ++i) {
    std::uint64_t const number = i % 3 == 2 ? random_below(2, i, i) : i;
    keys.push_back(static_cast<Key>(random64(1, number) >> 34));
  }
  return keys;
}

/// Counts the pairs or keys that it is called with.
struct CountEach {
  std::uint64_t* count;
  template <class... Parts>
  SLOTSCAPE_HOST_DEVICE void operator()(Parts const&...) const
  {
    exec::fetch_add(*count, std::uint64_t{1});
  }
};
/// Whether a key is a multiple of 3.
struct IsThird {
  template <class Key, class... Value>
  SLOTSCAPE_HOST_DEVICE bool operator()(Key key, Value...) const
  {
    return key % 3 == 0;
  }
};

}  // namespace slotscape
