#pragma once

#include "app/base/enum_names.hpp"

#include <algorithm>
#include <iterator>

namespace slotscape {

/// The next value in display order; after the last, the first.
template <class Enum>
Enum next(Enum value)
{
  auto const names = enum_names<Enum>();
  auto const here = std::ranges::find(names, value, &EnumName<Enum>::value);
  return std::next(here) == names.end() ? names.front().value : std::next(here)->value;
}

}  // namespace slotscape
