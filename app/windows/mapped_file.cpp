// Replaces app/base/mapped_file.cpp.

#include "app/base/mapped_file.hpp"

#include "app/base/encoding.hpp"
#include "app/base/files.hpp"
#include "gpu/base/error.hpp"
#include "gpu/base/translation.hpp"

#include <windows.h>

#include <algorithm>
#include <system_error>

namespace slotscape {

namespace fs = std::filesystem;

namespace {

class Handle {
public:
  explicit Handle(HANDLE handle) : handle_(handle) {}
  Handle(Handle const&) = delete;
  Handle& operator=(Handle const&) = delete;
  ~Handle()
  {
    if (is_open()) { CloseHandle(handle_); }
  }
  bool is_open() const { return handle_ != nullptr && handle_ != INVALID_HANDLE_VALUE; }
  HANDLE get() const { return handle_; }

private:
  HANDLE handle_;
};

[[noreturn]] void cannot_open(fs::path const& file, std::string_view why)
{
  throw Error(tr("Could not open {}: {}.", path_text(file), why));
}
[[noreturn]] void cannot_open(fs::path const& file)
{
  cannot_open(file, std::system_category().message(static_cast<int>(GetLastError())));
}

/// Other programs may keep writing to the file, and replace it.
HANDLE open(fs::path const& file, DWORD rights)
{
  return CreateFileW(file.c_str(), rights, FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE, nullptr,
                     OPEN_EXISTING, FILE_ATTRIBUTE_NORMAL, nullptr);
}

std::int64_t whole(DWORD high, DWORD low)
{
  return static_cast<std::int64_t>(std::uint64_t{high} << 32 | low);
}

std::vector<std::byte> load(fs::path const& file, HANDLE handle, std::size_t size, Progress const& progress)
{
  constexpr std::size_t at_once = std::size_t{1} << 24;
  std::vector<std::byte> content;
  content.reserve(size);
  while (content.size() < size) {
    std::size_t const done = content.size();
    content.resize(std::min(size, done + at_once));
    DWORD got = 0;
    bool const is_read =
        ReadFile(handle, content.data() + done, static_cast<DWORD>(content.size() - done), &got, nullptr) != 0;
    if (!is_read) { cannot_open(file); }
    content.resize(done + got);
    if (got == 0) { break; }  // the file has become shorter
    progress.require(static_cast<double>(content.size()) / static_cast<double>(size));
  }
  return content;
}

}  // namespace

MappedFile::Stamp MappedFile::stamp_of(fs::path const& file)
{
  Handle const handle(open(file, 0));
  BY_HANDLE_FILE_INFORMATION found{};
  if (!handle.is_open() || !GetFileInformationByHandle(handle.get(), &found)) { return {}; }
  return {static_cast<std::uint64_t>(whole(found.nFileSizeHigh, found.nFileSizeLow)),
          whole(found.ftLastWriteTime.dwHighDateTime, found.ftLastWriteTime.dwLowDateTime), 0,
          static_cast<std::uint64_t>(whole(found.nFileIndexHigh, found.nFileIndexLow))};
}

MappedFile::MappedFile(fs::path const& file, std::uint64_t loaded_up_to, Progress const& progress)
    : file_(file), stamp_(stamp_of(file))
{
  note_input(file);
  std::error_code failure;
  if (fs::exists(file, failure) && !fs::is_regular_file(file, failure)) {
    cannot_open(file, tr("it is not a regular file; save the table to one"));
  }
  Handle const handle(open(file, GENERIC_READ));
  if (!handle.is_open()) { cannot_open(file); }
  LARGE_INTEGER length{};
  if (!GetFileSizeEx(handle.get(), &length)) { cannot_open(file); }
  auto const size = static_cast<std::uint64_t>(length.QuadPart);
  if (size == 0) { cannot_open(file, tr("it is empty")); }
  if (size <= loaded_up_to) {
    loaded_ = load(file, handle.get(), size, progress);
    bytes_ = loaded_;
    return;
  }
  Handle const mapping(CreateFileMappingW(handle.get(), nullptr, PAGE_READONLY, 0, 0, nullptr));
  void* const memory = mapping.is_open() ? MapViewOfFile(mapping.get(), FILE_MAP_READ, 0, 0, size) : nullptr;
  if (memory == nullptr) { cannot_open(file); }
  mapped_ = memory;
  bytes_ = {static_cast<std::byte const*>(memory), size};
}

MappedFile::~MappedFile()
{
  if (mapped_ != nullptr) { UnmapViewOfFile(mapped_); }
}

}  // namespace slotscape
