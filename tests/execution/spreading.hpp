#pragma once

#include "gpu/execution/atomics.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

namespace slotscape {

/// A program for `rounds`: each number of a line becomes the largest of itself and its neighbours, until nothing
/// changes; then all fall to zero, but the first of them, which notes how often, and that again `times` times.
struct Spreading {
  struct State {
    bool falls = false;
    std::uint32_t swept = 0;
    std::uint32_t fallen = 0;
  };

  std::uint32_t* numbers;
  std::uint32_t* next_numbers;
  std::uint32_t* sweeps;
  std::uint32_t count;
  std::uint32_t times;

  SLOTSCAPE_HOST_DEVICE std::uint64_t items(State const&) const { return count; }
  SLOTSCAPE_HOST_DEVICE std::uint32_t sweep(State const& state, std::uint64_t i) const
  {
    bool const even = state.swept % 2 == 0;
    std::uint32_t const* const from = even ? numbers : next_numbers;
    std::uint32_t* const to = even ? next_numbers : numbers;
    if (i == 0) { *sweeps = state.swept + 1; }
    if (state.falls) {
      to[i] = i == 0 ? from[0] + 1 : 0;
      return 1;
    }
    std::uint32_t const left = i == 0 ? 0 : from[i - 1];
    std::uint32_t const right = i + 1 == count ? 0 : from[i + 1];
    std::uint32_t const beside = left > right ? left : right;
    to[i] = beside > from[i] ? beside : from[i];
    return to[i] != from[i];
  }
  SLOTSCAPE_HOST_DEVICE bool next(State& state, std::uint32_t changes) const
  {
    ++state.swept;
    if (!state.falls) {
      state.falls = changes == 0;
      return true;
    }
    state.falls = changes != count;  // never: in this phase, every item changes
    return ++state.fallen != times;
  }
};

/// The first number rises by one each time, and takes `count` sweeps to get to the other end; one sees no change, and
/// one lets all fall.
template <class Exec>
void expect_to_spread(Exec& exec, std::uint32_t count, std::uint32_t times)
{
  SCOPED_TRACE(count);
  typename Exec::template Buffer<std::uint32_t> numbers(exec, 2 * std::uint64_t{count} + 1);
  std::vector<std::uint32_t> start(2 * std::uint64_t{count} + 1);
  start[0] = 7;
  exec.upload(numbers.data(), std::span<std::uint32_t const>(start));
  exec.rounds(count, Spreading{numbers.data(), numbers.data() + count, numbers.data() + 2 * std::uint64_t{count}, count,
                               times});
  std::vector<std::uint32_t> end(start.size());
  exec.download(std::span(end), static_cast<std::uint32_t const*>(numbers.data()));
  std::uint32_t const sweeps = times * (count + 1);
  EXPECT_EQ(end.back(), sweeps);
  auto const last = end.begin() + (sweeps % 2 == 0 ? 0 : count);
  EXPECT_EQ(*last, 7 + times);
  EXPECT_EQ(std::count(last + 1, last + count, 0u), count - 1);
}

/// Without items there is one sweep, of nothing, before the program is asked what comes next.
struct Nothing {
  struct State {};
  std::uint32_t* unused;

  SLOTSCAPE_HOST_DEVICE std::uint64_t items(State) const { return 0; }
  SLOTSCAPE_HOST_DEVICE std::uint32_t sweep(State, std::uint64_t) const
  {
    *unused = 1;
    return 1;
  }
  SLOTSCAPE_HOST_DEVICE bool next(State&, std::uint32_t changes) const { return changes != 0; }
};
template <class Exec>
void expect_to_end_at_once(Exec& exec)
{
  typename Exec::template Buffer<std::uint32_t> number(exec, 1);
  exec.fill(number.data(), 1, 0u);
  exec.rounds(0, Nothing{number.data()});
  std::uint32_t found = 1;
  exec.download(std::span(&found, 1), static_cast<std::uint32_t const*>(number.data()));
  EXPECT_EQ(found, 0u);
}

}  // namespace slotscape
