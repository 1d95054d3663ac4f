#pragma once

#include "gpu/analysis/picture.hpp"
#include "gpu/tables/family.hpp"

namespace slotscape {

/// Whether the tables of a family have what a colouring shows.
inline bool has_color(ColorBy color, FamilyInfo const& family, TableSettings const& table)
{
  switch (color) {
    case ColorBy::cluster_length: return family.clusters;
    case ColorBy::chain_length: return !family.places_by.empty() && table.shards == 1;
    default: return true;
  }
}

/// The requested colouring for the map of a read-only table if its family supports it; otherwise colouring by measure.
inline ColorBy shown_color(ColorBy wanted, FamilyInfo const& family)
{
  bool const is_there = wanted != ColorBy::recent && has_color(wanted, family, {});
  return is_there ? wanted : ColorBy::probe_length;
}

}  // namespace slotscape
