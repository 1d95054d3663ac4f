#pragma once

#include "gpu/base/random.hpp"
#include "gpu/engine/key_order.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace slotscape::testing {

/// Sorts of keys that are spread in many ways, on any executor.
template <exec::Executor Exec, PairFormat Format>
class KeySorts {
  using Key = typename Format::Key;
  using Value = typename Format::Value;
  using Sort = KeySort<Exec, Format>;
  template <class T>
  using Buffer = typename Exec::template Buffer<T>;

public:
  /// Evenly enough for segments.
  void expect_to_sort_by_segments()
  {
    expect("random", make([&](std::uint64_t) { return random(); }), true);
    expect("ascending", make([](std::uint64_t i) { return i; }), true);
    expect("descending", make([](std::uint64_t i) { return count - i; }), true);
    expect("shuffled", shuffled(make([](std::uint64_t i) { return i + 1000; })), true);
    expect("strided", shuffled(make([](std::uint64_t i) { return i * 1024; })), true);
    expect("the largest", make([](std::uint64_t i) { return Format::locked_key - 1 - i; }), true);
    expect("runs of 16", shuffled(make([&](std::uint64_t i) { return random_of(i / 16) / 16 * 16 + i % 16; })), true);
    expect("each key 10 times", shuffled(make([&](std::uint64_t i) { return random_of(i / 10); })), true);
    // As dense as in a bin of their segment that is left to the sorting network.
    expect("even runs of 500",
           shuffled(make([](std::uint64_t i) { return i / 500 * (range / (count / 500 + 1)) + i % 500; })), true);
    expect("one key far away",
           make([](std::uint64_t i) { return i == 1 ? Format::locked_key - 1 : static_cast<Key>(i); }), true);
  }
  /// So that they are left to the radix sort.
  void expect_to_fall_back()
  {
    expect("one key", make([](std::uint64_t) { return 7; }), false);
    expect("two keys", make([](std::uint64_t i) { return i % 2 * 1000; }), false);
    expect("every other one and the same", make([&](std::uint64_t i) { return i % 2 == 0 ? 5 : random(); }), false);
    expect("skewed", make([&](std::uint64_t) {
             double const largest = static_cast<double>(range - 1);
             return static_cast<Key>(largest / 2 * std::pow(static_cast<double>(random()) / largest, 6.0));
           }),
           false);
    expect("long runs", make([&](std::uint64_t i) { return random_of(i / 20'000) / 32'768 * 32'768 + i % 20'000; }),
           false);
    expect("a sampled key far away",
           make([](std::uint64_t i) { return i == 0 ? Format::locked_key - 1 : static_cast<Key>(i); }), false);
    expect("a crowded thousandth", make([&](std::uint64_t i) {  // which the sample does not show
             return i % 16 == 3 && i < count / 4 ? range / 3 + i % 100 : random();
           }),
           false);
    expect("few", {5, 3, 9, 3}, false);
    expect("one", {5}, false);
    expect("none", {}, false);
  }

private:
  static constexpr std::uint64_t count = 2 * Sort::least + 77;
  static constexpr Key range = Format::locked_key;

  Key random() { return static_cast<Key>(engine_() % range); }
  static Key random_of(std::uint64_t i) { return static_cast<Key>(random64(1, i) % range); }
  template <class F>
  static std::vector<Key> make(F const& f)
  {
    std::vector<Key> keys(count);
    for (std::uint64_t i = 0; i < count; ++i) { keys[i] = static_cast<Key>(f(i)); }
    return keys;
  }
  std::vector<Key> shuffled(std::vector<Key> keys)
  {
    std::ranges::shuffle(keys, engine_);
    return keys;
  }

  /// Sorts pairs whose values are their numbers, to another place, and where they are.
  void expect(std::string const& name, std::vector<Key> const& keys, bool by_segments)
  {
    SCOPED_TRACE(name);
    std::vector<Value> numbers(keys.size());
    std::iota(numbers.begin(), numbers.end(), Value{0});
    std::vector<std::pair<Key, Value>> sorted(keys.size());
    for (std::size_t i = 0; i < keys.size(); ++i) { sorted[i] = {keys[i], numbers[i]}; }
    std::ranges::sort(sorted);

    Buffer<Key> from_keys(exec_, keys.size());
    Buffer<Value> from_values(exec_, keys.size());
    Buffer<Key> to_keys(exec_, keys.size());
    Buffer<Value> to_values(exec_, keys.size());
    exec_.upload(from_keys.data(), std::span<Key const>(keys));
    exec_.upload(from_values.data(), std::span<Value const>(numbers));
    Sort sort(exec_);
    EXPECT_EQ(sort.sort_by_segments(from_keys.data(), from_values.data(), keys.size(), to_keys.data(),
                                    to_values.data()),
              by_segments);
    if (by_segments) { expect_equal(to_keys, to_values, sorted); }
    sort.sort(from_keys.data(), from_values.data(), keys.size(), to_keys.data(), to_values.data());
    expect_equal(to_keys, to_values, sorted);
    sort.sort(from_keys.data(), from_values.data(), keys.size(), from_keys.data(), from_values.data());
    expect_equal(from_keys, from_values, sorted);
  }
  void expect_equal(Buffer<Key> const& keys, Buffer<Value> const& values,
                    std::vector<std::pair<Key, Value>> const& sorted)
  {
    std::vector<Key> found_keys(sorted.size());
    std::vector<Value> found_values(sorted.size());
    exec_.download(std::span(found_keys), static_cast<Key const*>(keys.data()));
    exec_.download(std::span(found_values), static_cast<Value const*>(values.data()));
    std::size_t wrong = 0;
    for (std::size_t i = 0; i < sorted.size(); ++i) {
      wrong += sorted[i] == std::pair(found_keys[i], found_values[i]) ? 0 : 1;
    }
    EXPECT_EQ(wrong, 0u);
  }

  Exec exec_;
  std::mt19937_64 engine_{3};
};

}  // namespace slotscape::testing
