#include "app/recording/frame_reader.hpp"

#include <utility>

namespace slotscape {

FrameReader::FrameReader(gl::Size size) : pictures_{gl::ReadBack(size), gl::ReadBack(size), gl::ReadBack(size)} {}

void FrameReader::ask(unsigned framebuffer, int x, int y, double seconds)
{
  std::size_t const next = (first_ + asked_) % pictures_.size();
  pictures_[next].ask(framebuffer, x, y);
  seconds_[next] = seconds;
  ++asked_;
}

std::optional<FrameReader::Frame> FrameReader::take(Wait wait, gl::Image& memory)
{
  if (asked_ == 0) { return std::nullopt; }
  gl::ReadBack& picture = pictures_[first_];
  double const seconds = seconds_[first_];
  if (!picture.arrived(wait == Wait::yes) && wait == Wait::no) { return std::nullopt; }
  first_ = (first_ + 1) % pictures_.size();
  --asked_;
  if (!picture.take(memory)) { return std::nullopt; }
  return Frame{std::exchange(memory, {}), seconds};
}

}  // namespace slotscape
