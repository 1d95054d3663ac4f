// Implements the headers in `posix` with Windows functions.

#include <windows.h>

#include <bcrypt.h>
#include <direct.h>
#include <fcntl.h>
#include <io.h>
#include <poll.h>
#include <sched.h>
#include <share.h>
#include <signal.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <random>

namespace {

/// Replaces the Xs before the ending until `make` succeeds. `make` returns a negative number and sets errno if it
/// fails.
template <class Make>
int with_free_name(char* pattern, std::size_t ending, Make const& make)
{
  constexpr char letters[] = "abcdefghijklmnopqrstuvwxyz0123456789";
  constexpr int tries = 100;
  char* const end = pattern + std::strlen(pattern) - ending;
  std::random_device random;
  for (int i = 0; i < tries; ++i) {
    for (char* letter = end - 6; letter != end; ++letter) { *letter = letters[random() % (sizeof letters - 1)]; }
    int const made = make();
    if (made >= 0 || errno != EEXIST) { return made; }
  }
  return -1;
}

}  // namespace

long long sysconf(int what)
{
  SYSTEM_INFO system{};
  GetSystemInfo(&system);
  if (what == _SC_PAGESIZE) { return system.dwPageSize; }
  MEMORYSTATUSEX memory{};
  memory.dwLength = sizeof memory;
  return GlobalMemoryStatusEx(&memory) ? static_cast<long long>(memory.ullTotalPhys / system.dwPageSize) : 0;
}

int fsync(int file)
{
  return _commit(file);
}

int access(wchar_t const* path, int wanted)
{
  return _waccess(path, wanted & ~X_OK);  // Windows has no execute permission
}

int open(wchar_t const* path, int how, int /*rights*/)
{
  return _wopen(path, how | _O_BINARY, _S_IREAD | _S_IWRITE);
}

int mkstemps(char* pattern, int ending)
{
  return with_free_name(pattern, static_cast<std::size_t>(ending), [&] {
    return ::_open(pattern, _O_RDWR | _O_CREAT | _O_EXCL | _O_BINARY, _S_IREAD | _S_IWRITE);
  });
}

char* mkdtemp(char* pattern)
{
  return with_free_name(pattern, 0, [&] { return _mkdir(pattern); }) < 0 ? nullptr : pattern;
}

int setenv(char const* name, char const* value, int replaces)
{
  return replaces == 0 && std::getenv(name) != nullptr ? 0 : _putenv_s(name, value);
}

int poll(pollfd* files, unsigned count, int /*milliseconds*/)
{
  for (unsigned i = 0; i < count; ++i) { files[i].revents = files[i].events; }
  return static_cast<int>(count);
}

int kill(pid_t process, int /*signal*/)
{
  HANDLE const handle = OpenProcess(SYNCHRONIZE, FALSE, static_cast<DWORD>(process));
  bool const is_hidden = handle == nullptr && GetLastError() == ERROR_ACCESS_DENIED;
  bool const runs = is_hidden || (handle != nullptr && WaitForSingleObject(handle, 0) == WAIT_TIMEOUT);
  if (handle != nullptr) { CloseHandle(handle); }
  if (!runs) { errno = ESRCH; }
  return runs ? 0 : -1;
}

int sched_getaffinity(int /*process*/, std::size_t /*bytes*/, cpu_set_t* set)
{
  DWORD_PTR system = 0;
  DWORD_PTR allowed = 0;
  if (!GetProcessAffinityMask(GetCurrentProcess(), &allowed, &system)) { return -1; }
  set->bits = allowed;
  return 0;
}

int sched_setaffinity(int /*process*/, std::size_t /*bytes*/, cpu_set_t const* set)
{
  return SetThreadAffinityMask(GetCurrentThread(), set->bits) != 0 ? 0 : -1;
}

ssize_t getrandom(void* bytes, std::size_t count, unsigned /*how*/)
{
  NTSTATUS const status =
      BCryptGenRandom(nullptr, static_cast<PUCHAR>(bytes), static_cast<ULONG>(count), BCRYPT_USE_SYSTEM_PREFERRED_RNG);
  return status == 0 ? static_cast<ssize_t>(count) : -1;
}
