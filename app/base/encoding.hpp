#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace slotscape {

/// --- texts from outside are made valid UTF-8 where they come in; everywhere else, texts are.

bool is_utf8(std::string_view text);
/// The text; if it is not UTF-8, it is taken for Windows-1252, of which Latin-1 is a part.
std::string valid_text(std::string_view text);
/// Text that is fit for a terminal: control characters other than ends of lines become '?', those of Unicode and those
/// that turn the direction of writing, too.
std::string printable(std::string_view text);
/// The content of a text file, however it was saved: UTF-8 or UTF-16, with or without a byte order mark, else as
/// `valid_text`; its lines end in '\n' or "\r\n", also where they ended in '\r' alone.
std::string decoded(std::string content);

/// A path as text, and back: for messages, settings and scenarios. Paths need not be UTF-8: a byte that cannot be text
/// becomes "\xF6", so that the file is found again.
std::string path_text(std::filesystem::path const& path);
std::filesystem::path path_of_text(std::string_view text);

}  // namespace slotscape
