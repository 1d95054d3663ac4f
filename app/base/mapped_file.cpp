#include "app/base/mapped_file.hpp"

#include "app/base/encoding.hpp"
#include "app/base/files.hpp"
#include "gpu/base/error.hpp"
#include "gpu/base/translation.hpp"

#include <fmt/format.h>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

namespace slotscape {

namespace fs = std::filesystem;

namespace {

class Descriptor {
public:
  explicit Descriptor(fs::path const& file) : number_(::open(file.c_str(), O_RDONLY | O_CLOEXEC)) {}
  Descriptor(Descriptor const&) = delete;
  Descriptor& operator=(Descriptor const&) = delete;
  ~Descriptor()
  {
    if (number_ >= 0) { ::close(number_); }
  }
  int number() const { return number_; }

private:
  int number_;
};

[[noreturn]] void cannot_open(fs::path const& file, std::string_view why)
{
  throw Error(tr("Could not open {}: {}.", path_text(file), why));
}

std::vector<std::byte> load(fs::path const& file, int descriptor, std::size_t size, Progress const& progress)
{
  constexpr std::size_t at_once = std::size_t{1} << 24;
  std::vector<std::byte> content;
  content.reserve(size);
  while (content.size() < size) {
    std::size_t const done = content.size();
    content.resize(std::min(size, done + at_once));
    ssize_t const got = ::read(descriptor, content.data() + done, content.size() - done);
    content.resize(done + static_cast<std::size_t>(std::max<ssize_t>(got, 0)));
    if (got < 0 && errno != EINTR) { cannot_open(file, std::strerror(errno)); }
    if (got == 0) { break; }  // the file has been truncated
    progress.require(static_cast<double>(content.size()) / static_cast<double>(size));
  }
  return content;
}

}  // namespace

MappedFile::Stamp MappedFile::stamp_of(fs::path const& file)
{
  struct stat found {};
  if (::stat(file.c_str(), &found) != 0) { return {}; }
  return {static_cast<std::uint64_t>(found.st_size), found.st_mtim.tv_sec, found.st_mtim.tv_nsec,
          static_cast<std::uint64_t>(found.st_ino)};
}

MappedFile::MappedFile(fs::path const& file, std::uint64_t loaded_up_to, Progress const& progress)
    : file_(file), stamp_(stamp_of(file))
{
  note_input(file);
  Descriptor const descriptor(file);
  if (descriptor.number() < 0) { cannot_open(file, std::strerror(errno)); }
  struct stat found {};
  if (::fstat(descriptor.number(), &found) != 0) { cannot_open(file, std::strerror(errno)); }
  if (!S_ISREG(found.st_mode)) { cannot_open(file, tr("it is not a regular file; save the table to one")); }
  auto const size = static_cast<std::uint64_t>(found.st_size);
  if (size == 0) { cannot_open(file, tr("it is empty")); }
  if (size <= loaded_up_to) {
    loaded_ = load(file, descriptor.number(), size, progress);
    bytes_ = loaded_;
    return;
  }
  void* const memory = ::mmap(nullptr, size, PROT_READ, MAP_SHARED, descriptor.number(), 0);
  if (memory == MAP_FAILED) { cannot_open(file, std::strerror(errno)); }
  mapped_ = memory;
  bytes_ = {static_cast<std::byte const*>(memory), size};
}

MappedFile::~MappedFile()
{
  if (mapped_ != nullptr) { ::munmap(mapped_, bytes_.size()); }
}

}  // namespace slotscape
