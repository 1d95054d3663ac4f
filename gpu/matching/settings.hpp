#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace slotscape::matching {

enum class Side : std::uint8_t { reference, query };

/// How the bases of a cell are found.
enum class Method : std::uint8_t {
  hashing,  ///< in a multi-value table
  sorting   ///< in sorted items, by binary search: the paper's comparison
};

inline constexpr double min_smoothing = 0.5;
inline constexpr double max_smoothing = 8.0;
inline constexpr double min_threshold = 0.02;
inline constexpr double max_threshold = 1.0;
inline constexpr std::uint32_t min_features = 16;
inline constexpr std::uint32_t max_features = 4096;
inline constexpr std::uint32_t max_bases = 8192;
inline constexpr std::uint32_t max_query_bases = 512;
inline constexpr double min_basis = 0.01;
inline constexpr double max_basis = 2.0;
inline constexpr double min_quantum = 0.005;
inline constexpr double max_quantum = 0.5;
inline constexpr std::uint32_t max_attempts = 16;

/// The settings of a match. Ranges are from `min_…`, or 1, to `max_…`.
struct MatchSettings {
  Method method = Method::hashing;
  double smoothing = 2.0;        ///< standard deviation of the Gaussian before gradients, in pixels
  double threshold = 0.25;       ///< of edges: share of the picture's largest gradient
  std::uint32_t features = 600;  ///< maximum per picture, spread over its edges
  std::uint32_t bases = 1024;    ///< of the reference
  std::uint32_t query_bases = 256;
  double shortest_basis =
      0.15;  ///< share of the picture's shorter side, `min_basis` to `max_basis`: others are left out
  double longest_basis = 0.75;
  double quantum = 0.03;  ///< of u and v, in lengths of the basis
  std::uint64_t seed = 1;
  std::uint32_t attempts = 6;  ///< with different bases of the query, until a match is found
  friend bool operator==(MatchSettings const&, MatchSettings const&) = default;
};

/// The stages of a match whose times are measured.
enum class MatchStage : std::uint8_t {
  edges,       ///< gradients of both pictures
  features,    ///< points on edges, compacted
  bases,       ///< pairs of features, and their numbers
  table,       ///< (u, v) of all features relative to all bases, grouped
  votes,       ///< of the query's bases
  candidates,  ///< the pairs of bases with the most votes
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

/// Two features: the origin is halfway between them, and the first axis points from the first to the second.
struct Basis {
  std::uint32_t first = 0;
  std::uint32_t second = 0;
  friend bool operator==(Basis const&, Basis const&) = default;
};

}  // namespace slotscape::matching
