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

/// The input of a match.
struct MatchQuery {
  OfSides<std::string> sources;
  std::uint32_t frame = 0;
  QueryPose pose;
  matching::MatchSettings matching;
  friend bool operator==(MatchQuery const&, MatchQuery const&) = default;
};

using SharedPicture = std::shared_ptr<matching::Picture const>;

/// A match, with everything that can be shown without the engine.
struct MatchResult {
  MatchQuery query;
  std::string unreadable;            ///< why a video frame has no match; the result then has only its name
  OfSides<std::size_t> frames{};     ///< number of frames of each video; 1 for a picture
  OfSides<std::string> frame_files;  ///< names of the frames shown; empty for a picture
  OfSides<SharedPicture> pictures;
  OfSides<SharedPicture> edges;
  OfSides<std::vector<matching::Feature>> features;
  OfSides<std::vector<matching::Basis>> bases;
  std::vector<std::uint32_t> votes;
  matching::MatchSnapshot snapshot;
  Findings findings;     ///< findings about both pictures
  double seconds = 0.0;  ///< wall-clock time, including reading and copying
};

using SharedMatch = std::shared_ptr<MatchResult const>;

/// Reads pictures and matches them; the rest of the result stays in the engine.
class Matcher {
public:
  explicit Matcher(Backend backend) : engine_(matching::make_match_engine(backend)) {}

  /// If a frame of a video cannot be read, the result has no match, and the engine is unchanged. Throws Error, and
  /// Cancelled.
  SharedMatch compute(MatchQuery const& query, Progress const& progress);
  matching::MatchEngine& engine() { return *engine_; }

private:
  /// The engine's input for one side.
  struct Given {
    std::string source;
    Paths frames;       ///< pictures of `source`, in order
    Findings findings;  ///< about `source`, as far as it has been read
    std::filesystem::path frame;
    std::optional<QueryPose> pose;  ///< for the query
    SharedPicture read;             ///< as stored in the file
    SharedPicture picture;          ///< as given to the engine; null: the engine has another one
    SharedPicture edges;            ///< edges of `picture`; set after a match
    double smoothing = 0.0;         ///< smoothing with which `edges` were computed
  };
  /// Finds the frames of a new source.
  void find(MatchQuery const& query, matching::Side side);
  std::filesystem::path const& frame_of(MatchQuery const& query, matching::Side side) const;
  void read(MatchQuery const& query, matching::Side side);
  void give(MatchQuery const& query, matching::Side side);
  void collect(MatchResult& result);

  std::unique_ptr<matching::MatchEngine> engine_;
  OfSides<Given> given_;
};

}  // namespace slotscape
