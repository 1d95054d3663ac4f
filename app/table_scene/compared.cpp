#include "app/table_scene/compared.hpp"

#include "app/base/text.hpp"
#include "app/simulation/families.hpp"
#include "app/simulation/hash_choice.hpp"
#include "app/simulation/names.hpp"
#include "gpu/base/translation.hpp"
#include "gpu/engine/engine.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

namespace slotscape {
namespace {

std::vector<TableSettings> read_tables(JsonNode const& list)
{
  std::vector<TableSettings> tables;
  for (JsonNode const& table : list.elements()) { tables.push_back(read_table(table)); }
  if (tables.size() < min_compared || tables.size() > max_compared) {
    list.fail(tr("it must be a list of {} to {} tables to compare, not {}", min_compared, max_compared, tables.size()));
  }
  auto const other_width = std::ranges::find_if(tables, [&](TableSettings const& table) {
    return table.key_bits != tables.front().key_bits;
  });
  if (other_width != tables.end()) {
    list.fail(
        "the tables have different 'key_bits', so they cannot hold the same keys; use the same 'key_bits' for all");
  }
  return tables;
}

Json tables_json(std::vector<TableSettings> const& tables)
{
  Json json = Json::array();
  for (TableSettings const& table : tables) { json.push_back(table_json(table)); }
  return json;
}

std::string const& what_tables_are()
{
  static std::string const text =
      fmt::format("{} to {} [tables](#tables) to compare, instead of `table`: a list", min_compared, max_compared);
  return text;
}

}  // namespace

template <>
std::span<Setting<CompareSetup> const> settings_of()
{
  static auto const settings = std::to_array<Setting<CompareSetup>>(
      {other_setting(what_tables_are(), field("tables", &CompareSetup::tables, read_tables, tables_json), "none")});
  return settings;
}

CompareSetup read_compare_setup(JsonNode const& node)
{
  CompareSetup set_up;
  if (node.is_object()) {
    auto const list = node.find("tables");
    if (list && node.find("table")) {
      list->fail("there is also a 'table'; a scenario has either one 'table' or 'tables' to compare");
    }
    read_known_fields(node, fields_of<CompareSetup>(), set_up);
  }
  set_up.shared = read_table_setup(node, set_up.tables);
  return set_up;
}

Json compare_setup_json(CompareSetup const& set_up, std::filesystem::path const& folder)
{
  Json json = object_of_fields(folder, set_up);
  json.update(table_setup_json(set_up.shared, folder));
  json.erase("table");
  return json;
}

std::map<std::string, std::string> settings_in_words(TableSettings const& table)
{
  FamilyInfo const& info = family_info(table.family);
  std::map<std::string, std::string> words;
  if (!ways_to_erase(info, table).empty()) { words["deletion"] = translated(to_label(table.deletion)); }
  if (info.uses_hash) { words["hash"] = tr("hash: {}", words_of(table.hash)); }
  if (info.wide) { words["key_bits"] = tr("{}-bit keys", table.key_bits); }
  if (!table.keys_only) { words["combine"] = translated(to_label(table.combine)); }
  if (info.keys_alone) { words["values"] = table.keys_only ? tr("a set") : tr("with values"); }
  words["shards"] = table.shards == 1 ? tr("not sharded") : tr("{} shards", table.shards);
  words["slots"] = tr_plural("{} slot", "{} slots", table.slots, grouped(table.slots));
  for (Parameter const& parameter : info.parameters) {
    std::string const name(parameter.name);
    words[name] = parameter_text(parameter, parameter_of(info, table, parameter.name));
  }
  return words;
}

std::string title_of(TableSettings const& table)
{
  return translated(family_info(table.family).title);
}

std::string distinction_of(std::size_t table, std::vector<TableSettings> const& tables)
{
  std::vector<std::string> different;
  TableSettings usual = tables[table];
  usual.parameters.clear();
  auto const usual_words = settings_in_words(usual);
  for (auto const& [name, words] : settings_in_words(tables[table])) {
    // Compared with a table without tombstones or with its own hash, deletion and hash are differences. A parameter
    // that other tables lack matters only if it is not the default. All keys have the same width.
    bool const matters_alone = name == "deletion" || name == "hash" || words != usual_words.at(name);
    bool const differs = std::ranges::any_of(tables, [&, &name = name, &words = words](TableSettings const& other) {
      auto const theirs = settings_in_words(other);
      auto const same_setting = theirs.find(name);
      return same_setting == theirs.end() ? matters_alone : same_setting->second != words;
    });
    if (differs) { different.push_back(words); }
  }
  return fmt::format("{}", fmt::join(different, ", "));
}

std::string subtitle_of(std::size_t table, std::vector<TableSettings> const& tables)
{
  std::string subtitle = distinction_of(table, tables);
  auto const words = settings_in_words(tables[table]);
  auto const hash = words.find("hash");
  if (hash == words.end() || subtitle.find(hash->second) != std::string::npos) { return subtitle; }
  return subtitle.empty() ? hash->second : fmt::format("{}, {}", subtitle, hash->second);
}

}  // namespace slotscape
