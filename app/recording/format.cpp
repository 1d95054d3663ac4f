#include "app/recording/format.hpp"

#include "app/base/files.hpp"
#include "app/base/programs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <system_error>

namespace slotscape {

namespace fs = std::filesystem;

namespace {

using Words = std::vector<std::string>;

/// Films store colour for blocks of two by two pixels, so an odd last row or column is left out. The colour space is
/// that of high-definition video, and is declared, as players otherwise guess.
Words colors_of_film()
{
  return {"-vf",
          "crop=trunc(iw/2)*2:trunc(ih/2)*2:0:0,scale=out_color_matrix=bt709:out_range=tv,format=yuv420p",
          "-colorspace",
          "bt709",
          "-color_primaries",
          "bt709",
          "-color_trc",
          "bt709",
          "-color_range",
          "tv"};
}

Words beginning_of_command(fs::path const& ffmpeg)
{
  return {ffmpeg.string(), "-hide_banner", "-nostdin", "-nostats", "-loglevel", "error", "-y"};
}

/// Makes ffmpeg take the name literally, whatever it looks like.
std::string name_for_ffmpeg(fs::path const& file)
{
  return "file:" + fs::absolute(file).string();
}

Words encoding_of(RecordingFormat format)
{
  Words words;
  switch (format) {
    case RecordingFormat::png: break;
    case RecordingFormat::mp4:
      words = colors_of_film();
      words.insert(words.end(), {"-c:v", "libx264", "-preset", "veryfast", "-crf", "18", "-movflags", "+faststart"});
      break;
    case RecordingFormat::webm:
      words = colors_of_film();
      words.insert(words.end(), {"-c:v", "libvpx-vp9", "-crf", "28", "-b:v", "0", "-deadline", "realtime", "-cpu-used",
                                 "8", "-row-mt", "1"});
      break;
    case RecordingFormat::gif: words = {"-c:v", "libx264rgb", "-preset", "ultrafast", "-qp", "0"}; break;
  }
  words.insert(words.end(), {"-f", std::string(format == RecordingFormat::gif ? "matroska" : to_text(format))});
  return words;
}

}  // namespace

template <>
std::span<EnumName<RecordingFormat> const> enum_names()
{
  using enum RecordingFormat;
  static constexpr std::array names{EnumName<RecordingFormat>{png, "png", "Numbered PNGs"},
                                    EnumName<RecordingFormat>{mp4, "mp4", "MP4"},
                                    EnumName<RecordingFormat>{webm, "webm", "WebM"},
                                    EnumName<RecordingFormat>{gif, "gif", "GIF"}};
  return names;
}

int possible_frame_rate(RecordingFormat format, int wanted)
{
  int const most = format == RecordingFormat::gif ? max_frame_rate_of_gif : max_frame_rate;
  return std::clamp(wanted, min_frame_rate, most);
}

std::string_view ending_of(RecordingFormat format)
{
  switch (format) {
    case RecordingFormat::png: return ".png";
    case RecordingFormat::mp4: return ".mp4";
    case RecordingFormat::webm: return ".webm";
    case RecordingFormat::gif: return ".gif";
  }
  return {};
}

std::optional<RecordingFormat> film_format_of(fs::path const& file)
{
  std::error_code ignored;
  if (fs::is_directory(file, ignored)) { return std::nullopt; }
  using enum RecordingFormat;
  constexpr std::array films{mp4, webm, gif};
  auto const* const film = std::ranges::find(films, extension_of(file), ending_of);
  return film == films.end() ? std::nullopt : std::optional(*film);
}

fs::path find_ffmpeg()
{
  return find_program("ffmpeg");
}

std::vector<std::string> film_command(fs::path const& ffmpeg, RecordingFormat format, gl::Size size, int frame_rate,
                                      fs::path const& file)
{
  Words words = beginning_of_command(ffmpeg);
  words.insert(words.end(), {"-f", "rawvideo", "-pixel_format", "rgb24", "-video_size",
                             fmt::format("{}x{}", size.width, size.height), "-framerate", std::to_string(frame_rate),
                             "-i", "pipe:0"});
  Words const encoding = encoding_of(format);
  words.insert(words.end(), encoding.begin(), encoding.end());
  words.push_back(name_for_ffmpeg(file));
  return words;
}

std::vector<std::string> gif_command(fs::path const& ffmpeg, fs::path const& film, fs::path const& file)
{
  Words words = beginning_of_command(ffmpeg);
  std::string const name = name_for_ffmpeg(film);
  words.insert(words.end(), {"-i", name, "-i", name, "-filter_complex",
                             "[0:v]palettegen[palette];[1:v][palette]paletteuse=dither=none:diff_mode=rectangle",
                             "-loop", "0", "-f", "gif", name_for_ffmpeg(file)});
  return words;
}

}  // namespace slotscape
