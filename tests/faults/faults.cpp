// Stands before functions of the system, in a test or, as a library in LD_PRELOAD, in the program:
//   SLOTSCAPE_FAULT="write 3"       the fourth write to a file fails; "write 3 on": so do all after it
//   SLOTSCAPE_FAULT_COUNTS=FILE     writes how many calls of each kind there were, at the program's end

#include "tests/faults/faults.hpp"

#include "tests/support/replaced_new.hpp"

#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <new>
#include <string_view>

namespace slotscape::faults {
namespace {

constexpr std::array<std::string_view, call_count> names{"memory", "write", "fsync", "rename", "thread"};
constexpr std::uint64_t never = std::numeric_limits<std::uint64_t>::max();
constexpr std::size_t most_noted = 256;

// Functions of the system are called before anything of this program is made: no constructors here.
std::array<std::atomic<std::uint64_t>, call_count> counts{};
std::atomic<std::uint64_t> failing_after = never;
std::atomic<Call> failing_call = Call::memory;
std::atomic<bool> is_lasting = false;
std::atomic<bool> has_failed = false;
std::array<std::atomic<std::uint8_t>, most_noted> noted{};
std::atomic<std::size_t> noted_count = 0;

bool fails(Call call)
{
  std::uint64_t const before = counts[static_cast<std::size_t>(call)].fetch_add(1);
  bool const is_file = call == Call::write || call == Call::fsync || call == Call::rename;
  if (is_file) {
    std::size_t const place = noted_count.fetch_add(1);
    if (place < most_noted) { noted[place] = static_cast<std::uint8_t>(call); }
  }
  std::uint64_t const after = failing_after;
  if (call != failing_call || (is_lasting ? before < after : before != after)) { return false; }
  has_failed = true;
  return true;
}

bool is_file(int descriptor)
{
  struct stat status {};
  return ::fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode);
}

/// What the environment asks for, where this is a library.
[[gnu::constructor]] void begin()
{
  char const* const wanted = std::getenv("SLOTSCAPE_FAULT");
  if (wanted == nullptr) { return; }
  std::array<char, 16> name{};
  std::array<char, 8> on{};
  unsigned long long after = 0;
  if (std::sscanf(wanted, "%15s %llu %7s", name.data(), &after, on.data()) < 2) { return; }
  auto const call = std::ranges::find(names, std::string_view(name.data()));
  if (call != names.end()) { fail(static_cast<Call>(call - names.begin()), after, std::strcmp(on.data(), "on") == 0); }
}
[[gnu::destructor]] void end()
{
  stop();
  char const* const file = std::getenv("SLOTSCAPE_FAULT_COUNTS");
  if (file == nullptr) { return; }
  int const out = ::open(file, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  for (std::size_t i = 0; i < names.size(); ++i) {
    ::dprintf(out, "%s %llu\n", names[i].data(), static_cast<unsigned long long>(counts[i].load()));
  }
  ::close(out);
}

}  // namespace

void fail(Call call, std::uint64_t after, bool lasting)
{
  failing_after = never;
  for (auto& count : counts) { count = 0; }
  noted_count = 0;
  has_failed = false;
  failing_call = call;
  is_lasting = lasting;
  failing_after = after;
}

bool stop()
{
  failing_after = never;
  return has_failed.exchange(false);
}

std::uint64_t count(Call call)
{
  return counts[static_cast<std::size_t>(call)];
}

std::string order()
{
  std::string text;
  for (std::size_t i = 0; i < std::min(most_noted, noted_count.load()); ++i) {
    if (i != 0) { text += ' '; }
    text += names[noted[i]];
  }
  return text;
}

}  // namespace slotscape::faults

extern "C" {

ssize_t write(int descriptor, void const* bytes, size_t count)
{
  if (slotscape::faults::is_file(descriptor) && slotscape::faults::fails(slotscape::faults::Call::write)) {
    errno = ENOSPC;
    return -1;
  }
  return ::syscall(SYS_write, descriptor, bytes, count);
}

int fsync(int descriptor)
{
  if (slotscape::faults::fails(slotscape::faults::Call::fsync)) {
    errno = EIO;
    return -1;
  }
  return static_cast<int>(::syscall(SYS_fsync, descriptor));
}

int rename(char const* from, char const* to) noexcept
{
  if (slotscape::faults::fails(slotscape::faults::Call::rename)) {
    errno = EIO;
    return -1;
  }
  return static_cast<int>(::syscall(SYS_rename, from, to));
}

int pthread_create(pthread_t* thread, pthread_attr_t const* attributes, void* (*run)(void*), void* argument) noexcept
{
  if (slotscape::faults::fails(slotscape::faults::Call::thread)) { return EAGAIN; }
  using Create = int (*)(pthread_t*, pthread_attr_t const*, void* (*)(void*), void*);
  static auto const create = reinterpret_cast<Create>(::dlsym(RTLD_NEXT, "pthread_create"));
  return create(thread, attributes, run, argument);
}

}  // extern "C"

/// Memory counts once somebody has said what to do without any: before, nobody could say a word.
void slotscape::test::before_new()
{
  std::new_handler const handler = std::get_new_handler();
  if (handler == nullptr || !slotscape::faults::fails(slotscape::faults::Call::memory)) { return; }
  handler();
  throw std::bad_alloc();
}
