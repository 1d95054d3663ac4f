// Stands for libcuda.so.1 on machines without a GPU: as much of the driver as the link uses, with 'device memory' in
// files of memory that processes share as they share that of a device. What a real driver refuses, this refuses as
// well.

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <map>
#include <mutex>

namespace {

using Address = unsigned long long;
using Clock = std::chrono::steady_clock;

constexpr int success = 0;
constexpr int invalid = 1;
constexpr int not_ready = 600;
constexpr int posix_file = 1;

enum class Kind { allocated, from_default_pool, from_shared_pool, created, managed, opened };

struct Block {
  std::size_t bytes = 0;
  int file = -1;
  Kind kind = Kind::allocated;
};
struct Pool {};
struct Event {
  Clock::time_point recorded{};
};

std::mutex mutex;
std::map<Address, Block> blocks;
Pool default_pool;
Pool shared_pool;
int context;  // its address stands for the primary context

void* at(Address address)
{
  return reinterpret_cast<void*>(address);  // NOLINT(performance-no-int-to-ptr): the driver has it as a number
}

Address map_file(int file, std::size_t bytes, void* place = nullptr)
{
  int const fixed = place == nullptr ? 0 : MAP_FIXED;
  void* const mapped = mmap(place, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | fixed, file, 0);
  return mapped == MAP_FAILED ? 0 : reinterpret_cast<std::uintptr_t>(mapped);
}
int make(Address* to, std::size_t bytes, Kind kind)
{
  int const file = memfd_create("fake_cuda", MFD_CLOEXEC);
  if (bytes == 0 || ftruncate(file, static_cast<off_t>(bytes)) != 0) { return invalid; }
  *to = map_file(file, bytes);
  std::lock_guard<std::mutex> const lock(mutex);
  blocks[*to] = {bytes, file, kind};
  return success;
}
int open_file(Address* to, int file, Kind kind)
{
  struct stat found;
  if (file < 0 || fstat(file, &found) != 0) { return invalid; }
  *to = map_file(file, static_cast<std::size_t>(found.st_size));
  if (*to == 0) { return invalid; }
  std::lock_guard<std::mutex> const lock(mutex);
  blocks[*to] = {static_cast<std::size_t>(found.st_size), file, kind};
  return success;
}
/// The block that an address is in; null if it is in none.
std::pair<Address const, Block>* block_at(Address address)
{
  auto next = blocks.upper_bound(address);
  if (next == blocks.begin()) { return nullptr; }
  auto& found = *std::prev(next);
  return address < found.first + found.second.bytes ? &found : nullptr;
}
int forget(Address address)
{
  std::lock_guard<std::mutex> const lock(mutex);
  auto const found = blocks.find(address);
  if (found == blocks.end()) { return invalid; }
  munmap(at(address), found->second.bytes);
  close(found->second.file);
  blocks.erase(found);
  return success;
}

}  // namespace

extern "C" {

int cuInit(unsigned)
{
  return success;
}
int cuDeviceGet(int* device, int ordinal)
{
  return *device = 0, ordinal == 0 ? success : invalid;
}
int cuDeviceGetUuid_v2(std::uint8_t* uuid, int)
{
  return std::copy_n("a device of none", 16, uuid), success;
}
int cuDevicePrimaryCtxRetain(void** to, int)
{
  return *to = &context, success;
}
int cuCtxPushCurrent_v2(void* given)
{
  return given == &context ? success : invalid;
}
int cuCtxPopCurrent_v2(void**)
{
  return success;
}
int cuThreadExchangeStreamCaptureMode(int*)
{
  return success;
}

int cuPointerGetAttribute(void* value, int attribute, Address address)
{
  std::lock_guard<std::mutex> const lock(mutex);
  auto const* const found = block_at(address);
  if (found == nullptr) { return invalid; }
  Kind const kind = found->second.kind;
  bool const is_of_pool = kind == Kind::from_default_pool || kind == Kind::from_shared_pool;
  Pool* const pool = kind == Kind::from_shared_pool ? static_cast<Pool*>(at(found->first)) : &default_pool;
  switch (attribute) {
    case 1: *static_cast<void**>(value) = is_of_pool ? nullptr : &context; return success;
    case 2: *static_cast<int*>(value) = 2; return success;
    case 8: *static_cast<int*>(value) = kind == Kind::managed ? 1 : 0; return success;
    case 9: *static_cast<int*>(value) = 0; return success;
    case 17: *static_cast<void**>(value) = is_of_pool ? pool : nullptr; return success;
    default: return invalid;
  }
}
int cuMemGetAddressRange_v2(Address* base, std::size_t* bytes, Address address)
{
  std::lock_guard<std::mutex> const lock(mutex);
  auto const* const found = block_at(address);
  if (found == nullptr) { return invalid; }
  *base = found->first;
  *bytes = found->second.bytes;
  return success;
}

int cuMemAlloc_v2(Address* to, std::size_t bytes)
{
  return make(to, bytes, Kind::allocated);
}
int cuMemFree_v2(Address address)
{
  return forget(address);
}
int cuMemAllocManaged(Address* to, std::size_t bytes, unsigned)
{
  return make(to, bytes, Kind::managed);
}
int cuMemAllocAsync(Address* to, std::size_t bytes, void*)
{
  return make(to, bytes, Kind::from_default_pool);
}

int cuMemcpyAsync(Address to, Address from, std::size_t bytes, void*)
{
  return std::memcpy(at(to), at(from), bytes), success;
}
int cuMemHostRegister_v2(void*, std::size_t, unsigned)
{
  return success;
}
int cuMemHostUnregister(void*)
{
  return success;
}
int cuStreamCreate(void** stream, unsigned)
{
  return *stream = &context, success;
}
int cuStreamSynchronize(void*)
{
  return success;
}
int cuStreamDestroy_v2(void*)
{
  return success;
}
int cuEventCreate(void** event, unsigned)
{
  return *event = new Event, success;
}
int cuEventRecord(void* event, void*)
{
  return static_cast<Event*>(event)->recorded = Clock::now(), success;
}
int cuEventQuery(void* event)
{
  return Clock::now() - static_cast<Event*>(event)->recorded < std::chrono::milliseconds(20) ? not_ready : success;
}
int cuEventSynchronize(void*)
{
  return success;
}
int cuEventDestroy_v2(void* event)
{
  return delete static_cast<Event*>(event), success;
}

/// The handle is the path of the file: it works in another process as long as the owner has not freed it.
int cuIpcGetMemHandle(char* handle, Address address)
{
  std::lock_guard<std::mutex> const lock(mutex);
  auto const found = blocks.find(address);
  if (found == blocks.end() || found->second.kind != Kind::allocated) { return invalid; }
  std::snprintf(handle, 64, "/proc/%d/fd/%d", getpid(), found->second.file);
  return success;
}
struct IpcHandle {
  char path[64];
};
int cuIpcOpenMemHandle_v2(Address* to, IpcHandle handle, unsigned)
{
  handle.path[63] = 0;
  if (std::strncmp(handle.path, "/proc/", 6) != 0) { return invalid; }
  return open_file(to, open(handle.path, O_RDWR | O_CLOEXEC), Kind::opened);
}
int cuIpcCloseMemHandle(Address address)
{
  return forget(address);
}

// --- cuMemCreate: a handle is the number of a file.

int cuMemCreate(Address* handle, std::size_t bytes, void const*, Address)
{
  int const file = memfd_create("fake_cuda", MFD_CLOEXEC);
  *handle = static_cast<Address>(file);
  return ftruncate(file, static_cast<off_t>(bytes)) == 0 ? success : invalid;
}
int cuMemRetainAllocationHandle(Address* handle, void* address)
{
  std::lock_guard<std::mutex> const lock(mutex);
  auto const found = blocks.find(reinterpret_cast<std::uintptr_t>(address));
  if (found == blocks.end() || found->second.kind != Kind::created) { return invalid; }
  *handle = static_cast<Address>(fcntl(found->second.file, F_DUPFD_CLOEXEC, 0));
  return success;
}
int cuMemExportToShareableHandle(int* file, Address handle, int type, Address)
{
  *file = fcntl(static_cast<int>(handle), F_DUPFD_CLOEXEC, 0);
  return *file >= 0 && type == posix_file ? success : invalid;
}
int cuMemImportFromShareableHandle(Address* handle, void* file, int)
{
  int const copy = fcntl(static_cast<int>(reinterpret_cast<std::intptr_t>(file)), F_DUPFD_CLOEXEC, 0);
  *handle = static_cast<Address>(copy);
  return copy >= 0 ? success : invalid;
}
int cuMemRelease(Address handle)
{
  return close(static_cast<int>(handle)) == 0 ? success : invalid;
}
int cuMemAddressReserve(Address* to, std::size_t bytes, std::size_t, Address, Address)
{
  void* const range = mmap(nullptr, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  *to = reinterpret_cast<std::uintptr_t>(range);
  return range == MAP_FAILED ? invalid : success;
}
int cuMemAddressFree(Address address, std::size_t bytes)
{
  return munmap(at(address), bytes) == 0 ? success : invalid;
}
int cuMemMap(Address address, std::size_t bytes, std::size_t, Address handle, Address)
{
  struct stat found;
  if (fstat(static_cast<int>(handle), &found) != 0 || static_cast<std::size_t>(found.st_size) < bytes) {
    return invalid;
  }
  int const file = fcntl(static_cast<int>(handle), F_DUPFD_CLOEXEC, 0);
  if (map_file(file, bytes, at(address)) == 0) { return invalid; }
  std::lock_guard<std::mutex> const lock(mutex);
  blocks[address] = {bytes, file, Kind::created};
  return success;
}
int cuMemUnmap(Address address, std::size_t)
{
  return forget(address);
}
int cuMemSetAccess(Address, std::size_t, void const*, std::size_t)
{
  return success;
}

// --- pools: a shared one has one allocation here, whose address stands for it.

int cuMemPoolCreate(void** pool, void const*)
{
  return *pool = &shared_pool, success;
}
int cuMemAllocFromPoolAsync(Address* to, std::size_t bytes, void*, void*)
{
  return make(to, bytes, Kind::from_shared_pool);
}
int cuMemPoolExportToShareableHandle(int* file, void* pool, int, Address)
{
  std::lock_guard<std::mutex> const lock(mutex);
  auto const found = blocks.find(reinterpret_cast<std::uintptr_t>(pool));
  if (pool == &default_pool || found == blocks.end()) { return invalid; }
  *file = fcntl(found->second.file, F_DUPFD_CLOEXEC, 0);
  return success;
}
int cuMemPoolExportPointer(std::uint8_t* data, Address)
{
  return std::memset(data, 1, 64), success;
}
int cuMemPoolImportFromShareableHandle(void** pool, void* file, int, Address)
{
  int const copy = fcntl(static_cast<int>(reinterpret_cast<std::intptr_t>(file)), F_DUPFD_CLOEXEC, 0);
  *pool = new int(copy);
  return copy >= 0 ? success : invalid;
}
int cuMemPoolImportPointer(Address* to, void* pool, std::uint8_t* data)
{
  return data[0] == 1 ? open_file(to, *static_cast<int*>(pool), Kind::opened) : invalid;
}
int cuMemPoolSetAccess(void*, void const*, std::size_t)
{
  return success;
}
int cuMemPoolDestroy(void* pool)
{
  return delete static_cast<int*>(pool), success;
}

/// Of this process, besides its own: how much it holds of other processes' memory.
int fake_cuda_opened()
{
  std::lock_guard<std::mutex> const lock(mutex);
  int count = 0;
  for (auto const& [address, block] : blocks) { count += block.kind == Kind::opened ? 1 : 0; }
  return count;
}
}
