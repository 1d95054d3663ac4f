#include "app/base/text.hpp"
#include "app/scenes/races/scene.hpp"

#include <fmt/format.h>

namespace slotscape {
namespace {

using races::Race;

Json threads_json(Race const& race, races::History const& history)
{
  Json json = Json::array();
  for (std::size_t i = 0; i < race.calls.size(); ++i) {
    races::ThreadNow const& thread = history.threads[i];
    Json each{{"operation", races::text_of(race.calls[i])}, {"accesses", thread.accesses}, {"code", Json::array()}};
    for (CodeLine const& line : race.table->code(race.calls[i].operation)) {
      each["code"].push_back(fmt::format("{:{}}{}", "", 2 * line.indent, line.text));
    }
    if (thread.next) {
      each["next"] = thread.upcoming;
    } else {
      each["answer"] = races::text_of(race.calls[i], thread.result);
    }
    json.push_back(std::move(each));
  }
  return json;
}

Json report_json(Race const& race, races::Report const& report)
{
  races::Findings const& found = report.findings;
  Json json{{"complete", found.complete},
            {"legal", report.legal()},
            {"ends", found.ends},
            {"illegal_ends", found.bad_ends},
            {"schedules_run", found.counts.schedules},
            {"turns", found.counts.turns},
            {"moments", found.counts.moments},
            {"met_again", found.counts.met_again},
            {"asleep", found.counts.asleep},
            {"put_off", found.counts.put_off}};
  if (report.schedules) {
    bool const is_whole = *report.schedules < 0x1p53;
    json["schedules"] = is_whole ? Json(static_cast<std::uint64_t>(*report.schedules)) : Json(*report.schedules);
  }
  if (found.shortest.empty()) { return json; }
  json["shortest"] = {{"turns", found.shortest.size()}, {"verdict", races::text_of(race, report.verdict)}};
  return json;
}

Json turns_json(races::History const& history)
{
  Json json = Json::array();
  for (races::Event const& event : history.events) {
    json.push_back({{"thread", event.turn.thread + 1}, {"text", event.text}, {"writes", event.writes}});
  }
  return json;
}

}  // namespace

SceneStatistics RacesScene::statistics(FrameTimes const& frames)
{
  races::Race const& race = state_.race;
  Json json;
  if (!state_.settings.case_name.empty()) { json["case"] = state_.settings.case_name; }
  json["table"] = race.table->info().title;
  bool const is_published = !state_.settings.race.published.empty();  // these have no family, so nothing is promised
  json["published"] = is_published;
  json["promised"] = is_published ? Json() : Json(state_.promise.empty());
  json["slots"] = race.table->slots();
  json["memory"] = to_text(race.memory);
  json["threads"] = threads_json(race, state_.history);
  json["turns"] = turns_json(state_.history);
  if (state_.history.verdict) {
    json["verdict"] = races::text_of(race, *state_.history.verdict);
    json["legal"] = state_.history.verdict->legal;
  }
  if (state_.report) { json["search"] = report_json(race, *state_.report); }
  json["frames"] = times_json(frames.frame_seconds);
  std::string csv = "turn,thread,writes,text\n";
  for (std::size_t i = 0; i < state_.history.events.size(); ++i) {
    races::Event const& event = state_.history.events[i];
    csv += fmt::format("{},{},{},{}\n", i + 1, event.turn.thread + 1, event.writes ? 1 : 0, in_csv(event.text));
  }
  return {std::move(json), {{"turns.csv", std::move(csv)}}};
}

}  // namespace slotscape
