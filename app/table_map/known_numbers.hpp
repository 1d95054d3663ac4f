#pragma once

#include "app/base/json.hpp"
#include "gpu/analysis/statistics.hpp"

#include <cstdint>
#include <optional>

namespace slotscape {

/// The number, or null if it is unknown because nothing was measured.
template <class Number>
Json json_or_null(std::optional<Number> const& number)
{
  return number ? Json(*number) : Json();
}

/// The mean of a distribution; nothing if it is empty.
inline std::optional<double> known_mean(Distribution const& distribution)
{
  return distribution.count == 0 ? std::nullopt : std::optional(distribution.mean);
}
inline std::optional<std::uint64_t> known_max(Distribution const& distribution)
{
  return distribution.count == 0 ? std::nullopt : std::optional(distribution.max);
}

/// The mean and the maximum of a distribution.
inline Json summary_json(Distribution const& of)
{
  return {{"mean", json_or_null(known_mean(of))}, {"max", json_or_null(known_max(of))}};
}

}  // namespace slotscape
