#pragma once

#include "app/base/encoding.hpp"
#include "tests/app/support/temporary_folder.hpp"
#include "tests/fuzz/targets.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <string>

/// What the targets share.
namespace slotscape::fuzz {

using test::content_of;

inline void require(bool promise, std::string_view what)
{
  if (!promise) { throw Broken(fmt::format("This is not so: {}.", what)); }
}

/// Fit to be shown, and of some words.
inline void require_sentence(std::string_view text)
{
  constexpr int fewest_spaces = 2;
  require(is_utf8(text), "an error is text");
  require(std::ranges::none_of(text, [](unsigned char c) { return (c < 0x20 && c != '\n') || c == 0x7f; }),
          fmt::format("an error has no control characters, as '{}'", text));
  require(std::ranges::count(text, ' ') >= fewest_spaces, fmt::format("an error is a sentence, as '{}'", text));
}

/// For files, in the temporary folder.
inline std::filesystem::path const& scratch()
{
  static test::TemporaryFolder const folder;
  return folder.path();
}

inline void clear_scratch()
{
  for (auto const& entry : std::filesystem::directory_iterator(scratch())) { std::filesystem::remove(entry.path()); }
}

/// Written anew.
inline std::filesystem::path in_file(std::string_view name, std::string_view bytes)
{
  std::filesystem::path file = scratch() / name;
  std::ofstream(file, std::ios::binary) << bytes;
  return file;
}

}  // namespace slotscape::fuzz
