#pragma once

#include "gpu/matching/check_passes.hpp"
#include "gpu/matching/voting.hpp"

#include <numeric>

namespace slotscape::matching {

/// Turns pairs of bases into candidates: the transformations that align edges, refined and compared.
template <exec::Executor Exec>
class Checking {
  template <class T>
  using Buffer = typename Exec::template Buffer<T>;

public:
  explicit Checking(Exec& exec) : exec_(&exec) {}

  /// Selects the pairs that stand out in a rough comparison and differ from each other.
  void select(PictureEdges<Exec> const& reference, PictureEdges<Exec> const& query, CellTable<Exec> const& cells,
              Voting<Exec> const& voting)
  {
    using check_passes::CompareRoughly;
    std::uint32_t const count = voting.choice_count();
    exec::grow(*exec_, all_, count);
    exec::grow(*exec_, shares_, count);
    exec_->template for_each_tile<32>(count, CompareRoughly{{query.points(), query.samples()},
                                                            reference.view(),
                                                            voting.choices(),
                                                            voting.bases().frames(),
                                                            cells.bases().frames(),
                                                            all_.data(),
                                                            shares_.data()});
    std::vector<Choice> choices(count);
    std::vector<Transform> transforms(count);
    std::vector<float> shares(count);
    exec_->download(std::span(choices), voting.choices());
    exec_->download(std::span(transforms), static_cast<Transform const*>(all_.data()));
    exec_->download(std::span(shares), static_cast<float const*>(shares_.data()));
    std::vector<std::uint32_t> order(count);
    std::iota(order.begin(), order.end(), 0u);
    std::ranges::stable_sort(order, std::ranges::greater{}, [&](std::uint32_t i) { return shares[i]; });
    selected_.clear();
    moved_.clear();
    for (std::uint32_t const i : order) {
      if (selected_.size() == max_selected || shares[i] <= 0.0f) { break; }
      if (is_known(query, transforms[i], rough_difference)) { continue; }
      moved_.push_back(transforms[i]);
      selected_.push_back({.query_basis = i / choices_per_basis,
                           .reference_basis = choices[i].basis,
                           .votes = choices[i].votes,
                           .transformation = {},
                           .score = 0.0});
    }
  }

  /// Refines the candidates and compares them both ways: returns the best first, and no two alike.
  std::vector<Candidate> check(PictureEdges<Exec> const& reference, PictureEdges<Exec> const& query)
  {
    using namespace check_passes;
    std::uint64_t const count = selected_.size();
    if (count == 0) { return {}; }
    Compared const pictures[2] = {compared(reference), compared(query)};
    EdgesView const& picture = pictures[1].edges;
    Points const points = pictures[1].points;
    exec::grow(*exec_, transforms_, max_selected);
    exec::grow(*exec_, overlaps_, 2 * max_selected);
    exec_->upload(transforms_.data(), std::span<Transform const>(moved_));
    exec_->template for_each_block<Refine::threads>(count, Refine{points, reference.view(),
                                                                  0.5f * static_cast<float>(picture.width),
                                                                  0.5f * static_cast<float>(picture.height),
                                                                  0.5f * query.shorter_side(), transforms_.data()});
    exec_->template for_each_tile<32>(2 * count,
                                      CompareEdges{{pictures[0], pictures[1]}, transforms_.data(), overlaps_.data()});
    std::vector<Overlap> overlaps(2 * count);
    exec_->download(std::span(moved_), static_cast<Transform const*>(transforms_.data()));
    exec_->download(std::span(overlaps), static_cast<Overlap const*>(overlaps_.data()));
    for (std::size_t i = 0; i < count; ++i) {
      selected_[i].transformation = similarity_of(moved_[i]);
      selected_[i].score = score_of(moved_[i], overlaps[2 * i], points.count, overlaps[2 * i + 1], reference.samples());
    }
    return distinct(query);
  }

private:
  static check_passes::Compared compared(PictureEdges<Exec> const& picture)
  {
    return {{picture.points(), picture.samples()}, picture.corner_shares(), picture.corners(), picture.view()};
  }

  static constexpr std::uint64_t max_selected = 32;
  static constexpr float rough_difference = 8.0f;  ///< pixels of the reference
  static constexpr float difference = 6.0f;
  static constexpr double min_overlap = 0.2;       ///< share of one picture's edges that lie in the other
  static constexpr std::uint32_t min_inside = 24;  ///< points
  static constexpr double few_corners = 2.0;       ///< with fewer corners, their share says little

  /// Whether two transformations map the query to nearly the same place.
  static bool are_alike(PictureEdges<Exec> const& query, Transform const& a, Transform const& b, float most)
  {
    auto const width = static_cast<float>(query.view().width);
    auto const height = static_cast<float>(query.view().height);
    for (auto const& [x, y] : {std::pair{0.25f, 0.25f}, {0.75f, 0.25f}, {0.25f, 0.75f}, {0.75f, 0.75f}}) {
      EdgePoint const point{x * width, y * height, 0.0f, 0.0f};
      EdgePoint const to_a = a(point);
      EdgePoint const to_b = b(point);
      if (std::hypot(to_a.x - to_b.x, to_a.y - to_b.y) > most) { return false; }
    }
    return true;
  }
  bool is_known(PictureEdges<Exec> const& query, Transform const& transform, float most) const
  {
    return std::ranges::any_of(moved_,
                               [&](Transform const& other) { return are_alike(query, transform, other, most); });
  }

  static Similarity similarity_of(Transform const& transform)
  {
    constexpr double degrees = 57.29577951308232;
    double const a = transform.a;
    double const b = transform.b;
    return {std::atan2(-b, a) * degrees, std::hypot(a, b), transform.x0, transform.y0};
  }

  static double harmonic_mean(double a, double b) { return a + b > 0.0 ? 2.0 * a * b / (a + b) : 0.0; }
  static double share(double hits, double of, double doubt) { return hits / (of + doubt); }

  /// Combines the shares of edges and of corners that agree, in both directions. The two are multiplied because edges
  /// of different pictures often coincide, but their corners rarely do.
  static double score_of(Transform const& transform, check_passes::Overlap const& there, std::uint32_t query_points,
                         check_passes::Overlap const& back, std::uint32_t reference_points)
  {
    float const scale = transform.scale();
    bool const is_possible = scale > check_passes::min_scale && scale < check_passes::largest_scale;
    bool const overlap = there.inside >= min_overlap * query_points || back.inside >= min_overlap * reference_points;
    if (!is_possible || !overlap || std::min(there.inside, back.inside) < min_inside) { return 0.0; }
    double const edges = harmonic_mean(share(there.hits, there.inside, 0.0), share(back.hits, back.inside, 0.0));
    double const corners = harmonic_mean(share(there.corner_hits, there.corners_inside, few_corners),
                                         share(back.corner_hits, back.corners_inside, few_corners));
    return std::sqrt(edges * corners);
  }

  std::vector<Candidate> distinct(PictureEdges<Exec> const& query)
  {
    std::vector<std::uint32_t> order(selected_.size());
    std::iota(order.begin(), order.end(), 0u);
    std::ranges::stable_sort(order, std::ranges::greater{}, [&](std::uint32_t i) { return selected_[i].score; });
    std::vector<Transform> const refined = std::move(moved_);
    moved_.clear();
    std::vector<Candidate> candidates;
    for (std::uint32_t const i : order) {
      if (selected_[i].score <= 0.0 || is_known(query, refined[i], difference)) { continue; }
      moved_.push_back(refined[i]);
      candidates.push_back(selected_[i]);
    }
    return candidates;
  }

  Exec* exec_;
  std::vector<Candidate> selected_;
  std::vector<Transform> moved_;
  Buffer<Transform> all_;
  Buffer<float> shares_;
  Buffer<Transform> transforms_;
  Buffer<check_passes::Overlap> overlaps_;
};

}  // namespace slotscape::matching
