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

/// The format of a recording: numbered pictures in a folder, or a film encoded by ffmpeg.
enum class RecordingFormat : std::uint8_t { png, mp4, webm, gif };

template <>
std::span<EnumName<RecordingFormat> const> enum_names();

inline constexpr int min_frame_rate = 10;  ///< frames per second
inline constexpr int max_frame_rate = 60;
/// Viewers play GIFs with less than 2/100 seconds between frames far too slowly.
inline constexpr int max_frame_rate_of_gif = 50;

/// The supported frame rate that is closest to the one wanted.
int possible_frame_rate(RecordingFormat format, int wanted);

/// The extension of a film's file: ".mp4".
std::string_view ending_of(RecordingFormat format);
/// The format of a film by the file's extension; nothing for other names, and for folders.
std::optional<RecordingFormat> film_format_of(std::filesystem::path const& file);

/// The path of ffmpeg found through PATH; empty if it is not installed.
std::filesystem::path find_ffmpeg();
/// Advice for users without ffmpeg.
inline constexpr std::string_view how_to_get_ffmpeg = std::filesystem::path::preferred_separator == '/'
                                                          ? "install it with: sudo apt install ffmpeg"
                                                          : "install it with: winget install ffmpeg";

/// The command that encodes a film from its standard input: frames of this size as rows of RGB from the top, without
/// padding. For a GIF, it makes a lossless film, which `gif_command` reads twice, first to determine the palette.
std::vector<std::string> film_command(std::filesystem::path const& ffmpeg, RecordingFormat format, gl::Size size,
                                      int frame_rate, std::filesystem::path const& file);
/// The command that converts a film to a GIF.
std::vector<std::string> gif_command(std::filesystem::path const& ffmpeg, std::filesystem::path const& film,
                                     std::filesystem::path const& file);

}  // namespace slotscape
