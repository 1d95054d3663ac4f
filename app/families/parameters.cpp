#include "app/families/parameters.hpp"

#include "app/families/slot_counts.hpp"

namespace slotscape {

void set_parameter(TableSettings& table, Parameter const& parameter, std::uint32_t value)
{
  std::string const name(parameter.name);
  if (value == parameter.fallback) {
    table.parameters.erase(name);
  } else {
    table.parameters[name] = value;
  }
}

TableSettings with_family(TableSettings table, FamilyInfo const& family)
{
  table.family = family.name;
  table.parameters.clear();
  table.slots = suitable_slots(family.slot_counts, table.slots);
  if (!family.wide) { table.key_bits = 32; }
  return table;
}

}  // namespace slotscape
