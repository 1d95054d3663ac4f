#include "app/recording/recorder.hpp"

#include "gpu/base/error.hpp"
#include "gpu/base/work.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <exception>
#include <system_error>
#include <utility>

namespace slotscape {
namespace {

constexpr std::size_t always_wait = 2;            ///< frames that may always wait, however large
constexpr std::size_t max_memory_kept = 4;        ///< frames
constexpr unsigned max_threads = 3;               ///< number of threads if frames can be written in any order
constexpr double rounding_of_frame_times = 1e-6;  ///< frames

std::size_t threads_for(FrameSink const& sink)
{
  if (!sink.takes_any_order()) { return 1; }
  return std::clamp(std::thread::hardware_concurrency() / 2, 1u, max_threads);
}

}  // namespace

Recorder::Recorder(std::unique_ptr<FrameSink> sink, int frame_rate, std::size_t max_memory)
    : sink_(std::move(sink)), frame_rate_(frame_rate), max_memory_(max_memory), working_(threads_for(*sink_))
{
  std::size_t const wanted = working_;
  try {
    while (threads_.size() < wanted) {
      threads_.emplace_back([this](std::stop_token const& stop) { work(stop); });
    }
  } catch (std::system_error const&) {
    if (threads_.empty()) { throw Error(no_thread); }
    std::lock_guard const lock(mutex_);  // no frame has arrived yet, so no thread has ended
    working_ = threads_.size();
  }
}

Recorder::~Recorder()
{
  cancel();
  threads_.clear();
}

std::uint64_t Recorder::number_at(double seconds) const
{
  return static_cast<std::uint64_t>(std::max(std::floor(seconds * frame_rate_ + rounding_of_frame_times), 0.0));
}

bool Recorder::wants_frame(double seconds)
{
  seconds_ = seconds;
  std::uint64_t const number = number_at(seconds);
  if (last_wanted_ && number <= *last_wanted_) { return false; }
  {
    std::lock_guard const lock(mutex_);
    if (phase_ != RecordingPhase::recording) { return false; }
    std::size_t memory = 0;
    for (Frame const& frame : waiting_) { memory += frame.image.pixels.size(); }
    if (waiting_.size() >= always_wait && memory >= max_memory_) { return false; }
  }
  last_wanted_ = number;
  return true;
}

void Recorder::add(gl::Image frame, double seconds)
{
  std::uint64_t const number = number_at(seconds);
  if (!held_) {
    held_ = Frame{std::move(frame), 0, 0};  // also stands for the time before the first frame
    return;
  }
  if (number <= held_->first) { return; }
  held_->times = number - held_->first;
  push(std::exchange(*held_, Frame{std::move(frame), number, 0}));
}

void Recorder::push(Frame frame)
{
  {
    std::lock_guard const lock(mutex_);
    frames_ += frame.times;
    waiting_.push_back(std::move(frame));
  }
  changed_.notify_one();
}

gl::Image Recorder::take_memory()
{
  std::lock_guard const lock(mutex_);
  if (memory_.empty()) { return {}; }
  gl::Image image = std::move(memory_.back());
  memory_.pop_back();
  return image;
}

void Recorder::stop(double seconds)
{
  seconds_ = seconds;
  std::uint64_t const end = std::max<std::uint64_t>(static_cast<std::uint64_t>(std::llround(seconds * frame_rate_)), 1);
  if (held_ && held_->first < end) {
    held_->times = end - held_->first;
    push(*std::exchange(held_, std::nullopt));
  }
  {
    std::lock_guard const lock(mutex_);
    stopped_ = true;
    if (phase_ == RecordingPhase::recording) { phase_ = RecordingPhase::finishing; }
  }
  changed_.notify_all();
}

void Recorder::cancel()
{
  {
    std::lock_guard const lock(mutex_);
    if (phase_ >= RecordingPhase::done) { return; }
  }
  for (std::jthread& thread : threads_) { thread.request_stop(); }
}

/// The next frame to write; none if there are no more.
std::optional<Recorder::Frame> Recorder::next(std::stop_token const& stop)
{
  std::unique_lock lock(mutex_);
  changed_.wait(lock, stop, [&] { return !waiting_.empty() || stopped_ || !error_.empty(); });
  if (stop.stop_requested() || !error_.empty() || waiting_.empty()) { return std::nullopt; }
  Frame frame = std::move(waiting_.front());
  waiting_.pop_front();
  return frame;
}

void Recorder::work(std::stop_token const& stop)
{
  try {
    while (auto frame = next(stop)) {
      sink_->write(frame->image, frame->first, frame->times, stop);
      std::lock_guard const lock(mutex_);
      written_ += frame->times;
      if (memory_.size() < max_memory_kept) { memory_.push_back(std::move(frame->image)); }
    }
  } catch (std::exception const& error) {
    fail(error.what());
  }
  {
    std::lock_guard const lock(mutex_);
    if (--working_ > 0) { return; }
  }
  end(stop);
}

void Recorder::fail(std::string const& why)
{
  {
    std::lock_guard const lock(mutex_);
    if (error_.empty()) { error_ = why; }
  }
  changed_.notify_all();
}

/// Ends the recording; the last thread to finish calls this.
void Recorder::end(std::stop_token const& stop)
{
  auto const has_failed = [&] {
    std::lock_guard const lock(mutex_);
    return !error_.empty();
  };
  try {
    if (!has_failed() && !stop.stop_requested()) { sink_->finish(stop); }
  } catch (std::exception const& error) {
    fail(error.what());
  }
  bool const failed = has_failed();
  bool const cancelled = !failed && stop.stop_requested();
  if (cancelled) { sink_->discard(); }
  {
    std::lock_guard const lock(mutex_);
    waiting_.clear();
    phase_ = failed ? RecordingPhase::failed : cancelled ? RecordingPhase::cancelled : RecordingPhase::done;
  }
  changed_.notify_all();
}

RecordingStatus Recorder::status() const
{
  std::uint64_t const bytes = sink_->bytes();
  std::lock_guard const lock(mutex_);
  std::uint64_t const shown = stopped_ ? frames_ : std::max(frames_, number_at(seconds_) + (held_ ? 1 : 0));
  return {phase_, seconds_, shown, written_, bytes, error_};
}

bool Recorder::wait(double max_seconds)
{
  std::unique_lock lock(mutex_);
  return changed_.wait_for(lock, std::chrono::duration<double>(max_seconds),
                           [&] { return phase_ >= RecordingPhase::done; });
}

}  // namespace slotscape
