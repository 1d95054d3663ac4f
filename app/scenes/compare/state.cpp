#include "app/scenes/compare/state.hpp"

#include "app/base/text.hpp"
#include "app/simulation/families.hpp"
#include "app/simulation/names.hpp"
#include "app/simulation/tables.hpp"
#include "app/widgets/theme.hpp"
#include "gpu/base/translation.hpp"

#include <algorithm>
#include <array>
#include <iterator>

namespace slotscape {
namespace {

/// Candidates to compare with `like`, the most instructive first: other families, the other deletion mode, other
/// hashes.
std::vector<TableSettings> variants(TableSettings const& like)
{
  std::vector<TableSettings> result;
  FamilyInfo const& info = family_info(like.family);
  std::vector<std::string> families{"robin_hood", "cuckoo", "linear_probing"};
  std::ranges::copy_if(family_names(), std::back_inserter(families), [&](std::string const& family) {
    return std::ranges::find(families, family) == families.end();
  });
  for (std::string const& family : families) {
    TableSettings other = like;
    other.family = family;
    other.parameters.clear();
    if (!family_info(family).keys_alone) { other.keys_only = false; }
    fit_deletion(other, family_info(family));
    bool const fits = family_info(family).wide || like.key_bits == 32;
    if (family != like.family && fits) { result.push_back(other); }
  }
  for (Deletion const way : ways_to_erase(info, like)) {
    result.push_back(like);
    result.back().deletion = way;
  }
  for (HashKind const kind : compiled_in_hashes) {
    if (!info.uses_hash) { break; }
    result.push_back(like);
    result.back().hash = kind;
  }
  return result;
}

/// Whether two tables differ only in settings that their family does not use.
bool are_alike(TableSettings const& left, TableSettings const& right)
{
  return left.family == right.family && settings_in_words(left) == settings_in_words(right);
}

}  // namespace

TableSettings another_table(TableSettings const& like, std::vector<TableSettings> const& tables)
{
  for (TableSettings const& variant : variants(like)) {
    auto const same = [&](TableSettings const& table) { return are_alike(table, variant); };
    if (std::ranges::none_of(tables, same)) { return variant; }
  }
  return like;
}

std::vector<TableSettings> compared_with(TableSettings const& first, std::vector<TableSettings> const& before)
{
  std::vector<TableSettings> tables{first};
  auto const add = [&](TableSettings other) {
    FamilyInfo const& family = family_info(other.family);
    bool const fits = family.wide || first.key_bits == 32;
    other.key_bits = first.key_bits;
    auto const follow = [&](auto setting) {
      if (other.*setting == before.front().*setting) { other.*setting = first.*setting; }
    };
    follow(&TableSettings::hash);
    follow(&TableSettings::deletion);
    follow(&TableSettings::combine);
    follow(&TableSettings::keys_only);
    follow(&TableSettings::shards);
    follow(&TableSettings::keys_start);
    follow(&TableSettings::devices);
    follow(&TableSettings::memory);
    set_values(other, !(other.keys_only && family.keys_alone));
    other.slots = first.slots;
    auto const same = [&](TableSettings const& table) { return are_alike(table, other); };
    if (fits && std::ranges::none_of(tables, same)) { tables.push_back(other); }
  };
  for (std::size_t i = 1; i < before.size(); ++i) {
    bool const varies_first = before[i].family == before.front().family;
    if (before[i].family != first.family || varies_first) { add(before[i]); }
  }
  if (tables.size() < min_compared && !before.empty() && before.front().family != first.family) { add(before.front()); }
  while (tables.size() < min_compared) { tables.push_back(another_table(first, tables)); }
  return tables;
}

std::vector<TableSettings> settings_of(std::vector<ComparedTable> const& tables)
{
  std::vector<TableSettings> settings;
  settings.reserve(tables.size());
  for (ComparedTable const& table : tables) { settings.push_back(table.slots.settings.table); }
  return settings;
}

std::vector<TableSettings> asked_of(std::vector<ComparedTable> const& tables)
{
  std::vector<TableSettings> asked;
  asked.reserve(tables.size());
  for (ComparedTable const& table : tables) { asked.push_back(asked_of(table.slots)); }
  return asked;
}

RoomWarning room_warning_of(std::vector<ComparedTable> const& tables)
{
  for (auto const is_short : {is_without_room, static_cast<bool (*)(TableState const&)>(is_clogged_by_tombstones)}) {
    std::vector<std::string> numbers;
    std::optional<std::size_t> first;
    for (std::size_t i = 0; i < tables.size(); ++i) {
      if (!is_short(tables[i].slots)) { continue; }
      numbers.push_back(std::to_string(i + 1));
      if (!first) { first = i; }
    }
    if (!first) { continue; }
    std::string const all = listed(numbers, tr("and"));
    RoomWarning warning =
        room_warning(tables[*first].slots, numbers.size() == 1 ? tr("table {}", all) : tr("tables {}", all));
    warning.table = *first;
    return warning;
  }
  return {};
}

StepGroup players_of(CompareState& state)
{
  std::vector<StepPlayer*> players;
  for (ComparedTable& table : state.tables) {
    if (table.slots.steps.player) { players.push_back(&*table.slots.steps.player); }
  }
  return StepGroup{players};
}

ImU32 table_color(std::size_t table)
{
  static_assert(max_compared <= theme::series.size());
  return theme::series[table % max_compared];
}

std::string homes_that_differ(KeyDistribution distribution, std::vector<TableSettings> const& tables)
{
  auto const all_have = [&](auto setting) {
    return std::ranges::all_of(tables, [&](auto const& table) { return table.*setting == tables.front().*setting; });
  };
  bool const alike = all_have(&TableSettings::slots) && all_have(&TableSettings::hash);
  if (distribution != KeyDistribution::one_home || alike) { return {}; }
  return tr(
      "These keys share a home slot in the first table, and in others only if hash and number of slots are the "
      "same.");
}

Statistics extremes_of(std::vector<ComparedTable> const& tables)
{
  Statistics extremes = tables.front().slots.statistics;
  for (ComparedTable const& table : tables) {
    Statistics const& statistics = table.slots.statistics;
    extremes.tombstones = std::max(extremes.tombstones, statistics.tombstones);
    extremes.probe_length.max = std::max(extremes.probe_length.max, statistics.probe_length.max);
    extremes.clusters.max = std::max(extremes.clusters.max, statistics.clusters.max);
    extremes.groups.max = std::max(extremes.groups.max, statistics.groups.max);
  }
  return extremes;
}

}  // namespace slotscape
