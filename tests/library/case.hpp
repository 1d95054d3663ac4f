#pragma once

#include "gpu/base/error.hpp"
#include "gpu/base/random.hpp"
#include "gpu/execution/atomics.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

namespace slotscape {

/// In which pairs two maps differ, in words.
template <class Map>
std::string difference(Map const& now, Map const& before)
{
  std::uint64_t common = 0, changed = 0;
  for (auto const& [key, value] : now) {
    auto const old = before.find(key);
    if (old == before.end()) { continue; }
    ++common;
    if (!(old->second == value)) { ++changed; }
  }
  return std::to_string(now.size() - common) + " pairs are new, " + std::to_string(before.size() - common) +
         " are gone, " + std::to_string(changed) + " have another value";
}

/// Calls make(), which gives a table whose arrays come from `memory`, and change(table) with one piece of memory more
/// each time, until there is enough. Each time before, held(table) must be what it was, and a second change(table),
/// with enough memory, must bring contents(table) to what one change without interruption does.
template <class Limited>
void expect_unchanged_without_memory(Limited& memory, auto const& make, auto const& change, auto const& held,
                                     auto const& contents)
{
  auto whole = make();
  change(whole);
  auto const changed = contents(whole);
  for (std::uint64_t pieces = 0;; ++pieces) {
    ASSERT_LT(pieces, 1000u) << "memory never suffices";
    auto table = make();
    auto const before = held(table);
    memory.left = pieces;
    bool is_done = true;
    try {
      change(table);
    } catch (Error const&) {
      is_done = false;
    }
    memory.left = ~std::uint64_t{0};
    if (is_done) { return; }
    auto const now = held(table);
    ASSERT_TRUE(now == before) << difference(now, before) << ", with " << pieces << " pieces of memory";
    change(table);
    auto const after = contents(table);
    ASSERT_TRUE(after == changed) << "the second time " << difference(after, changed) << ", after " << pieces
                                  << " pieces of memory";
  }
}

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
/// Gives one of a few keys that are there the value that `next` makes of its own.
template <class View, class Next>
struct UpdateOneOf {
  View table;
  typename View::Key const* keys;
  std::uint64_t different;
  Next next;
  Outcome* outcomes;
  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t i) const
  {
    outcomes[i] = table.update(keys[i % different], next);
  }
};
/// Every step-th number from the first on, as an array.
template <class Number>
struct EachNumber {
  std::uint64_t first;
  std::uint64_t step;
  SLOTSCAPE_HOST_DEVICE Number operator[](std::uint64_t i) const { return static_cast<Number>(first + step * i); }
};
/// What follows a number.
struct OneMore {
  template <class Value>
  SLOTSCAPE_HOST_DEVICE Value operator()(Value value) const
  {
    return static_cast<Value>(value + 1);
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
