#pragma once

#include "app/recording/frame_sink.hpp"

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

namespace slotscape {

/// The current phase of a recording.
enum class RecordingPhase : std::uint8_t {
  recording,
  finishing,  ///< stopped; the last frames are being written
  done,
  cancelled,
  failed  ///< `RecordingStatus::error` says why; the files written are kept
};

struct RecordingStatus {
  RecordingPhase phase = RecordingPhase::recording;
  double seconds = 0.0;       ///< recorded seconds
  std::uint64_t frames = 0;   ///< at the recording's rate, including repeated frames
  std::uint64_t written = 0;  ///< number of these frames that are written
  std::uint64_t bytes = 0;    ///< bytes on the disk
  std::string error = {};

  bool over() const { return phase >= RecordingPhase::done; }
};

/// Turns frames that arrive irregularly into a recording with a constant frame rate, in real time: if no frame arrives,
/// or the disk or the encoder is too slow, the previous frame is repeated; surplus frames are left out. Writes frames
/// on its own threads. Call all members from one thread; none of them blocks.
class Recorder {
public:
  /// Default limit for the memory of frames that wait to be written. Two frames may always wait.
  static constexpr std::size_t usual_memory = std::size_t{256} << 20;

  Recorder(std::unique_ptr<FrameSink> sink, int frame_rate, std::size_t max_memory = usual_memory);
  /// Cancels the recording unless it is over.
  ~Recorder();
  Recorder(Recorder const&) = delete;
  Recorder& operator=(Recorder const&) = delete;

  /// Whether a frame at this time, in seconds since the start, is needed. Returns true once per frame.
  bool wants_frame(double seconds);
  /// Adds a frame that was wanted; times must increase. All frames have the same size.
  void add(gl::Image frame, double seconds);
  /// The memory of a written frame, for reuse; empty if there is none.
  gl::Image take_memory();
  /// Ends the recording at this time. Waiting frames are still written.
  void stop(double seconds);
  /// Cancels the recording and removes its files.
  void cancel();

  RecordingStatus status() const;
  /// Waits until the recording is over, for at most `max_seconds`; returns whether it is over.
  bool wait(double max_seconds);

private:
  struct Frame {
    gl::Image image;
    std::uint64_t first;
    std::uint64_t times;
  };

  std::uint64_t number_at(double seconds) const;
  void push(Frame frame);
  void work(std::stop_token const& stop);
  std::optional<Frame> next(std::stop_token const& stop);
  void fail(std::string const& why);
  void end(std::stop_token const& stop);

  std::unique_ptr<FrameSink> sink_;
  int frame_rate_;
  std::size_t max_memory_;
  std::optional<std::uint64_t> last_wanted_;  ///< number of the last frame that was wanted
  std::optional<Frame> held_;                 ///< the latest frame; the next one determines how often it is repeated
  double seconds_ = 0.0;                      ///< time of the latest `wants_frame`

  mutable std::mutex mutex_;  ///< guards the following members
  std::condition_variable_any changed_;
  std::deque<Frame> waiting_;
  std::vector<gl::Image> memory_;
  std::uint64_t frames_ = 0;
  std::uint64_t written_ = 0;
  bool stopped_ = false;
  std::string error_;
  std::size_t working_ = 0;  ///< number of working threads
  RecordingPhase phase_ = RecordingPhase::recording;
  std::vector<std::jthread> threads_;  // declared last: they use all other members
};

}  // namespace slotscape
