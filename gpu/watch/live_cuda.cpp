// CUDA device memory that another process shares. A program built without CUDA could not display it, so it does not
// open it.

#include "gpu/watch/live_memory.hpp"

#include "gpu/base/translation.hpp"

namespace slotscape::watch::live {

#if SLOTSCAPE_HAS_CUDA

namespace {

using watch_link::Cuda;
using watch_link::CudaScope;
using watch_link::Descriptor;
using watch_link::Way;

/// CUDA, with the context of the device that this process uses: `choose_cuda_device` has made that device the first
/// one.
struct Device {
  Cuda const* cuda = nullptr;
  void* context = nullptr;
  Cuda::Uuid uuid{};
};

/// Returns nullopt if this process uses no device.
std::optional<Device> own_device()
{
  Device device{.cuda = Cuda::loaded()};
  int first = 0;
  if (device.cuda == nullptr || device.cuda->cuDeviceGet(&first, 0) != 0) { return {}; }
  if (device.cuda->cuDeviceGetUuid_v2(device.uuid.data(), first) != 0) { return {}; }
  // Never released: the engines use the same context.
  if (device.cuda->cuDevicePrimaryCtxRetain(&device.context, first) != 0) { return {}; }
  return device;
}

/// Memory of another process, open for the lifetime of this object.
class Opened {
public:
  explicit Opened(Device const& device) : device_(device) {}
  Opened(Opened const&) = delete;
  Opened& operator=(Opened const&) = delete;
  virtual ~Opened() = default;
  Cuda::Address start() const { return start_; }

protected:
  Device device_;
  Cuda::Address start_ = 0;  ///< start of the allocation; 0: it could not be opened
};

class OpenedByHandle final : public Opened {
public:
  OpenedByHandle(Device const& device, Cuda::Ipc const& handle) : Opened(device)
  {
    constexpr unsigned lazy_peer_access = 1;
    Cuda::IpcByValue value{};
    std::copy(handle.begin(), handle.end(), value.bytes);
    if (device_.cuda->cuIpcOpenMemHandle_v2(&start_, value, lazy_peer_access) != 0) { start_ = 0; }
  }
  ~OpenedByHandle() override
  {
    CudaScope const scope(*device_.cuda, device_.context);
    if (start_ != 0) { device_.cuda->cuIpcCloseMemHandle(start_); }
  }
};

constexpr Cuda::Access may_read_and_write{Cuda::at_device, 0, 3};

void* as_handle(Descriptor const& file)
{
  return watch_link::pointer_to(static_cast<std::uint64_t>(file.number()));
}

/// Memory allocated by cuMemCreate.
class OpenedFile final : public Opened {
public:
  OpenedFile(Device const& device, Descriptor const& file, std::uint64_t bytes) : Opened(device), bytes_(bytes)
  {
    Cuda const& cuda = *device_.cuda;
    if (cuda.cuMemImportFromShareableHandle(&handle_, as_handle(file), Cuda::posix_file) != 0) { return; }
    if (cuda.cuMemAddressReserve(&range_, bytes, 0, 0, 0) != 0) { return; }
    is_mapped_ = cuda.cuMemMap(range_, bytes, 0, handle_, 0) == 0;
    if (is_mapped_ && cuda.cuMemSetAccess(range_, bytes, &may_read_and_write, 1) == 0) { start_ = range_; }
  }
  ~OpenedFile() override
  {
    CudaScope const scope(*device_.cuda, device_.context);
    if (is_mapped_) { device_.cuda->cuMemUnmap(range_, bytes_); }
    if (range_ != 0) { device_.cuda->cuMemAddressFree(range_, bytes_); }
    if (handle_ != 0) { device_.cuda->cuMemRelease(handle_); }
  }

private:
  std::uint64_t bytes_;
  Cuda::Address handle_ = 0;
  Cuda::Address range_ = 0;
  bool is_mapped_ = false;
};

/// Memory of a pool that was created for sharing.
class OpenedPool final : public Opened {
public:
  OpenedPool(Device const& device, Descriptor const& file, Cuda::Ipc allocation) : Opened(device)
  {
    Cuda const& cuda = *device_.cuda;
    if (cuda.cuMemPoolImportFromShareableHandle(&pool_, as_handle(file), Cuda::posix_file, 0) != 0) { return; }
    if (cuda.cuMemPoolSetAccess(pool_, &may_read_and_write, 1) != 0) { return; }
    if (cuda.cuMemPoolImportPointer(&start_, pool_, allocation.data()) != 0) { start_ = 0; }
  }
  ~OpenedPool() override
  {
    CudaScope const scope(*device_.cuda, device_.context);
    if (start_ != 0) { device_.cuda->cuMemFree_v2(start_); }
    if (pool_ != nullptr) { device_.cuda->cuMemPoolDestroy(pool_); }
  }

private:
  void* pool_ = nullptr;
};

/// Whether the allocation was opened, and is as large as the program says: reading beyond its end would make CUDA
/// unusable for this process.
bool has_all(Device const& device, Opened const& opened, watch_link::ArrayRecord const& record)
{
  if (opened.start() == 0) { return false; }
  Cuda::Address base = 0;
  std::size_t bytes = 0;
  if (device.cuda->cuMemGetAddressRange_v2(&base, &bytes, opened.start()) != 0) { return false; }
  return base == opened.start() && record.offset <= bytes && record.bytes <= bytes - record.offset;
}

/// Returns null if the memory cannot be opened.
std::unique_ptr<Opened> open(Device const& device, watch_link::ArrayRecord const& record,
                             std::span<Descriptor const> files)
{
  CudaScope const scope(*device.cuda, device.context);
  std::unique_ptr<Opened> opened;
  auto const file = static_cast<std::size_t>(record.descriptor);
  switch (record.way) {
    case Way::cuda_ipc: opened = std::make_unique<OpenedByHandle>(device, record.handle); break;
    case Way::cuda_file: opened = std::make_unique<OpenedFile>(device, files[file], record.allocation); break;
    case Way::cuda_pool: opened = std::make_unique<OpenedPool>(device, files[file], record.handle); break;
    default: return nullptr;
  }
  return has_all(device, *opened, record) ? std::move(opened) : nullptr;
}

std::byte const* as_pointer(Cuda::Address address)
{
  return static_cast<std::byte const*>(watch_link::pointer_to(address));
}

class DeviceMemory : public Memory {
public:
  Backend backend() const final { return Backend::cuda; }
};

/// The program's own arrays.
class SharedDeviceMemory final : public DeviceMemory {
public:
  void add(NamedArray const& array, std::unique_ptr<Opened> opened)
  {
    arrays_.push_back({array.name, as_pointer(opened->start() + array.record.offset), array.record.bytes});
    opened_.push_back(std::move(opened));
  }
  std::string manner() const override { return tr("in place, in the memory of the GPU"); }
  bool holds_memory() const override { return true; }

private:
  std::vector<std::unique_ptr<Opened>> opened_;
};

class CopiedDeviceMemory final : public DeviceMemory {
public:
  CopiedDeviceMemory(TableMessage const& table, watch_link::CopiesRecord const& record, std::unique_ptr<Opened> opened)
      : record_(record), opened_(std::move(opened)), manner_(tr("{}, on the GPU", manner_of_copies(table)))
  {
    for (NamedArray const& array : table.arrays) { arrays_.push_back({array.name, nullptr, array.record.bytes}); }
    CopiedDeviceMemory::show_half(0);
  }
  std::string manner() const override { return manner_; }
  bool holds_memory() const override { return true; }
  bool show_half(unsigned half) override
  {
    Cuda::Address const start = opened_->start() + (half & 1) * record_.half_bytes;
    for (std::size_t i = 0; i < arrays_.size(); ++i) { arrays_[i].data = as_pointer(start + record_.offsets[i]); }
    return true;
  }

private:
  watch_link::CopiesRecord record_;
  std::unique_ptr<Opened> opened_;
  std::string manner_;
};

/// A copy in our own memory.
class KeptState final : public DeviceMemory {
public:
  explicit KeptState(Device const& device) : device_(device) {}
  ~KeptState() override
  {
    CudaScope const scope(*device_.cuda, device_.context);
    for (Array const& array : arrays_) { device_.cuda->cuMemFree_v2(Cuda::address_of(array.data)); }
  }
  bool keep(std::span<Array const> arrays)
  {
    CudaScope const scope(*device_.cuda, device_.context);
    for (Array const& array : arrays) {
      Cuda::Address copy = 0;
      if (device_.cuda->cuMemAlloc_v2(&copy, array.bytes) != 0) { return false; }
      arrays_.push_back({array.name, as_pointer(copy), array.bytes});
      if (device_.cuda->cuMemcpyAsync(copy, Cuda::address_of(array.data), array.bytes, nullptr) != 0) { return false; }
    }
    return device_.cuda->cuStreamSynchronize(nullptr) == 0;
  }
  std::string manner() const override { return tr("the last state"); }

private:
  Device device_;
};

}  // namespace

bool is_openable(TableMessage const& table)
{
  auto const device = own_device();
  return device && !table.arrays.empty() && std::ranges::all_of(table.arrays, [&](NamedArray const& array) {
           return array.record.on_device != 0 && array.record.device == device->uuid;
         });
}

std::unique_ptr<Memory> reach_on_device(TableMessage const& table, std::span<Descriptor const> files)
{
  auto const device = own_device();
  if (!device) { return nullptr; }
  auto memory = std::make_unique<SharedDeviceMemory>();
  for (NamedArray const& array : table.arrays) {
    auto opened = open(*device, array.record, files);
    if (opened == nullptr) { return nullptr; }
    memory->add(array, std::move(opened));
  }
  return memory;
}

std::unique_ptr<Memory> reach_copies_on_device(TableMessage const& table, watch_link::CopiesRecord const& record)
{
  auto const device = own_device();
  if (!device || record.device != device->uuid) { return nullptr; }
  watch_link::ArrayRecord whole{};
  whole.way = Way::cuda_ipc;
  whole.handle = record.handle;
  whole.bytes = 2 * record.half_bytes;
  auto opened = open(*device, whole, {});
  return opened == nullptr ? nullptr : std::make_unique<CopiedDeviceMemory>(table, record, std::move(opened));
}

std::unique_ptr<Memory> keep_state(Memory const& memory)
{
  auto const device = own_device();
  if (!device) { return nullptr; }
  auto kept = std::make_unique<KeptState>(*device);
  return kept->keep(memory.arrays()) ? std::move(kept) : nullptr;
}

#else

bool is_openable(TableMessage const& /*table*/)
{
  return false;
}
std::unique_ptr<Memory> reach_on_device(TableMessage const& /*table*/,
                                        std::span<watch_link::Descriptor const> /*files*/)
{
  return nullptr;
}
std::unique_ptr<Memory> reach_copies_on_device(TableMessage const& /*table*/,
                                               watch_link::CopiesRecord const& /*record*/)
{
  return nullptr;
}
std::unique_ptr<Memory> keep_state(Memory const& /*memory*/)
{
  return nullptr;
}

#endif

}  // namespace slotscape::watch::live
