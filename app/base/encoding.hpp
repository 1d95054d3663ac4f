#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace slotscape {

/// --- texts from outside are converted to valid UTF-8 on entry; all other code relies on that.

bool is_utf8(std::string_view text);
/// The text as UTF-8; text that is not UTF-8 is taken for Windows-1252, which includes Latin-1.
std::string valid_text(std::string_view text);
/// Text that is safe for a terminal: control characters other than line ends become '?', including Unicode's and those
/// that change the direction of writing.
std::string printable(std::string_view text);
/// The content of a text file, however it was saved: UTF-8 or UTF-16, with or without a byte order mark, otherwise
/// decoded by `valid_text`. Lines end in '\n' or "\r\n"; a lone '\r' is converted.
std::string decoded(std::string content);

/// Converts a path to text and back, for messages, settings and scenarios. Paths need not be UTF-8: an invalid byte is
/// escaped as "\xF6", so the file can be found again.
std::string path_text(std::filesystem::path const& path);
std::filesystem::path path_of_text(std::string_view text);

}  // namespace slotscape
