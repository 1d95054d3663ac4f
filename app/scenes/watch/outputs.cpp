#include "app/scenes/watch/scene.hpp"

#include "app/scenes/watch/advice.hpp"
#include "app/table_map/known_numbers.hpp"
#include "app/table_scene/report.hpp"
#include "app/watch/description_json.hpp"
#include "gpu/base/error.hpp"
#include "gpu/base/translation.hpp"

#include <fmt/format.h>

#include <array>
#include <string_view>

namespace slotscape {
namespace {

Json counts_json(Statistics const& now)
{
  Json json;
  json["slots"] = now.slots;
  json["live"] = now.live;
  json["tombstones"] = now.tombstones;
  json["empty"] = now.empty();
  json["load_factor"] = now.load_factor();
  json["effective_load"] = now.effective_load();
  return json;
}

/// The verdict on the description; null if nothing was looked up.
Json verdict_of(watch::Check const& check)
{
  if (!check.was_checked || check.sampled == 0) { return {}; }
  return check.is_wrong() ? "wrong" : check.is_nearly_right() ? "right" : "undecided";
}

Json check_json(watch::Check const& check)
{
  Json json;
  json["sampled"] = check.sampled;
  json["found"] = check.was_checked ? Json(check.found) : Json();
  json["not_followed"] = check.was_checked ? Json(check.not_followed) : Json();
  json["verdict"] = verdict_of(check);
  json["placed_for"] = check.growth ? Json{{"slots", check.growth->slots}, {"found", check.growth->found}} : Json();
  json["better"] = Json::array();
  for (watch::Check::Better const& better : check.better) {
    json["better"].push_back({{"found", better.found}, {"description", watch::description_json(better.description)}});
  }
  return json;
}

/// Keys that lookups do not find where they are stored.
Json lost_json(WatchedFacts const& facts)
{
  constexpr std::array<std::string_view, 3> faults{"table", "description", "unknown"};
  auto const key = [](SlotInfo const& info, std::string const& text) {
    return Json{{"slot", info.slot}, {"key", text}, {"home", info.home == no_slot ? Json() : Json(info.home)}};
  };
  LostFacts const& lost = facts.lost;
  Json json;
  json["unreachable"] = lost.keys.unreachable;
  json["stored_twice"] = lost.keys.twice;
  json["not_followed"] = lost.keys.not_followed;
  json["followed"] = lost.keys.followed;
  json["first_unreachable"] = lost.keys.unreachable == 0 ? Json() : key(lost.unreachable, lost.unreachable_key);
  json["first_stored_twice"] = lost.keys.twice == 0 ? Json() : key(lost.twice, lost.twice_key);
  if (lost.keys.twice != 0) { json["first_stored_twice"]["found_in"] = lost.keys.found_instead; }
  json["slots"] = lost.slots;
  json["slots_left_out"] = lost.count() - lost.slots.size();
  json["fault"] = lost.count() == 0 ? Json() : Json(faults.at(static_cast<std::size_t>(fault_of(facts))));
  return json;
}

Json theory_json(TheoryFit const& fit)
{
  Json json;
  json["probe_length_mean"] = json_or_null(fit.measure_mean);
  json["hit_accesses"] = json_or_null(fit.hit_accesses);
  json["miss_accesses"] = json_or_null(fit.miss_accesses);
  bool const is_silent = fit.reason.empty() && !fit.measure_mean && !fit.hit_accesses && !fit.miss_accesses;
  json["why_not"] = is_silent
                        ? tr("For these tables, theory predicts how full they can get, but not how long lookups take.")
                        : fit.reason;
  return json;
}

Json costs_json(std::optional<watch::LookupCosts> const& costs)
{
  if (!costs) { return {}; }
  return {{"hit_accesses", costs->hit},
          {"miss_accesses", costs->miss},
          {"hit_within", costs->hit_within},
          {"miss_within", costs->miss_within}};
}

/// The distribution of the keys' home slots; null if unknown.
Json homes_json(watch::WatchedTable::KeyFacts const& facts)
{
  if (!facts.homes) { return {}; }
  constexpr std::array<std::string_view, 4> lookups{"as_random", "shorter", "longer", "hits_shorter_misses_longer"};
  HomeSpread const& homes = *facts.homes;
  return {{"places", facts.sampled.places},
          {"counted", facts.sampled.count()},
          {"keys", homes.keys},
          {"used", facts.in_use ? Json(facts.in_use->used) : Json()},
          {"expected_used", facts.in_use ? Json(facts.in_use->expected) : Json()},
          {"fullest", homes.fullest},
          {"as_random", homes.like_random()},
          {"lookups", lookups.at(static_cast<std::size_t>(homes.evenness()))},
          {"z", homes.z},
          {"shared_z", homes.shared_z},
          {"shared", homes.shared},
          {"expected_shared", homes.expected_shared}};
}

std::string history_csv(WatchHistory const& history)
{
  std::string csv = "seconds,load_factor,effective_load,tombstones,longest_probe\n";
  for (WatchHistory::Sample const& sample : history.samples()) {
    csv += fmt::format("{},{},{},{},{}\n", sample.time, sample.load_factor, sample.effective_load, sample.tombstones,
                       sample.longest_probe);
  }
  return csv;
}

Json marks_json(WatchHistory const& history)
{
  Json json = Json::array();
  for (WatchHistory::Mark const& mark : history.marks()) {
    json.push_back({{"seconds", mark.time}, {"text", mark.text}});
  }
  return json;
}

}  // namespace

/// If the table may change meanwhile, uses a copy, so that all numbers are consistent.
SceneStatistics WatchScene::statistics(FrameTimes const& frames)
{
  if (reader_.is_busy()) { reader_.take_look(std::nullopt); }
  watch::WatchedTable* const watched = reader_.table();
  if (watched == nullptr) {
    throw Error(state_.problem.empty() ? tr("There is no table: open one first.") : state_.problem);
  }
  bool const copies = reader_.follows();
  if (copies) { watched->freeze(); }
  TableState table = state_.table;
  table.foreign = &watched->family();
  table.statistics = watched->statistics();
  watch::WatchedTable::KeyFacts const facts = watched->all_key_facts();
  table.run.homes = early_end(watched->description(), table.statistics) ? std::nullopt : facts.homes;
  TheoryFit const fit = theory_fit(table);
  LostFacts const lost = lost_facts(*watched, state_.check);
  Statistics const& now = table.statistics;
  SceneStatistics result;
  Json& json = result.json;
  json["source"] = {{"name", state_.name},
                    {"reached_by", state_.manner},
                    {"live", state_.is_live},
                    {"running", state_.is_live && state_.alive}};
  json["table"] = counts_json(now);
  json["description"] = watch::description_json(state_.description);
  json["check"] = check_json(state_.check);
  bool const has_measure = !table.foreign->measure.name.empty();
  json["probe_length"] = has_measure ? distribution_json(now.probe_length) : Json();
  json["accesses"]["hits"] = has_measure ? distribution_json(now.hit_accesses) : Json();
  json["accesses"]["misses"] = now.miss_accesses.count == 0 ? Json() : misses_json(now);
  json["clusters"] = table.foreign->clusters ? distribution_json(now.clusters) : Json();
  json["groups"] = now.groups.count == 0 ? Json() : distribution_json(now.groups);
  json["theory"] = theory_json(fit);
  json["homes"] = homes_json(facts);
  json["rehashed"] = costs_json(facts.rehashed);
  json["doubled"] = costs_json(facts.doubled);
  json["summary"] = summary_of(now);
  WatchedFacts const known{watched->description(), state_.check, now, fit, facts, lost};
  json["lost"] = watched->description().knows_homes() ? lost_json(known) : Json();
  json["advice"] = advice_on(known);
  json["marks"] = marks_json(state_.history);
  json["frames"] = times_json(frames.frame_seconds);
  add_histograms(result.tables, {}, *table.foreign, now);
  result.tables.emplace_back("history.csv", history_csv(state_.history));
  if (copies) { reader_.look(); }
  return result;
}

}  // namespace slotscape
