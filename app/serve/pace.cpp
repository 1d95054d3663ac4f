#include "app/serve/pace.hpp"

#include <algorithm>
#include <utility>

namespace slotscape::serve {
namespace {

constexpr double soon_seconds = 0.08;
constexpr double late_seconds = 0.25;
constexpr double very_late_seconds = 1.0;
constexpr int quick_ones_for_more = 8;
/// Sending a sharper still picture must not delay the next moving one for longer.
constexpr double longest_sharpening_seconds = 1.0;
constexpr double growth_of_a_level = 2.5;  ///< approximate ratio of a picture's bytes at neighbouring levels

}  // namespace

std::optional<std::size_t> Pace::wanted(std::uint64_t picture) const
{
  if (on_the_way_) { return std::nullopt; }
  if (picture != picture_) { return level_; }
  if (shown_level_ == 0 || !may_sharpen()) { return std::nullopt; }
  return shown_level_ - 1;
}

bool Pace::may_sharpen() const
{
  double const bytes = growth_of_a_level * static_cast<double>(last_bytes_);
  return bytes <= longest_sharpening_seconds * bytes_per_second_;
}

std::uint32_t Pace::sent(std::uint64_t picture, std::size_t level, std::size_t bytes, Clock::time_point now)
{
  on_the_way_ = OnTheWay{bytes, picture == std::exchange(picture_, picture), now};
  shown_level_ = level;
  return ++frame_;
}

void Pace::seen(std::uint32_t frame, Clock::time_point now)
{
  if (!on_the_way_ || frame != frame_) { return; }
  double const seconds = std::max(seconds_on_the_way(now), 1e-4);
  auto const [bytes, sharpens, since] = *std::exchange(on_the_way_, std::nullopt);
  double const rate = static_cast<double>(bytes) / seconds;
  bytes_per_second_ = bytes_per_second_ == 0.0 ? rate : 0.7 * bytes_per_second_ + 0.3 * rate;
  last_bytes_ = bytes;
  if (sharpens) { return; }
  quick_ones_ = seconds <= soon_seconds ? quick_ones_ + 1 : 0;
  if (seconds > late_seconds) {
    level_ = std::min(level_ + (seconds > very_late_seconds ? 2 : 1), levels.size() - 1);
  } else if (quick_ones_ >= quick_ones_for_more && level_ > 0) {
    --level_;
    quick_ones_ = 0;
  }
}

double Pace::seconds_on_the_way(Clock::time_point now) const
{
  return on_the_way_ ? std::chrono::duration<double>(now - on_the_way_->since).count() : 0.0;
}

}  // namespace slotscape::serve
