#include "app/scene/file_question.hpp"

#include "app/base/text.hpp"

#include <algorithm>
#include <system_error>

namespace slotscape {

namespace fs = std::filesystem;

bool fits(fs::path const& file, std::span<FileKind const> kinds)
{
  std::string const name = lower_case(file.filename().string());
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
