#include "app/scenes/match/matcher.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <utility>

namespace slotscape {

using matching::Side;

namespace {

constexpr double reading_share = 0.1;  ///< share of the progress
constexpr OfSides<Side> both_sides{Side::reference, Side::query};

}  // namespace

void Matcher::find(MatchQuery const& query, Side side)
{
  Given& given = given_[index_of(side)];
  std::string const& source = query.sources[index_of(side)];
  if (given.source == source) { return; }
  given = {};
  given.frames = frames_of_picture(source);
  given.source = source;
}

std::filesystem::path const& Matcher::frame_of(MatchQuery const& query, Side side) const
{
  Paths const& frames = given_[index_of(side)].frames;
  return frames[std::min<std::size_t>(query.frame, frames.size() - 1)];
}

void Matcher::read(MatchQuery const& query, Side side)
{
  Given& given = given_[index_of(side)];
  std::filesystem::path const& frame = frame_of(query, side);
  if (given.read && given.frame == frame) { return; }
  pictures::OpenedPicture opened = load_picture(given.source, frame);
  for (std::string const& finding : opened.findings) {
    add_findings(given.findings, {fmt::format("{}: {}", label_of_picture(given.source), finding)});
  }
  given.picture = nullptr;
  given.read = std::make_shared<matching::Picture const>(std::move(opened.picture));
  given.frame = frame;
}

void Matcher::give(MatchQuery const& query, Side side)
{
  Given& given = given_[index_of(side)];
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
  auto result = std::make_shared<MatchResult>();
  result->query = query;
  for (Side const side : both_sides) {
    find(query, side);
    result->frames[index_of(side)] = given_[index_of(side)].frames.size();
    result->frame_files[index_of(side)] = frame_of(query, side).filename().string();
  }
  for (Side const side : both_sides) {
    try {
      read(query, side);
    } catch (Error const& error) {
      if (result->frames[index_of(side)] == 1) { throw; }
      result->unreadable = error.what();
      return result;
    }
  }
  for (Side const side : both_sides) { give(query, side); }
  progress.require(reading_share);
  if (!engine_->match(query.matching, progress.part(reading_share, 1.0))) { throw Cancelled(); }
  collect(*result);
  result->seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return result;
}

void Matcher::collect(MatchResult& result)
{
  for (Side const side : both_sides) {
    Given& given = given_[index_of(side)];
    if (!given.edges || given.smoothing != result.query.matching.smoothing) {
      given.edges = std::make_shared<matching::Picture const>(engine_->edges(side));
      given.smoothing = result.query.matching.smoothing;
    }
    std::size_t const i = index_of(side);
    result.pictures[i] = given.picture;
    result.edges[i] = given.edges;
    result.features[i] = engine_->features(side);
    result.bases[i] = engine_->bases(side);
    add_findings(result.findings, given.findings);
  }
  result.votes = engine_->votes();
  result.snapshot = engine_->snapshot();
}

}  // namespace slotscape
