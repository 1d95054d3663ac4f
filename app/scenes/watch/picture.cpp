#include "app/scenes/watch/picture.hpp"

#include <chrono>
#include <utility>

namespace slotscape {
namespace {

double seconds_since(std::chrono::steady_clock::time_point start)
{
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace

void WatchPicture::pass(double elapsed_seconds, bool follows)
{
  unfaded_seconds_ += elapsed_seconds;
  if (follows) { followed_at_ = state_.table.now; }
}

void WatchPicture::leave()
{
  drawn_.reset();
  host_presenter_.reset();
}

Presenter& WatchPicture::presenter(Presenters& presenters, Backend backend)
{
  bool const same = backend == state_.table.device.backend;
  if (same) { return presenters[0]; }
  if (!host_presenter_) { host_presenter_ = make_presenter(backend, PresentChoice::automatic); }
  return *host_presenter_;
}

bool WatchPicture::flashes() const
{
  constexpr double fade_seconds = 1.5;
  return state_.table.settings.view.color_by == ColorBy::recent && state_.table.now - followed_at_ < fade_seconds;
}

bool WatchPicture::is_due(PictureRequest const& request, Backend backend, bool follows) const
{
  auto const same_view = [](PictureRequest const& a, PictureRequest const& b) {
    return a.layout == b.layout && a.color_by == b.color_by && a.reduce == b.reduce && a.level == b.level &&
           a.x == b.x && a.y == b.y && a.width == b.width && a.height == b.height;
  };
  if (!drawn_ || !same_view(*drawn_, request)) { return true; }
  double const share = watch::max_share_of_time(backend);
  return (follows || flashes()) && state_.table.now - analysed_at_ >= analysis_seconds_ / share;
}

FrameFacts WatchPicture::analyse(watch::WatchedTable& table, PictureRequest const& request, Presenter& presenter,
                                 std::function<void()> const& read_more)
{
  auto const start = std::chrono::steady_clock::now();
  FrameFacts const times = view_.analyse(table, presenter, state_.table, std::exchange(unfaded_seconds_, 0.0));
  read_more();
  drawn_ = request;
  analysis_seconds_ = seconds_since(start);
  analysed_at_ = state_.table.now;
  return times;
}

}  // namespace slotscape
