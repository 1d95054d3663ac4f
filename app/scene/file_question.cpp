#include "app/scene/file_question.hpp"

#include <algorithm>
#include <cctype>
#include <system_error>

namespace slotscape {

namespace fs = std::filesystem;

namespace {

std::string in_small_letters(std::string text)
{
  std::ranges::transform(text, text.begin(),
                         [](unsigned char letter) { return static_cast<char>(std::tolower(letter)); });
  return text;
}

}  // namespace

bool fits(fs::path const& file, std::span<FileKind const> kinds)
{
  std::string const name = in_small_letters(file.filename().string());
  return std::ranges::any_of(kinds, [&](FileKind const& kind) {
    return std::ranges::any_of(kind.extensions, [&](std::string_view extension) {
      return name.size() > extension.size() && name.ends_with(extension);
    });
  });
}

fs::path with_extension(fs::path const& file, std::span<FileKind const> kinds)
{
  std::error_code failure;
  fs::file_status const status = fs::status(file, failure);
  bool const special = fs::exists(status) && !fs::is_regular_file(status);
  if (special || kinds.empty() || fits(file, kinds)) { return file; }
  fs::path extended = file;
  extended += kinds.front().extensions.front();
  return extended;
}

}  // namespace slotscape
