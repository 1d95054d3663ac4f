#pragma once

#include "app/scene/facts.hpp"
#include "app/scenes/match/matcher.hpp"
#include "app/scenes/match/settings.hpp"
#include "app/simulation/action.hpp"
#include "app/table_map/map_state.hpp"

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace slotscape {

/// Requests from the user to the scene.
struct AskForPictures {
  matching::Side side;
  bool video = false;  ///< open the folder of the chosen file
};
struct ShowAllOfPictures {};
struct ChooseCell {  ///< chooses a cell of the table by its slot; none: no cell
  std::optional<Slot> slot;
};
struct ReplayVotes {};
struct PlayVideo {};  ///< plays or pauses the video; at its end, restarts it
using MatchRequest = std::variant<AskForPictures, ShowAllOfPictures, ChooseCell, ReplayVotes, PlayVideo>;

/// A cell of the table, and the bases of the reference stored in it.
struct ShownCell {
  Slot slot;
  Key key;
  matching::Bin bin;
  std::vector<std::uint32_t> bases;  ///< the values of its key
  std::uint32_t first = 0;           ///< index of the first base in the array of all values
};

/// The position of a cell's values: "12 values, from 3,456 on of 612,352".
std::string run_text(ShownCell const& cell, std::uint64_t items);
/// The distinct bases of the cell, in ascending order.
std::vector<std::uint32_t> different_bases(ShownCell const& cell);

/// A basis of the query and a basis of the reference.
struct BasisPair {
  std::uint32_t query;
  std::uint32_t reference;
  friend bool operator==(BasisPair const&, BasisPair const&) = default;
};

/// The times of a match.
struct MatchTimes {
  matching::Method method;
  bool reused_table;
  std::array<double, matching::match_stage_count> stage_seconds;
};

/// The result for a frame of a video.
struct FrameRecord {
  std::string file;
  bool found;
  matching::Similarity transformation;  ///< set if the query was found
  double score;
  double runner_up;
  double seconds;               ///< time of all stages
  std::string unreadable = {};  ///< why there is no result
};

/// The state that the panels and the views read and edit. They change settings and add to `requests`.
struct MatchState {
  static constexpr std::size_t max_times = 80;

  MatchSceneSettings settings;
  DeviceFacts device;

  std::shared_ptr<MatchResult const> shown;  ///< null before the first match
  MapState table;                            ///< state of the slot map
  std::uint64_t table_bytes = 0;
  Distribution multiplicity;                 ///< distribution of the number of values per key of the table
  std::optional<std::size_t> candidate;      ///< candidate to overlay on the reference; none: the match
  std::optional<BasisPair> pair;             ///< the pair of bases that was chosen among the votes
  std::optional<ShownCell> chosen;           ///< bases in the chosen cell of the table
  std::optional<ShownCell> hovered;          ///< bases in the cell under the mouse
  double filled = 1.0;                       ///< share of the votes shown
  std::deque<MatchTimes> times;              ///< times of the latest matches
  std::size_t frame_count = 1;               ///< number of frames of the longer video; 1 without a video
  std::map<std::size_t, FrameRecord> video;  ///< results by frame number, for the current settings

  std::optional<ProgressSnapshot> progress;
  std::string notice;
  std::vector<MatchRequest> requests;

  template <class What>
  void ask(What what)
  {
    requests.emplace_back(std::move(what));
  }
  /// Statistics of the frames tried so far: how many were matched, in how many the query was found, and which are
  /// damaged.
  struct VideoCount {
    std::size_t matched = 0;
    std::size_t found = 0;
    std::vector<FrameRecord const*> unreadable;
  };
  VideoCount count_video() const
  {
    VideoCount count;
    for (auto const& [frame, record] : video) {
      if (!record.unreadable.empty()) {
        count.unreadable.push_back(&record);
        continue;
      }
      ++count.matched;
      count.found += record.found ? 1 : 0;
    }
    return count;
  }
  bool found() const { return shown && shown->snapshot.found; }
  /// The candidate that is overlaid on the reference.
  std::optional<std::size_t> overlaid() const
  {
    std::optional<std::size_t> const wanted = candidate ? candidate
                                              : found() ? std::optional<std::size_t>(0)
                                                        : std::nullopt;
    bool const there = shown && wanted && *wanted < shown->snapshot.candidates.size();
    return there ? wanted : std::nullopt;
  }
  /// The basis of the query whose votes are currently being filled in.
  std::optional<std::uint32_t> voting_basis() const
  {
    std::size_t const rows = shown ? shown->bases[1].size() : 0;
    if (filled >= 1.0 || rows == 0) { return std::nullopt; }
    return static_cast<std::uint32_t>(std::min(filled * static_cast<double>(rows), static_cast<double>(rows - 1)));
  }
};

/// The number of candidates that are listed and marked.
inline constexpr std::size_t max_candidates = 6;

/// Describes how the query maps onto the reference: "onto the reference: rotated by 30.0°, scale 1.250, shift (12.3,
/// -4.5)".
std::string text_of(matching::Similarity const& transformation);

}  // namespace slotscape
