#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace slotscape::matching {

enum class Side : std::uint8_t { reference, query };

/// How the bases of a cell are found.
enum class Method : std::uint8_t {
  hashing,  ///< in a multi-value table
  sorting   ///< in sorted items, by binary search: the comparison of the paper
};

struct MatchSettings {
  Method method = Method::hashing;
  double smoothing = 2.0;           ///< standard deviation of the Gaussian before gradients, in pixels: 0.5 to 8
  double threshold = 0.25;          ///< of edges: share of the picture's largest gradient, 0.02 to 1
  std::uint32_t features = 600;     ///< at most, of each picture: 16 to 4096; spread over its edges
  std::uint32_t bases = 1024;       ///< of the reference: 1 to 8192
  std::uint32_t query_bases = 256;  ///< 1 to 512
  double shortest_basis = 0.15;     ///< share of the picture's shorter side, 0.01 to 2: others are left out
  double longest_basis = 0.75;
  double quantum = 0.03;  ///< of u and v, in lengths of the basis: 0.005 to 0.5
  std::uint64_t seed = 1;
  std::uint32_t attempts = 6;  ///< with other bases of the query, until a match is found: 1 to 16
  friend bool operator==(MatchSettings const&, MatchSettings const&) = default;
};

/// What the time of a match is spent on.
enum class MatchStage : std::uint8_t {
  edges,       ///< gradients of both pictures
  features,    ///< points of them, compacted
  bases,       ///< pairs of features, and their numbers
  table,       ///< (u, v) of all features under all bases, grouped
  votes,       ///< of the query's bases
  candidates,  ///< the most voted pairs of bases
  check        ///< refined, and compared with edges
};
inline constexpr int match_stage_count = 7;
inline constexpr std::array<std::string_view, match_stage_count> match_stage_names{"edges", "features", "bases",
                                                                                   "table", "votes",    "candidates",
                                                                                   "check"};

inline constexpr std::uint32_t smallest_side = 16;       ///< pixels
inline constexpr std::uint64_t max_pixels = 1ull << 26;  ///< of a picture

/// A point on an edge, in pixels from the upper left corner.
struct Feature {
  float x = 0.0f;
  float y = 0.0f;
  friend bool operator==(Feature const&, Feature const&) = default;
};

/// Two features: the origin is in their middle, and the first axis leads from the first to the second.
struct Basis {
  std::uint32_t first = 0;
  std::uint32_t second = 0;
  friend bool operator==(Basis const&, Basis const&) = default;
};

}  // namespace slotscape::matching
