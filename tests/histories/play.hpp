#pragma once

#include "tests/histories/played.hpp"
#include "tests/library/recorded.hpp"
#include "tests/library/repeats.hpp"
#include "tests/library/replay.hpp"

namespace slotscape::histories {

/// Mostly short histories of few keys, now and then larger ones: few keys meet more often, many take other ways.
template <class Backend, TableFamily Family, class Key>
Done play_calls(std::uint64_t seed)
{
  constexpr std::uint64_t few = 300;
  constexpr std::uint64_t many = 60'000;
  constexpr std::uint64_t most = std::uint64_t{1} << 21;
  if (seed % 500 == 0) { return {first_wrong<Backend, Family, Key>(seed, 1, 6, most)}; }
  if (seed % 50 == 0) { return {first_wrong<Backend, Family, Key>(seed, 1, 15, many)}; }
  return {first_wrong<Backend, Family, Key>(seed, 1, 60, few)};
}

template <class Backend, TableFamily Family, class Key>
Done play_short_of_memory(std::uint64_t seed)
{
  constexpr std::uint64_t steps = 20;
  constexpr std::uint64_t few = 300;
  constexpr std::uint64_t many = 20'000;
  std::uint64_t const most_keys = seed % 20 == 0 ? many : few;
  History history = random_history(seed, 8 * sizeof(Key), steps, most_keys);
  history.short_of_memory = true;
  Player<Backend, Family, Key> player;
  std::string const wrong = player.play(history);
  if (wrong.empty()) { return {"", 0, player.faults(), player.did_without()}; }
  // Which allocation is refused may depend on what other threads do: it need not come again.
  std::string const again = first_wrong<Backend, Family, Key>(seed, 1, steps, most_keys, true);
  return {again.empty() ? "seed " + std::to_string(seed) + ", not again: " + wrong : again};
}

template <class Backend, TableFamily Family, class Key, bool promised>
Done play_threads(std::uint64_t seed)
{
  constexpr std::uint32_t operations = 6 * Backend::hot_operations;
  Backend backend;
  recorded::Checked const checked = [&] {
    if constexpr (promised) {
      return recorded::check_promised<Backend, Family, Key>(backend, seed, operations);
    } else {
      return recorded::check_everything_at_once<Backend, Family, Key>(backend, seed, operations);
    }
  }();
  std::string const where = "seed " + std::to_string(seed) + ", " + std::string(Family::info.name) + ", " +
                            std::to_string(8 * sizeof(Key)) + " bits: ";
  return {checked.fault.empty() ? "" : where + checked.fault, checked.operations};
}

template <class Backend, TableFamily Family, class Key>
Done play_repeats(std::uint64_t seed)
{
  constexpr std::uint64_t max_keys = 1'000'000;
  Backend backend;
  repeats::Checked const checked = repeats::search<Backend, Family, Key>(backend, seed, max_keys);
  return {checked.fault, checked.operations};
}

template <class Backend, TableFamily Family, class Key>
void add_width(Played& played)
{
  played.calls.push_back(play_calls<Backend, Family, Key>);
  if constexpr (Backend::fails_before_it_begins) {
    played.memory.push_back(play_short_of_memory<Backend, Family, Key>);
  }
  played.threads.push_back(play_threads<Backend, Family, Key, true>);
  played.repeats.push_back(play_repeats<Backend, Family, Key>);
  if constexpr (HasConcurrentOperations<Family>) {
    played.unpromised.push_back(play_threads<Backend, Family, Key, false>);
  }
}

template <class Backend, TableFamily Family>
Played played_by()
{
  Played played{Family::info.name, Backend::why_not};
  add_width<Backend, Family, std::uint32_t>(played);
  if constexpr (Family::info.wide) { add_width<Backend, Family, std::uint64_t>(played); }
  return played;
}

}  // namespace slotscape::histories
