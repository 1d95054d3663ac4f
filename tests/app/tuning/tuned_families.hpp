#pragma once

#include "gpu/engine/engine.hpp"

#include <algorithm>
#include <cstddef>
#include <string>

namespace slotscape::tuning {

/// Whether `tune` considers the family: tables of chains are not tuned yet.
inline bool is_tuned(std::string const& family)
{
  return family_info(family).places_by.empty();
}

inline std::size_t tuned_families()
{
  return static_cast<std::size_t>(std::ranges::count_if(family_names(), is_tuned));
}

}  // namespace slotscape::tuning
