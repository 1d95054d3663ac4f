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

/// What a recording does at the moment.
enum class RecordingPhase : std::uint8_t {
  recording,
  finishing,  ///< stopped; the last frames are written
  done,
  cancelled,
  failed  ///< `RecordingStatus::error` says why; what was written is kept
};

struct RecordingStatus {
  RecordingPhase phase = RecordingPhase::recording;
  double seconds = 0.0;       ///< recorded
  std::uint64_t frames = 0;   ///< at the recording's rate, repeated ones included
  std::uint64_t written = 0;  ///< of these
  std::uint64_t bytes = 0;    ///< on the disk
  std::string error = {};

  bool over() const { return phase >= RecordingPhase::done; }
};

/// Makes frames that come when they come into a recording with so many frames a second, which runs at real speed: where
/// no frame comes, or the disk or the encoder is too slow, the one before is repeated; where more come than are wanted,
/// they are left out. Writes them on threads of its own. Call all members from one thread; none of them waits.
class Recorder {
public:
  /// How much memory frames that wait to be written may take. Two may always wait.
  static constexpr std::size_t usual_memory = std::size_t{256} << 20;

  Recorder(std::unique_ptr<FrameSink> sink, int frame_rate, std::size_t max_memory = usual_memory);
  /// Cancels what is not over.
  ~Recorder();
  Recorder(Recorder const&) = delete;
  Recorder& operator=(Recorder const&) = delete;

  /// Whether a frame of this time, in seconds since the start, would be of use. It is wanted once.
  bool wants_frame(double seconds);
  /// Takes a frame that was wanted; later frames have later times. All have one size.
  void add(gl::Image frame, double seconds);
  /// The memory of a frame that was written, to be used again; empty if there is none.
  gl::Image take_memory();
  /// The recording ends at this time. What waits is still written.
  void stop(double seconds);
  /// Removes what was written.
  void cancel();

  RecordingStatus status() const;
  /// Waits until the recording is over, but not longer; returns whether it is.
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
  std::optional<std::uint64_t> last_wanted_;  ///< the number of a frame
  std::optional<Frame> held_;                 ///< the latest frame; how often it is needed, the next one tells
  double seconds_ = 0.0;                      ///< of the latest question

  mutable std::mutex mutex_;  ///< of what follows
  std::condition_variable_any changed_;
  std::deque<Frame> waiting_;
  std::vector<gl::Image> memory_;
  std::uint64_t frames_ = 0;
  std::uint64_t written_ = 0;
  bool stopped_ = false;
  std::string error_;
  std::size_t working_ = 0;  ///< threads
  RecordingPhase phase_ = RecordingPhase::recording;
  std::vector<std::jthread> threads_;  // last: they use all others
};

}  // namespace slotscape
