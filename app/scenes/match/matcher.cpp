#include "app/scenes/match/matcher.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <utility>

namespace slotscape {

using matching::Side;

namespace {

constexpr double reading_share = 0.1;  ///< of the progress
constexpr OfSides<Side> both_sides{Side::reference, Side::query};

}  // namespace

void Matcher::give(MatchQuery const& query, Side side)
{
  Given& given = given_[index_of(side)];
  std::string const& source = query.sources[index_of(side)];
  if (given.source != source) {
    given = {};
    given.frames = frames_of_picture(source);
    given.source = source;
  }
  std::size_t const last = given.frames.size() - 1;
  std::filesystem::path const& frame = given.frames[std::min<std::size_t>(query.frame, last)];
  if (!given.read || given.frame != frame) {
    given.picture = given.read = nullptr;
    pictures::OpenedPicture opened = load_picture(source, frame);
    for (std::string const& finding : opened.findings) {
      add_findings(given.findings, {fmt::format("{}: {}", label_of_picture(source), finding)});
    }
    given.read = std::make_shared<matching::Picture const>(std::move(opened.picture));
    given.frame = frame;
  }
  bool const is_query = side == Side::query;
  if (given.picture && (!is_query || given.pose == query.pose)) { return; }
  given.picture = given.edges = nullptr;
  SharedPicture picture = given.read;
  if (is_query && query.pose != QueryPose{}) {
    picture = std::make_shared<matching::Picture const>(posed(*given.read, query.pose));
  }
  engine_->set_picture(side, *picture);
  given.picture = std::move(picture);
  given.pose = query.pose;
}

SharedMatch Matcher::compute(MatchQuery const& query, Progress const& progress)
{
  auto const start = std::chrono::steady_clock::now();
  matching::validate(query.matching);
  for (Side const side : both_sides) { give(query, side); }
  progress.require(reading_share);
  if (!engine_->match(query.matching, progress.part(reading_share, 1.0))) { throw Cancelled(); }
  auto result = collect(query);
  result->seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return result;
}

std::shared_ptr<MatchResult> Matcher::collect(MatchQuery const& query)
{
  auto result = std::make_shared<MatchResult>();
  result->query = query;
  for (Side const side : both_sides) {
    Given& given = given_[index_of(side)];
    if (!given.edges || given.smoothing != query.matching.smoothing) {
      given.edges = std::make_shared<matching::Picture const>(engine_->edges(side));
      given.smoothing = query.matching.smoothing;
    }
    std::size_t const i = index_of(side);
    result->frames[i] = given.frames.size();
    result->frame_files[i] = given.frame.filename().string();
    result->pictures[i] = given.picture;
    result->edges[i] = given.edges;
    result->features[i] = engine_->features(side);
    result->bases[i] = engine_->bases(side);
    add_findings(result->findings, given.findings);
  }
  result->votes = engine_->votes();
  result->snapshot = engine_->snapshot();
  return result;
}

}  // namespace slotscape
