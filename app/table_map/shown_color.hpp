#pragma once

#include "gpu/analysis/picture.hpp"
#include "gpu/tables/family.hpp"

namespace slotscape {

/// The requested colouring for the map of a read-only table if its family supports it; otherwise colouring by measure.
inline ColorBy shown_color(ColorBy wanted, FamilyInfo const& family)
{
  bool const there = wanted == ColorBy::state || (wanted == ColorBy::cluster_length && family.clusters);
  return there ? wanted : ColorBy::probe_length;
}

}  // namespace slotscape
