#include "app/scenes/compare/state.hpp"

#include "app/scenario/names.hpp"
#include "app/widgets/format.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <map>

namespace slotscape {
namespace {

std::string choice_text(Parameter const& parameter, std::uint32_t value)
{
  auto const found = std::ranges::find(parameter.choices, value);
  auto const index = static_cast<std::size_t>(found - parameter.choices.begin());
  if (index < parameter.choice_names.size()) { return std::string(parameter.choice_names[index]); }
  return fmt::format("{} {}", parameter.title, value);
}

/// By name, each setting that counts for the table's family, in words.
std::map<std::string, std::string> settings_in_words(TableSettings const& table)
{
  FamilyInfo const& info = family_info(table.family);
  std::map<std::string, std::string> words;
  if (info.deletes_two_ways) { words["deletion"] = to_label(table.deletion); }
  if (info.uses_hash) { words["hash"] = to_text(table.hash); }
  if (info.wide) { words["key_bits"] = fmt::format("{}-bit keys", table.key_bits); }
  words["slots"] = grouped(table.slots) + " slots";
  for (Parameter const& parameter : info.parameters) {
    std::string const name(parameter.name);
    words[name] = choice_text(parameter, parameter_of(info, table, parameter.name));
  }
  return words;
}

}  // namespace

std::vector<TableSettings> settings_of(std::vector<ComparedTable> const& tables)
{
  std::vector<TableSettings> settings;
  for (ComparedTable const& table : tables) { settings.push_back(table.slots.settings.table); }
  return settings;
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
  constexpr std::array<ImU32, most_compared> colors{IM_COL32(0x56, 0xb4, 0xe9, 0xff), IM_COL32(0xf0, 0xa8, 0x30, 0xff),
                                                    IM_COL32(0x1f, 0xc0, 0x8f, 0xff), IM_COL32(0xe0, 0x86, 0xb8, 0xff)};
  return colors[table % colors.size()];
}

std::string title_of(TableSettings const& table)
{
  return std::string(family_info(table.family).title);
}

std::string distinction_of(std::size_t table, std::vector<TableSettings> const& tables)
{
  std::vector<std::string> different;
  for (auto const& [name, words] : settings_in_words(tables[table])) {
    bool const differs = std::ranges::any_of(tables, [&](TableSettings const& other) {
      auto const theirs = settings_in_words(other);
      auto const same_setting = theirs.find(name);
      return same_setting != theirs.end() && same_setting->second != words;
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
  return "These keys share a home in the first table, and in others only with its hash and as many slots.";
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
