#include "gpu/watch/live_memory.hpp"

#include "gpu/base/translation.hpp"
#include "gpu/execution/backend.hpp"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>

namespace slotscape::watch::live {

namespace {

using watch_link::Descriptor;
using watch_link::Way;

/// A memory file, mapped for reading for the lifetime of this object.
class Mapping {
public:
  Mapping(std::byte const* data, std::uint64_t bytes) : data_(data), bytes_(bytes) {}
  Mapping(Mapping const&) = delete;
  Mapping& operator=(Mapping const&) = delete;
  ~Mapping() { munmap(const_cast<std::byte*>(data_), bytes_); }
  std::byte const* data() const { return data_; }

private:
  std::byte const* data_;
  std::uint64_t bytes_;
};

/// Returns null unless the file has at least this many bytes and is sealed against shrinking: otherwise its owner could
/// crash us with SIGBUS.
std::shared_ptr<Mapping const> map_sealed(Descriptor const& file, std::uint64_t bytes)
{
  int const seals = fcntl(file.number(), F_GET_SEALS);
  struct stat found;
  if (seals < 0 || (seals & F_SEAL_SHRINK) == 0 || fstat(file.number(), &found) != 0) { return nullptr; }
  if (found.st_size < 0 || static_cast<std::uint64_t>(found.st_size) < bytes) { return nullptr; }
  void* const mapped = mmap(nullptr, bytes, PROT_READ, MAP_SHARED, file.number(), 0);
  if (mapped == MAP_FAILED) { return nullptr; }
  return std::make_shared<Mapping>(static_cast<std::byte const*>(mapped), bytes);
}

/// Memory of another process, and the data read from it.
struct ReadArray {
  std::uint64_t address = 0;
  std::uint64_t bytes = 0;
  std::unique_ptr<std::byte[]> buffer;
  std::uint64_t done = 0;  ///< bytes read in the current round
};

constexpr std::uint64_t read_at_once = std::uint64_t{4} << 20;

/// Reads up to `bytes` bytes; returns 0 and sets errno if none can be read.
std::uint64_t read_process(int pid, std::uint64_t address, std::byte* to, std::uint64_t bytes)
{
  iovec const local{to, bytes};
  iovec const remote{watch_link::pointer_to(address), bytes};
  errno = 0;
  ssize_t const got = process_vm_readv(pid, &local, 1, &remote, 1, 0);
  return got > 0 ? static_cast<std::uint64_t>(got) : 0;
}
Reading why_unread()
{
  return errno == EPERM || errno == ENOSYS || errno == EACCES ? Reading::forbidden : Reading::gone;
}

class DirectMemory final : public Memory {
public:
  explicit DirectMemory(int pid) : pid_(pid) {}

  bool add_file(NamedArray const& array, std::span<Descriptor const> files)
  {
    auto const& record = array.record;
    auto mapping = map_sealed(files[static_cast<std::size_t>(record.descriptor)], record.allocation);
    if (mapping == nullptr) { return false; }
    arrays_.push_back({array.name, mapping->data() + record.offset, record.bytes});
    mappings_.push_back(std::move(mapping));
    return true;
  }
  /// Reads the array's first and last byte to test access.
  Reading add_process(NamedArray const& array)
  {
    auto const& record = array.record;
    std::byte probe{};
    for (std::uint64_t const at : {record.address, record.address + record.bytes - 1}) {
      if (read_process(pid_, at, &probe, 1) == 0) { return why_unread(); }
    }
    if (record.bytes > free_memory(Backend::cpu)) { return Reading::gone; }
    auto buffer = std::make_unique_for_overwrite<std::byte[]>(record.bytes);
    arrays_.push_back({array.name, buffer.get(), record.bytes});
    read_.push_back({record.address, record.bytes, std::move(buffer)});
    all_bytes_ += record.bytes;
    steps_ = (all_bytes_ + read_at_once - 1) / read_at_once;
    return Reading::done;
  }

  std::string manner() const override
  {
    return read_.empty() ? tr("shared memory") : tr("read from the program's memory");
  }

  Reading read(double seconds, bool at_once) override
  {
    if (read_.empty()) { return Reading::done; }
    auto const start = Clock::now();
    if (start < rests_until_ && !at_once) { return Reading::done; }
    Reading const result =
        read_until(start + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds)));
    if (result == Reading::done) { rests_until_ = Clock::now() + 3 * (Clock::now() - start); }
    return result;
  }

private:
  using Clock = std::chrono::steady_clock;

  /// Reads all arrays in turn, one step of each, so that all data of a slot is read at about the same moment.
  Reading read_until(Clock::time_point end)
  {
    while (step_ < steps_) {
      for (ReadArray& array : read_) {
        std::uint64_t const stop = part_of(array.bytes, step_ + 1, steps_);
        while (array.done < stop) {
          std::uint64_t const got =
              read_process(pid_, array.address + array.done, array.buffer.get() + array.done, stop - array.done);
          if (got == 0) { return why_unread(); }
          array.done += got;
        }
      }
      ++step_;
      if (step_ < steps_ && Clock::now() > end) { return Reading::unfinished; }
    }
    step_ = 0;
    for (ReadArray& array : read_) { array.done = 0; }
    return Reading::done;
  }

  int pid_;
  std::vector<std::shared_ptr<Mapping const>> mappings_;
  std::vector<ReadArray> read_;
  std::uint64_t all_bytes_ = 0;
  std::uint64_t steps_ = 0;  ///< per round
  std::uint64_t step_ = 0;
  Clock::time_point rests_until_{};
};

class CopiedMemory final : public Memory {
public:
  CopiedMemory(TableMessage const& table, watch_link::CopiesRecord const& record,
               std::shared_ptr<Mapping const> mapping)
      : record_(record), mapping_(std::move(mapping))
  {
    for (NamedArray const& array : table.arrays) { arrays_.push_back({array.name, nullptr, array.record.bytes}); }
    show_half(0);
    manner_ = manner_of_copies(table);
  }
  std::string manner() const override { return manner_; }
  bool show_half(unsigned half) override
  {
    std::byte const* const start = mapping_->data() + (half & 1) * record_.half_bytes;
    for (std::size_t i = 0; i < arrays_.size(); ++i) { arrays_[i].data = start + record_.offsets[i]; }
    return true;
  }

private:
  watch_link::CopiesRecord record_;
  std::shared_ptr<Mapping const> mapping_;
  std::string manner_;
};

}  // namespace

std::string manner_of_copies(TableMessage const& table)
{
  if (table.snapshots) { return tr("snapshots that the program takes"); }
  return tr("copied {:.3g} times a second", table.copies_per_second);
}

std::unique_ptr<Memory> reach_directly(TableMessage const& table, std::span<Descriptor const> files, int pid,
                                       Reading& why)
{
  auto memory = std::make_unique<DirectMemory>(pid);
  for (NamedArray const& array : table.arrays) {
    why = Reading::gone;
    if (array.record.way == Way::file) {
      if (!memory->add_file(array, files)) { return nullptr; }
      continue;
    }
    if (array.record.way != Way::process || pid <= 0) { return nullptr; }
    why = memory->add_process(array);
    if (why != Reading::done) { return nullptr; }
  }
  return memory;
}

std::unique_ptr<Memory> reach_copies(TableMessage const& table, watch_link::CopiesRecord const& record,
                                     std::span<Descriptor const> files)
{
  if (record.on_device != 0) { return reach_copies_on_device(table, record); }
  auto mapping = map_sealed(files[0], 2 * record.half_bytes);
  return mapping == nullptr ? nullptr : std::make_unique<CopiedMemory>(table, record, std::move(mapping));
}

}  // namespace slotscape::watch::live
