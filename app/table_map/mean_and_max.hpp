#pragma once

#include "app/base/text.hpp"
#include "gpu/analysis/statistics.hpp"
#include "gpu/base/translation.hpp"

#include <fmt/format.h>

#include <string>

namespace slotscape {

/// Formats mean and maximum: "1.48 / 20".
inline std::string mean_and_max(Distribution const& distribution)
{
  if (distribution.count == 0) { return "–"; }
  return fmt::format("{:.2f} / {}", halves_up(distribution.mean), grouped(distribution.max));
}

/// For example "α 0.50 · 1.50 accesses/hit". Without keys, there are no accesses to report.
inline std::string load_and_accesses(Statistics const& statistics)
{
  if (statistics.hit_accesses.count == 0) { return fmt::format("α {:.2f}", statistics.load_factor()); }
  return tr("α {:.2f} · {:.2f} accesses/hit", statistics.load_factor(), statistics.hit_accesses.mean);
}

}  // namespace slotscape
