#pragma once

#include "tests/library/on_cpu.hpp"
#include "tests/library/recorded.hpp"
#include "tests/library/replay.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace slotscape::histories {

/// What became of one history.
struct Done {
  std::string wrong = {};        ///< cut down, where that can be; empty: nothing
  std::uint64_t operations = 0;  ///< of threads
  std::uint64_t faults = 0;      ///< calls that failed for want of memory
  std::uint64_t without = 0;     ///< calls that did without what they were refused
};

/// The histories of a family, by their seed: of each width, if it has any of that kind.
struct Played {
  using OneSeed = Done (*)(std::uint64_t seed);
  std::string_view family;
  std::vector<OneSeed> calls = {};       ///< against a map
  std::vector<OneSeed> memory = {};      ///< the same, whatever piece of memory is missing
  std::vector<OneSeed> threads = {};     ///< on hot keys, as far as the family lets them
  std::vector<OneSeed> unpromised = {};  ///< the same, beyond that
};

/// Mostly short histories of few keys, now and then larger ones: few keys meet more often, many take other ways.
template <TableFamily Family, class Key>
Done play_calls(std::uint64_t seed)
{
  constexpr std::uint64_t few = 300;
  constexpr std::uint64_t many = 60'000;
  return {seed % 50 == 0 ? first_wrong<Family, Key>(seed, 1, 15, many) : first_wrong<Family, Key>(seed, 1, 60, few)};
}

template <TableFamily Family, class Key>
Done play_short_of_memory(std::uint64_t seed)
{
  constexpr std::uint64_t steps = 20;
  constexpr std::uint64_t few = 300;
  constexpr std::uint64_t many = 20'000;
  std::uint64_t const most_keys = seed % 20 == 0 ? many : few;
  History history = random_history(seed, 8 * sizeof(Key), steps, most_keys);
  history.short_of_memory = true;
  Player<Family, Key> player;
  std::string const wrong = player.play(history);
  if (wrong.empty()) { return {"", 0, player.faults(), player.did_without()}; }
  // Which allocation is refused may depend on what other threads do: it need not come again.
  std::string const again = first_wrong<Family, Key>(seed, 1, steps, most_keys, true);
  return {again.empty() ? "seed " + std::to_string(seed) + ", not again: " + wrong : again};
}

template <TableFamily Family, class Key, bool promised>
Done play_threads(std::uint64_t seed)
{
  constexpr std::uint32_t operations = 2000;
  OnCpu cpu;
  recorded::Checked const checked = [&] {
    if constexpr (promised) {
      return recorded::check_promised<OnCpu, Family, Key>(cpu, seed, operations);
    } else {
      return recorded::check_everything_at_once<OnCpu, Family, Key>(cpu, seed, operations);
    }
  }();
  std::string const where = "seed " + std::to_string(seed) + ", " + std::string(Family::info.name) + ", " +
                            std::to_string(8 * sizeof(Key)) + " bits: ";
  return {checked.fault.empty() ? "" : where + checked.fault, checked.operations};
}

template <TableFamily Family, class Key>
void add_width(Played& played)
{
  played.calls.push_back(play_calls<Family, Key>);
  played.memory.push_back(play_short_of_memory<Family, Key>);
  played.threads.push_back(play_threads<Family, Key, true>);
  if constexpr (HasConcurrentOperations<Family>) { played.unpromised.push_back(play_threads<Family, Key, false>); }
}

template <TableFamily Family>
Played played_by()
{
  Played played{Family::info.name};
  add_width<Family, std::uint32_t>(played);
  if constexpr (Family::info.wide) { add_width<Family, std::uint64_t>(played); }
  return played;
}

}  // namespace slotscape::histories
