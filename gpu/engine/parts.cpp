#include "gpu/engine/parts.hpp"

#include "gpu/base/translation.hpp"
#include "gpu/engine/engine.hpp"
#include "gpu/engine/families.hpp"
#include "gpu/tables/probe_sequence.hpp"
#include "gpu/tables/shards.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace slotscape {

TableParts parts_of(TableSettings const& settings)
{
  if (settings.shards != 1) { return parts_of_shards(family_info(settings.family), settings); }
  FamilyInfo const* const info = &family_info(settings.family);
  return std::ranges::find(family_entries(), info, &FamilyEntry::info)->parts(settings);
}

SlotArrays SlotArrays::of(TableSettings const& settings)
{
  FamilyInfo const& family = family_info(settings.family);
  if (settings.shards != 1 || !hashes_by_digits(family, settings)) { return {}; }
  if (parameter_of(family, settings, "bucket") != 1) { return {}; }
  return SlotArrays(static_cast<Slot>(parts_of(settings).front().slots));
}

std::string SlotArrays::in_words(Slot slot) const
{
  if (slots_each_ == 0) { return std::to_string(slot); }
  return fmt::format(fmt::runtime(tr_in("slot", "{} in {}")), number(slot), numbered('T', slot / slots_each_ + 1));
}

std::string SlotArrays::measured(std::uint64_t value) const
{
  return slots_each_ == 0 ? std::to_string(value) : numbered('h', static_cast<std::uint32_t>(value) + 1);
}

std::string SlotArrays::function(Slot array) const
{
  std::string const power = array > 1 ? fmt::format("^{}", array) : "";
  std::string const digits = array == 0 ? "k" : fmt::format("(k div {}{})", slots_each_, power);
  return fmt::format("h{}(k) = {} mod {}", array + 1, digits, slots_each_);
}

}  // namespace slotscape
