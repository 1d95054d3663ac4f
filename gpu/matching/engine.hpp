#pragma once

#include "gpu/base/progress.hpp"
#include "gpu/engine/inspected_table.hpp"
#include "gpu/matching/settings.hpp"
#include "gpu/multivalue/settings.hpp"

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

/// Image matching by geometric hashing (Alcantara et al. 2009, 'Real-Time Parallel Hashing on the GPU', section 6;
/// Wolfson and Rigoutsos 1997): the points of a reference, in the coordinates of many bases of two points each, are
/// stored in a multi-value table from cells of (u, v) to bases; the points of a query, in the coordinates of its own
/// bases, vote.
namespace slotscape::matching {

/// Grey values, row by row from the upper left corner.
struct Picture {
  std::uint32_t width = 0;
  std::uint32_t height = 0;
  std::vector<std::uint8_t> pixels;
  friend bool operator==(Picture const&, Picture const&) = default;
};

/// The similarity that maps a point of the query to scale * R * point + shift in the reference. Points are in pixels
/// from the upper left corner of a picture, x to the right, y downwards; angles are counter-clockwise as seen on the
/// screen.
struct Similarity {
  double rotation_degrees = 0.0;  ///< -180 to 180
  double scale = 1.0;
  double shift_x = 0.0;
  double shift_y = 0.0;
  friend bool operator==(Similarity const&, Similarity const&) = default;
};

/// A pair of bases with many votes, and the transformation that follows from it.
struct Candidate {
  std::uint32_t query_basis = 0;
  std::uint32_t reference_basis = 0;
  std::uint32_t votes = 0;
  Similarity transformation;  ///< refined
  double score = 0.0;         ///< share of edges and corners that agree with the other picture, 0 to 1
};

struct MatchSnapshot {
  bool found = false;
  std::vector<Candidate> candidates;  ///< all different, best score first; the first one is the match, if `found`
  double score() const { return candidates.empty() ? 0.0 : candidates[0].score; }
  double runner_up() const { return candidates.size() < 2 ? 0.0 : candidates[1].score; }

  std::uint64_t votes = 0;                  ///< votes cast; crowded cells cast none
  std::array<std::uint64_t, 2> features{};  ///< indexed by `Side`
  std::array<std::uint64_t, 2> bases{};     ///< indexed by `Side`
  std::uint64_t items = 0;                  ///< in the table: features of the reference relative to its bases
  std::uint64_t keys = 0;                   ///< distinct cells of (u, v)
  std::uint64_t max_values = 0;             ///< most values of any key
  std::uint64_t slots = 0;                  ///< 0 if items are sorted
  std::uint64_t bytes = 0;                  ///< device memory that lookups need
  bool reused_table = false;                ///< whether the previous match's table was reused
  std::array<double, match_stage_count> stage_seconds{};  ///< indexed by `MatchStage`; 0 for reused stages
};

/// A cell of (u, v): coordinates relative to a basis, in quanta.
struct Bin {
  std::int32_t u = 0;
  std::int32_t v = 0;
  friend bool operator==(Bin const&, Bin const&) = default;
};

/// Matches a query with a reference on one device. Call it from one thread; each call blocks until its result is ready.
/// Failures throw `Error`.
class MatchEngine {
public:
  virtual ~MatchEngine() = default;

  virtual Backend backend() const = 0;
  virtual std::string device_name() const = 0;

  /// Throws Error for pictures smaller than `smallest_side` or larger than `max_pixels`.
  virtual void set_picture(Side side, Picture const& picture) = 0;

  /// Matches the pictures. Returns false if cancelled; only the pictures are kept then. Throws Error for invalid
  /// settings, if a picture is missing, or if memory runs out. A picture without edges is not an error: nothing is
  /// found.
  virtual bool match(MatchSettings const& settings, Progress const& progress) = 0;
  virtual MatchSnapshot const& snapshot() const = 0;

  /// Chosen points of the last match, and its bases, which are pairs of these points.
  virtual std::vector<Feature> const& features(Side side) const = 0;
  virtual std::vector<Basis> const& bases(Side side) const = 0;
  /// The magnitude of the gradient at each pixel, scaled so that the largest is 255.
  virtual Picture edges(Side side) = 0;
  /// The votes for each basis of the reference, with one row for each basis of the query.
  virtual std::vector<std::uint32_t> const& votes() const = 0;

  /// The table of the cells' keys: slots hold the number of a cell. If items are sorted, lookups do not use it. Call it
  /// again after a match.
  virtual InspectedTable& table() = 0;
  /// The distribution of the number of values per key, for either method.
  virtual Distribution multiplicity() = 0;
  virtual Bin bin_of(Key key) const = 0;
  virtual Key key_of(Bin bin) const = 0;
  /// The bases of the reference under which a feature has these coordinates; a basis may occur several times.
  virtual std::vector<std::uint32_t> bases_at(Key key) = 0;
  /// The range of those bases in the array of all values; empty for an empty cell.
  virtual multivalue::Range run_at(Key key) = 0;
};

/// Throws Error, with advice, if the settings are invalid.
void validate(MatchSettings const& settings);

/// Throws Error if the device is unavailable.
std::unique_ptr<MatchEngine> make_match_engine(Backend backend);

}  // namespace slotscape::matching
