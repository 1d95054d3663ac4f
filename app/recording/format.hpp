#pragma once

#include "app/base/enum_names.hpp"
#include "app/gl/context.hpp"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace slotscape {

/// What a recording is written as: numbered pictures in a folder, or a film that ffmpeg makes.
enum class RecordingFormat : std::uint8_t { png, mp4, webm, gif };

template <>
std::span<EnumName<RecordingFormat> const> enum_names();

inline constexpr int min_frame_rate = 10;  ///< frames per second
inline constexpr int max_frame_rate = 60;
/// Viewers play GIFs with less than 2/100 seconds between frames far too slowly.
inline constexpr int max_frame_rate_of_gif = 50;

/// The frames per second that a recording has where these are wanted.
int possible_frame_rate(RecordingFormat format, int wanted);

/// Of a film's file: ".mp4".
std::string_view ending_of(RecordingFormat format);
/// Of a film that is written into this file, by the end of its name; none for any other name, and for a folder.
std::optional<RecordingFormat> film_format_of(std::filesystem::path const& file);

/// ffmpeg, as PATH has it; empty if there is none.
std::filesystem::path find_ffmpeg();
/// For people who have none.
inline constexpr std::string_view how_to_get_ffmpeg = "install it with: sudo apt install ffmpeg";

/// The command that makes a film of what it reads: frames of this size as rows of RGB from the top, without any gap.
/// For a GIF, it makes a film without any loss, which `gif_command` goes through twice: once for the colours of all
/// frames.
std::vector<std::string> film_command(std::filesystem::path const& ffmpeg, RecordingFormat format, gl::Size size,
                                      int frame_rate, std::filesystem::path const& file);
/// The command that makes a GIF of a film.
std::vector<std::string> gif_command(std::filesystem::path const& ffmpeg, std::filesystem::path const& film,
                                     std::filesystem::path const& file);

}  // namespace slotscape
