#include "app/base/fixed.hpp"
#include "app/base/text.hpp"
#include "app/scenes/match/scene.hpp"
#include "gpu/base/error.hpp"
#include "gpu/base/translation.hpp"

#include <fmt/format.h>

#include <numeric>

namespace slotscape {
namespace {

using matching::MatchSnapshot;
using matching::Similarity;

/// Replaces a negative zero by 0, so that no minus sign is written.
Json unsigned_zero(double number)
{
  return number == 0.0 ? 0.0 : number;
}
Json shift_json(double x, double y)
{
  return {unsigned_zero(x), unsigned_zero(y)};
}

/// A match as JSON; if none was found, its transformation is null.
Json match_json(bool found, Similarity const& transformation, double score, double runner_up)
{
  Json json;
  json["found"] = found;
  json["rotation_degrees"] = found ? unsigned_zero(transformation.rotation_degrees) : Json();
  json["scale"] = found ? Json(transformation.scale) : Json();
  json["shift"] = found ? shift_json(transformation.shift_x, transformation.shift_y) : Json();
  json["score"] = score;
  json["runner_up"] = runner_up;
  return json;
}

Json stages_json(MatchSnapshot const& snapshot)
{
  Json json;
  for (std::size_t i = 0; i < matching::match_stage_names.size(); ++i) {
    json[std::string(matching::match_stage_names[i])] = 1e3 * snapshot.stage_seconds[i];
  }
  json["total"] = 1e3 * std::accumulate(snapshot.stage_seconds.begin(), snapshot.stage_seconds.end(), 0.0);
  return json;
}

Json settings_json(MatchQuery const& query)
{
  matching::MatchSettings const& settings = query.matching;
  return {{"method", to_text(settings.method)},
          {"smoothing", settings.smoothing},
          {"threshold", settings.threshold},
          {"features", settings.features},
          {"bases", settings.bases},
          {"query_bases", settings.query_bases},
          {"shortest_basis", settings.shortest_basis},
          {"longest_basis", settings.longest_basis},
          {"quantum", settings.quantum},
          {"seed", settings.seed},
          {"attempts", settings.attempts}};
}

Json pose_json(QueryPose const& pose)
{
  return {{"turn", unsigned_zero(pose.turn)},
          {"scale", pose.scale},
          {"shift", shift_json(pose.shift_x, pose.shift_y)},
          {"noise", pose.noise},
          {"occlusion", pose.occlusion}};
}

Json candidates_json(MatchSnapshot const& snapshot)
{
  Json json = Json::array();
  for (matching::Candidate const& candidate : snapshot.candidates) {
    Similarity const& by = candidate.transformation;
    json.push_back({{"votes", candidate.votes},
                    {"score", candidate.score},
                    {"rotation_degrees", unsigned_zero(by.rotation_degrees)},
                    {"scale", by.scale},
                    {"shift", shift_json(by.shift_x, by.shift_y)}});
  }
  return json;
}

/// Frames are numbered from 1, as in the window.
Json video_json(std::map<std::size_t, FrameRecord> const& video)
{
  Json json = Json::array();
  for (auto const& [frame, record] : video) {
    Json one{{"frame", frame + 1}, {"file", record.file}};
    if (record.unreadable.empty()) {
      one.update(match_json(record.found, record.transformation, record.score, record.runner_up));
      one["ms"] = 1e3 * record.seconds;
    } else {
      one["error"] = record.unreadable;
    }
    json.push_back(std::move(one));
  }
  return json;
}

std::string video_csv(std::map<std::size_t, FrameRecord> const& video)
{
  std::string csv = "frame,file,found,rotation_degrees,scale,shift_x,shift_y,score,runner_up,ms,error\n";
  for (auto const& [frame, record] : video) {
    if (!record.unreadable.empty()) {
      csv += fmt::format("{},{},,,,,,,,,{}\n", frame + 1, in_csv(record.file), in_csv(record.unreadable));
      continue;
    }
    Similarity const& by = record.transformation;
    std::string const transformation = record.found ? fmt::format("{},{:.5f},{},{}", fixed(by.rotation_degrees, 4),
                                                                  by.scale, fixed(by.shift_x, 3), fixed(by.shift_y, 3))
                                                    : std::string(",,,");
    csv += fmt::format("{},{},{},{},{:.4f},{:.4f},{:.3f},\n", frame + 1, in_csv(record.file), record.found ? 1 : 0,
                       transformation, record.score, record.runner_up, 1e3 * record.seconds);
  }
  return csv;
}

}  // namespace

SceneStatistics MatchScene::statistics(FrameTimes const& frames)
{
  if (!state_.shown || !has_engine()) {
    throw Error(tr("There are no statistics until the pictures have been matched."));
  }
  MatchResult const& shown = *state_.shown;
  MatchSnapshot const& found = shown.snapshot;
  matching::MatchEngine& engine = matcher_->engine();
  Similarity const transformation = found.found ? found.candidates.front().transformation : Similarity{};
  Json json;
  json["backend"] = to_text(engine.backend());
  json["device"] = engine.device_name();
  json["reference"] = label_of_picture(shown.query.sources[0]);
  json["query"] = label_of_picture(shown.query.sources[1]);
  json["pictures"] = {{"reference", {shown.pictures[0]->width, shown.pictures[0]->height}},
                      {"query", {shown.pictures[1]->width, shown.pictures[1]->height}}};
  json["pose"] = pose_json(shown.query.pose);
  json["settings"] = settings_json(shown.query);
  json["match"] = match_json(found.found, transformation, found.score(), found.runner_up());
  json["candidates"] = candidates_json(found);
  json["votes"] = found.votes;
  json["features"] = {{"reference", found.features[0]}, {"query", found.features[1]}};
  json["bases"] = found.bases[0];
  json["query_bases"] = found.bases[1];
  bool const any = found.keys != 0;
  Json const mean = any ? Json(static_cast<double>(found.items) / static_cast<double>(found.keys)) : Json();
  json["table"] = {
      {"items", found.items},
      {"keys", found.keys},
      {"multiplicity",
       {{"mean", mean}, {"max", any ? Json(found.max_values) : Json()}, {"histogram", state_.multiplicity.histogram}}},
      {"slots", found.slots},
      {"load_factor", engine.table().statistics().load_factor()},
      {"bytes", found.bytes}};
  json["stages_ms"] = stages_json(found);
  json["seconds"] = shown.seconds;
  if (state_.frame_count > 1) { json["video"] = video_json(state_.video); }
  json["frames"] = times_json(frames.frame_seconds);
  std::string stages = "stage,ms\n";
  for (std::size_t i = 0; i < matching::match_stage_names.size(); ++i) {
    stages += fmt::format("{},{:.4f}\n", matching::match_stage_names[i], 1e3 * found.stage_seconds[i]);
  }
  SceneStatistics written{std::move(json), {{"stages.csv", std::move(stages)}}};
  if (!state_.video.empty()) { written.tables.emplace_back("frames.csv", video_csv(state_.video)); }
  return written;
}

}  // namespace slotscape
