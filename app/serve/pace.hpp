#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>

namespace slotscape::serve {

/// The compression of a picture.
struct Level {
  int divisor;  ///< of width and height
  int quality;  ///< of JPEG, 1 to 100
};
/// From the best quality to the smallest size. With a quality above 90, colours keep their full resolution, and small
/// text its edges.
inline constexpr std::array<Level, 6> levels{{{1, 92}, {1, 75}, {1, 50}, {2, 60}, {3, 45}, {4, 35}}};
inline constexpr std::size_t first_level = 1;

/// Adapts pictures to one connection. A picture is sent once the previous one has been seen, so none queue up, and the
/// time taken measures the connection. A still picture gets sharper step by step.
class Pace {
public:
  using Clock = std::chrono::steady_clock;

  /// The level at which to send this picture now; nothing if the previous one is still in transit, or if this one has
  /// already arrived at the best level.
  std::optional<std::size_t> wanted(std::uint64_t picture) const;
  /// Returns the number to pass to `seen`.
  std::uint32_t sent(std::uint64_t picture, std::size_t level, std::size_t bytes, Clock::time_point now);
  /// Ignores other numbers than that of the picture in transit.
  void seen(std::uint32_t frame, Clock::time_point now);
  /// How long the present picture has been in transit; 0 if none is.
  double seconds_on_the_way(Clock::time_point now) const;
  /// The level for moving pictures.
  std::size_t level() const { return level_; }

private:
  struct OnTheWay {
    std::size_t bytes;
    bool sharpens;  ///< the picture was seen before at a coarser level
    Clock::time_point since;
  };
  bool may_sharpen() const;

  std::optional<OnTheWay> on_the_way_;
  std::uint32_t frame_ = 0;
  std::uint64_t picture_ = 0;  ///< number of the last picture sent; 0: none
  std::size_t shown_level_ = 0;
  std::size_t level_ = first_level;
  std::size_t last_bytes_ = 0;
  double bytes_per_second_ = 0.0;  ///< smoothed
  int quick_ones_ = 0;             ///< consecutive pictures that were seen quickly
};

}  // namespace slotscape::serve
