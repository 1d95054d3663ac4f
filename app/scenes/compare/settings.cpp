#include "app/scenes/compare/settings.hpp"

#include "app/scenario/names.hpp"
#include "app/simulation/tables.hpp"

#include <algorithm>

namespace slotscape {
namespace {

TableSettings with_slots_of(TableSettings settings, TableSettings const& like)
{
  settings.slots = allowed_slots(family_info(settings.family), like.slots);
  return settings;
}

/// What could stand beside `like`, the most telling first: the other deletion, other families, other hashes.
std::vector<TableSettings> variants(TableSettings const& like)
{
  std::vector<TableSettings> result;
  FamilyInfo const& info = family_info(like.family);
  for (EnumName<Deletion> const& name : enum_names<Deletion>()) {
    if (!info.deletes_two_ways) { break; }
    result.push_back(like);
    result.back().deletion = name.value;
  }
  for (std::string const& family : family_names()) {
    TableSettings const other{
        .family = family, .slots = like.slots, .deletion = like.deletion, .hash = like.hash, .key_bits = like.key_bits};
    bool const fits = family_info(family).wide || like.key_bits == 32;
    if (family != like.family && fits) { result.push_back(with_slots_of(other, like)); }
  }
  for (EnumName<HashKind> const& name : enum_names<HashKind>()) {
    if (!info.uses_hash) { break; }
    result.push_back(like);
    result.back().hash = name.value;
  }
  return result;
}

}  // namespace

TableSettings another_table(TableSettings const& like, std::vector<TableSettings> const& tables)
{
  for (TableSettings const& variant : variants(like)) {
    if (std::ranges::find(tables, variant) == tables.end()) { return variant; }
  }
  return like;
}

std::vector<TableSettings> compared_with(TableSettings const& first, std::vector<TableSettings> const& before)
{
  std::vector<TableSettings> tables{first};
  for (std::size_t i = 1; i < before.size(); ++i) {
    TableSettings const other = with_slots_of(before[i], first);
    if (std::ranges::find(tables, other) == tables.end()) { tables.push_back(other); }
  }
  while (tables.size() < fewest_compared) { tables.push_back(another_table(first, tables)); }
  return tables;
}

}  // namespace slotscape
