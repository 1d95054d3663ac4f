#pragma once

/// Lets Slotscape show a hash table of your own while your program runs: docs/watching-your-table.md.
///
///   slotscape::Watch watch("customers", slots.data(), slots.size(), layout);
///
/// It needs only C++17 and Linux: CUDA's driver is used if the program has loaded it. One thread serves all watches of
/// the program, and sleeps while nobody is viewing. With SLOTSCAPE_WATCH_OFF defined, nothing is compiled; with
/// SLOTSCAPE_WATCH=0 in the environment, nothing is announced.

#include <cstddef>
#include <cstdint>
#include <new>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#if !defined(SLOTSCAPE_WATCH_OFF)
#include <dlfcn.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#endif

namespace slotscape {

#if defined(SLOTSCAPE_WATCH_OFF)
using WatchText = std::string_view;
#else
using WatchText = std::string;
#endif

/// A named block of host or CUDA device memory.
struct WatchArray {
  WatchText name;
  void const* data = nullptr;
  std::size_t bytes = 0;
};

/// The position of a slot's key or value: `offset` bytes from the start of the array, with `stride` bytes from slot to
/// slot. bits: 32 or 64, for keys also 128; 0 if there is no such field. (Sentinels of more than 64 bits go into
/// `WatchLayout::more`.)
struct WatchField {
  WatchText array = "slots";
  std::uint64_t offset = 0;
  std::uint64_t stride = 0;
  unsigned bits = 0;
  bool is_signed = false;     ///< signed integers
  bool is_float = false;      ///< values are floating-point numbers
  unsigned ordered_bits = 0;  ///< low bits that are an order-preserving code as in this library's tables; 0: no code
  WatchText is = {};          ///< meaning of the numbers: "bytes", "fingerprint", "row"; empty: plain numbers
};

/// Each `stride` bytes contain `slots` slots. slots: 0 if there are no buckets.
struct WatchBucket {
  std::uint64_t slots = 0;
  std::uint64_t stride = 0;
};

/// How a key's home slot is computed. Empty: unknown.
struct WatchHash {
  WatchText function;  ///< "murmur3", "xxhash_64", "identity" ...
  std::uint64_t seed = 0;
  WatchText reduction;  ///< "modulo", "mask", "multiply_shift"
  WatchText homes;      ///< instead of a function: the array with the home of each slot's key
};

/// The layout of a table's memory, as docs/watching-your-table.md describes it. Omitted members are unknown or, with a
/// preset, those of the preset.
struct WatchLayout {
  WatchText preset;  ///< "cuco::static_map" ...
  std::uint64_t slots = 0;
  WatchField key;
  WatchField value;
  WatchBucket bucket;
  std::optional<std::uint64_t> empty_key;
  std::optional<std::uint64_t> erased_key;
  std::optional<std::uint64_t> erased_value;
  std::optional<std::uint64_t> beside_from;  ///< keys from this one on are stored beside the slots
  WatchText family;                          ///< name of this kind of table: viewers then try no other kinds of probing
  WatchHash hash;
  WatchText probing;  ///< "linear", "quadratic", "double", "cuckoo", "chains"
  WatchText more;     ///< further members, as JSON without the braces: R"("probing": {"scheme": "double"})"

  /// Keys and values side by side in one array.
  template <class Key, class Value>
  static WatchLayout pairs(std::uint64_t slots)
  {
    struct Pair {
      Key key;
      Value value;
    };
    WatchLayout layout;
    layout.slots = slots;
    layout.key = of_type<Key>(offsetof(Pair, key), sizeof(Pair));
    layout.value = of_type<Value>(offsetof(Pair, value), sizeof(Pair));
    return layout;
  }
  /// Keys alone.
  template <class Key>
  static WatchLayout keys(std::uint64_t slots)
  {
    WatchLayout layout;
    layout.slots = slots;
    layout.key = of_type<Key>(0, sizeof(Key));
    return layout;
  }
  static WatchLayout of_preset(WatchText name, std::uint64_t slots)
  {
    WatchLayout layout;
    layout.preset = std::move(name);
    layout.slots = slots;
    return layout;
  }

  /// A field of this type, `offset` bytes into the array of slots.
  template <class T>
  static WatchField of_type(std::uint64_t offset, std::uint64_t stride)
  {
    if constexpr (std::is_enum<T>::value) { return of_type<std::underlying_type_t<T>>(offset, stride); }
    WatchField field;
    field.offset = offset;
    field.stride = stride;
    field.bits = 8 * sizeof(T);
    field.is_signed = std::is_integral<T>::value && std::is_signed<T>::value;
    field.is_float = std::is_floating_point<T>::value && sizeof(T) <= 8;
    return field;
  }

#if !defined(SLOTSCAPE_WATCH_OFF)
  std::string json() const;
#endif
};

struct WatchOptions {
  /// If a viewer cannot reach the memory, the serving thread copies it this often, as long as somebody is viewing.
  double copies_per_second = 10.0;
  /// Viewers see only the copies made by `Watch::snapshot`.
  bool snapshots = false;
  /// A viewer of the same user may read the program's memory, as a debugger does.
  bool may_be_read = true;
};

#if defined(SLOTSCAPE_WATCH_OFF)

struct WatchDescription {
  WatchDescription(char const*) {}
  WatchDescription(std::string const&) {}
  WatchDescription(WatchLayout const&) {}
};

class Watch {
public:
  Watch(std::string_view, void const*, std::size_t, WatchDescription const&, WatchOptions = {}) {}
  Watch(std::string_view, std::vector<WatchArray> const&, WatchDescription const&, WatchOptions = {}) {}
  void moved(void const*, std::size_t, WatchDescription const&, std::string_view = {}) {}
  void moved(std::vector<WatchArray> const&, WatchDescription const&, std::string_view = {}) {}
  void mark(std::string_view) {}
  void snapshot(void* = nullptr) {}
  std::string problem() const { return {}; }
  unsigned viewers() const { return 0; }
};

inline void* watch_alloc(std::size_t bytes)
{
  return ::operator new(bytes);
}
inline void watch_free(void* memory) noexcept
{
  ::operator delete(memory);
}

#else

/// JSON: a layout, or a text of your own.
struct WatchDescription {
  std::string json;
  WatchDescription(char const* text) : json(text) {}
  WatchDescription(std::string text) : json(std::move(text)) {}
  WatchDescription(WatchLayout const& layout) : json(layout.json()) {}
};

/// Zeroed memory that viewers can map, so that it need not be copied. Small blocks are ordinary memory. Throws
/// std::bad_alloc. Children that the program forks without executing another program share it.
void* watch_alloc(std::size_t bytes);
void watch_free(void* memory) noexcept;

/// The protocol between programs and viewers: packets on a Unix socket of type SOCK_SEQPACKET. `slotscape_watch.py`
/// implements the same protocol.
namespace watch_link {

inline constexpr std::uint32_t magic = 0x31574c53;  ///< "SLW1": another number means another protocol
inline constexpr std::size_t max_packet = std::size_t{60} << 10;
inline constexpr std::size_t max_name = 256;
inline constexpr std::size_t max_description = std::size_t{48} << 10;
inline constexpr std::size_t max_text = 1024;
inline constexpr std::size_t max_arrays = 16;

enum class Say : std::uint32_t { table = 1, copies, copied, mark, ended, permission, trouble };
enum class Ask : std::uint32_t { attach = 1, permission, copies, next, released };

/// How a viewer may reach an array. `copy`: only as a copy.
enum class Way : std::uint32_t { copy, file, process, cuda_ipc, cuda_file, cuda_pool };

/// A complete packet from a viewer, and the beginning of a program's packets.
struct Header {
  std::uint32_t magic = watch_link::magic;
  std::uint32_t kind = 0;
  std::uint64_t generation = 0;  ///< of the table; incremented when the table moves
  std::int64_t nanoseconds = 0;  ///< of CLOCK_MONOTONIC
  std::uint64_t value = 0;       ///< copies: wanted arrays, one bit each, and `to_device`; copied, next: which half
};
static_assert(sizeof(Header) == 32);
inline constexpr std::uint64_t to_device = std::uint64_t{1} << 32;

/// Say::table: this record, the name, the description, a text, and `arrays` times an ArrayRecord with its name.
struct TableRecord {
  std::int32_t pid;
  std::uint32_t snapshots;
  std::uint32_t copies_per_thousand_seconds;
  std::uint32_t arrays;
  std::uint32_t name_length;
  std::uint32_t description_length;
  std::uint32_t text_length;
  std::uint32_t reserved;
};
static_assert(sizeof(TableRecord) == 32);

struct ArrayRecord {
  std::uint64_t bytes;
  std::uint64_t address;     ///< in the program
  std::uint64_t offset;      ///< in the file or allocation
  std::uint64_t allocation;  ///< size of the file or allocation in bytes
  Way way;
  std::uint32_t on_device;
  std::int32_t descriptor;  ///< index among the packet's descriptors; -1: none
  std::uint32_t name_length;
  std::array<std::uint8_t, 16> device;  ///< its UUID
  std::array<std::uint8_t, 64> handle;  ///< CUDA IPC handle; for a pool, of the allocation in it
};
static_assert(sizeof(ArrayRecord) == 128);

/// Say::copies: this record, with a descriptor for host memory. There are two halves; array i is at `offsets[i]` of
/// each.
struct CopiesRecord {
  std::uint64_t half_bytes;
  std::uint32_t on_device;
  std::uint32_t reserved;
  std::array<std::uint64_t, max_arrays> offsets;  ///< all ones: not copied
  std::array<std::uint8_t, 16> device;
  std::array<std::uint8_t, 64> handle;
};
static_assert(sizeof(CopiesRecord) == 224);
inline constexpr std::uint64_t not_copied = ~std::uint64_t{0};

/// Turns an address sent as a number into a pointer.
inline void* pointer_to(std::uint64_t address)
{
  return reinterpret_cast<void*>(static_cast<std::uintptr_t>(address));  // NOLINT(performance-no-int-to-ptr)
}

inline std::int64_t nanoseconds()
{
  return std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

class Descriptor {
public:
  explicit Descriptor(int number = -1) : number_(number) {}
  Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept
  {
    std::swap(number_, other.number_);
    return *this;
  }
  ~Descriptor() { close(); }
  void close()
  {
    if (number_ >= 0) { ::close(number_); }
    number_ = -1;
  }
  int number() const { return number_; }
  explicit operator bool() const { return number_ >= 0; }

private:
  int number_;
};

/// Folders for sockets, the best one first: nobody else can write to them.
inline std::vector<std::string> folders()
{
  std::vector<std::string> result;
  char const* runtime = std::getenv("XDG_RUNTIME_DIR");
  if (runtime != nullptr && *runtime == '/') { result.push_back(std::string(runtime) + "/slotscape"); }
  result.push_back("/tmp/slotscape-" + std::to_string(geteuid()));
  return result;
}

/// Why a folder cannot be trusted; empty if it belongs to this user and nobody else can write to it.
inline std::string distrust(std::string const& folder)
{
  struct stat found;
  if (lstat(folder.c_str(), &found) != 0) { return folder + ": " + std::strerror(errno); }
  if (!S_ISDIR(found.st_mode)) { return folder + " is not a folder: remove it"; }
  if (found.st_uid != geteuid()) { return folder + " belongs to another user"; }
  if ((found.st_mode & 0077) != 0) { return folder + " is open to other users: chmod 700 " + folder; }
  return {};
}

/// Whether the process at the other end of a socket belongs to the same user. `pid` is its number, or 0 if it is in
/// another namespace.
inline bool is_same_user(int socket, pid_t& pid)
{
  ucred peer{};
  socklen_t size = sizeof(peer);
  if (getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &peer, &size) != 0 || peer.uid != geteuid()) { return false; }
  pid = peer.pid;
  return true;
}

using Bytes = std::vector<std::uint8_t>;

template <class T>
void append(Bytes& bytes, T const& value)
{
  auto const* first = reinterpret_cast<std::uint8_t const*>(&value);
  bytes.insert(bytes.end(), first, first + sizeof(T));
}
inline void append(Bytes& bytes, std::string const& text)
{
  bytes.insert(bytes.end(), text.begin(), text.end());
}

inline bool address_of(std::string const& path, sockaddr_un& address)
{
  address = {};
  address.sun_family = AF_UNIX;
  if (path.size() >= sizeof(address.sun_path)) { return false; }
  std::memcpy(address.sun_path, path.c_str(), path.size() + 1);
  return true;
}

/// CUDA's driver, if the program has loaded it. Nothing is linked, and no CUDA header is needed.
struct Cuda {
  using Address = unsigned long long;
  using Uuid = std::array<std::uint8_t, 16>;
  using Ipc = std::array<std::uint8_t, 64>;  ///< a CUipcMemHandle, or a CUmemPoolPtrExportData
  struct IpcByValue {
    std::uint8_t bytes[64];
  };
  struct Access {
    int location_type;
    int location;
    int flags;
  };
  enum Attribute { context_of = 1, type_of = 2, is_managed = 8, ordinal_of = 9, pool_of = 17 };
  static constexpr int device_memory = 2;
  static constexpr int posix_file = 1;
  static constexpr int at_device = 1;

  int (*cuPointerGetAttribute)(void*, int, Address) = nullptr;
  int (*cuDeviceGet)(int*, int) = nullptr;
  int (*cuDeviceGetUuid_v2)(std::uint8_t*, int) = nullptr;
  int (*cuDevicePrimaryCtxRetain)(void**, int) = nullptr;
  int (*cuCtxPushCurrent_v2)(void*) = nullptr;
  int (*cuCtxPopCurrent_v2)(void**) = nullptr;
  int (*cuThreadExchangeStreamCaptureMode)(int*) = nullptr;
  int (*cuMemGetAddressRange_v2)(Address*, std::size_t*, Address) = nullptr;
  int (*cuMemAlloc_v2)(Address*, std::size_t) = nullptr;
  int (*cuMemFree_v2)(Address) = nullptr;
  int (*cuMemcpyAsync)(Address, Address, std::size_t, void*) = nullptr;
  int (*cuMemHostRegister_v2)(void*, std::size_t, unsigned) = nullptr;
  int (*cuMemHostUnregister)(void*) = nullptr;
  int (*cuStreamCreate)(void**, unsigned) = nullptr;
  int (*cuStreamSynchronize)(void*) = nullptr;
  int (*cuStreamDestroy_v2)(void*) = nullptr;
  int (*cuEventCreate)(void**, unsigned) = nullptr;
  int (*cuEventRecord)(void*, void*) = nullptr;
  int (*cuEventQuery)(void*) = nullptr;
  int (*cuEventSynchronize)(void*) = nullptr;
  int (*cuEventDestroy_v2)(void*) = nullptr;
  int (*cuIpcGetMemHandle)(std::uint8_t*, Address) = nullptr;
  int (*cuIpcOpenMemHandle_v2)(Address*, IpcByValue, unsigned) = nullptr;
  int (*cuIpcCloseMemHandle)(Address) = nullptr;
  int (*cuMemRetainAllocationHandle)(Address*, void*) = nullptr;
  int (*cuMemExportToShareableHandle)(void*, Address, int, Address) = nullptr;
  int (*cuMemImportFromShareableHandle)(Address*, void*, int) = nullptr;
  int (*cuMemRelease)(Address) = nullptr;
  int (*cuMemAddressReserve)(Address*, std::size_t, std::size_t, Address, Address) = nullptr;
  int (*cuMemAddressFree)(Address, std::size_t) = nullptr;
  int (*cuMemMap)(Address, std::size_t, std::size_t, Address, Address) = nullptr;
  int (*cuMemUnmap)(Address, std::size_t) = nullptr;
  int (*cuMemSetAccess)(Address, std::size_t, Access const*, std::size_t) = nullptr;
  int (*cuMemPoolExportToShareableHandle)(void*, void*, int, Address) = nullptr;
  int (*cuMemPoolExportPointer)(std::uint8_t*, Address) = nullptr;
  int (*cuMemPoolImportFromShareableHandle)(void**, void*, int, Address) = nullptr;
  int (*cuMemPoolImportPointer)(Address*, void*, std::uint8_t*) = nullptr;
  int (*cuMemPoolSetAccess)(void*, Access const*, std::size_t) = nullptr;
  int (*cuMemPoolDestroy)(void*) = nullptr;

  /// Null if the program does not use CUDA, or its driver is too old.
  static Cuda const* loaded()
  {
    static std::mutex mutex;
    static Cuda cuda;
    static bool is_complete = false;
    std::lock_guard<std::mutex> const lock(mutex);
    if (is_complete) { return &cuda; }
    void* const library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_NOLOAD);
    is_complete = library != nullptr && cuda.load(library);
    return is_complete ? &cuda : nullptr;
  }
  bool load(void* library)
  {
    bool complete = true;
    auto const get = [&](auto& function, char const* name) {
      function = reinterpret_cast<std::decay_t<decltype(function)>>(dlsym(library, name));
      complete = complete && function != nullptr;
    };
#define SLOTSCAPE_GET(name) get(name, #name)
    SLOTSCAPE_GET(cuPointerGetAttribute);
    SLOTSCAPE_GET(cuDeviceGet);
    SLOTSCAPE_GET(cuDeviceGetUuid_v2);
    SLOTSCAPE_GET(cuDevicePrimaryCtxRetain);
    SLOTSCAPE_GET(cuCtxPushCurrent_v2);
    SLOTSCAPE_GET(cuCtxPopCurrent_v2);
    SLOTSCAPE_GET(cuThreadExchangeStreamCaptureMode);
    SLOTSCAPE_GET(cuMemGetAddressRange_v2);
    SLOTSCAPE_GET(cuMemAlloc_v2);
    SLOTSCAPE_GET(cuMemFree_v2);
    SLOTSCAPE_GET(cuMemcpyAsync);
    SLOTSCAPE_GET(cuMemHostRegister_v2);
    SLOTSCAPE_GET(cuMemHostUnregister);
    SLOTSCAPE_GET(cuStreamCreate);
    SLOTSCAPE_GET(cuStreamSynchronize);
    SLOTSCAPE_GET(cuStreamDestroy_v2);
    SLOTSCAPE_GET(cuEventCreate);
    SLOTSCAPE_GET(cuEventRecord);
    SLOTSCAPE_GET(cuEventQuery);
    SLOTSCAPE_GET(cuEventSynchronize);
    SLOTSCAPE_GET(cuEventDestroy_v2);
    SLOTSCAPE_GET(cuIpcGetMemHandle);
    SLOTSCAPE_GET(cuIpcOpenMemHandle_v2);
    SLOTSCAPE_GET(cuIpcCloseMemHandle);
    SLOTSCAPE_GET(cuMemRetainAllocationHandle);
    SLOTSCAPE_GET(cuMemExportToShareableHandle);
    SLOTSCAPE_GET(cuMemImportFromShareableHandle);
    SLOTSCAPE_GET(cuMemRelease);
    SLOTSCAPE_GET(cuMemAddressReserve);
    SLOTSCAPE_GET(cuMemAddressFree);
    SLOTSCAPE_GET(cuMemMap);
    SLOTSCAPE_GET(cuMemUnmap);
    SLOTSCAPE_GET(cuMemSetAccess);
    SLOTSCAPE_GET(cuMemPoolExportToShareableHandle);
    SLOTSCAPE_GET(cuMemPoolExportPointer);
    SLOTSCAPE_GET(cuMemPoolImportFromShareableHandle);
    SLOTSCAPE_GET(cuMemPoolImportPointer);
    SLOTSCAPE_GET(cuMemPoolSetAccess);
    SLOTSCAPE_GET(cuMemPoolDestroy);
#undef SLOTSCAPE_GET
    return complete;
  }

  /// An attribute of a pointer; nullopt for a pointer that CUDA does not know.
  template <class T>
  std::optional<T> attribute(Attribute which, void const* pointer) const
  {
    T value{};
    if (cuPointerGetAttribute(&value, which, address_of(pointer)) != 0) { return {}; }
    return value;
  }
  static Address address_of(void const* pointer)
  {
    return reinterpret_cast<std::uintptr_t>(pointer);
  }
};

/// Makes a context current for this thread until it is destroyed. Until then, this thread's calls are allowed even if
/// other threads capture graphs.
class CudaScope {
public:
  CudaScope(Cuda const& cuda, void* context) : cuda_(cuda)
  {
    is_current_ = cuda_.cuCtxPushCurrent_v2(context) == 0;
    cuda_.cuThreadExchangeStreamCaptureMode(&mode_);
  }
  CudaScope(CudaScope const&) = delete;
  CudaScope& operator=(CudaScope const&) = delete;
  ~CudaScope()
  {
    cuda_.cuThreadExchangeStreamCaptureMode(&mode_);
    void* popped = nullptr;
    if (is_current_) { cuda_.cuCtxPopCurrent_v2(&popped); }
  }

private:
  Cuda const& cuda_;
  int mode_ = 2;  // relaxed
  bool is_current_ = false;
};

}  // namespace watch_link

/// The program's side of the link: internal, not for direct use.
namespace watch_hook {

using namespace watch_link;
using Clock = std::chrono::steady_clock;

inline constexpr std::size_t max_viewers = 8;   ///< per table
inline constexpr int max_connecting = 64;       ///< at once
inline constexpr std::size_t max_waiting = 64;  ///< unread packets per viewer
inline constexpr int max_asked = 2000;          ///< packets that a viewer may send per second
inline constexpr std::size_t max_marks = 64;    ///< marks that are kept for viewers who come later
inline constexpr std::size_t copied_at_once = std::size_t{8} << 20;
inline constexpr std::size_t copied_on_device_at_once = std::size_t{1} << 30;
inline constexpr std::size_t min_file = std::size_t{64} << 10;
inline constexpr std::chrono::milliseconds max_wait{100};
inline constexpr std::chrono::seconds copy_patience{2};  ///< then a half is written even if it may be in use

struct Packet {
  Bytes bytes;
  std::vector<std::shared_ptr<Descriptor>> descriptors;
};

/// Memory from `watch_alloc`.
struct Region {
  std::size_t bytes = 0;
  std::shared_ptr<Descriptor> file;  ///< for reading
};

struct Array {
  std::string name;
  void const* data = nullptr;
  std::uint64_t bytes = 0;
  Way way = Way::process;
  bool on_device = false;
  std::uint64_t offset = 0;
  std::uint64_t allocation = 0;
  std::shared_ptr<Descriptor> file;
  Cuda::Uuid device{};
  Cuda::Ipc handle{};
  void* context = nullptr;  ///< CUDA context that copies it; null: ordinary memory
};

/// Finds out whether and where CUDA has an array, and how another process can open it.
class CudaExport {
public:
  CudaExport(Cuda const& cuda, Array& array) : cuda_(cuda), array_(array) {}

  void locate()
  {
    auto const type = cuda_.attribute<int>(Cuda::type_of, array_.data);
    if (!type) { return; }
    int const ordinal = cuda_.attribute<int>(Cuda::ordinal_of, array_.data).value_or(0);
    array_.context = cuda_.attribute<void*>(Cuda::context_of, array_.data).value_or(nullptr);
    if (array_.context == nullptr) { cuda_.cuDevicePrimaryCtxRetain(&array_.context, ordinal); }
    if (array_.context == nullptr) { return; }
    cuda_.cuDeviceGetUuid_v2(array_.device.data(), ordinal);
    bool const is_managed = cuda_.attribute<int>(Cuda::is_managed, array_.data).value_or(0) != 0;
    array_.on_device = *type == Cuda::device_memory && !is_managed;
    if (is_managed) { array_.way = Way::copy; }
    if (!array_.on_device) { return; }
    array_.way = Way::copy;
    CudaScope const scope(cuda_, array_.context);
    if (!find_allocation() || export_ipc() || export_file()) { return; }
    export_pool();
  }

private:
  bool find_allocation()
  {
    Cuda::Address const first = Cuda::address_of(array_.data);
    Cuda::Address base = 0;
    std::size_t bytes = 0;
    if (cuda_.cuMemGetAddressRange_v2(&base, &bytes, first) != 0) { return false; }
    base_ = base;
    array_.offset = first - base;
    array_.allocation = bytes;
    return array_.bytes <= bytes - array_.offset;
  }
  bool export_ipc()
  {
    if (cuda_.cuIpcGetMemHandle(array_.handle.data(), base_) != 0) { return false; }
    array_.way = Way::cuda_ipc;
    return true;
  }
  /// For memory from cuMemCreate.
  bool export_file()
  {
    Cuda::Address handle = 0;
    if (cuda_.cuMemRetainAllocationHandle(&handle, pointer_to(base_)) != 0) { return false; }
    int file = -1;
    int const status = cuda_.cuMemExportToShareableHandle(&file, handle, Cuda::posix_file, 0);
    cuda_.cuMemRelease(handle);
    if (status != 0) { return false; }
    array_.file = std::make_shared<Descriptor>(file);
    array_.way = Way::cuda_file;
    return true;
  }
  /// For memory from a pool that was made to be shared; the default pool was not.
  void export_pool()
  {
    void* const pool = cuda_.attribute<void*>(Cuda::pool_of, array_.data).value_or(nullptr);
    int file = -1;
    if (pool == nullptr || cuda_.cuMemPoolExportToShareableHandle(&file, pool, Cuda::posix_file, 0) != 0) { return; }
    array_.file = std::make_shared<Descriptor>(file);
    if (cuda_.cuMemPoolExportPointer(array_.handle.data(), base_) == 0) {
      array_.way = Way::cuda_pool;
    } else {
      array_.file = nullptr;
    }
  }

  Cuda const& cuda_;
  Array& array_;
  Cuda::Address base_ = 0;
};

struct Viewer {
  Descriptor socket;
  pid_t pid = 0;
  std::deque<std::shared_ptr<Packet const>> waiting{};
  bool attached = false;
  std::uint64_t released = 0;  ///< the first generation that the viewer may still be reading
  bool wants_copies = false;
  bool wants_device = false;     ///< wants copies in device memory
  bool is_ready = false;         ///< no longer reads the half that is written next
  bool waits_for_offer = false;  ///< has asked for copies but not yet learnt where they are
  Clock::time_point told_of_copy{};
  int asked = 0;
  Clock::time_point asked_since{};
  bool gone = false;
};

/// A memory file of this size that can never shrink, so no process that maps it gets a SIGBUS.
inline std::shared_ptr<Descriptor> make_file(std::size_t bytes, std::uint8_t*& memory)
{
  Descriptor writable(memfd_create("slotscape", MFD_CLOEXEC | MFD_ALLOW_SEALING));
  if (!writable || ftruncate(writable.number(), static_cast<off_t>(bytes)) != 0) { return nullptr; }
  if (fcntl(writable.number(), F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) != 0) { return nullptr; }
  std::string const name = "/proc/self/fd/" + std::to_string(writable.number());
  Descriptor readable(open(name.c_str(), O_RDONLY | O_CLOEXEC));
  if (!readable) { return nullptr; }
  void* mapped = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, writable.number(), 0);
  if (mapped == MAP_FAILED) { return nullptr; }
  madvise(mapped, bytes, MADV_HUGEPAGE);  // only effective if shmem_enabled is `advise`
  memory = static_cast<std::uint8_t*>(mapped);
  return std::make_shared<Descriptor>(std::move(readable));
}

/// Copies memory of this program. Returns false if the memory is gone: reading it directly would crash the program.
inline bool read_self(void* to, void const* from, std::size_t bytes)
{
  auto* target = static_cast<std::uint8_t*>(to);
  auto const* source = static_cast<std::uint8_t const*>(from);
  while (bytes != 0) {
    iovec const local{target, bytes};
    iovec const remote{const_cast<std::uint8_t*>(source), bytes};
    ssize_t got = process_vm_readv(getpid(), &local, 1, &remote, 1, 0);
    if (got < 0 && (errno == EPERM || errno == ENOSYS)) {  // some containers forbid the call even on the process itself
      Descriptor const memory(open("/proc/self/mem", O_RDONLY | O_CLOEXEC));
      got = pread(memory.number(), target, bytes, static_cast<off_t>(reinterpret_cast<std::uintptr_t>(source)));
    }
    if (got <= 0) { return false; }
    target += got;
    source += got;
    bytes -= static_cast<std::size_t>(got);
  }
  return true;
}

/// Two halves that are written in turns: viewers read one while the other is written.
class Copies {
public:
  Copies() = default;
  Copies(Copies const&) = delete;
  Copies& operator=(Copies const&) = delete;
  ~Copies()
  {
    if (cuda_ != nullptr) { free_device(); }
    if (memory_ != nullptr) { munmap(memory_, 2 * record_.half_bytes); }
  }

  /// Allocates room for these arrays; null if there is not enough memory.
  static std::unique_ptr<Copies> make(std::vector<Array> const& arrays, bool on_device)
  {
    auto copies = std::make_unique<Copies>();
    copies->arrays_ = arrays;
    constexpr std::uint64_t alignment = 4096;
    CopiesRecord& record = copies->record_;
    record.offsets.fill(not_copied);
    for (std::size_t i = 0; i < arrays.size(); ++i) {
      record.offsets[i] = record.half_bytes;
      record.half_bytes += (arrays[i].bytes + alignment - 1) / alignment * alignment;
      if (arrays[i].context != nullptr) { copies->context_ = arrays[i].context; }
    }
    copies->cuda_ = copies->context_ == nullptr ? nullptr : Cuda::loaded();
    bool const has_room = (on_device && copies->allocate_device()) || copies->allocate_host();
    return record.half_bytes != 0 && has_room ? std::move(copies) : nullptr;
  }

  CopiesRecord const& record() const { return record_; }
  bool is_on_device() const { return record_.on_device != 0; }
  std::shared_ptr<Descriptor> const& file() const { return file_; }
  unsigned half() const { return half_; }
  void turn() { half_ = 1 - half_; }

  /// Copies the arrays, in parts, to the half that nobody is reading, until `stop`. Returns false if the memory is
  /// gone.
  bool copy(std::atomic<bool> const& stop) const
  {
    if (cuda_ == nullptr) { return copy(stop, nullptr); }
    CudaScope const scope(*cuda_, context_);
    void* stream = nullptr;
    constexpr unsigned non_blocking = 1;
    if (cuda_->cuStreamCreate(&stream, non_blocking) != 0) { return false; }
    bool const done = copy(stop, stream);
    cuda_->cuStreamDestroy_v2(stream);
    return done;
  }

  /// Makes CUDA copy the arrays in stream order; `is_pending` until that is done. Returns false if CUDA does not have
  /// all of them.
  bool submit(void* stream)
  {
    bool const has_all =
        std::all_of(arrays_.begin(), arrays_.end(), [](Array const& a) { return a.context != nullptr; });
    if (cuda_ == nullptr || !has_all) { return false; }
    CudaScope const scope(*cuda_, context_);
    constexpr unsigned no_timing = 2;
    if (event_ == nullptr && cuda_->cuEventCreate(&event_, no_timing) != 0) { return false; }
    for (std::size_t i = 0; i < arrays_.size(); ++i) {
      Cuda::Address const from = Cuda::address_of(arrays_[i].data);
      if (cuda_->cuMemcpyAsync(place(i), from, arrays_[i].bytes, stream) != 0) { return false; }
    }
    return cuda_->cuEventRecord(event_, stream) == 0;
  }
  bool is_pending() const
  {
    if (event_ == nullptr) { return false; }
    CudaScope const scope(*cuda_, context_);
    constexpr int not_ready = 600;
    return cuda_->cuEventQuery(event_) == not_ready;
  }

private:
  bool allocate_device()
  {
    bool const all = std::all_of(arrays_.begin(), arrays_.end(),
                                 [&](Array const& array) { return array.on_device && array.context == context_; });
    if (cuda_ == nullptr || !all) { return false; }
    CudaScope const scope(*cuda_, context_);
    if (cuda_->cuMemAlloc_v2(&device_, 2 * record_.half_bytes) != 0) { return false; }
    if (cuda_->cuIpcGetMemHandle(record_.handle.data(), device_) != 0) {
      cuda_->cuMemFree_v2(device_);
      device_ = 0;
      return false;
    }
    record_.on_device = 1;
    record_.device = arrays_[0].device;
    return true;
  }
  bool allocate_host()
  {
    if (record_.half_bytes == 0) { return false; }
    file_ = make_file(2 * record_.half_bytes, memory_);
    if (file_ == nullptr || cuda_ == nullptr) { return file_ != nullptr; }
    CudaScope const scope(*cuda_, context_);
    constexpr unsigned portable = 1;
    is_registered_ = cuda_->cuMemHostRegister_v2(memory_, 2 * record_.half_bytes, portable) == 0;
    return true;
  }
  void free_device()
  {
    CudaScope const scope(*cuda_, context_);
    if (event_ != nullptr) {
      cuda_->cuEventSynchronize(event_);
      cuda_->cuEventDestroy_v2(event_);
    }
    if (is_registered_) { cuda_->cuMemHostUnregister(memory_); }
    if (device_ != 0) { cuda_->cuMemFree_v2(device_); }
  }

  /// The destination of array i.
  Cuda::Address place(std::size_t i) const
  {
    Cuda::Address const start = is_on_device() ? device_ : Cuda::address_of(memory_);
    return start + (1 - half_) * record_.half_bytes + record_.offsets[i];
  }
  bool copy(std::atomic<bool> const& stop, void* stream) const
  {
    for (std::size_t i = 0; i < arrays_.size(); ++i) {
      Array const& array = arrays_[i];
      std::uint64_t const at_once = is_on_device() ? copied_on_device_at_once : copied_at_once;
      for (std::uint64_t first = 0; first < array.bytes && !stop; first += at_once) {
        std::size_t const bytes = std::min<std::uint64_t>(at_once, array.bytes - first);
        if (!copy_part(array, first, place(i) + first, bytes, stream)) { return false; }
      }
    }
    return true;
  }
  bool copy_part(Array const& array, std::uint64_t first, Cuda::Address to, std::size_t bytes, void* stream) const
  {
    auto const* from = static_cast<std::uint8_t const*>(array.data) + first;
    if (array.context == nullptr) { return read_self(pointer_to(to), from, bytes); }
    return cuda_->cuMemcpyAsync(to, Cuda::address_of(from), bytes, stream) == 0 &&
           cuda_->cuStreamSynchronize(stream) == 0;
  }

  std::vector<Array> arrays_;
  CopiesRecord record_{};
  std::shared_ptr<Descriptor> file_;
  std::uint8_t* memory_ = nullptr;
  bool is_registered_ = false;
  Cuda const* cuda_ = nullptr;
  void* context_ = nullptr;
  Cuda::Address device_ = 0;
  void* event_ = nullptr;
  unsigned half_ = 1;  ///< the half that was written last
};

struct Table {
  std::string name;
  std::string description;
  WatchOptions options;
  std::vector<Array> arrays;
  std::uint64_t generation = 1;
  std::string path;  ///< of the socket
  Descriptor listener;
  std::deque<std::shared_ptr<Packet const>> marks{};
  std::vector<std::unique_ptr<Viewer>> viewers{};
  std::unique_ptr<Copies> copies{};
  bool is_copying = false;  ///< `copies` is in use without the mutex
  bool is_pending = false;  ///< a snapshot is in progress on the program's stream
  std::atomic<bool> stop_copying{false};
  Clock::time_point next_copy{};
};

/// All watches of the program, and the thread that serves them. A single object, never destroyed.
class Process {
public:
  /// A forked child, which has no thread, gets another object than its parent.
  static Process& here()
  {
    std::atomic<Process*>& place = only();
    Process* process = place.load(std::memory_order_acquire);
    if (process != nullptr) { return *process; }
    auto made = std::make_unique<Process>();
    if (place.compare_exchange_strong(process, made.get())) {
      process = made.release();
      pthread_atfork(&before_fork, &after_fork, &in_child);
    }
    return *process;
  }

  /// Announces a table. Returns why that failed, or an empty string.
  std::string add(Table& table)
  {
    std::unique_lock<std::mutex> lock(mutex_);
    changed_.wait(lock, [&] { return !is_stopping_; });
    std::string problem = listen(table);
    if (!problem.empty()) { return problem; }
    tables_.push_back(&table);
    if (is_running_) {
      wake();
      return {};
    }
    std::string no_thread = start();
    if (!no_thread.empty()) {
      tables_.pop_back();
      close(table);
    }
    return no_thread;
  }

  /// Announces the table's end, and waits, at most for `max_wait`, until nobody is viewing it any more.
  void remove(Table& table)
  {
    std::unique_lock<std::mutex> lock(mutex_);
    stop_copying(table, lock);
    ++table.generation;
    try {
      tell(table, simple(Say::ended, table, {}));
      wait_for_release(table, lock);
    } catch (std::bad_alloc const&) {  // viewers will notice when their sockets close
    }
    close(table);
    retire(std::move(table.copies));
    tables_.erase(std::remove(tables_.begin(), tables_.end(), &table), tables_.end());
    if (!tables_.empty() || is_stopping_) {
      wake();
      return;
    }
    is_stopping_ = true;
    wake();
    lock.unlock();
    pthread_join(thread_, nullptr);
    lock.lock();
    auto const retired = std::move(retired_);
    retired_.clear();
    wake_.close();
    is_stopping_ = false;
    is_running_ = false;
    changed_.notify_all();
  }

  void move(Table& table, std::vector<Array> arrays, std::string description, std::string const& text)
  {
    std::unique_lock<std::mutex> lock(mutex_);
    stop_copying(table, lock);
    bool const was_on_device = is_on_device(table);
    table.arrays = std::move(arrays);
    table.description = std::move(description);
    ++table.generation;
    std::unique_ptr<Copies> old = std::move(table.copies);
    table.is_pending = false;
    for (auto& viewer : table.viewers) { viewer->wants_copies = viewer->waits_for_offer = viewer->is_ready = false; }
    tell(table, describe(table, text));
    if (was_on_device) { wait_for_release(table, lock); }
    retire(std::move(old));
    table.stop_copying = false;
    wake();
  }

  void mark(Table& table, std::string const& text)
  {
    std::lock_guard<std::mutex> const lock(mutex_);
    auto packet = simple(Say::mark, table, text);
    if (table.marks.size() == max_marks) { table.marks.pop_front(); }
    table.marks.push_back(packet);
    tell(table, packet);
  }

  /// Makes a copy if somebody waits for one: in the program's own thread or, if CUDA copies, on a stream of the
  /// program.
  void snapshot(Table& table, void* stream)
  {
    std::unique_lock<std::mutex> lock(mutex_);
    if (!are_ready(table)) { return; }
    table.is_copying = true;
    lock.unlock();
    bool const is_submitted = table.copies->submit(stream);
    lock.lock();
    table.is_copying = false;
    changed_.notify_all();
    if (!is_submitted) { return copy(table, lock); }
    table.is_pending = true;
    wake();
  }

  unsigned viewers(Table const& table)
  {
    std::lock_guard<std::mutex> const lock(mutex_);
    return static_cast<unsigned>(std::count_if(table.viewers.begin(), table.viewers.end(),
                                               [](auto const& viewer) { return viewer->attached && !viewer->gone; }));
  }

  // --- Memory from `watch_alloc`.

  void* allocate(std::size_t bytes)
  {
    std::size_t const page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    std::size_t const whole = (bytes + page - 1) / page * page;
    std::uint8_t* memory = nullptr;
    auto file = make_file(whole, memory);
    if (file == nullptr) { return nullptr; }
    std::lock_guard<std::mutex> const lock(mutex_);
    regions_[memory] = {whole, std::move(file)};
    return memory;
  }
  bool deallocate(void* memory)
  {
    std::unique_lock<std::mutex> lock(mutex_);
    auto const found = regions_.find(static_cast<std::uint8_t const*>(memory));
    if (found == regions_.end()) { return false; }
    Region const region = std::move(found->second);
    regions_.erase(found);
    lock.unlock();
    munmap(memory, region.bytes);
    return true;
  }
  /// Finds out whether an array is in memory from `watch_alloc`.
  void find_region(Array& array)
  {
    std::lock_guard<std::mutex> const lock(mutex_);
    auto const* first = static_cast<std::uint8_t const*>(array.data);
    auto next = regions_.upper_bound(first);
    if (next == regions_.begin()) { return; }
    auto const& [start, region] = *std::prev(next);
    auto const offset = static_cast<std::uint64_t>(first - start);
    if (offset > region.bytes || array.bytes > region.bytes - offset) { return; }
    array.way = Way::file;
    array.file = region.file;
    array.offset = offset;
    array.allocation = region.bytes;
  }

private:
  using PacketPointer = std::shared_ptr<Packet const>;

  static std::atomic<Process*>& only()
  {
    static std::atomic<Process*> process{nullptr};
    return process;
  }

  // --- forks

  static void before_fork() { only().load()->mutex_.lock(); }
  static void after_fork() { only().load()->mutex_.unlock(); }
  /// The child leaves everything to its parent: it has no thread, and must not keep sockets open.
  static void in_child()
  {
    Process* const parents = only().load();
    for (Table* table : parents->tables_) {
      table->listener.close();
      for (auto& viewer : table->viewers) { viewer->socket.close(); }
    }
    parents->wake_.close();
    auto* own = new Process;  // the parent's object stays untouched: threads may be waiting on its condition
    own->regions_ = parents->regions_;
    only().store(own);
    parents->mutex_.unlock();
  }

  // --- The socket.

  static std::string listen(Table& table)
  {
    std::string problem;
    for (std::string const& folder : folders()) {
      problem = listen_in(folder, table);
      if (problem.empty()) { return {}; }
    }
    return problem;
  }
  static std::string listen_in(std::string const& folder, Table& table)
  {
    if (mkdir(folder.c_str(), 0700) != 0 && errno != EEXIST) { return folder + ": " + std::strerror(errno); }
    std::string distrusted = distrust(folder);
    if (!distrusted.empty()) { return distrusted; }
    static std::atomic<unsigned> count{0};
    std::string const own = folder + '/' + std::to_string(getpid()) + '-' + std::to_string(count++);
    // The socket gets its final name only when it listens: so a socket that refuses viewers is a stale one.
    std::string const unready = own + ".new";
    sockaddr_un address;
    if (!address_of(unready, address)) { return folder + " has too long a name: set XDG_RUNTIME_DIR to a shorter one"; }
    Descriptor listener(socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
    unlink(unready.c_str());
    bool const listens = listener &&
                         bind(listener.number(), reinterpret_cast<sockaddr const*>(&address), sizeof(address)) == 0 &&
                         ::listen(listener.number(), max_connecting) == 0;
    table.path = own + ".sock";
    if (!listens || rename(unready.c_str(), table.path.c_str()) != 0) {
      std::string problem = own + ": " + std::strerror(errno);
      unlink(unready.c_str());
      table.path.clear();
      return problem;
    }
    table.listener = std::move(listener);
    return {};
  }
  static void close(Table& table)
  {
    table.viewers.clear();
    table.listener.close();
    if (!table.path.empty()) { unlink(table.path.c_str()); }
    table.path.clear();
  }

  // --- packets

  static PacketPointer simple(Say kind, Table const& table, std::string const& text, std::uint64_t value = 0)
  {
    auto packet = std::make_shared<Packet>();
    append(packet->bytes, header(kind, table, value));
    append(packet->bytes, text);
    return packet;
  }
  static Header header(Say kind, Table const& table, std::uint64_t value)
  {
    Header header;
    header.kind = static_cast<std::uint32_t>(kind);
    header.generation = table.generation;
    header.nanoseconds = nanoseconds();
    header.value = value;
    return header;
  }
  static PacketPointer describe(Table const& table, std::string const& text)
  {
    auto packet = std::make_shared<Packet>();
    Bytes& bytes = packet->bytes;
    append(bytes, header(Say::table, table, 0));
    auto const length = [](std::string const& of) { return static_cast<std::uint32_t>(of.size()); };
    append(bytes, TableRecord{static_cast<std::int32_t>(getpid()), table.options.snapshots ? 1u : 0u,
                              static_cast<std::uint32_t>(1000.0 * table.options.copies_per_second),
                              static_cast<std::uint32_t>(table.arrays.size()), length(table.name),
                              length(table.description), length(text), 0});
    append(bytes, table.name);
    append(bytes, table.description);
    append(bytes, text);
    for (Array const& array : table.arrays) {
      bool const sends = array.file != nullptr && !table.options.snapshots;
      auto const descriptor = sends ? static_cast<std::int32_t>(packet->descriptors.size()) : -1;
      if (sends) { packet->descriptors.push_back(array.file); }
      append(bytes, ArrayRecord{array.bytes, reinterpret_cast<std::uintptr_t>(array.data), array.offset,
                                array.allocation, table.options.snapshots ? Way::copy : array.way,
                                array.on_device ? 1u : 0u, descriptor, length(array.name), array.device, array.handle});
      append(bytes, array.name);
    }
    return packet;
  }

  void tell(Table& table, PacketPointer const& packet)
  {
    bool is_left = false;  // the thread has something to send, or a viewer to drop
    for (auto& viewer : table.viewers) {
      tell(*viewer, packet);
      is_left = is_left || viewer->gone || !viewer->waiting.empty();
    }
    if (is_left) { wake(); }
  }
  static void tell(Viewer& viewer, PacketPointer const& packet)
  {
    if (viewer.waiting.size() >= max_waiting) { viewer.gone = true; }
    if (viewer.gone) { return; }
    viewer.waiting.push_back(packet);
    flush(viewer);
  }
  /// Sends as much as the viewer's socket accepts now.
  static void flush(Viewer& viewer)
  {
    while (!viewer.gone && !viewer.waiting.empty()) {
      if (!send(viewer, *viewer.waiting.front())) { return; }
      viewer.waiting.pop_front();
    }
  }
  static bool send(Viewer& viewer, Packet const& packet)
  {
    iovec data{const_cast<std::uint8_t*>(packet.bytes.data()), packet.bytes.size()};
    msghdr message{};
    message.msg_iov = &data;
    message.msg_iovlen = 1;
    alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof(int) * max_arrays)> control{};
    if (std::size_t const bytes = sizeof(int) * packet.descriptors.size(); bytes != 0) {
      message.msg_control = control.data();
      message.msg_controllen = CMSG_SPACE(bytes);
      cmsghdr* const rights = CMSG_FIRSTHDR(&message);
      rights->cmsg_level = SOL_SOCKET;
      rights->cmsg_type = SCM_RIGHTS;
      rights->cmsg_len = CMSG_LEN(bytes);
      std::array<int, max_arrays> numbers{};
      for (std::size_t i = 0; i < packet.descriptors.size(); ++i) { numbers[i] = packet.descriptors[i]->number(); }
      std::memcpy(CMSG_DATA(rights), numbers.data(), bytes);
    }
    if (sendmsg(viewer.socket.number(), &message, MSG_NOSIGNAL | MSG_DONTWAIT) >= 0) { return true; }
    if (errno == EINTR) { return send(viewer, packet); }
    if (errno != EAGAIN && errno != EWOULDBLOCK) { viewer.gone = true; }
    return false;
  }

  // --- viewers

  void accept(Table& table)
  {
    while (true) {
      Descriptor socket(accept4(table.listener.number(), nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK));
      if (!socket) { return; }
      pid_t pid = 0;
      if (!is_same_user(socket.number(), pid) || table.viewers.size() >= max_viewers) { continue; }
      auto viewer = std::make_unique<Viewer>();
      viewer->socket = std::move(socket);
      viewer->pid = pid;
      viewer->released = table.generation;
      tell(*viewer, describe(table, {}));
      for (auto const& mark : table.marks) { tell(*viewer, mark); }
      table.viewers.push_back(std::move(viewer));
    }
  }

  void listen_to(Table& table, Viewer& viewer)
  {
    constexpr int max_at_once = 16;
    for (int i = 0; i < max_at_once && !viewer.gone; ++i) {
      std::array<std::uint8_t, sizeof(Header) + 1> bytes;  // the kernel closes any descriptors that are sent along
      ssize_t const got = recv(viewer.socket.number(), bytes.data(), bytes.size(), MSG_DONTWAIT);
      if (got < 0 && (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR)) { return; }
      Header request;
      std::memcpy(&request, bytes.data(), sizeof(request));
      if (got != sizeof(Header) || request.magic != magic || asks_too_much(viewer)) {
        viewer.gone = true;
        return;
      }
      answer(table, viewer, request);
    }
  }
  static bool asks_too_much(Viewer& viewer)
  {
    auto const now = Clock::now();
    if (now - viewer.asked_since > std::chrono::seconds(1)) {
      viewer.asked_since = now;
      viewer.asked = 0;
    }
    return ++viewer.asked > max_asked;
  }

  void answer(Table& table, Viewer& viewer, Header const& request)
  {
    bool const is_current = request.generation == table.generation;
    switch (static_cast<Ask>(request.kind)) {
      case Ask::attach: viewer.attached = true; return;
      case Ask::permission: tell(viewer, simple(Say::permission, table, {}, permit(table, viewer))); return;
      case Ask::copies:
        if (!is_current) { return; }
        viewer.wants_copies = viewer.waits_for_offer = true;
        viewer.is_ready = false;
        viewer.wants_device = (request.value & to_device) != 0;
        return;
      case Ask::next:
        if (is_current && viewer.wants_copies) { viewer.is_ready = true; }
        return;
      case Ask::released:
        if (request.generation > table.generation) { break; }
        viewer.released = request.generation;
        changed_.notify_all();
        return;
    }
    viewer.gone = true;
  }

  /// Under Yama, only a process named by this one may read it, and it can name only one.
  std::uint64_t permit(Table const& table, Viewer const& viewer)
  {
    if (!table.options.may_be_read || viewer.pid <= 0) { return 0; }
    if (prctl(PR_SET_PTRACER, static_cast<unsigned long>(viewer.pid), 0, 0, 0) == 0) { reader_ = viewer.pid; }
    return 1;
  }
  void forbid(Viewer const& viewer)
  {
    if (viewer.pid == 0 || viewer.pid != reader_) { return; }
    prctl(PR_SET_PTRACER, 0, 0, 0, 0);
    reader_ = 0;
  }

  void drop_those_gone(Table& table)
  {
    auto const gone = std::stable_partition(table.viewers.begin(), table.viewers.end(),
                                            [](auto const& viewer) { return !viewer->gone; });
    if (gone == table.viewers.end()) { return; }
    for (auto viewer = gone; viewer != table.viewers.end(); ++viewer) { forbid(**viewer); }
    table.viewers.erase(gone, table.viewers.end());
    bool const is_copied = std::any_of(table.viewers.begin(), table.viewers.end(),
                                       [](auto const& viewer) { return viewer->wants_copies; });
    if (!is_copied && !table.is_copying && !table.is_pending) { retire(std::move(table.copies)); }
    changed_.notify_all();
  }

  static bool is_on_device(Table const& table)
  {
    return std::any_of(table.arrays.begin(), table.arrays.end(), [](Array const& array) { return array.on_device; });
  }
  /// Waits until viewers have released everything from before this generation: device memory must not be read after it
  /// is freed. A viewer that takes longer than `max_wait` is dropped.
  void wait_for_release(Table& table, std::unique_lock<std::mutex>& lock)
  {
    wake();
    // Includes viewers that have not sent anything yet: they know where the memory is, and may be opening it.
    auto const holds = [&](Viewer const& viewer) { return !viewer.gone && viewer.released < table.generation; };
    auto const is_free = [&] {
      return std::none_of(table.viewers.begin(), table.viewers.end(),
                          [&](auto const& viewer) { return holds(*viewer); });
    };
    if (changed_.wait_for(lock, max_wait, is_free)) { return; }
    for (auto& viewer : table.viewers) { viewer->gone = viewer->gone || holds(*viewer); }
  }

  // --- copies

  /// Allocates the copies if necessary, and tells viewers where they are.
  void offer_copies(Table& table, std::unique_lock<std::mutex>& lock)
  {
    bool on_device = true;
    for (auto const& viewer : table.viewers) {
      on_device = on_device && (!viewer->wants_copies || viewer->wants_device);
    }
    if (table.copies == nullptr || (table.copies->is_on_device() && !on_device)) {
      retire(std::move(table.copies));
      table.is_pending = false;
      table.is_copying = true;  // keeps the arrays unchanged while the mutex is not held
      lock.unlock();
      auto made = Copies::make(table.arrays, on_device);
      lock.lock();
      table.is_copying = false;
      changed_.notify_all();
      table.copies = std::move(made);
      table.next_copy = Clock::now();
      for (auto& viewer : table.viewers) { viewer->waits_for_offer = viewer->wants_copies; }
    }
    for (auto& viewer : table.viewers) {
      if (viewer->waits_for_offer) { offer_copies(table, *viewer); }
    }
  }
  static void offer_copies(Table& table, Viewer& viewer)
  {
    viewer.waits_for_offer = false;
    viewer.is_ready = table.copies != nullptr;
    viewer.wants_copies = viewer.is_ready;
    if (!viewer.is_ready) {
      return tell(viewer, simple(Say::trouble, table, "There is not enough memory for copies of the table."));
    }
    auto packet = std::make_shared<Packet>();
    append(packet->bytes, header(Say::copies, table, table.copies->half()));
    append(packet->bytes, table.copies->record());
    if (!table.copies->is_on_device()) { packet->descriptors.push_back(table.copies->file()); }
    tell(viewer, packet);
  }
  /// The thread frees copies once nothing is being written to them.
  void retire(std::unique_ptr<Copies> copies)
  {
    if (copies != nullptr) { retired_.push_back(std::move(copies)); }
  }
  void free_retired(std::unique_lock<std::mutex>& lock)
  {
    if (retired_.empty()) { return; }
    auto const kept = std::stable_partition(retired_.begin(), retired_.end(),
                                            [](auto const& copies) { return copies->is_pending(); });
    std::vector<std::unique_ptr<Copies>> freed(std::make_move_iterator(kept), std::make_move_iterator(retired_.end()));
    retired_.erase(kept, retired_.end());
    lock.unlock();
    freed.clear();
    lock.lock();
  }

  /// Whether somebody waits for a copy, and nobody is reading the half that will be written.
  static bool are_ready(Table const& table)
  {
    bool any = false;
    for (auto const& viewer : table.viewers) {
      if (!viewer->wants_copies || viewer->gone) { continue; }
      if (!viewer->is_ready && Clock::now() - viewer->told_of_copy < copy_patience) { return false; }
      any = any || viewer->is_ready;
    }
    return any && table.copies != nullptr && !table.stop_copying && !table.is_copying && !table.is_pending;
  }
  static bool is_due(Table const& table) { return !table.options.snapshots && are_ready(table); }

  void copy(Table& table, std::unique_lock<std::mutex>& lock)
  {
    table.is_copying = true;
    lock.unlock();
    bool const done = table.copies->copy(table.stop_copying);
    lock.lock();
    table.is_copying = false;
    changed_.notify_all();
    auto const pause = std::chrono::duration<double>(1.0 / std::max(table.options.copies_per_second, 0.001));
    table.next_copy = Clock::now() + std::chrono::duration_cast<Clock::duration>(pause);
    if (table.stop_copying) { return; }
    if (done) { return publish(table); }
    tell(table,
         simple(Say::trouble, table, "The memory of the table is gone, and the program did not report that it moved."));
    for (auto& viewer : table.viewers) { viewer->wants_copies = false; }
  }
  void publish(Table& table)
  {
    table.copies->turn();
    for (auto& viewer : table.viewers) {
      if (!viewer->wants_copies) { continue; }
      viewer->is_ready = false;
      viewer->told_of_copy = Clock::now();
      tell(*viewer, simple(Say::copied, table, {}, table.copies->half()));
    }
  }
  void publish_pending(Table& table)
  {
    if (!table.is_pending || table.copies->is_pending()) { return; }
    table.is_pending = false;
    publish(table);
  }
  void stop_copying(Table& table, std::unique_lock<std::mutex>& lock)
  {
    table.stop_copying = true;
    changed_.wait(lock, [&] { return !table.is_copying; });
  }

  // --- The thread.

  std::string start()
  {
    wake_ = Descriptor(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
    if (!wake_) { return std::string("eventfd: ") + std::strerror(errno); }
    sigset_t all;
    sigset_t before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);  // signals are for the program's own threads
    int const status = pthread_create(&thread_, nullptr, &run, this);
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
    is_running_ = status == 0;
    return is_running_ ? std::string() : std::string("thread: ") + std::strerror(status);
  }
  void wake() const
  {
    std::uint64_t const one = 1;
    if (wake_ && write(wake_.number(), &one, sizeof(one)) < 0) { return; }  // a full pipe wakes the thread anyway
  }
  static void* run(void* process)
  {
    pthread_setname_np(pthread_self(), "slotscape-watch");
    while (!static_cast<Process*>(process)->has_served()) {}
    return nullptr;
  }
  /// Returns false if memory ran out: viewers are then dropped, and the program continues.
  bool has_served()
  {
    try {
      serve();
      return true;
    } catch (std::bad_alloc const&) {
      std::lock_guard<std::mutex> const lock(mutex_);
      for (Table* table : tables_) { table->viewers.clear(); }
      changed_.notify_all();
      return false;
    }
  }

  void serve()
  {
    std::unique_lock<std::mutex> lock(mutex_);
    while (!is_stopping_) {
      std::vector<pollfd> const waited_for = sockets();
      int const patience = milliseconds_to_next_copy();
      lock.unlock();
      poll(const_cast<pollfd*>(waited_for.data()), waited_for.size(), patience);
      lock.lock();
      std::uint64_t count = 0;
      while (read(wake_.number(), &count, sizeof(count)) > 0) {}
      // Tables may have come and gone meanwhile, so all are served, not just those that `poll` reported.
      for (Table* table : std::vector<Table*>(tables_)) { serve(*table, lock); }
      free_retired(lock);
    }
  }
  void serve(Table& table, std::unique_lock<std::mutex>& lock)
  {
    if (std::find(tables_.begin(), tables_.end(), &table) == tables_.end()) { return; }
    accept(table);
    for (auto& viewer : table.viewers) {
      listen_to(table, *viewer);
      flush(*viewer);
    }
    drop_those_gone(table);
    publish_pending(table);
    bool const is_asked = std::any_of(table.viewers.begin(), table.viewers.end(),
                                      [](auto const& viewer) { return viewer->waits_for_offer; });
    if (is_asked && !table.is_copying && !table.stop_copying) { offer_copies(table, lock); }
    if (is_due(table) && Clock::now() >= table.next_copy) { copy(table, lock); }
  }
  std::vector<pollfd> sockets() const
  {
    std::vector<pollfd> result{{wake_.number(), POLLIN, 0}};
    for (Table const* table : tables_) {
      result.push_back({table->listener.number(), POLLIN, 0});
      for (auto const& viewer : table->viewers) {
        short const events = viewer->waiting.empty() ? POLLIN : POLLIN | POLLOUT;
        result.push_back({viewer->socket.number(), events, 0});
      }
    }
    return result;
  }
  int milliseconds_to_next_copy() const
  {
    int result = -1;
    for (Table const* table : tables_) {
      if (table->is_pending || !retired_.empty()) { return 1; }
      if (!is_due(*table)) { continue; }
      auto const left = std::chrono::duration_cast<std::chrono::milliseconds>(table->next_copy - Clock::now()).count();
      int const wait = static_cast<int>(std::clamp<long long>(left + 1, 0, 1000));
      result = result < 0 ? wait : std::min(result, wait);
    }
    return result;
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<Table*> tables_;
  std::map<std::uint8_t const*, Region> regions_;
  std::vector<std::unique_ptr<Copies>> retired_;
  Descriptor wake_;
  pthread_t thread_{};
  bool is_running_ = false;
  bool is_stopping_ = false;
  pid_t reader_ = 0;  ///< the process that may read this one's memory
};

}  // namespace watch_hook

/// Lets viewers show a table while the Watch lives. The table's memory may be host or CUDA device memory, and may
/// change at any time. Calls may come from any thread. Nothing here throws or blocks the program, except for the waits
/// documented at `moved` and the destructor. If the table cannot be announced, stderr and `problem` say why.
class Watch {
public:
  /// memory: `count` slots, or bytes if it is a pointer to void. The layout calls this array "slots".
  template <class Slot>
  Watch(std::string_view name, Slot const* memory, std::size_t count, WatchDescription const& description,
        WatchOptions const& options = {})
      : Watch(name, one_array(memory, count), description, options)
  {
  }
  /// At most 16 arrays.
  Watch(std::string_view name, std::vector<WatchArray> const& arrays, WatchDescription const& description,
        WatchOptions const& options = {})
  {
    char const* const wanted = std::getenv("SLOTSCAPE_WATCH");
    if (wanted != nullptr && std::string_view(wanted) == "0") {
      problem_ = "SLOTSCAPE_WATCH=0 in the environment";
      return;
    }
    try {
      announce(name, arrays, description, options);
    } catch (std::bad_alloc const&) {
      problem_ = "not enough memory";
    }
    if (problem_.empty()) { return; }
    table_ = nullptr;
    std::fprintf(stderr, "slotscape: the table '%.*s' cannot be watched: %s.\n", static_cast<int>(name.size()),
                 name.data(), problem_.c_str());
  }
  /// Tells viewers that the table ends. If there are any, waits until they release the memory, at most 100 ms.
  ~Watch()
  {
    if (is_here()) { process_->remove(*table_); }
  }
  Watch(Watch&& other) noexcept = default;
  Watch(Watch const&) = delete;
  Watch& operator=(Watch const&) = delete;
  Watch& operator=(Watch&&) = delete;

  /// Call it when the table has moved to other memory, or has another layout, while the old memory still exists: for
  /// device memory, this waits until viewers release it, at most 100 ms. text: the reason, for the viewer's history.
  template <class Slot>
  void moved(Slot const* memory, std::size_t count, WatchDescription const& description, std::string_view text = {})
  {
    moved(one_array(memory, count), description, text);
  }
  void moved(std::vector<WatchArray> const& arrays, WatchDescription const& description, std::string_view text = {})
  {
    if (!is_here()) { return; }
    without_throwing([&] { move(arrays, description, text); });
  }

  /// Adds a mark to the viewer's history: "after epoch 3".
  void mark(std::string_view text)
  {
    if (!is_here()) { return; }
    without_throwing([&] { process_->mark(*table_, short_text(text)); });
  }

  /// With `WatchOptions::snapshots`: copies the table now, if somebody waits for it. CUDA memory is copied in the order
  /// of a stream (a cudaStream_t; null: the default one), without waiting.
  void snapshot(void* stream = nullptr)
  {
    if (!is_here() || !table_->options.snapshots) { return; }
    without_throwing([&] { process_->snapshot(*table_, stream); });
  }

  /// Why the table is not announced; empty if it is announced.
  std::string const& problem() const { return problem_; }
  /// The current number of viewers.
  unsigned viewers() const { return is_here() ? process_->viewers(*table_) : 0; }

private:
  void move(std::vector<WatchArray> const& arrays, WatchDescription const& description, std::string_view text)
  {
    std::string const why = refusal(table_->name, arrays, description.json);
    if (!why.empty()) {
      std::fprintf(stderr, "slotscape: the table '%s' cannot be watched where it moved to: %s.\n", table_->name.c_str(),
                   why.c_str());
      process_->move(*table_, {}, "{}", why);
      return;
    }
    process_->move(*table_, located(arrays), description.json, short_text(text));
  }
  /// If memory runs out, viewers are not told.
  template <class F>
  static void without_throwing(F const& f)
  {
    try {
      f();
    } catch (std::bad_alloc const&) {
    }
  }

  template <class Slot>
  static std::vector<WatchArray> one_array(Slot const* memory, std::size_t count)
  {
    if constexpr (std::is_void_v<Slot>) {
      return {{"slots", memory, count}};
    } else {
      return {{"slots", memory, count * sizeof(Slot)}};
    }
  }

  void announce(std::string_view name, std::vector<WatchArray> const& arrays, WatchDescription const& description,
                WatchOptions const& options)
  {
    problem_ = refusal(name, arrays, description.json);
    if (!problem_.empty()) { return; }
    process_ = &watch_hook::Process::here();
    table_ = std::make_unique<watch_hook::Table>();
    table_->name = std::string(name);
    table_->description = description.json;
    table_->options = options;
    table_->arrays = located(arrays);
    problem_ = process_->add(*table_);
  }
  static std::string refusal(std::string_view name, std::vector<WatchArray> const& arrays, std::string const& json)
  {
    if (name.empty() || name.size() > watch_link::max_name) { return "its name must have 1 to 256 bytes"; }
    if (json.size() > watch_link::max_description) { return "its description has more than 48 KiB"; }
    if (arrays.empty() || arrays.size() > watch_link::max_arrays) { return "it must have 1 to 16 arrays"; }
    for (WatchArray const& array : arrays) {
      if (array.name.empty() || array.name.size() > watch_link::max_name) {
        return "names of arrays must have 1 to 256 bytes";
      }
      if (array.data == nullptr || array.bytes == 0) { return "the array '" + array.name + "' has no memory"; }
    }
    return {};
  }
  std::vector<watch_hook::Array> located(std::vector<WatchArray> const& arrays) const
  {
    std::vector<watch_hook::Array> result;
    for (WatchArray const& array : arrays) {
      watch_hook::Array found;
      found.name = array.name;
      found.data = array.data;
      found.bytes = array.bytes;
      found.way = table_->options.may_be_read ? watch_link::Way::process : watch_link::Way::copy;
      process_->find_region(found);
      if (watch_link::Cuda const* const cuda = watch_link::Cuda::loaded()) {
        watch_hook::CudaExport(*cuda, found).locate();
      }
      result.push_back(std::move(found));
    }
    return result;
  }
  static std::string short_text(std::string_view text) { return std::string(text.substr(0, watch_link::max_text)); }

  /// False in a child that the program has forked: the parent continues to serve viewers.
  bool is_here() const { return table_ != nullptr && process_ == &watch_hook::Process::here(); }

  watch_hook::Process* process_ = nullptr;
  std::unique_ptr<watch_hook::Table> table_;
  std::string problem_;
};

inline void* watch_alloc(std::size_t bytes)
{
  if (bytes >= watch_hook::min_file) {
    if (void* const memory = watch_hook::Process::here().allocate(bytes)) { return memory; }
  }
  void* const memory = std::calloc(1, bytes == 0 ? 1 : bytes);
  if (memory == nullptr) { throw std::bad_alloc(); }
  return memory;
}
inline void watch_free(void* memory) noexcept
{
  if (memory == nullptr || watch_hook::Process::here().deallocate(memory)) { return; }
  std::free(memory);
}

inline std::string WatchLayout::json() const
{
  std::string text;
  auto const member = [](std::string& to, char const* name, std::string const& of) {
    if (!to.empty()) { to += ", "; }
    to += '"' + std::string(name) + "\": " + of;
  };
  auto const quoted = [](std::string const& of) {
    std::string result = "\"";
    for (char const c : of) {
      if (c == '"' || c == '\\') { result += '\\'; }
      result += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
    }
    return result + '"';
  };
  // Larger numbers lose digits in some JSON readers.
  auto const number = [&](std::uint64_t of) {
    return of <= (std::uint64_t{1} << 53) ? std::to_string(of) : quoted(std::to_string(of));
  };
  auto const field = [&](char const* name, WatchField const& of) {
    if (of.bits == 0) { return; }
    std::string inner;
    member(inner, "array", quoted(of.array));
    member(inner, "offset", number(of.offset));
    member(inner, "stride", number(of.stride));
    member(inner, "bits", number(of.bits));
    if (of.is_signed) { member(inner, "signed", "true"); }
    if (of.is_float) { member(inner, "float", "true"); }
    if (of.ordered_bits != 0) { member(inner, "ordered_bits", number(of.ordered_bits)); }
    if (!of.is.empty()) { member(inner, "is", quoted(of.is)); }
    member(text, name, '{' + inner + '}');
  };
  if (!preset.empty()) { member(text, "preset", quoted(preset)); }
  if (!family.empty()) { member(text, "family", quoted(family)); }
  if (slots != 0) { member(text, "slots", number(slots)); }
  field("key", key);
  field("value", value);
  if (bucket.slots != 0) {
    member(text, "bucket", "{\"slots\": " + number(bucket.slots) + ", \"stride\": " + number(bucket.stride) + '}');
  }
  if (empty_key) { member(text, "empty_key", number(*empty_key)); }
  if (erased_key) { member(text, "erased_key", number(*erased_key)); }
  if (erased_value) { member(text, "erased_value", number(*erased_value)); }
  if (beside_from) { member(text, "beside_from", number(*beside_from)); }
  if (!hash.homes.empty()) {
    member(text, "hash", "{\"homes\": " + quoted(hash.homes) + '}');
  } else if (!hash.function.empty()) {
    std::string inner;
    member(inner, "function", quoted(hash.function));
    member(inner, "seed", number(hash.seed));
    if (!hash.reduction.empty()) { member(inner, "reduction", quoted(hash.reduction)); }
    member(text, "hash", '{' + inner + '}');
  }
  if (!probing.empty()) { member(text, "probing", "{\"scheme\": " + quoted(probing) + '}'); }
  if (!more.empty()) { text += (text.empty() ? "" : ", ") + more; }
  return '{' + text + '}';
}

#endif

/// For standard containers whose memory viewers should be able to map: std::vector<Slot, watch_allocator<Slot>>.
template <class T>
struct watch_allocator {
  using value_type = T;

  watch_allocator() = default;
  template <class U>
  watch_allocator(watch_allocator<U> const&) noexcept
  {
  }
  T* allocate(std::size_t count)
  {
    if (count > static_cast<std::size_t>(-1) / sizeof(T)) { throw std::bad_alloc(); }
    return static_cast<T*>(watch_alloc(count * sizeof(T)));
  }
  void deallocate(T* memory, std::size_t) noexcept { watch_free(memory); }
  friend bool operator==(watch_allocator const&, watch_allocator const&) noexcept { return true; }
  friend bool operator!=(watch_allocator const&, watch_allocator const&) noexcept { return false; }
};

}  // namespace slotscape
