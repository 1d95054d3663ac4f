#pragma once

#include "gpu/analysis/picture.hpp"
#include "gpu/tables/family.hpp"

namespace slotscape {

/// The colouring wanted of the map of a table that is only looked at, as far as its family supports it; else by
/// measure.
inline ColorBy shown_color(ColorBy wanted, FamilyInfo const& family)
{
  bool const there = wanted == ColorBy::state || (wanted == ColorBy::cluster_length && family.clusters);
  return there ? wanted : ColorBy::probe_length;
}

}  // namespace slotscape
