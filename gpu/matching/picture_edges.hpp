#pragma once

#include "gpu/execution/parts.hpp"
#include "gpu/matching/edge_passes.hpp"
#include "gpu/matching/engine.hpp"

#include <algorithm>

namespace slotscape::matching {

/// A picture in device memory, its edges, and chosen points on them: first corners, starting with the best, because
/// other pictures also have them; then other points, in random order. Buffers only grow.
template <exec::Executor Exec>
class PictureEdges {
  template <class T>
  using Buffer = typename Exec::template Buffer<T>;

public:
  explicit PictureEdges(Exec& exec) : exec_(&exec), largest_(exec, 1) {}

  void set(Picture const& picture)
  {
    if (picture == picture_) { return; }
    picture_ = {};
    exec::grow(*exec_, greys_, picture.pixels.size());
    exec_->upload(greys_.data(), std::span<std::uint8_t const>(picture.pixels));
    picture_ = picture;
    forget();
  }
  /// Call it when the picture changes: edges and points will be recomputed.
  void forget() { has_edges_ = has_points_ = false; }
  /// A number that is different for each choice of points.
  std::uint64_t version() const { return version_; }

  bool is_set() const { return picture_.width != 0; }
  std::uint64_t pixels() const { return picture_.pixels.size(); }
  float shorter_side() const { return static_cast<float>(std::min(picture_.width, picture_.height)); }

  /// Finds the edges unless they are up to date. Returns false if cancelled.
  bool find_edges(MatchSettings const& settings, Progress const& progress)
  {
    if (has_edges_ && threshold_ == settings.threshold && smoothing_ == settings.smoothing) { return true; }
    forget();
    if (!measure_gradients(settings.smoothing, progress) ||
        !compact_edges(static_cast<float>(settings.threshold), progress)) {
      return false;
    }
    threshold_ = settings.threshold;
    smoothing_ = settings.smoothing;
    has_edges_ = true;
    return true;
  }
  /// Chooses the points unless they are up to date.
  void choose_points(MatchSettings const& settings, std::uint32_t max_corners)
  {
    if (has_points_ && wanted_ == settings.features && seed_ == settings.seed && max_corners_ == max_corners) {
      return;
    }
    has_points_ = false;
    choose(settings.features, max_corners, settings.seed);
    wanted_ = settings.features;
    seed_ = settings.seed;
    max_corners_ = max_corners;
    ++version_;
    has_points_ = true;
  }

  /// The chosen points in device memory: features, starting with corners, and further points for comparisons.
  EdgePoint const* points() const { return points_.data(); }
  /// Like `EdgesView::corners`, for the chosen points that are corners.
  float const* corner_shares() const { return chosen_shares_.data(); }
  std::uint32_t features() const { return has_points_ ? features_ : 0; }
  std::uint32_t corners() const { return has_points_ ? corners_ : 0; }
  std::uint32_t samples() const { return has_points_ ? samples_ : 0; }

  edge_passes::EdgesView view() const
  {
    return {static_cast<int>(picture_.width), static_cast<int>(picture_.height), edges_.data(), corner_shares_.data(),
            nearest_.data()};
  }

  Picture magnitudes()
  {
    Picture shown{picture_.width, picture_.height, std::vector<std::uint8_t>(pixels())};
    Buffer<std::uint8_t> greys(*exec_, pixels());
    exec_->for_each(pixels(), gradient_passes::ShowMagnitudes{magnitude_.data(), largest_.data(), greys.data()});
    exec_->download(std::span(shown.pixels), static_cast<std::uint8_t const*>(greys.data()));
    return shown;
  }

private:
  static constexpr std::uint32_t max_samples = 1536;

  edge_passes::Ridge ridge() const
  {
    return {{across_.data(), down_.data(), magnitude_.data()},
            static_cast<int>(picture_.width),
            static_cast<int>(picture_.height)};
  }

  template <class F>
  bool for_pixels(F const& f, Progress const& progress)
  {
    return exec::for_each_in_parts(*exec_, pixels(), f, progress);
  }

  bool measure_gradients(double smoothing, Progress const& progress)
  {
    using namespace gradient_passes;
    auto const width = static_cast<int>(picture_.width);
    auto const height = static_cast<int>(picture_.height);
    for (Buffer<float>* buffer : {&across_, &down_, &magnitude_, &smooth_}) { exec::grow(*exec_, *buffer, pixels()); }
    Gradients const to{across_.data(), down_.data(), magnitude_.data()};
    Gaussian const gaussian = Gaussian::of(smoothing);
    Smooth<std::uint8_t> const along_rows{greys_.data(), gaussian, width, height, false, magnitude_.data()};
    Smooth<float> const along_columns{magnitude_.data(), gaussian, width, height, true, smooth_.data()};
    if (!for_pixels(along_rows, progress) || !for_pixels(along_columns, progress) ||
        !for_pixels(Sobel{smooth_.data(), width, height, to}, progress)) {
      return false;
    }
    exec_->fill(largest_.data(), 1, none_found);
    exec_->template for_each_tile<32>((pixels() + FindLargest::per_item - 1) / FindLargest::per_item,
                                      FindLargest{magnitude_.data(), pixels(), largest_.data()});
    return true;
  }

  bool compact_edges(float threshold, Progress const& progress)
  {
    using namespace edge_passes;
    Ridge const ridge = this->ridge();
    for (Buffer<std::uint32_t>* buffer : {&edge_pixels_, &edge_at_, &nearest_}) {
      exec::grow(*exec_, *buffer, pixels());
    }
    exec::grow(*exec_, away_, pixels());
    if (!exec::select_in_parts(*exec_, pixels(), no_edge, edge_pixels_.data(),
                               FindEdges{ridge, threshold, largest_.data()}, progress, edge_count_)) {
      return false;
    }
    exec::grow(*exec_, edges_, edge_count_);
    exec::grow(*exec_, corner_strengths_, edge_count_);
    exec::grow(*exec_, corner_shares_, edge_count_);
    exec_->fill(edge_at_.data(), pixels(), no_edge);
    exec_->for_each(edge_count_, WriteEdges{ridge, edge_pixels_.data(), edges_.data(), edge_at_.data()});
    return for_pixels(NearestInRow{ridge.width, edge_at_.data(), away_.data()}, progress) &&
           for_pixels(NearestEdges{ridge.width, ridge.height, edge_at_.data(), away_.data(), nearest_.data()},
                      progress);
  }

  void choose(std::uint32_t wanted, std::uint32_t max_corners, std::uint64_t seed)
  {
    using namespace edge_passes;
    corners_ = features_ = samples_ = 0;
    if (edge_count_ == 0) { return; }
    auto const [gradients, width, height] = ridge();
    exec_->for_each(edge_count_, MeasureCorners{gradients, width, height, edge_pixels_.data(), corner_strengths_.data(),
                                                corner_shares_.data()});
    exec::grow(*exec_, order_, edge_count_);
    exec::grow(*exec_, points_, max_samples + wanted);
    exec::grow(*exec_, chosen_shares_, wanted);
    std::uint64_t const found =
        exec_->select(edge_count_, no_point, order_.data(),
                      FindCorners{width, height, edge_pixels_.data(), edge_at_.data(), corner_strengths_.data()});
    exec_->sort(order_.data(), found);
    corners_ = static_cast<std::uint32_t>(std::min<std::uint64_t>({found, max_corners, wanted}));
    exec_->for_each(corners_, GatherPoints{edges_.data(), order_.data(), points_.data()});
    exec_->for_each(corners_,
                    MarkChosen{order_.data(), corner_strengths_.data(), corner_shares_.data(), chosen_shares_.data()});
    std::uint64_t const others =
        exec_->select(edge_count_, no_point, order_.data(), RankEdges{corner_strengths_.data(), seed});
    exec_->sort(order_.data(), others);
    samples_ = static_cast<std::uint32_t>(
        std::min<std::uint64_t>(corners_ + others, std::max<std::uint64_t>(max_samples, wanted)));
    features_ = std::min(samples_, wanted);
    exec_->for_each(samples_ - corners_, GatherPoints{edges_.data(), order_.data(), points_.data() + corners_});
  }

  Exec* exec_;
  Picture picture_;
  double threshold_ = 0.0;
  double smoothing_ = 0.0;
  std::uint32_t wanted_ = 0;
  std::uint32_t max_corners_ = 0;
  std::uint64_t seed_ = 0;
  bool has_edges_ = false;
  bool has_points_ = false;
  std::uint64_t version_ = 0;
  std::uint64_t edge_count_ = 0;
  std::uint32_t features_ = 0;
  std::uint32_t corners_ = 0;
  std::uint32_t samples_ = 0;

  Buffer<std::uint8_t> greys_;
  Buffer<float> smooth_;
  Buffer<float> across_;
  Buffer<float> down_;
  Buffer<float> magnitude_;
  Buffer<std::uint64_t> largest_;
  Buffer<std::uint32_t> edge_pixels_;
  Buffer<std::uint32_t> edge_at_;
  Buffer<std::int16_t> away_;
  Buffer<std::uint32_t> nearest_;
  Buffer<EdgePoint> edges_;
  Buffer<float> corner_strengths_;
  Buffer<float> corner_shares_;
  Buffer<float> chosen_shares_;
  Buffer<std::uint64_t> order_;
  Buffer<EdgePoint> points_;
};

}  // namespace slotscape::matching
