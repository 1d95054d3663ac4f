#pragma once

#include "app/base/text.hpp"
#include "gpu/analysis/statistics.hpp"

#include <fmt/format.h>

#include <string>

namespace slotscape {

/// "1.48 / 20"
inline std::string mean_and_max(Distribution const& distribution)
{
  if (distribution.count == 0) { return "–"; }
  return fmt::format("{:.2f} / {}", halves_up(distribution.mean), grouped(distribution.max));
}

}  // namespace slotscape
