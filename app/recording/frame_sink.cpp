#include "app/recording/frame_sink.hpp"

#include "app/base/child_process.hpp"
#include "app/base/files.hpp"
#include "app/base/programs.hpp"
#include "app/base/replaced_file.hpp"
#include "gpu/base/error.hpp"
#include "gpu/base/translation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <system_error>
#include <thread>
#include <vector>

namespace slotscape {

namespace fs = std::filesystem;

namespace {

/// How long to wait for ffmpeg before checking whether the recording was cancelled.
constexpr std::chrono::milliseconds patience{20};

class PngSink final : public FrameSink {
public:
  explicit PngSink(fs::path folder) : folder_(std::move(folder)) { check_writable_folder(folder_); }

  void write(gl::Image const& frame, std::uint64_t first, std::uint64_t times, std::stop_token const& stop) override
  {
    std::string const content = gl::png_of(frame);
    for (std::uint64_t number = first; number < first + times && !stop.stop_requested(); ++number) {
      {
        std::lock_guard const lock(mutex_);
        most_ = std::max(most_, number + 1);
      }
      refuse_input(file_of(number));
      replace_text_file(file_of(number), content, Flush::later);  // waiting for the disk would cost frames
      bytes_ += content.size();
    }
  }

  /// Removes the last frames of an earlier, longer recording in this folder, which would be mistaken for frames of this
  /// one.
  void finish(std::stop_token const& /*stop*/) override
  {
    std::error_code none;
    for (std::uint64_t number = most_; fs::is_regular_file(file_of(number), none); ++number) {
      refuse_input(file_of(number));
      remove_quietly(file_of(number));
    }
  }

  void discard() override
  {
    for (std::uint64_t number = 0; number < most_; ++number) { remove_quietly(file_of(number)); }
    std::error_code ignored;
    fs::remove(folder_, ignored);  // succeeds only if the folder is empty
  }

  std::uint64_t bytes() const override { return bytes_; }
  bool takes_any_order() const override { return true; }

private:
  fs::path file_of(std::uint64_t number) const { return folder_ / fmt::format("frame_{:06}.png", number + 1); }

  fs::path folder_;
  std::mutex mutex_;
  std::uint64_t most_ = 0;  ///< number of frames whose writing has begun
  std::atomic<std::uint64_t> bytes_ = 0;
};

std::string why_it_ended(ChildProcess::Result const& result)
{
  std::string said = last_line(result.errors);
  if (!said.empty()) { return said; }
  return result.signal != 0 ? fmt::format("it was ended by signal {}", result.signal)
                            : fmt::format("it ended with exit code {}", result.code);
}

[[noreturn]] void fail(ChildProcess::Result const& result)
{
  throw Error(tr("ffmpeg failed: {}", why_it_ended(result)));
}

/// A file name that is not in use.
fs::path new_film_beside(fs::path const& file)
{
  std::error_code ignored;
  for (int number = 1;; ++number) {
    fs::path film = file;
    film += number == 1 ? ".mkv" : fmt::format(".{}.mkv", number);
    if (!fs::exists(film, ignored)) { return film; }
  }
}

class FilmSink final : public FrameSink {
public:
  FilmSink(fs::path program, RecordingFormat format, gl::Size size, int frame_rate, fs::path file)
      : program_(std::move(program)), size_(size), file_(std::move(file)), film_(file_)
  {
    claim_output(file_);
    if (format == RecordingFormat::gif) { film_ = new_film_beside(file_); }
    ffmpeg_.emplace(film_command(program_, format, size, frame_rate, film_), ChildProcess::Input::written);
  }

  void write(gl::Image const& frame, std::uint64_t /*first*/, std::uint64_t times, std::stop_token const& stop) override
  {
    if (frame.width != size_.width || frame.height != size_.height) {
      throw Error(
          tr("a frame has {}x{} pixels, but the film has {}x{}", frame.width, frame.height, size_.width, size_.height));
    }
    leave_alpha_out(frame);
    for (std::uint64_t i = 0; i < times && !stop.stop_requested(); ++i) { feed(stop); }
  }

  void finish(std::stop_token const& stop) override
  {
    ffmpeg_->end_input();
    bool const complete = wait(stop);
    if (!complete || film_ == file_) { return; }
    ffmpeg_.emplace(gif_command(program_, film_, file_));
    try {
      if (wait(stop)) { remove_quietly(film_); }
    } catch (Error const& error) {
      throw Error(tr("{}; the film before its conversion to GIF is {}", error.what(), film_.string()));
    }
  }

  void discard() override
  {
    ffmpeg_.reset();
    remove_quietly(film_);
    remove_quietly(file_);
  }

  std::uint64_t bytes() const override
  {
    std::error_code none;
    std::uintmax_t const film = fs::file_size(film_, none);
    if (!none) { return film; }
    std::uintmax_t const made_of_it = fs::file_size(file_, none);
    return none ? 0 : made_of_it;
  }

private:
  void leave_alpha_out(gl::Image const& frame)
  {
    std::size_t const pixels = frame.pixels.size() / 4;
    rgb_.resize(pixels * 3);
    std::uint8_t const* from = frame.pixels.data();
    std::uint8_t* to = rgb_.data();
    for (std::size_t i = 0; i < pixels; ++i, from += 4, to += 3) {
      to[0] = from[0];
      to[1] = from[1];
      to[2] = from[2];
    }
  }

  void feed(std::stop_token const& stop)
  {
    std::span<std::uint8_t const> rest = rgb_;
    while (!rest.empty() && !stop.stop_requested()) {
      rest = rest.subspan(ffmpeg_->write(rest, patience));
      if (auto const result = ffmpeg_->poll()) { fail(*result); }
    }
  }

  /// Waits for ffmpeg to exit; returns false if told to stop first. Throws Error if ffmpeg fails.
  bool wait(std::stop_token const& stop)
  {
    while (!stop.stop_requested()) {
      if (auto const result = ffmpeg_->poll()) {
        if (result->code != 0 || result->signal != 0) { fail(*result); }
        return true;
      }
      std::this_thread::sleep_for(patience);
    }
    return false;
  }

  fs::path program_;
  gl::Size size_;
  fs::path file_;
  fs::path film_;  ///< the film that ffmpeg makes from the frames
  std::optional<ChildProcess> ffmpeg_;
  std::vector<std::uint8_t> rgb_;
};

}  // namespace

std::unique_ptr<FrameSink> open_png_sink(fs::path const& folder)
{
  return std::make_unique<PngSink>(folder);
}

std::unique_ptr<FrameSink> open_film_sink(fs::path const& ffmpeg, RecordingFormat format, gl::Size size, int frame_rate,
                                          fs::path const& file)
{
  return std::make_unique<FilmSink>(ffmpeg, format, size, frame_rate, file);
}

std::unique_ptr<FrameSink> open_sink(RecordingFormat format, gl::Size size, int frame_rate, fs::path const& path)
{
  if (format == RecordingFormat::png) { return open_png_sink(path); }
  fs::path const ffmpeg = find_ffmpeg();
  if (ffmpeg.empty()) {
    throw Error(tr("{} needs ffmpeg, which was not found: {}; numbered PNGs work without it", to_label(format),
                   how_to_get_ffmpeg));
  }
  return open_film_sink(ffmpeg, format, size, frame_rate, path);
}

}  // namespace slotscape
