#pragma once

#include "app/gl/image.hpp"
#include "app/recording/format.hpp"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <stop_token>

namespace slotscape {

/// The destination of a recording's frames.
class FrameSink {
public:
  FrameSink() = default;
  FrameSink(FrameSink const&) = delete;
  FrameSink& operator=(FrameSink const&) = delete;
  virtual ~FrameSink() = default;

  /// Writes a frame with the numbers from `first` (the recording's first frame is 0) to `first + times - 1`. Returns
  /// early when told to stop. Throws Error if the frame cannot be written.
  virtual void write(gl::Image const& frame, std::uint64_t first, std::uint64_t times, std::stop_token const& stop) = 0;
  /// Call after the last frame. Returns early when told to stop. Throws Error if the recording cannot be finished.
  virtual void finish(std::stop_token const& /*stop*/) {}
  /// Ends without finishing, and removes the files written. Call nothing else after it.
  virtual void discard() = 0;
  /// Bytes on the disk. Thread-safe.
  virtual std::uint64_t bytes() const = 0;
  /// Whether several threads may write frames at once, in any order.
  virtual bool takes_any_order() const { return false; }
};

/// Pictures in a folder, which is created, numbered from frame_000001.png. Throws Error if it cannot be written to.
std::unique_ptr<FrameSink> open_png_sink(std::filesystem::path const& folder);

/// A film, which `ffmpeg` encodes as frames arrive. All frames have this size in pixels. Throws Error if the file
/// cannot be written or ffmpeg does not start.
std::unique_ptr<FrameSink> open_film_sink(std::filesystem::path const& ffmpeg, RecordingFormat format, gl::Size size,
                                          int frame_rate, std::filesystem::path const& file);

/// Opens the sink for a format; `path` is a folder for `png`. Throws Error that says how to get ffmpeg if it is needed
/// and missing.
std::unique_ptr<FrameSink> open_sink(RecordingFormat format, gl::Size size, int frame_rate,
                                     std::filesystem::path const& path);

}  // namespace slotscape
