#include "app/tuning/workload.hpp"

#include "app/bench/lists.hpp"
#include "app/keys/file_keys.hpp"
#include "app/keys/keys_json.hpp"
#include "app/simulation/families.hpp"
#include "app/simulation/mix.hpp"
#include "app/simulation/names.hpp"
#include "gpu/tables/validation.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <utility>

namespace slotscape {

template <>
std::span<Setting<tuning::Present> const> settings_of()
{
  using Present = tuning::Present;
  static auto const settings = std::to_array<Setting<Present>>({
      other_setting<Present>("as in [scenarios](../scenarios.md#table); its slots follow from the keys",
                             {"table", [](JsonNode const& node, Present& present) { present.table = read_table(node); },
                              [](Present const& present, std::filesystem::path const&) {
                                return table_json(present.table);
                              }},
                             "`linear_probing`"),
      number_setting(
          {.name = "load", .label = "Load α", .what = "keys / slots", .hint = "Keys / slots, once the table is full."},
          &Present::load, min_measured_load, max_measured_load),
      saved_only_if([](Present const& present) { return !present.unlike.empty(); },
                    other_setting<Present>(
                        "what your own table has and this one does not, of `hash`, `crowded_hash` (one under which the "
                        "keys crowd), `probing` and `deletion`; this one then only stands for yours",
                        {"unlike",
                         [](JsonNode const& node, Present& present) {
                           present.unlike.clear();
                           for (JsonNode const& each : node.elements()) {
                             present.unlike.push_back(each.one_of<Unlike>("difference"));
                           }
                         },
                         [](Present const& present, std::filesystem::path const&) {
                           Json list = Json::array();
                           for (Unlike const each : present.unlike) { list.push_back(to_text(each)); }
                           return list;
                         }},
                        "`[]`")),
  });
  return settings;
}

namespace {

using tuning::Workload;

/// Excludes a setting from joins, which build a table once and probe it.
Setting<Workload> not_in_joins(Setting<Workload> setting)
{
  setting.field.read = [read = setting.field.read](JsonNode const& node, Workload& workload) {
    if (workload.join) { node.fail("it cannot be combined with 'join', which builds a table once and probes it"); }
    read(node, workload);
  };
  setting.field.write = [write = setting.field.write](Workload const& workload, std::filesystem::path const& folder) {
    return workload.join ? Json() : write(workload, folder);
  };
  return setting;
}

Setting<Workload> keys_setting()
{
  return {{.name = "keys",
           .label = "Keys",
           .what = "where keys come from, as in [scenarios](../scenarios.md#keys): a pattern such as `\"zipf\"`, or a "
                   "file",
           .hint = "What the keys look like: a pattern, or your own file."},
          {},
          {"keys",
           [](JsonNode const& node, Workload& workload) {
             workload.source = read_key_settings(node, workload.source);
             if (workload.source.distribution == KeyDistribution::file) { workload.keys = 0; }
             workload.key_bits = std::max(workload.key_bits, key_bits_for(workload.source));
           },
           [](Workload const& workload, std::filesystem::path const& folder) {
             return key_settings_json(workload.source, KeySettings{}, folder);
           }}};
}

Setting<Workload> join_setting()
{
  return {{.name = "join",
           .label = "A join of two columns",
           .what = "a join instead of operations: [below](#joins)",
           .hint = "The keys are the build side, which goes into the table once; then each row of the probe side is "
                   "looked up, and the rows of the result are written."},
          {},
          {"join",
           [](JsonNode const& node, Workload& workload) {
             workload.join.emplace();
             read_fields(node, *workload.join);
             if (workload.join->probes_file()) {
               workload.key_bits = std::max(workload.key_bits, key_bits_for(workload.join->probe));
             }
           },
           [](Workload const& workload, std::filesystem::path const& folder) {
             return workload.join ? object_of_fields(folder, *workload.join) : Json();
           }}};
}

Setting<Workload> growth_setting()
{
  constexpr double max_growth = 1000.0;
  return number_setting(
      {.name = "growth",
       .label = "Growth",
       .what = "by what factor the number of keys may grow",
       .hint = "The table must later hold this many times as many keys; it is measured at that size.",
       .note = "tables of that size are measured or, where a file has too few keys for them, smaller ones at the load "
               "that they will have: where numbers of slots are powers of two, with only some of the keys. Load, bytes "
               "a key and speed are always those of the table that was measured; the answer names the slots of the "
               "whole one, too"},
      &Workload::growth, 1.0, max_growth, Scale::log);
}

Setting<Workload> share_setting(std::string_view name, std::string_view label, std::string_view what,
                                std::string_view hint, double Workload::*share)
{
  return not_in_joins(number_setting({.name = name,
                                      .label = label,
                                      .what = what,
                                      .hint = hint,
                                      .note = "shares need not add up to 1; beside one that is given, those that are "
                                              "not are 0"},
                                     share, 0.0, max_share));
}

Setting<Workload> batch_setting()
{
  return whole_setting({.name = "batch",
                        .label = "Batch",
                        .what = "operations submitted together",
                        .hint = "Operations submitted together. At the right end: all of them.",
                        .note = "0: as many as there are"},
                       &Workload::batch, 0, max_slots, Scale::log);
}

Setting<Workload> bytes_setting()
{
  constexpr double max_bytes = 1e6;
  return number_setting(
      {.name = "most_bytes",
       .label = "Bytes",
       .what = "of memory a key, within which the fastest table is chosen",
       .argument = "BYTES",
       .hint = "The most memory per key that the table may take. The answer is the fastest table within this limit.",
       .note = "0: any. Then the knee of the frontier is chosen: the table with the most throughput a byte"},
      &Workload::max_bytes, 0.0, max_bytes, Scale::log);
}

Setting<Workload> present_setting()
{
  Setting<Workload> setting{
      {.name = "present",
       .label = "Compare with it",
       .what = "the table that is in use, to be compared with:",
       .hint = "Measures the table already in use, too; the answer says how much a change would gain."},
      {},
      {"present",
       [](JsonNode const& node, Workload& workload) {
         workload.present.emplace();
         read_fields(node, *workload.present);
       },
       [](Workload const& workload, std::filesystem::path const& folder) {
         return workload.present ? object_of_fields(folder, *workload.present) : Json();
       }}};
  setting.rows = rows_of<tuning::Present>();
  return setting;
}

std::vector<Setting<Workload>> settings_of_operations()
{
  return {
      not_in_joins(flag_setting(
          {.name = "values",
           .label = "Keys have values",
           .what = "whether keys have some",
           .hint = "Without values, sets are measured: they take half the memory. Families without sets are left out.",
           .note = "without, sets are measured, at half the memory, and families that have none "
                   "are left out"},
          &Workload::values)),
      not_in_joins(choice_setting({.name = "combine",
                                   .label = "Repeats",
                                   .what = "what inserting a key that is there makes of its value",
                                   .hint = "How inserting a present key changes its value."},
                                  &Workload::combine, "way to combine values")),
      share_setting("insert", "Insertions", "share of insertions", "The share of insertions among all operations.",
                    &Workload::insert),
      share_setting("hit", "Hits", "share of lookups of keys that are there",
                    "The share of lookups of keys that are there.", &Workload::hit),
      share_setting("miss", "Misses", "share of lookups of keys that are not there",
                    "The share of lookups of keys that are not there.", &Workload::miss),
      share_setting("erase", "Erasures", "share of erasures",
                    "The share of erasures. With as many insertions, keys come and go and the load stays.",
                    &Workload::erase),
      not_in_joins(batch_setting()),
      not_in_joins(flag_setting({.name = "at_once",
                                 .label = "All kinds at once",
                                 .what = "operations of different kinds run together",
                                 .hint = "Operations of different kinds run together, in one batch. Tables that cannot "
                                         "do that are left out, and the mix is timed as a whole.",
                                 .note = "tables that cannot do that are left out"},
                                &Workload::at_once)),
  };
}

/// The number of keys is read after the source, because it limits the keys of a file; the join before the settings that
/// it excludes.
std::vector<Setting<Workload>> make_settings()
{
  std::vector<Setting<Workload>> settings{
      {{.name = "name", .label = "Name", .what = "what it is called"},
       {},
       field(
           "name", &Workload::name, [](JsonNode const& node) { return node.text(); },
           [](std::string const& name) { return name; })},
      keys_setting(),
      whole_setting({.name = "count",
                     .label = "Number",
                     .what = "insertions that fill the table",
                     .hint = "Insertions that fill the table now. Ctrl+click to type a number.",
                     .note = "of a file, all its keys if it is not given"},
                    &Workload::keys, 0, max_slots, Scale::log),
      join_setting(),
      not_in_joins(growth_setting()),
      listed_setting({.name = "key_bits",
                      .label = "Key bits",
                      .what = "of keys and of values",
                      .hint = "Width of keys and of values.",
                      .note = "if it is not given, as the keys of a file need"},
                     &Workload::key_bits, key_widths),
  };
  std::ranges::move(settings_of_operations(), std::back_inserter(settings));
  settings.push_back(bytes_setting());
  for (Setting<tuning::Division> const& setting : settings_of<tuning::Division>()) {
    settings.push_back(not_in_joins(setting_of_part<Workload>(
        setting, [](auto& workload) -> auto& { return workload.division; })));
  }
  settings.push_back(present_setting());
  return settings;
}

}  // namespace

template <>
std::span<Setting<tuning::Workload> const> settings_of()
{
  static std::vector<Setting<Workload>> const settings = make_settings();
  return settings;
}

}  // namespace slotscape
