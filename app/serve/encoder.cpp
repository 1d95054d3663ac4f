#include "app/serve/encoder.hpp"

#include "gpu/base/error.hpp"

#include <algorithm>
#include <array>
#include <new>
#include <utility>

namespace slotscape::serve {
namespace {

constexpr std::size_t channels = 4;

/// The mean colour of a square of pixels whose top left corner is at (x, y).
std::array<std::uint8_t, channels> mean_of_square(gl::Image const& image, int x, int y, int side)
{
  std::array<unsigned, channels> sums{};
  for (int row = y; row < y + side; ++row) {
    std::size_t place =
        (static_cast<std::size_t>(row) * static_cast<std::size_t>(image.width) + static_cast<std::size_t>(x)) *
        channels;
    for (int column = 0; column < side; ++column) {
      for (std::size_t channel = 0; channel < channels; ++channel) { sums[channel] += image.pixels[place++]; }
    }
  }
  auto const count = static_cast<unsigned>(side) * static_cast<unsigned>(side);
  std::array<std::uint8_t, channels> mean{};
  std::ranges::transform(sums, mean.begin(), [&](unsigned sum) { return static_cast<std::uint8_t>(sum / count); });
  return mean;
}

}  // namespace

gl::Image shrunk(gl::Image const& image, int divisor)
{
  gl::Image small{.width = image.width / divisor, .height = image.height / divisor, .pixels = {}};
  small.pixels.reserve(static_cast<std::size_t>(small.width) * static_cast<std::size_t>(small.height) * channels);
  for (int y = 0; y < small.height; ++y) {
    for (int x = 0; x < small.width; ++x) {
      auto const mean = mean_of_square(image, x * divisor, y * divisor, divisor);
      small.pixels.insert(small.pixels.end(), mean.begin(), mean.end());
    }
  }
  return small;
}

std::string encoded(gl::Image const& image, Level const& level)
{
  return level.divisor == 1 ? gl::jpeg_of(image, level.quality)
                            : gl::jpeg_of(shrunk(image, level.divisor), level.quality);
}

Encoder::Encoder(Audience& audience) : audience_(audience), thread_([this] { run(); }) {}

Encoder::~Encoder()
{
  {
    std::scoped_lock const lock(mutex_);
    ends_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

bool Encoder::takes_picture() const
{
  std::scoped_lock const lock(mutex_);
  return !busy_ && !waiting_ && audience_.takes_more();
}

void Encoder::show(gl::Image image)
{
  {
    std::scoped_lock const lock(mutex_);
    if (busy_ || waiting_) { return; }
    waiting_ = std::move(image);
  }
  changed_.notify_all();
}

void Encoder::run()
{
  std::unique_lock lock(mutex_);
  while (true) {
    changed_.wait(lock, [this] { return ends_ || waiting_; });
    if (ends_) { return; }
    gl::Image image = *std::exchange(waiting_, std::nullopt);
    busy_ = true;
    lock.unlock();
    encode(std::move(image));
    lock.lock();
    busy_ = false;
  }
}

/// Skips a picture if memory is insufficient; the next one may fit.
void Encoder::encode(gl::Image image)
{
  if (picture_ == 0 || image.pixels != last_.pixels) {
    last_ = std::move(image);
    ++picture_;
  }
  Audience::Levels const wanted = audience_.wanted(picture_);
  for (std::size_t level = 0; level < wanted.size(); ++level) {
    if (!wanted.test(level)) { continue; }
    try {
      audience_.send(picture_, level, encoded(last_, levels.at(level)));
    } catch (Error const&) {
      return;
    } catch (std::bad_alloc const&) {
      return;
    }
  }
}

}  // namespace slotscape::serve
