#include "gpu/engine/parts.hpp"

#include "gpu/engine/engine.hpp"
#include "gpu/engine/families.hpp"

#include <algorithm>

namespace slotscape {

TableParts parts_of(TableSettings const& settings)
{
  FamilyInfo const* const info = &family_info(settings.family);
  return std::ranges::find(family_entries(), info, &FamilyEntry::info)->parts(settings);
}

}  // namespace slotscape
