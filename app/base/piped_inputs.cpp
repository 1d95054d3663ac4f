#include "app/base/piped_inputs.hpp"

#include "gpu/base/error.hpp"
#include "gpu/base/translation.hpp"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <memory>
#include <system_error>

namespace slotscape {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view standard_input = "standard-input";

bool is_standard_input(std::string const& word)
{
  constexpr std::array<std::string_view, 4> names{"-", "/dev/stdin", "/dev/fd/0", "/proc/self/fd/0"};
  return std::ranges::find(names, word) != names.end();
}

bool is_pipe(std::string const& word)
{
  std::error_code failure;
  fs::file_status const status = fs::status(word, failure);
  return fs::is_fifo(status) || fs::is_socket(status);
}

/// Rejects devices such as /dev/zero, which never end.
void check_standard_input()
{
  struct stat status {};
  bool const is_open = ::fstat(STDIN_FILENO, &status) == 0;
  bool const ends = is_open && (!S_ISCHR(status.st_mode) || ::isatty(STDIN_FILENO) != 0) && !S_ISDIR(status.st_mode);
  if (!ends) { throw Error(tr("standard input is neither a file nor a pipe; name a file, or pipe one in")); }
}

void copy(std::FILE* from, fs::path const& to, std::string_view name)
{
  constexpr std::size_t chunk = std::size_t{1} << 20;
  constexpr std::uint64_t max_bytes = std::uint64_t{8} << 30;
  std::string buffer(chunk, '\0');
  std::ofstream out(to, std::ios::binary);
  std::uint64_t total = 0;
  while (out) {
    std::size_t const count = std::fread(buffer.data(), 1, buffer.size(), from);
    out.write(buffer.data(), static_cast<std::streamsize>(count));
    total += count;
    if (count < buffer.size()) { break; }
    if (total > max_bytes) { throw Error(tr("{}: more than 8 GiB; save it to a file", name)); }
  }
  out.close();
  if (std::ferror(from) != 0) { throw Error(tr("{}: cannot be read to its end; save it to a file", name)); }
  if (!out) { throw Error(tr("{}: cannot be stored in {}; save it to a file", name, to.parent_path().string())); }
}

}  // namespace

PipedInputs::~PipedInputs()
{
  temporary_.clear();
  std::error_code ignored;
  if (!folder_.empty()) { fs::remove_all(folder_, ignored); }
}

fs::path PipedInputs::path_for(std::string const& name)
{
  if (folder_.empty()) {
    std::string pattern = (fs::temp_directory_path() / "slotscape-XXXXXX").string();
    if (::mkdtemp(pattern.data()) == nullptr) {
      throw Error(tr("cannot make a folder in {}; save the input to a file", fs::temp_directory_path().string()));
    }
    folder_ = pattern;
  }
  return folder_ / name;
}

std::string PipedInputs::file_of(std::string const& word)
{
  bool const standard = is_standard_input(word);
  if (!standard && !is_pipe(word)) { return word; }
  std::string const name(standard ? standard_input : word);
  if (auto const known = files_.find(name); known != files_.end()) { return known->second; }
  fs::path const file = path_for(standard ? name : fmt::format("pipe-{}", files_.size() + 1));
  if (standard) {
    check_standard_input();
    copy(stdin, file, "standard input");
  } else {
    std::unique_ptr<std::FILE, int (*)(std::FILE*)> const pipe(std::fopen(word.c_str(), "rb"), std::fclose);
    if (!pipe) { throw Error(tr("{}: cannot be read; check its permissions", word)); }
    copy(pipe.get(), file, word);
  }
  temporary_.push_back(std::make_unique<TemporaryFile>(file));
  files_.emplace(name, file.string());
  return file.string();
}

}  // namespace slotscape
