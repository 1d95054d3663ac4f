#pragma once

#include "app/scenes/compare/scene.hpp"

#include <vector>

namespace slotscape::test {

inline TableSettings table_of(Deletion deletion, HashKind hash = HashKind::murmur3)
{
  return {.slots = 1024, .deletion = deletion, .hash = hash};
}

/// Up to four that differ in how they delete, and in their hash.
inline std::vector<TableSettings> tables(std::size_t count)
{
  std::vector<TableSettings> const all{table_of(Deletion::empty_value), table_of(Deletion::tombstone_reuse),
                                       table_of(Deletion::tombstone_reuse, HashKind::xxhash),
                                       table_of(Deletion::tombstone_reuse, HashKind::identity)};
  return {all.begin(), all.begin() + static_cast<std::ptrdiff_t>(count)};
}

/// They compared, with some steps.
inline CompareSetup setup_of(std::size_t count)
{
  CompareSetup set_up;
  set_up.tables = tables(count);
  TableSceneSettings& settings = set_up.shared.settings;
  settings.table = set_up.tables.front();
  settings.seed = 17;
  settings.view.color_by = ColorBy::state;
  set_up.shared.steps = {FillTo{0.6}, BatchRequest::erases(200), BatchRequest::inserts(100)};
  return set_up;
}

}  // namespace slotscape::test
