#pragma once

#include "gpu/matching/basis_passes.hpp"
#include "gpu/matching/picture_edges.hpp"

namespace slotscape::matching {

/// Random bases of a picture with consecutive numbers: the pairs of points that may be bases are compacted in random
/// order, as Alcantara et al. 2009 number the keys of a table (4.3). Buffers only grow.
template <exec::Executor Exec>
class BasisSet {
  template <class T>
  using Buffer = typename Exec::template Buffer<T>;

public:
  explicit BasisSet(Exec& exec) : exec_(&exec) {}

  /// How many corners a picture needs for `bases` bases, given that about a third of the pairs can be bases.
  static std::uint32_t corners_for(std::uint32_t bases)
  {
    auto const corners = static_cast<std::uint32_t>(std::ceil(std::sqrt(8.0 * bases)));
    return std::clamp(corners, 64u, max_corners);
  }

  void choose(PictureEdges<Exec> const& edges, MatchSettings const& settings, std::uint32_t wanted, std::uint64_t seed)
  {
    using namespace basis_passes;
    count_ = 0;
    std::uint32_t const corners = edges.corners();
    std::uint64_t const pairs = std::uint64_t{corners} * corners;
    if (corners < 2) { return; }
    exec::grow(*exec_, pairs_, std::uint64_t{max_corners} * max_corners);
    auto const share = [&](double of_side) { return static_cast<float>(of_side) * edges.shorter_side(); };
    std::uint64_t const found = exec_->select(pairs, no_basis, pairs_.data(),
                                              FindBases{edges.points(), corners, share(settings.shortest_basis),
                                                        share(settings.longest_basis), make_shuffle(seed, pairs)});
    count_ = static_cast<std::uint32_t>(std::min<std::uint64_t>(found, wanted));
    exec::grow(*exec_, bases_, count_);
    exec::grow(*exec_, frames_, count_);
    exec_->for_each(count_, WriteBases{pairs_.data(), edges.points(), corners, static_cast<float>(settings.quantum),
                                       static_cast<float>(edges.pixels()), bases_.data(), frames_.data()});
  }

  std::uint32_t count() const { return count_; }
  Basis const* bases() const { return bases_.data(); }
  BasisFrame const* frames() const { return frames_.data(); }

private:
  static constexpr std::uint32_t max_corners = 512;

  Exec* exec_;
  std::uint32_t count_ = 0;
  Buffer<std::uint32_t> pairs_;
  Buffer<Basis> bases_;
  Buffer<BasisFrame> frames_;
};

}  // namespace slotscape::matching
