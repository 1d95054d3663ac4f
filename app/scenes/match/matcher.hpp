#pragma once

#include "app/scenes/match/picture_source.hpp"

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
struct MatchQuery {
  OfSides<std::string> sources;
  std::uint32_t frame = 0;
  QueryPose pose;
  matching::MatchSettings matching;
  friend bool operator==(MatchQuery const&, MatchQuery const&) = default;
};

using SharedPicture = std::shared_ptr<matching::Picture const>;

/// A match, and everything that can be seen of it without the engine.
struct MatchResult {
  MatchQuery query;
  std::string unreadable;            ///< why a frame of a video has no match: then there is nothing more but its name
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

using SharedMatch = std::shared_ptr<MatchResult const>;

/// Reads pictures and matches them; the engine then has the rest of the result.
class Matcher {
public:
  explicit Matcher(Backend backend) : engine_(matching::make_match_engine(backend)) {}

  /// A frame of a video that cannot be read has a result without a match, and leaves the engine as it is. Throws Error,
  /// and Cancelled.
  SharedMatch compute(MatchQuery const& query, Progress const& progress);
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
  /// Finds the frames of a source that was not there before.
  void find(MatchQuery const& query, matching::Side side);
  std::filesystem::path const& frame_of(MatchQuery const& query, matching::Side side) const;
  void read(MatchQuery const& query, matching::Side side);
  void give(MatchQuery const& query, matching::Side side);
  void collect(MatchResult& result);

  std::unique_ptr<matching::MatchEngine> engine_;
  OfSides<Given> given_;
};

}  // namespace slotscape
