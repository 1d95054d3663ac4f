#pragma once

#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>

#include <stdlib.h>

namespace slotscape::test {

/// A folder of a test's own, removed with all that is in it.
class TemporaryFolder {
public:
  TemporaryFolder()
  {
    std::string pattern = (std::filesystem::temp_directory_path() / "slotscape-XXXXXX").string();
    if (mkdtemp(pattern.data()) == nullptr) { throw std::runtime_error("no temporary folder"); }
    path_ = pattern;
  }
  ~TemporaryFolder()
  {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  TemporaryFolder(TemporaryFolder const&) = delete;
  TemporaryFolder& operator=(TemporaryFolder const&) = delete;

  std::filesystem::path operator/(std::string_view name) const { return path_ / name; }
  std::filesystem::path const& path() const { return path_; }

  std::filesystem::path write(std::string_view name, std::string_view content) const
  {
    std::ofstream(path_ / name, std::ios::binary) << content;
    return path_ / name;
  }

private:
  std::filesystem::path path_;
};

inline std::string content_of(std::filesystem::path const& file)
{
  std::ostringstream content;
  content << std::ifstream(file, std::ios::binary).rdbuf();
  return content.str();
}

/// What `call` throws as `E`, or "nothing was thrown".
template <class E, class Call>
std::string message_of(Call call)
{
  try {
    call();
  } catch (E const& error) {
    return error.what();
  }
  return "nothing was thrown";
}

}  // namespace slotscape::test
