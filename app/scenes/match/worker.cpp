#include "app/scenes/match/worker.hpp"

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

MatchWorker::~MatchWorker()
{
  cancel();
  if (work_.valid()) { work_.wait(); }
}

void MatchWorker::start(MatchWish const& wish)
{
  progress_ = Progress::tracked();
  work_ = std::async(std::launch::async, [this, wish, progress = progress_] { return run(wish, progress); });
}

void MatchWorker::wait(std::optional<double> seconds)
{
  if (!work_.valid()) { return; }
  if (seconds) {
    work_.wait_for(std::chrono::duration<double>(*seconds));
  } else {
    work_.wait();
  }
}

std::optional<MatchWorker::Outcome> MatchWorker::take()
{
  bool const ended = work_.valid() && work_.wait_for(std::chrono::seconds(0)) == std::future_status::ready;
  return ended ? std::optional(work_.get()) : std::nullopt;
}

void MatchWorker::give(MatchWish const& wish, Side side)
{
  Given& given = given_[index_of(side)];
  std::string const& source = wish.sources[index_of(side)];
  if (given.source != source) {
    given = {};
    given.frames = frames_of_picture(source);
    given.source = source;
  }
  std::size_t const last = given.frames.size() - 1;
  std::filesystem::path const& frame = given.frames[std::min<std::size_t>(wish.frame, last)];
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
  if (given.picture && (!is_query || given.pose == wish.pose)) { return; }
  given.picture = given.edges = nullptr;
  SharedPicture picture = given.read;
  if (is_query && wish.pose != QueryPose{}) {
    picture = std::make_shared<matching::Picture const>(posed(*given.read, wish.pose));
  }
  engine_->set_picture(side, *picture);
  given.picture = std::move(picture);
  given.pose = wish.pose;
}

MatchWorker::Outcome MatchWorker::run(MatchWish const& wish, Progress const& progress)
{
  Outcome outcome{wish, nullptr, nullptr};
  auto const start = std::chrono::steady_clock::now();
  try {
    matching::validate(wish.matching);
    for (Side const side : both_sides) { give(wish, side); }
    progress.report(reading_share);
    if (!engine_->match(wish.matching, progress.part(reading_share, 1.0))) { throw Cancelled(); }
    auto result = collect(wish);
    result->seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    outcome.result = std::move(result);
  } catch (...) {
    outcome.error = std::current_exception();
  }
  return outcome;
}

std::shared_ptr<MatchResult> MatchWorker::collect(MatchWish const& wish)
{
  auto result = std::make_shared<MatchResult>();
  result->wish = wish;
  for (Side const side : both_sides) {
    Given& given = given_[index_of(side)];
    if (!given.edges || given.smoothing != wish.matching.smoothing) {
      given.edges = std::make_shared<matching::Picture const>(engine_->edges(side));
      given.smoothing = wish.matching.smoothing;
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
