#include "app/recording/recorder.hpp"
#include "app/recording/window_recording.hpp"
#include "gpu/base/error.hpp"
#include "tests/app/support/environment.hpp"
#include "tests/app/support/stb.hpp"

#include <fmt/format.h>
#include <glad/gl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <map>

namespace slotscape::recording_tests {
namespace {

namespace fs = std::filesystem;

using test::content_of;
using test::message_of;
using test::TemporaryFolder;
using test::Variable;
using test::write_program;
using testing::ElementsAre;
using testing::EndsWith;
using testing::HasSubstr;

constexpr gl::Size size{16, 12};
constexpr double long_enough = 20.0;  ///< seconds that no test takes

/// A picture that tells when it was taken.
gl::Image picture_of(std::uint8_t shade)
{
  return {size.width, size.height, std::vector<std::uint8_t>(std::size_t{16} * 12 * 4, shade)};
}

/// Frames of a window that draws `drawn_rate` of them a second, for so many seconds.
void play(Recorder& recorder, double seconds, double drawn_rate)
{
  for (int frame = 0; frame < std::lround(seconds * drawn_rate); ++frame) {
    double const now = frame / drawn_rate;
    if (recorder.wants_frame(now)) { recorder.add(picture_of(static_cast<std::uint8_t>(frame)), now); }
  }
  recorder.stop(seconds);
}

/// What sinks of the test have in common.
struct Written {
  std::map<std::uint64_t, std::uint8_t> shades;  ///< of each frame
  std::atomic<bool> held = false;                ///< nothing is written meanwhile
  std::atomic<int> waiting = 0;
  bool discarded = false;
};

class TestSink final : public FrameSink {
public:
  explicit TestSink(Written& written) : written_(written) {}
  void write(gl::Image const& frame, std::uint64_t first, std::uint64_t times, std::stop_token const& stop) override
  {
    while (written_.held && !stop.stop_requested()) { std::this_thread::sleep_for(std::chrono::milliseconds(1)); }
    for (std::uint64_t i = 0; i < times; ++i) {
      EXPECT_TRUE(written_.shades.emplace(first + i, frame.pixels.front()).second) << "twice";
    }
  }
  void discard() override { written_.discarded = true; }
  std::uint64_t bytes() const override { return 0; }

private:
  Written& written_;
};

TEST(Recorder, LeavesOutFramesThatComeTooOften)
{
  Written written;
  Recorder recorder(std::make_unique<TestSink>(written), 20);
  play(recorder, 2.0, 60.0);
  ASSERT_TRUE(recorder.wait(long_enough));
  EXPECT_EQ(recorder.status().phase, RecordingPhase::done);
  EXPECT_EQ(recorder.status().frames, 40u);
  EXPECT_EQ(recorder.status().written, 40u);
  ASSERT_EQ(written.shades.size(), 40u);
  for (auto const& [number, shade] : written.shades) { EXPECT_EQ(shade, number * 3); }
}

TEST(Recorder, RepeatsFramesOfASlowWindowSoThatItRunsAtRealSpeed)
{
  Written written;
  Recorder recorder(std::make_unique<TestSink>(written), 30);
  play(recorder, 2.0, 10.0);
  ASSERT_TRUE(recorder.wait(long_enough));
  ASSERT_EQ(written.shades.size(), 60u);
  for (auto const& [number, shade] : written.shades) { EXPECT_EQ(shade, number / 3); }
}

TEST(Recorder, HasOneFrameAtLeast)
{
  Written written;
  Recorder recorder(std::make_unique<TestSink>(written), 30);
  play(recorder, 0.001, 1000.0);
  ASSERT_TRUE(recorder.wait(long_enough));
  EXPECT_EQ(written.shades.size(), 1u);
}

TEST(Recorder, TakesNoMoreMemoryWhereWritingIsTooSlowAndStillRunsAtRealSpeed)
{
  Written written{.shades = {}, .held = true};
  constexpr std::size_t frames_in_memory = 5;
  Recorder recorder(std::make_unique<TestSink>(written), 60, frames_in_memory * picture_of(0).pixels.size());
  int taken = 0;
  for (int frame = 0; frame < 200; ++frame) {
    if (!recorder.wants_frame(frame / 60.0)) { continue; }
    recorder.add(picture_of(static_cast<std::uint8_t>(frame)), frame / 60.0);
    ++taken;
  }
  EXPECT_LE(taken, static_cast<int>(frames_in_memory) + 3) << "one is written, one is held, one was wanted before";
  written.held = false;
  while (!recorder.wants_frame(201 / 60.0)) { std::this_thread::sleep_for(std::chrono::milliseconds(1)); }
  recorder.add(picture_of(201), 201 / 60.0);
  recorder.stop(210 / 60.0);
  ASSERT_TRUE(recorder.wait(long_enough));
  ASSERT_EQ(written.shades.size(), 210u);
  for (auto const& [number, shade] : written.shades) { EXPECT_LE(shade, number) << "shown before it was taken"; }
  EXPECT_EQ(written.shades[200], taken - 1) << "the last one before the pause";
  EXPECT_EQ(written.shades[201], 201);
  EXPECT_EQ(written.shades[209], 201);
}

TEST(Recorder, CanBeCancelledWhileItWrites)
{
  Written written{.shades = {}, .held = true};
  Recorder recorder(std::make_unique<TestSink>(written), 30);
  play(recorder, 1.0, 30.0);
  EXPECT_EQ(recorder.status().phase, RecordingPhase::finishing);
  recorder.cancel();
  ASSERT_TRUE(recorder.wait(long_enough));
  EXPECT_EQ(recorder.status().phase, RecordingPhase::cancelled);
  EXPECT_TRUE(written.discarded);
}

TEST(PngRecording, IsAFileForEachFrame)
{
  TemporaryFolder const folder;
  Recorder recorder(open_png_sink(folder / "new"), 25);
  play(recorder, 2.0, 60.0);
  ASSERT_TRUE(recorder.wait(long_enough));
  EXPECT_EQ(recorder.status().error, "");
  std::uint64_t bytes = 0;
  int files = 0;
  for (fs::directory_entry const& entry : fs::directory_iterator(folder / "new")) {
    int width = 0;
    int height = 0;
    int channels = 0;
    EXPECT_TRUE(stbi_info(entry.path().c_str(), &width, &height, &channels) != 0) << entry.path();
    EXPECT_EQ(width, size.width);
    EXPECT_EQ(height, size.height);
    bytes += entry.file_size();
    ++files;
  }
  EXPECT_EQ(files, 50);
  EXPECT_EQ(recorder.status().bytes, bytes);
  EXPECT_TRUE(fs::exists(folder / "new/frame_000001.png"));
  EXPECT_TRUE(fs::exists(folder / "new/frame_000050.png"));
}

TEST(PngRecording, LeavesNoFramesOfALongerOneBehindIt)
{
  TemporaryFolder const folder;
  for (double const seconds : {2.0, 1.0}) {
    Recorder recorder(open_png_sink(folder / "new"), 10);
    play(recorder, seconds, 60.0);
    ASSERT_TRUE(recorder.wait(long_enough));
    folder.write("new/frame_000099.png", "follows none of the frames");
  }
  std::vector<std::string> left;
  for (auto const& entry : fs::directory_iterator(folder / "new")) { left.push_back(entry.path().filename()); }
  std::ranges::sort(left);
  ASSERT_EQ(left.size(), 11u);
  EXPECT_EQ(left[9], "frame_000010.png");
  EXPECT_EQ(left[10], "frame_000099.png");
}

TEST(PngRecording, KeepsWhatWasWrittenWhenTheFolderGoesAway)
{
  TemporaryFolder const folder;
  Recorder recorder(open_png_sink(folder / "new"), 10);
  recorder.add(picture_of(1), 0.0);
  recorder.add(picture_of(2), 0.1);
  while (recorder.status().written == 0) { std::this_thread::sleep_for(std::chrono::milliseconds(1)); }
  fs::rename(folder / "new", folder / "elsewhere");
  recorder.add(picture_of(3), 0.2);
  ASSERT_TRUE(recorder.wait(long_enough)) << "it does not wait for the user";
  EXPECT_EQ(recorder.status().phase, RecordingPhase::failed);
  EXPECT_THAT(recorder.status().error, HasSubstr("frame_000002.png: cannot be written: there is no folder"));
  EXPECT_FALSE(recorder.wants_frame(0.5));
  recorder.stop(0.5);
  EXPECT_TRUE(fs::exists(folder / "elsewhere/frame_000001.png"));
}

TEST(PngRecording, DoesNotBeginWhereNothingCanBeWritten)
{
  TemporaryFolder const folder;
  folder.write("file", "");
  EXPECT_THAT(message_of<Error>([&] { open_png_sink(folder / "file"); }), HasSubstr("cannot be written"));
}

TEST(PngRecording, IsThrownAwayWhenCancelledAndNothingElse)
{
  TemporaryFolder const folder;
  fs::create_directory(folder / "mine");
  folder.write("mine/letter.txt", "Dear reader");
  {
    Recorder recorder(open_png_sink(folder / "mine"), 10);
    recorder.add(picture_of(1), 0.0);
    recorder.add(picture_of(2), 1.0);
    while (recorder.status().written == 0) { std::this_thread::sleep_for(std::chrono::milliseconds(1)); }
  }
  std::vector<std::string> left;
  for (auto const& entry : fs::directory_iterator(folder / "mine")) { left.push_back(entry.path().filename()); }
  EXPECT_THAT(left, ElementsAre("letter.txt"));
}

/// Films made by a program of the test's own.
class FilmRecording : public testing::Test {
protected:
  std::unique_ptr<FrameSink> sink(std::string const& script, RecordingFormat format = RecordingFormat::mp4)
  {
    return open_film_sink(write_program(folder_, "ffmpeg", script), format, size, 30, file_);
  }

  static constexpr char const* makes_film = R"(
    printf '%s\n' "$@" > "$0.arguments"
    for last; do :; done
    printf film > "${last#file:}"
    wc -c > "$0.bytes")";

  TemporaryFolder folder_;
  fs::path file_ = folder_ / "-y $(touch broken) 'a' %d ö.mp4";
};

TEST_F(FilmRecording, GivesFfmpegEveryPixelAndTheFilesNameAsItIs)
{
  Recorder recorder(sink(makes_film), 30);
  play(recorder, 2.0, 60.0);
  ASSERT_TRUE(recorder.wait(long_enough));
  EXPECT_EQ(recorder.status().error, "");
  EXPECT_EQ(std::stoi(content_of(folder_ / "ffmpeg.bytes")), 2 * 30 * 16 * 12 * 3);
  EXPECT_EQ(content_of(file_), "film");
  EXPECT_EQ(recorder.status().bytes, 4u);
  std::string const arguments = content_of(folder_ / "ffmpeg.arguments");
  EXPECT_THAT(arguments,
              HasSubstr("\n-f\nrawvideo\n-pixel_format\nrgb24\n-video_size\n16x12\n-framerate\n30\n-i\npipe:0\n"));
  EXPECT_THAT(arguments, EndsWith("\n-f\nmp4\nfile:" + file_.string() + "\n"));
  EXPECT_FALSE(fs::exists("broken"));
}

TEST_F(FilmRecording, OfAGifIsAFilmFirst)
{
  folder_.write(file_.filename().string() + ".mkv", "another one's");
  Recorder recorder(sink(std::string("echo call >> \"$0.calls\"\n") + makes_film, RecordingFormat::gif), 10);
  play(recorder, 1.0, 10.0);
  ASSERT_TRUE(recorder.wait(long_enough));
  EXPECT_EQ(recorder.status().error, "");
  EXPECT_EQ(content_of(folder_ / "ffmpeg.calls"), "call\ncall\n");
  EXPECT_EQ(content_of(file_), "film");
  EXPECT_EQ(content_of(file_.string() + ".mkv"), "another one's");
  EXPECT_FALSE(fs::exists(file_.string() + ".2.mkv"));
  std::string const arguments = content_of(folder_ / "ffmpeg.arguments");
  EXPECT_THAT(arguments, HasSubstr("\n-i\nfile:" + file_.string() + ".2.mkv\n"));
  EXPECT_THAT(arguments, HasSubstr("palettegen"));
  EXPECT_THAT(arguments, EndsWith("\n-f\ngif\nfile:" + file_.string() + "\n"));
}

TEST_F(FilmRecording, SaysFfmpegsLastLineWhenThatFails)
{
  Recorder recorder(sink("head -c 100 > /dev/null; echo first >&2; echo 'No space left on device' >&2; exit 1"), 30);
  for (int frame = 0; !recorder.status().over(); ++frame) {
    if (recorder.wants_frame(frame / 30.0)) { recorder.add(picture_of(0), frame / 30.0); }
  }
  EXPECT_EQ(recorder.status().phase, RecordingPhase::failed);
  EXPECT_EQ(recorder.status().error, "ffmpeg failed: No space left on device");
}

TEST_F(FilmRecording, SaysSoWhenFfmpegFailsAtTheEnd)
{
  Recorder recorder(sink("cat > /dev/null; exit 3"), 30);
  play(recorder, 0.5, 30.0);
  ASSERT_TRUE(recorder.wait(long_enough));
  EXPECT_EQ(recorder.status().error, "ffmpeg failed: it ended with exit code 3");
}

TEST_F(FilmRecording, IsCompleteHoweverSlowFfmpegIs)
{
  Recorder recorder(sink(std::string("sleep 2\n") + makes_film), 30);
  auto const start = std::chrono::steady_clock::now();
  play(recorder, 20.0, 60.0);  // more than a pipe holds
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::milliseconds(1500)) << "the window waited for it";
  ASSERT_TRUE(recorder.wait(long_enough));
  EXPECT_EQ(recorder.status().phase, RecordingPhase::done);
  EXPECT_EQ(std::stoi(content_of(folder_ / "ffmpeg.bytes")), 20 * 30 * 16 * 12 * 3);
}

TEST_F(FilmRecording, IsThrownAwayWhenCancelledEvenIfFfmpegHangs)
{
  Recorder recorder(sink(
                        "for last; do :; done; printf film > \"${last#file:}\"; echo >> \"$0.started\"; exec sleep 60"),
                    30);
  play(recorder, 60.0, 60.0);
  while (!fs::exists(folder_ / "ffmpeg.started")) { std::this_thread::sleep_for(std::chrono::milliseconds(1)); }
  EXPECT_FALSE(recorder.wait(0.05));
  recorder.cancel();
  ASSERT_TRUE(recorder.wait(long_enough));
  EXPECT_EQ(recorder.status().phase, RecordingPhase::cancelled);
  EXPECT_FALSE(fs::exists(file_));
}

TEST_F(FilmRecording, IsFoundOnThePathOrSaysHowToGetIt)
{
  write_program(folder_, "ffmpeg", makes_film);
  {
    Variable const path("PATH", "/nowhere:" + folder_.path().string());
    EXPECT_EQ(find_ffmpeg(), folder_ / "ffmpeg");
  }
  Variable const path("PATH", "/nowhere");
  EXPECT_THAT(message_of<Error>([&] { open_sink(RecordingFormat::gif, size, 10, folder_ / "a.gif"); }),
              HasSubstr("GIF needs ffmpeg, which was not found: install it with: sudo apt install ffmpeg"));
}

TEST(RecordingFormats, FollowFromTheEndOfTheName)
{
  EXPECT_EQ(film_format_of("a.mp4"), RecordingFormat::mp4);
  EXPECT_EQ(film_format_of("/b/A.WebM"), RecordingFormat::webm);
  EXPECT_EQ(film_format_of("a.b.gif"), RecordingFormat::gif);
  for (char const* other : {"mp4", "folder", "a.png", "a.mp4/", ""}) {
    EXPECT_EQ(film_format_of(other), std::nullopt) << other;
  }
  TemporaryFolder const folder;
  fs::create_directory(folder / "films.mp4");
  EXPECT_EQ(film_format_of(folder / "films.mp4"), std::nullopt) << "a folder that is there";
}

TEST(RecordingFormats, HaveRatesThatViewersPlay)
{
  EXPECT_EQ(possible_frame_rate(RecordingFormat::mp4, 60), 60);
  EXPECT_EQ(possible_frame_rate(RecordingFormat::gif, 60), 50);
  EXPECT_EQ(possible_frame_rate(RecordingFormat::png, 1), 10);
}

/// A framebuffer whose upper half is red and lower half blue, recorded with a clock of the test's own.
class WindowRecordingTest : public testing::Test {
protected:
  void draw(int frame)
  {
    glBindFramebuffer(GL_FRAMEBUFFER, context_->framebuffer());
    glEnable(GL_SCISSOR_TEST);
    glScissor(0, 24, 64, 24);
    glClearColor(1.0f, 0.0f, static_cast<float>(frame) / 255.0f, 1.0f);
    glClear(GL_COLOR_BUFFER_BIT);
    glScissor(0, 0, 64, 24);
    glClearColor(0.0f, 0.0f, 1.0f, 1.0f);
    glClear(GL_COLOR_BUFFER_BIT);
    glDisable(GL_SCISSOR_TEST);
  }

  std::unique_ptr<WindowRecording> record(RecordedPart part)
  {
    return std::make_unique<WindowRecording>(WindowRecording::Plan{RecordingFormat::png, 20, part, folder_ / "frames"},
                                             context_->size(), [this] { return now_; });
  }

  /// The colours of a recorded frame, row by row.
  std::vector<std::uint8_t> pixels(int number)
  {
    int channels = 0;
    stbi_uc* const pixels =
        stbi_load((folder_ / fmt::format("frames/frame_{:06}.png", number)).c_str(), &width_, &height_, &channels, 3);
    if (pixels == nullptr) { return {}; }
    std::vector<std::uint8_t> copy(pixels, pixels + static_cast<std::ptrdiff_t>(width_) * height_ * 3);
    stbi_image_free(pixels);
    return copy;
  }

  TemporaryFolder folder_;
  std::unique_ptr<gl::Context> context_ = gl::open_offscreen({64, 48});
  double now_ = 100.0;
  int width_ = 0;
  int height_ = 0;
};

TEST_F(WindowRecordingTest, HasThePartOfTheWindowAtItsTime)
{
  auto const recording = record({8, 20, {10, 6}});  // four rows of red and two of blue
  for (int frame = 0; frame < 60; ++frame) {
    now_ = 100.0 + frame / 60.0;
    draw(frame);
    recording->take(*context_);
  }
  now_ = 101.0;
  recording->stop();
  ASSERT_TRUE(recording->wait(long_enough));
  EXPECT_EQ(recording->status().frames, 20u);
  for (int const number : {1, 2, 20}) {
    auto const rgb = pixels(number);
    ASSERT_EQ(rgb.size(), 10u * 6 * 3);
    int const shade = (number - 1) * 3;
    EXPECT_THAT(std::vector(rgb.begin(), rgb.begin() + 3), ElementsAre(255, 0, shade)) << "frame " << number;
    EXPECT_THAT(std::vector(rgb.end() - 3, rgb.end()), ElementsAre(0, 0, 255));
    EXPECT_EQ(rgb[std::size_t{3} * 10 * 3], 255) << "the fourth row is red";
    EXPECT_EQ(rgb[std::size_t{4} * 10 * 3], 0) << "the fifth is blue";
  }
}

/// The same framebuffer, of a window that the user made smaller.
class SmallerContext final : public gl::Context {
public:
  explicit SmallerContext(unsigned framebuffer) : framebuffer_(framebuffer) {}
  gl::Size size() const override { return {60, 40}; }
  unsigned framebuffer() const override { return framebuffer_; }
  float content_scale() const override { return 1.0f; }
  GLFWwindow* window() const override { return nullptr; }
  void present() override {}

private:
  unsigned framebuffer_;
};

TEST_F(WindowRecordingTest, EndsWhenTheWindowGetsAnotherSize)
{
  auto const recording = record({0, 0, {64, 48}});
  draw(0);
  recording->take(*context_);
  now_ = 100.5;
  recording->take(SmallerContext(context_->framebuffer()));
  EXPECT_TRUE(recording->was_resized());
  ASSERT_TRUE(recording->wait(long_enough));
  EXPECT_EQ(recording->status().phase, RecordingPhase::done);
  EXPECT_EQ(recording->status().written, 10u);
  EXPECT_EQ(pixels(10).size(), 64u * 48 * 3);
}

}  // namespace
}  // namespace slotscape::recording_tests
