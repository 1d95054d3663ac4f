#include "gpu/engine/parts.hpp"

#include "gpu/engine/engine.hpp"
#include "gpu/engine/families.hpp"
#include "gpu/tables/shards.hpp"

#include <algorithm>

namespace slotscape {

TableParts parts_of(TableSettings const& settings)
{
  if (settings.shards != 1) { return parts_of_shards(settings); }
  FamilyInfo const* const info = &family_info(settings.family);
  return std::ranges::find(family_entries(), info, &FamilyEntry::info)->parts(settings);
}

}  // namespace slotscape
