#include "app/base/files.hpp"

#include "app/base/encoding.hpp"
#include "app/base/text.hpp"
#include "gpu/base/error.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <fstream>
#include <mutex>
#include <set>
#include <sstream>
#include <system_error>

namespace slotscape {

namespace fs = std::filesystem;

namespace {

std::string last_error()
{
  return errno == 0 ? "unknown reason" : std::generic_category().message(errno);
}

[[noreturn]] void fail_to_write(fs::path const& file, std::string const& why)
{
  throw Error(fmt::format("{}: cannot be written: {}; choose another path", path_text(file), why));
}

/// Follows a symbolic link, so that the link itself survives.
fs::path followed(fs::path const& file)
{
  std::error_code failure;
  fs::path const target = fs::canonical(file, failure);
  return failure ? file : target;
}

fs::path temporary_beside(fs::path const& file)
{
  fs::path temporary = file;
  temporary += fmt::format(".{}.tmp", ::getpid());
  return temporary;
}

/// Returns why it failed, or an empty text.
std::string write_directly(fs::path const& file, std::string_view content, std::ios::openmode mode)
{
  errno = 0;
  std::ofstream out(file, std::ios::binary | mode);
  out.write(content.data(), static_cast<std::streamsize>(content.size()));
  out.close();
  return out ? std::string{} : last_error();
}

void remove_quietly(fs::path const& file)
{
  std::error_code ignored;
  fs::remove(file, ignored);
}

/// Whether a path from a folder on stays in it.
bool leads_down(fs::path const& relative)
{
  return !relative.empty() && *relative.begin() != "..";
}

void check_target(fs::path const& file, fs::path const& target)
{
  std::error_code failure;
  if (file.empty()) { throw Error("an output file has an empty name; give it one"); }
  if (fs::is_directory(target, failure)) { fail_to_write(file, "it is a folder"); }
  fs::path const folder = target.has_parent_path() ? target.parent_path() : fs::path(".");
  if (!fs::is_directory(folder, failure)) {
    fail_to_write(file, fmt::format("there is no folder '{}'", path_text(folder)));
  }
  errno = 0;
  if (fs::exists(target, failure) && ::access(target.c_str(), W_OK) != 0) { fail_to_write(file, last_error()); }
}

/// What this run reads and writes, as absolute paths.
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

std::string read_text_file(fs::path const& file)
{
  std::error_code failure;
  if (fs::is_directory(file, failure)) {
    throw Error(fmt::format("{}: cannot be read: it is a folder; choose a file", path_text(file)));
  }
  errno = 0;
  std::ifstream in(file, std::ios::binary);
  std::ostringstream content;
  if (in) { content << in.rdbuf(); }
  if (!in.is_open() || in.bad()) { throw Error(fmt::format("{}: cannot be read: {}", path_text(file), last_error())); }
  return std::move(content).str();
}

void write_text_file(fs::path const& file, std::string_view content)
{
  fs::path const target = followed(file);
  check_target(file, target);
  if (is_device_or_pipe(target)) {
    if (std::string const why = write_directly(target, content, std::ios::out); !why.empty()) {
      fail_to_write(file, why);
    }
    return;
  }
  fs::path const temporary = temporary_beside(target);
  std::string why = write_directly(temporary, content, std::ios::trunc);
  if (why.empty()) {
    std::error_code failure;
    fs::rename(temporary, target, failure);
    if (failure) { why = failure.message(); }
  }
  if (!why.empty()) {
    remove_quietly(temporary);
    fail_to_write(file, why);
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
  std::string const why = write_directly(temporary, "", std::ios::trunc);
  remove_quietly(temporary);
  if (!why.empty()) { fail_to_write(file, why); }
}

void check_writable_folder(fs::path const& folder)
{
  std::error_code failure;
  fs::create_directories(folder, failure);
  if (failure || !fs::is_directory(folder)) {
    fail_to_write(folder, failure ? failure.message() : "it is not a folder");
  }
  check_writable(folder / "slotscape");
}

void note_input(fs::path const& file)
{
  std::lock_guard const lock(run_files().mutex);
  if (has(run_files().outputs, file)) {
    throw Error(
        fmt::format("{}: this is to be read, and what comes of it is to be written there; give the output "
                    "another path",
                    path_text(file)));
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
  if (has(run_files().inputs, file)) { fail_to_write(file, "it has been read here, and would be lost"); }
}

void claim_output(fs::path const& file)
{
  check_writable(file);
  refuse_input(file);
  std::lock_guard const lock(run_files().mutex);
  add(run_files().outputs, file);
}

std::string relative_name(std::string const& file, fs::path const& folder)
{
  fs::path const path = path_of_text(file);
  if (folder.empty()) { return path_text(path); }
  fs::path const relative = path.lexically_relative(fs::absolute(folder).lexically_normal());
  return path_text(leads_down(relative) ? relative : path);
}

}  // namespace slotscape
