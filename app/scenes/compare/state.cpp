#include "app/scenes/compare/state.hpp"

#include "app/base/text.hpp"
#include "app/simulation/families.hpp"
#include "app/simulation/names.hpp"
#include "app/simulation/tables.hpp"
#include "app/table_scene/setup.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <map>

namespace slotscape {
namespace {

/// Candidates to compare with `like`, the most telling first: other families, the other deletion mode, other hashes.
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
    bool const fits = family_info(family).wide || like.key_bits == 32;
    if (family != like.family && fits) { result.push_back(other); }
  }
  for (EnumName<Deletion> const& name : enum_names<Deletion>()) {
    if (!info.deletes_two_ways || like.keys_only) { break; }
    result.push_back(like);
    result.back().deletion = name.value;
  }
  for (EnumName<HashKind> const& name : enum_names<HashKind>()) {
    if (!info.uses_hash) { break; }
    result.push_back(like);
    result.back().hash = name.value;
  }
  return result;
}

/// The settings that the table's family uses, by name, as text.
std::map<std::string, std::string> settings_in_words(TableSettings const& table)
{
  FamilyInfo const& info = family_info(table.family);
  std::map<std::string, std::string> words;
  if (info.deletes_two_ways && !table.keys_only) { words["deletion"] = to_label(table.deletion); }
  if (info.uses_hash) { words["hash"] = fmt::format("hash: {}", to_label(table.hash)); }
  if (info.wide) { words["key_bits"] = fmt::format("{}-bit keys", table.key_bits); }
  if (!table.keys_only) { words["combine"] = to_label(table.combine); }
  if (info.keys_alone) { words["values"] = table.keys_only ? "a set" : "with values"; }
  words["shards"] = table.shards == 1 ? "not sharded" : fmt::format("{} shards", table.shards);
  words["slots"] = grouped(table.slots) + " slots";
  for (Parameter const& parameter : info.parameters) {
    std::string const name(parameter.name);
    words[name] = parameter_text(parameter, parameter_of(info, table, parameter.name));
  }
  return words;
}

/// Whether they differ in nothing that their family uses.
bool are_alike(TableSettings const& left, TableSettings const& right)
{
  return left.family == right.family && settings_in_words(left) == settings_in_words(right);
}

std::vector<TableSettings> read_tables(JsonNode const& root)
{
  std::vector<TableSettings> tables;
  auto const list = root.find("tables");
  if (!list) { return tables; }
  if (root.find("table")) {
    list->fail("there is also a 'table'; a scenario has either one 'table' or 'tables' to compare");
  }
  for (JsonNode const& table : list->elements()) { tables.push_back(read_table(table)); }
  if (tables.size() < min_compared || tables.size() > max_compared) {
    list->fail(fmt::format("it must be a list of {} to {} tables to compare, not {}", min_compared, max_compared,
                           tables.size()));
  }
  auto const other_width = std::ranges::find_if(tables, [&](TableSettings const& table) {
    return table.key_bits != tables.front().key_bits;
  });
  if (other_width != tables.end()) {
    list->fail(
        "the tables have different 'key_bits', so they cannot hold the same keys; use the same 'key_bits' for all");
  }
  return tables;
}

}  // namespace

CompareSetup read_compare_setup(JsonNode const& node)
{
  std::vector<TableSettings> tables = node.is_object() ? read_tables(node) : std::vector<TableSettings>{};
  TableSetup shared = read_table_setup(node, tables);
  return {std::move(tables), std::move(shared)};
}

Json compare_setup_json(CompareSetup const& set_up, std::filesystem::path const& folder)
{
  Json json;
  json["tables"] = Json::array();
  for (TableSettings const& table : set_up.tables) { json["tables"].push_back(table_json(table)); }
  json.update(table_setup_json(set_up.shared, folder));
  json.erase("table");
  return json;
}

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
  for (ComparedTable const& table : tables) { asked.push_back(asked_of(table.slots)); }
  return asked;
}

RoomWarning room_warning_of(std::vector<ComparedTable> const& tables)
{
  for (auto const is_short : {is_without_room, static_cast<bool (*)(TableState const&)>(is_choking)}) {
    std::vector<std::string> numbers;
    std::optional<std::size_t> first;
    for (std::size_t i = 0; i < tables.size(); ++i) {
      if (!is_short(tables[i].slots)) { continue; }
      numbers.push_back(std::to_string(i + 1));
      if (!first) { first = i; }
    }
    if (!first) { continue; }
    RoomWarning warning = room_warning(tables[*first].slots,
                                       fmt::format("{} {}", numbers.size() == 1 ? "table" : "tables", listed(numbers)));
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

std::string title_of(TableSettings const& table)
{
  return std::string(family_info(table.family).title);
}

std::string distinction_of(std::size_t table, std::vector<TableSettings> const& tables)
{
  std::vector<std::string> different;
  for (auto const& [name, words] : settings_in_words(tables[table])) {
    // A table without tombstones or with a hash of its own deletes and hashes in another way. All keys are equally
    // wide.
    bool const matters_alone = name == "deletion" || name == "hash";
    bool const differs = std::ranges::any_of(tables, [&, &name = name, &words = words](TableSettings const& other) {
      auto const theirs = settings_in_words(other);
      auto const same_setting = theirs.find(name);
      return same_setting == theirs.end() ? matters_alone : same_setting->second != words;
    });
    if (differs) { different.push_back(words); }
  }
  return fmt::format("{}", fmt::join(different, ", "));
}

std::string homes_that_differ(KeyDistribution distribution, std::vector<TableSettings> const& tables)
{
  auto const all_have = [&](auto setting) {
    return std::ranges::all_of(tables, [&](auto const& table) { return table.*setting == tables.front().*setting; });
  };
  bool const alike = all_have(&TableSettings::slots) && all_have(&TableSettings::hash);
  if (distribution != KeyDistribution::one_home || alike) { return {}; }
  return "These keys share a home slot in the first table, and in others only if hash and number of slots are the "
         "same.";
}

Statistics extremes_of(std::vector<ComparedTable> const& tables)
{
  Statistics extremes = tables.front().slots.statistics;
  for (ComparedTable const& table : tables) {
    Statistics const& statistics = table.slots.statistics;
    extremes.tombstones = std::max(extremes.tombstones, statistics.tombstones);
    extremes.probe_length.max = std::max(extremes.probe_length.max, statistics.probe_length.max);
    extremes.clusters.max = std::max(extremes.clusters.max, statistics.clusters.max);
  }
  return extremes;
}

}  // namespace slotscape
