#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>

namespace slotscape::serve {

/// How a picture is compressed.
struct Level {
  int divisor;  ///< of width and height
  int quality;  ///< of JPEG, 1 to 100
};
/// From the best picture to the smallest. Above a quality of 90, colours keep their resolution, and small text its
/// edges.
inline constexpr std::array<Level, 6> levels{{{1, 92}, {1, 75}, {1, 50}, {2, 60}, {3, 45}, {4, 35}}};
inline constexpr std::size_t first_level = 1;

/// Suits pictures to one line. A picture goes out when the one before was seen: so none queue up, and how long that
/// takes is what the line can do. A picture that stands still gets better, step by step.
class Pace {
public:
  using Clock = std::chrono::steady_clock;

  /// The level in which the picture of this number is to be sent now; none if the one before is still on its way, or if
  /// this one is there already, as good as it can be.
  std::optional<std::size_t> wanted(std::uint64_t picture) const;
  /// Returns the number that `seen` takes.
  std::uint32_t sent(std::uint64_t picture, std::size_t level, std::size_t bytes, Clock::time_point now);
  /// Ignores numbers other than that of the picture that is on its way.
  void seen(std::uint32_t frame, Clock::time_point now);
  /// How long a picture has been on its way; 0 if none is.
  double seconds_on_the_way(Clock::time_point now) const;
  /// Of what moves.
  std::size_t level() const { return level_; }

private:
  struct OnTheWay {
    std::size_t bytes;
    bool sharpens;  ///< what was seen before in a coarser level
    Clock::time_point since;
  };
  bool may_sharpen() const;

  std::optional<OnTheWay> on_the_way_;
  std::uint32_t frame_ = 0;
  std::uint64_t picture_ = 0;  ///< the last one that was sent; 0: none
  std::size_t shown_level_ = 0;
  std::size_t level_ = first_level;
  std::size_t last_bytes_ = 0;
  double bytes_per_second_ = 0.0;  ///< smoothed
  int quick_ones_ = 0;             ///< pictures in succession that were seen soon
};

}  // namespace slotscape::serve
