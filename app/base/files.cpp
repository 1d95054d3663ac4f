#include "app/base/files.hpp"

#include "app/base/encoding.hpp"
#include "app/base/interrupt.hpp"
#include "app/base/replaced_file.hpp"
#include "app/base/text.hpp"
#include "gpu/base/error.hpp"
#include "gpu/base/translation.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstdio>
#include <fstream>
#include <mutex>
#include <set>
#include <sstream>
#include <system_error>
#include <utility>
#include <vector>

namespace slotscape {

namespace fs = std::filesystem;

namespace {

std::string last_error()
{
  return errno == 0 ? tr("unknown reason") : std::generic_category().message(errno);
}

[[noreturn]] void fail_to_write(fs::path const& file, std::string const& why,
                                char const* advice = translatable("choose another path"))
{
  throw Error(tr("{}: cannot be written: {}; {}", path_text(file), why, tr(advice)));
}
[[noreturn]] void fail_to_write(fs::path const& file, int code)
{
  bool const is_full = code == ENOSPC || code == EDQUOT || code == EFBIG;
  std::string const why = std::generic_category().message(code);
  if (is_full) { fail_to_write(file, why, translatable("free some space, or choose another path")); }
  fail_to_write(file, why);
}

/// Resolves a symbolic link, so that writing does not replace the link itself.
fs::path followed(fs::path const& file)
{
  std::error_code failure;
  fs::path const target = fs::canonical(file, failure);
  return failure ? file : target;
}

constexpr std::string_view temporary_ending = ".tmp";
constexpr int new_file = O_CREAT | O_TRUNC | O_NOFOLLOW;

fs::path folder_of(fs::path const& file)
{
  return file.has_parent_path() ? file.parent_path() : fs::path(".");
}

fs::path temporary_beside(fs::path const& file)
{
  fs::path temporary = file;
  temporary += fmt::format(".{}{}", ::getpid(), temporary_ending);
  return temporary;
}

/// The process that made a temporary file; 0 if it is not a temporary file.
pid_t maker_of(fs::path const& temporary)
{
  if (temporary.extension() != temporary_ending) { return 0; }
  std::string const number = temporary.stem().extension().string();  // ".123"
  pid_t process = 0;
  if (number.size() < 2) { return 0; }
  char const* const last = number.data() + number.size();
  auto const [end, failure] = std::from_chars(number.data() + 1, last, process);
  return end == last && failure == std::errc() ? process : 0;
}

/// A file that is open during the object's lifetime.
class OpenFile {
public:
  OpenFile(fs::path const& file, int how) : descriptor_(::open(file.c_str(), how | O_CLOEXEC, 0666)) {}
  ~OpenFile()
  {
    if (is_open()) { ::close(descriptor_); }
  }
  OpenFile(OpenFile const&) = delete;
  OpenFile& operator=(OpenFile const&) = delete;

  bool is_open() const { return descriptor_ >= 0; }
  int descriptor() const { return descriptor_; }
  bool write(std::string_view rest) const
  {
    while (!rest.empty()) {
      ssize_t const written = ::write(descriptor_, rest.data(), rest.size());
      if (written < 0 && errno == EINTR) { continue; }
      if (written == 0) { errno = ENOSPC; }
      if (written <= 0) { return false; }
      rest.remove_prefix(static_cast<std::size_t>(written));
    }
    return true;
  }
  /// Waits until everything is on the disk. Returns true also where the file does not support that (EINVAL).
  bool flush() const { return ::fsync(descriptor_) == 0 || errno == EINVAL; }
  bool close() { return ::close(std::exchange(descriptor_, -1)) == 0; }

private:
  int descriptor_;
};

/// Returns 0, or the errno of the failure.
int write_directly(fs::path const& file, std::string_view content, int how)
{
  errno = 0;
  OpenFile out(file, O_WRONLY | how);
  return out.is_open() && out.write(content) && out.close() ? 0 : errno;
}

/// Returns 0, or the errno of the failure. A folder that cannot be flushed is not a failure: the file is complete under
/// either name.
int rename_over(fs::path const& temporary, fs::path const& target, Flush flush)
{
  errno = 0;
  if (flush == Flush::before_renaming) {
    OpenFile const written(temporary, O_WRONLY);
    if (!written.is_open() || !written.flush()) { return errno; }
  }
  std::error_code failure;
  fs::rename(temporary, target, failure);
  if (failure) { return failure.default_error_condition().value(); }
  if (flush == Flush::before_renaming) {
    OpenFile const folder(folder_of(target), O_RDONLY | O_DIRECTORY);
    static_cast<void>(folder.is_open() && folder.flush());
  }
  return 0;
}

/// Whether a relative path stays within its folder.
bool leads_down(fs::path const& relative)
{
  return !relative.empty() && *relative.begin() != "..";
}

void check_target(fs::path const& file, fs::path const& target)
{
  std::error_code failure;
  if (file.empty()) { throw Error(tr("an output file has an empty name; give it one")); }
  if (file == "-") { fail_to_write(file, tr("use /dev/stdout for standard output, or ./- for a file of that name")); }
  if (fs::is_directory(target, failure)) { fail_to_write(file, tr("it is a folder")); }
  fs::path const folder = folder_of(target);
  if (!fs::is_directory(folder, failure)) { fail_to_write(file, tr("there is no folder '{}'", path_text(folder))); }
  errno = 0;
  if (fs::exists(target, failure) && ::access(target.c_str(), W_OK) != 0) { fail_to_write(file, last_error()); }
}

/// The files that this run reads and writes, as absolute paths.
struct RunFiles {
  std::mutex mutex;
  std::set<fs::path> inputs;
  std::set<fs::path> outputs;
};
RunFiles& run_files()
{
  static RunFiles files;
  return files;
}

bool has(std::set<fs::path> const& files, fs::path const& file)
{
  std::error_code failure;
  if (!fs::is_regular_file(file, failure)) { return false; }
  return std::ranges::any_of(files, [&](fs::path const& each) { return fs::equivalent(each, file, failure); });
}

void add(std::set<fs::path>& files, fs::path const& file)
{
  std::error_code failure;
  fs::path const absolute = fs::absolute(file, failure);
  if (!failure) { files.insert(absolute); }
}

}  // namespace

void remove_quietly(fs::path const& file)
{
  std::error_code ignored;
  fs::remove(file, ignored);
}

bool is_in(fs::path const& file, fs::path const& folder)
{
  std::error_code failure;
  fs::path const there = fs::weakly_canonical(fs::absolute(file), failure);
  fs::path const here =
      failure ? fs::path() : fs::weakly_canonical(fs::absolute(folder.empty() ? "." : folder), failure);
  if (failure) { return false; }
  return leads_down(there.lexically_relative(here));
}

bool is_device_or_pipe(fs::path const& file)
{
  std::error_code failure;
  fs::file_status const status = fs::status(file, failure);
  return fs::exists(status) && !fs::is_regular_file(status) && !fs::is_directory(status);
}

namespace {

/// Reads a pipe that may never be written to, or a device that may never end.
std::string read_device_or_pipe(fs::path const& file)
{
  constexpr std::size_t most = std::size_t{1} << 30;
  constexpr int milliseconds = 100;
  auto const fail = [&] { throw Error(tr("{}: cannot be read: {}", path_text(file), last_error())); };
  OpenFile const from(file, O_RDONLY | O_NONBLOCK);
  if (!from.is_open()) { fail(); }
  std::string content;
  std::vector<char> part(std::size_t{1} << 16);
  for (;;) {
    if (is_interrupted()) {
      throw Error(tr("{}: {} interrupted reading before the end", path_text(file), interrupt_name()));
    }
    pollfd wanted{from.descriptor(), POLLIN, 0};
    int const ready = ::poll(&wanted, 1, milliseconds);
    if (ready == 0 || (ready < 0 && errno == EINTR)) { continue; }
    ssize_t const bytes = ::read(from.descriptor(), part.data(), part.size());
    if (bytes == 0) { return content; }
    if (bytes < 0 && errno != EAGAIN && errno != EINTR) { fail(); }
    if (bytes < 0) { continue; }
    content.append(part.data(), static_cast<std::size_t>(bytes));
    if (content.size() > most) {
      throw Error(
          tr("{}: it is a device or a pipe with more than a gibibyte of data: save it as a file", path_text(file)));
    }
  }
}

}  // namespace

std::string read_text_file(fs::path const& file)
{
  std::error_code failure;
  if (fs::is_directory(file, failure)) {
    throw Error(tr("{}: cannot be read: it is a folder; choose a file", path_text(file)));
  }
  if (is_device_or_pipe(file)) { return read_device_or_pipe(file); }
  errno = 0;
  std::ifstream in(file, std::ios::binary);
  std::ostringstream content;
  if (in) { content << in.rdbuf(); }
  if (!in.is_open() || in.bad()) { throw Error(tr("{}: cannot be read: {}", path_text(file), last_error())); }
  return std::move(content).str();
}

void replace_file(fs::path const& file, std::function<void(fs::path const&)> const& write, Flush flush)
{
  fs::path const target = followed(file);
  check_target(file, target);
  if (is_device_or_pipe(target)) { fail_to_write(file, tr("it is a device or a pipe")); }
  fs::path const temporary = temporary_beside(target);
  try {
    write(temporary);
    if (int const code = rename_over(temporary, target, flush); code != 0) { fail_to_write(file, code); }
  } catch (...) {
    remove_quietly(temporary);
    throw;
  }
}

void write_text_file(fs::path const& file, std::string_view content)
{
  replace_text_file(file, content, Flush::before_renaming);
}

void replace_text_file(fs::path const& file, std::string_view content, Flush flush)
{
  auto const write = [&](fs::path const& to, int how) {
    if (int const code = write_directly(to, content, how); code != 0) { fail_to_write(file, code); }
  };
  if (fs::path const target = followed(file); is_device_or_pipe(target)) {
    check_target(file, target);
    return write(target, 0);
  }
  replace_file(
      file, [&](fs::path const& temporary) { write(temporary, new_file); }, flush);
}

void remove_leftovers(fs::path const& file)
{
  fs::path const target = followed(file);
  std::string const begin = target.stem().string() + ".";
  std::error_code failure;
  for (fs::directory_iterator beside(folder_of(target), failure), end; !failure && beside != end;
       beside.increment(failure)) {
    bool const is_ours = beside->path().filename().string().starts_with(begin);
    pid_t const process = is_ours ? maker_of(beside->path()) : 0;
    bool const has_ended = process > 0 && ::kill(process, 0) != 0 && errno == ESRCH;
    if (has_ended) { remove_quietly(beside->path()); }
  }
}

std::string extension_of(fs::path const& file)
{
  return lower_case(file.extension().string());
}

void check_writable(fs::path const& file)
{
  fs::path const target = followed(file);
  check_target(file, target);
  if (is_device_or_pipe(target)) { return; }
  fs::path const temporary = temporary_beside(target);
  int const code = write_directly(temporary, "", new_file);
  remove_quietly(temporary);
  if (code != 0) { fail_to_write(file, code); }
}

void check_writable_folder(fs::path const& folder)
{
  std::error_code failure;
  fs::create_directories(folder, failure);
  if (failure || !fs::is_directory(folder)) {
    fail_to_write(folder, failure ? failure.message() : tr("it is not a folder"));
  }
  check_writable(folder / "slotscape");
}

void note_input(fs::path const& file)
{
  std::lock_guard const lock(run_files().mutex);
  if (has(run_files().outputs, file)) {
    throw Error(tr("{}: it is both an input and an output of this run; give the output another path", path_text(file)));
  }
  add(run_files().inputs, file);
}

std::string read_input_file(fs::path const& file)
{
  note_input(file);
  return read_text_file(file);
}

void refuse_input(fs::path const& file)
{
  std::lock_guard const lock(run_files().mutex);
  if (has(run_files().inputs, file)) { fail_to_write(file, tr("it is an input of this run and would be overwritten")); }
}

void claim_output(fs::path const& file)
{
  check_writable(file);
  refuse_input(file);
  std::lock_guard const lock(run_files().mutex);
  add(run_files().outputs, file);
}

void claim_outputs(std::vector<fs::path> const& files)
{
  std::set<fs::path> claimed;
  for (fs::path const& file : files) {
    if (file.empty()) { continue; }
    std::error_code failure;
    bool const is_new =
        is_device_or_pipe(file) || claimed.insert(fs::weakly_canonical(fs::absolute(file), failure)).second;
    if (!is_new) { fail_to_write(file, tr("two outputs of this run have this path; give each its own")); }
    claim_output(file);
  }
}

std::string relative_name(std::string const& file, fs::path const& folder)
{
  fs::path path = path_of_text(file);
  if (folder.empty()) { return path_text(path); }
  std::error_code failure;
  if (path.is_relative() && fs::exists(path, failure)) { path = fs::absolute(path).lexically_normal(); }
  fs::path const relative = path.lexically_relative(fs::absolute(folder).lexically_normal());
  return path_text(leads_down(relative) ? relative : path);
}

}  // namespace slotscape
