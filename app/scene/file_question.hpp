#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace slotscape {

using Paths = std::vector<std::filesystem::path>;

/// A kind of file that can be opened or saved.
struct FileKind {
  std::string_view what;                     ///< "key file", in titles; its plural ends in s
  std::vector<std::string_view> extensions;  ///< in lower case: ".txt"
};

/// Whether a name has one of the kinds' extensions, ignoring case.
bool fits(std::filesystem::path const& file, std::span<FileKind const> kinds);

/// The path; if it has none of the kinds' extensions, the first kind's first extension is added. Devices and pipes keep
/// their names.
std::filesystem::path with_extension(std::filesystem::path const& file, std::span<FileKind const> kinds);

/// A question for a path, and what to do with the answer.
struct FileQuestion {
  enum class Kind : std::uint8_t { open, save, save_folder };
  Kind kind = Kind::open;
  std::string title;                      ///< "Open a model as A"
  std::string proposed = {};              ///< name of the file or folder to write
  std::vector<FileKind> files = {};       ///< kinds of files to list
  std::size_t most = 1;                   ///< limit for files opened at once
  std::function<void(Paths const&)> use;  ///< receives 1 to `most` paths; throws Error to ask again
};

}  // namespace slotscape
