#pragma once

#include "app/scenes/match/picture_source.hpp"

#include <exception>
#include <future>
#include <memory>
#include <optional>
#include <vector>

namespace slotscape {

template <class T>
using OfSides = std::array<T, 2>;  ///< indexed by `matching::Side`

constexpr std::size_t index_of(matching::Side side)
{
  return static_cast<std::size_t>(side);
}

/// What is to be matched.
struct MatchWish {
  OfSides<std::string> sources;
  std::uint32_t frame = 0;
  QueryPose pose;
  matching::MatchSettings matching;
  friend bool operator==(MatchWish const&, MatchWish const&) = default;
};

using SharedPicture = std::shared_ptr<matching::Picture const>;

/// A match, and everything that can be seen of it without the engine.
struct MatchResult {
  MatchWish wish;
  OfSides<std::size_t> frames{};     ///< of each video; 1 for a picture
  OfSides<std::string> frame_files;  ///< the names of those that are shown; empty for a picture
  OfSides<SharedPicture> pictures;
  OfSides<SharedPicture> edges;
  OfSides<std::vector<matching::Feature>> features;
  OfSides<std::vector<matching::Basis>> bases;
  std::vector<std::uint32_t> votes;
  matching::MatchSnapshot snapshot;
  Findings findings;     ///< of both pictures
  double seconds = 0.0;  ///< by the clock, with what was read and copied
};

/// Reads pictures and matches them on a thread of its own. While `busy`, the engine is the worker's alone.
class MatchWorker {
public:
  explicit MatchWorker(Backend backend) : engine_(matching::make_match_engine(backend)) {}
  ~MatchWorker();
  MatchWorker(MatchWorker const&) = delete;
  MatchWorker& operator=(MatchWorker const&) = delete;

  /// Only while not `busy`.
  void start(MatchWish const& wish);
  /// The work ends soon, with the error Cancelled.
  void cancel() { progress_.cancel(); }
  /// Waits for the work, up to so many seconds; none: until its end.
  void wait(std::optional<double> seconds);
  bool busy() const { return work_.valid(); }
  double share() const { return progress_.share(); }

  struct Outcome {
    MatchWish wish;
    std::shared_ptr<MatchResult const> result;  ///< null if `error` is set
    std::exception_ptr error;
  };
  /// Work that has ended since the last call.
  std::optional<Outcome> take();

  /// Only while not `busy`.
  matching::MatchEngine& engine() { return *engine_; }

private:
  /// What the engine has of a side.
  struct Given {
    std::string source;
    Paths frames;       ///< of `source`
    Findings findings;  ///< of `source`, as far as it was read
    std::filesystem::path frame;
    std::optional<QueryPose> pose;  ///< of the query
    SharedPicture read;             ///< as it is in the file
    SharedPicture picture;          ///< as the engine has it; null: the engine has another one
    SharedPicture edges;            ///< of `picture`, once there was a match
    double smoothing = 0.0;         ///< of `edges`
  };
  Outcome run(MatchWish const& wish, Progress const& progress);
  void give(MatchWish const& wish, matching::Side side);
  std::shared_ptr<MatchResult> collect(MatchWish const& wish);

  std::unique_ptr<matching::MatchEngine> engine_;
  OfSides<Given> given_;
  Progress progress_ = Progress::tracked();
  std::future<Outcome> work_;
};

}  // namespace slotscape
