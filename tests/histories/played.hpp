#pragma once

#include "tests/library/replay.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace slotscape::histories {

/// The histories of a family: of each width, what is wrong with one of them, cut down; or nothing.
struct Played {
  using OneSeed = std::string (*)(std::uint64_t seed, std::uint64_t steps, std::uint64_t most_keys);
  std::string_view family;
  std::vector<OneSeed> widths;
};

template <TableFamily Family, class Key>
std::string play_seed(std::uint64_t seed, std::uint64_t steps, std::uint64_t most_keys)
{
  return first_wrong<Family, Key>(seed, 1, steps, most_keys);
}

template <TableFamily Family>
Played played_by()
{
  Played played{Family::info.name, {play_seed<Family, std::uint32_t>}};
  if constexpr (Family::info.wide) { played.widths.push_back(play_seed<Family, std::uint64_t>); }
  return played;
}

}  // namespace slotscape::histories
