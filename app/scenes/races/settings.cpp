#include "app/scenes/races/settings.hpp"

#include "app/base/text.hpp"
#include "app/simulation/families.hpp"
#include "app/simulation/names.hpp"
#include "app/table_scene/setup.hpp"
#include "gpu/base/error.hpp"
#include "gpu/base/translation.hpp"
#include "gpu/engine/engine.hpp"
#include "gpu/races/history.hpp"
#include "gpu/races/published.hpp"

#include <algorithm>
#include <array>
#include <limits>

namespace slotscape {

namespace fs = std::filesystem;

using races::Call;
using races::MemoryModel;
using races::RaceSettings;
using races::Schedule;
using races::Turn;

namespace {

template <class Read, class Write>
Field<RacesSettings> race_field(std::string_view name, Read read, Write write)
{
  return {name, [=](JsonNode const& node, RacesSettings& settings) { read(node, settings.race); },
          [=](RacesSettings const& settings, fs::path const&) -> Json { return write(settings.race); }};
}

void read_case(JsonNode const& node, RacesSettings& settings)
{
  std::vector<std::string_view> names;
  for (races::Case const& each : races::famous_cases()) { names.push_back(each.name); }
  settings = settings_of(races::famous_cases()[node.one_of(names, "case")]);
}

void read_family(JsonNode const& node, RaceSettings& race)
{
  std::vector<std::string> families = family_names();
  std::erase_if(families, [](std::string const& family) { return !races::can_race(family); });
  std::vector<std::string_view> const names(families.begin(), families.end());
  race.table.family = families[node.one_of(names, "table family that several threads can share")];
  race.table.parameters.clear();
  race.published.clear();
}

void read_published(JsonNode const& node, RaceSettings& race)
{
  std::vector<std::string_view> names;
  for (races::Published const& table : races::published_tables()) { names.push_back(table.info->name); }
  race.published = names[node.one_of(names, "published table")];
}

void read_parameters(JsonNode const& node, RaceSettings& race)
{
  FamilyInfo const& family = family_info(race.table.family);
  std::vector<std::string_view> names;
  for (Parameter const& parameter : family.parameters) { names.push_back(parameter.name); }
  node.expect_fields(names);
  for (Parameter const& parameter : family.parameters) {
    if (auto const found = node.find(parameter.name)) {
      set_parameter(race.table, parameter, found->choice(parameter.choices));
    }
  }
}

Json parameters_json(RaceSettings const& race)
{
  if (race.table.parameters.empty() || !race.published.empty()) { return {}; }
  Json json;
  for (auto const& [name, value] : race.table.parameters) { json[name] = value; }
  return json;
}

Call read_call(JsonNode const& node)
{
  Call call;
  call.operation = node.at("op").one_of<Operation>("operation");
  bool const inserts = call.operation == Operation::insert;
  if (inserts) {
    node.expect_fields({"op", "key", "value", "combine"});
    if (auto const value = node.find("value")) {
      call.value = static_cast<Narrow::Value>(value->whole_number(0, largest_value(32)));
    }
    if (auto const combine = node.find("combine")) { call.combine = combine->one_of<Combine>("way to combine values"); }
  } else {
    node.expect_fields({"op", "key"});
  }
  call.key = static_cast<Narrow::Key>(node.at("key").whole_number(0, largest_key(32)));
  return call;
}

Json call_json(Call const& call)
{
  Json json{{"op", to_text(call.operation)}, {"key", call.key}};
  if (call.operation != Operation::insert) { return json; }
  json["value"] = call.value;
  if (call.combine != Combine::replace) { json["combine"] = to_text(call.combine); }
  return json;
}

Field<RacesSettings> calls_field(std::string_view name, std::vector<Call> RaceSettings::*member, std::size_t least,
                                 std::size_t most)
{
  return race_field(
      name,
      [=](JsonNode const& node, RaceSettings& race) {
        std::vector<JsonNode> const nodes = node.elements();
        if (nodes.size() < least || nodes.size() > most) {
          node.fail(tr("it must have {} to {} operations", least, most));
        }
        (race.*member).clear();
        for (JsonNode const& each : nodes) { (race.*member).push_back(read_call(each)); }
      },
      [=](RaceSettings const& race) {
        Json json = Json::array();
        for (Call const& call : race.*member) { json.push_back(call_json(call)); }
        return json;
      });
}

/// A thread's number; or an object with the number, and which stale writes its load misses or which of its stores
/// arrives.
Turn read_turn(JsonNode const& node)
{
  auto const thread_in = [](JsonNode const& number) {
    return static_cast<std::uint8_t>(number.whole_number(1, races::max_threads) - 1);
  };
  if (!node.is_object()) { return {.thread = thread_in(node)}; }
  node.expect_fields({"thread", "stale", "arrives"});
  Turn turn{.thread = thread_in(node.at("thread"))};
  constexpr std::uint64_t most = std::numeric_limits<std::uint32_t>::max();
  if (auto const stale = node.find("stale")) { turn.which = static_cast<std::uint32_t>(stale->whole_number(0, most)); }
  if (auto const arrives = node.find("arrives")) {
    turn.kind = Turn::Kind::arrival;
    turn.which = static_cast<std::uint32_t>(arrives->whole_number(0, most));
  }
  return turn;
}

Json turn_json(Turn const& turn)
{
  int const thread = turn.thread + 1;
  if (turn.kind == Turn::Kind::arrival) { return {{"thread", thread}, {"arrives", turn.which}}; }
  if (turn.which != 0) { return {{"thread", thread}, {"stale", turn.which}}; }
  return thread;
}

Field<RacesSettings> turns_field()
{
  return {"turns",
          [](JsonNode const& node, RacesSettings& settings) {
            std::vector<JsonNode> const nodes = node.elements();
            if (nodes.size() > max_turns) { node.fail(tr("there can be {} turns at most", max_turns)); }
            settings.schedule.clear();
            for (JsonNode const& each : nodes) { settings.schedule.push_back(read_turn(each)); }
            settings.position = settings.schedule.size();
            try {
              races::history_of(races::make_race(settings.race), settings.schedule);
            } catch (Error const& error) {
              node.fail(error.what());
            }
          },
          [](RacesSettings const& settings, fs::path const&) -> Json {
            Json json = Json::array();
            for (Turn const& turn : settings.schedule) { json.push_back(turn_json(turn)); }
            return json;
          }};
}

Field<RacesSettings> position_field()
{
  return {"position",
          [](JsonNode const& node, RacesSettings& settings) {
            settings.position = node.whole_number(0, settings.schedule.size());
          },
          [](RacesSettings const& settings, fs::path const&) -> Json { return settings.position; }};
}

/// Wraps a table setting for the table that the threads share.
Setting<RacesSettings> setting_of_table(std::string_view name)
{
  Setting<RacesSettings> setting = setting_of_part<RacesSettings>(
      setting_named<TableSettings>(name), [](auto& settings) -> auto& { return settings.race.table; });
  setting.text.note = {};
  return setting;
}

Setting<RacesSettings> slots_setting()
{
  static std::vector<std::uint32_t> const choices(races::slot_choices.begin(), races::slot_choices.end());
  return setting_of_part<RacesSettings>(
      listed_setting({.name = "slots"}, &TableSettings::slots, choices, "tables for races are small"),
      [](auto& settings) -> auto& { return settings.race.table; });
}

/// "instead of a family, a table as published: `first_tombstone`, … or `released_key`".
std::string const& what_is_published()
{
  static std::string const text = [] {
    std::vector<std::string> names;
    for (races::Published const& table : races::published_tables()) {
      names.push_back(fmt::format("`{}`", table.info->name));
    }
    return fmt::format("instead of a family, a table as published: {}", listed(names, "or"));
  }();
  return text;
}

std::string const& what_comes_before()
{
  static std::string const text = fmt::format(
      "up to {} operations that come before the threads begin: `op` (`insert`, `find`, `erase`), `key`, and of an "
      "insert `value` and `combine`",
      races::max_before);
  return text;
}

std::string const& what_threads_do()
{
  static std::string const text = fmt::format("1 to {} operations, one for each thread", races::max_threads);
  return text;
}

}  // namespace

template <>
std::span<Setting<RaceSettings> const> settings_of()
{
  static auto const settings = std::to_array<Setting<RaceSettings>>({
      choice_setting({.name = "memory",
                      .label = "Memory",
                      .what = "what threads see of each other's accesses",
                      .argument = "MODEL",
                      .hint = "In order: every access is visible to all threads at once. Late: a plain store waits in "
                              "its thread's buffer, and stores to different words arrive in any order. Stale: a load "
                              "may return an older word, but never one older than the thread has already seen there.",
                      .more = {"M", "Next memory model"}},
                     &RaceSettings::memory, "memory model"),
  });
  return settings;
}

/// In reading order: the case first, and settings that depend on the race last.
template <>
std::span<Setting<RacesSettings> const> settings_of()
{
  static auto const settings = std::to_array<Setting<RacesSettings>>({
      other_setting<RacesSettings>("a [famous race](manual/races.md#options); the fields below change it",
                                   {"case", read_case,
                                    [](RacesSettings const& settings, fs::path const&) -> Json {
                                      return settings.case_name.empty() ? Json() : Json(settings.case_name);
                                    }}),
      other_setting("a [family](families.md), but not `cpu_unordered_map`",
                    race_field("family", read_family,
                               [](RaceSettings const& race) {
                                 return race.published.empty() ? Json(race.table.family) : Json();
                               })),
      other_setting(what_is_published(), race_field("published", read_published,
                                                    [](RaceSettings const& race) {
                                                      return race.published.empty() ? Json() : Json(race.published);
                                                    })),
      slots_setting(),
      setting_of_table("deletion"),
      setting_of_table("hash"),
      other_setting("of the family, by their names: `{ \"bucket\": 1 }`",
                    race_field("parameters", read_parameters, parameters_json),
                    "see [families](families.md#settings-and-parameters)"),
      other_setting(what_comes_before(), calls_field("before", &RaceSettings::before, 0, races::max_before),
                    "those of the case"),
      other_setting(what_threads_do(), calls_field("threads", &RaceSettings::calls, 1, races::max_threads),
                    "those of the case"),
      setting_of_part<RacesSettings>(
          setting_named<RaceSettings>("memory"), [](auto& settings) -> auto& { return settings.race; }),
      whole_setting({.name = "seed", .what = "of turns at random"}, &RacesSettings::seed),
      other_setting("whose turns are taken: a thread's number; `{ \"thread\": 1, \"stale\": 2 }` if its load does not "
                    "see the 2 newest writes; `{ \"thread\": 1, \"arrives\": 6 }` if its store to word 6 arrives",
                    turns_field(), "none"),
      other_setting("how many of them are shown", position_field(), "all"),
      flag_setting({.name = "explore",
                    .what = "search all schedules, and show the shortest illegal history",
                    .option = "explore"},
                   &RacesSettings::explore),
      flag_setting({.name = "show_code", .what = "show each thread's pseudocode"}, &RacesSettings::show_code),
  });
  return settings;
}

template <>
std::span<EnumName<MemoryModel> const> enum_names()
{
  static constexpr std::array<EnumName<MemoryModel>, 3> names{
      {{MemoryModel::in_order, "in_order", "Everything in order"},
       {MemoryModel::late_stores, "late_stores", "Stores arrive late"},
       {MemoryModel::stale_loads, "stale_loads", "Loads may be stale"}}};
  return names;
}

RacesSettings settings_of(races::Case const& shown)
{
  return {.case_name = std::string(shown.name), .race = shown.race};
}

void reconcile(RacesSettings& settings)
{
  if (settings.race.published.empty()) { fit_deletion(settings.race.table, family_info(settings.race.table.family)); }
  races::Case const* const shown = races::find_case(settings.case_name);
  if (shown == nullptr || shown->race != settings.race) { settings.case_name.clear(); }
}

}  // namespace slotscape
