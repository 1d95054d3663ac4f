#pragma once

#include "gpu/base/error.hpp"

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <iterator>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <type_traits>
#include <utility>

struct CUstream_st;

namespace slotscape {

/// A CUDA stream, the same type as cudaStream_t.
using CudaStream = CUstream_st*;

namespace memory {

/// --- Memory resources, recognised by their members. Stream-ordered: NVIDIA's resources (`cuda::mr`, since CCCL 3.1
/// and before), and RMM's.
template <class R>
concept AllocatesOnStream = requires(R& resource, CudaStream stream, void* memory, std::size_t size)
{
  {
    resource.allocate(stream, size, size)
    } -> std::same_as<void*>;
  resource.deallocate(stream, memory, size, size);
};
template <class R>
concept AllocatesAsync = requires(R& resource, CudaStream stream, void* memory, std::size_t size)
{
  {
    resource.allocate_async(size, size, stream)
    } -> std::same_as<void*>;
  resource.deallocate_async(memory, size, size, stream);
};
/// Synchronous: the same resources, and those of the standard library (`std::pmr::memory_resource`).
template <class R>
concept AllocatesSync = requires(R& resource, void* memory, std::size_t size)
{
  {
    resource.allocate_sync(size, size)
    } -> std::same_as<void*>;
  resource.deallocate_sync(memory, size, size);
};
template <class R>
concept AllocatesAtOnce = requires(R& resource, void* memory, std::size_t size)
{
  {
    resource.allocate(size, size)
    } -> std::same_as<void*>;
  resource.deallocate(memory, size, size);
};
template <class R>
concept InOrder = AllocatesOnStream<R> || AllocatesAsync<R>;
template <class R>
concept AtOnce = AllocatesSync<R> || AllocatesAtOnce<R>;
template <class R>
concept Resource = InOrder<R> || AtOnce<R>;

template <class Allocate, class Deallocate>
concept PairInOrder = requires(Allocate& allocate, Deallocate& deallocate, CudaStream stream, void* memory,
                               std::size_t size)
{
  {
    allocate(size, stream)
    } -> std::same_as<void*>;
  deallocate(memory, size, stream);
};
template <class Allocate, class Deallocate>
concept PairAtOnce = requires(Allocate& allocate, Deallocate& deallocate, void* memory, std::size_t size)
{
  {
    allocate(size)
    } -> std::same_as<void*>;
  deallocate(memory, size);
};

/// A source of memory. `stream`: the stream in whose order memory is allocated and freed; only a source that is
/// `in_order` uses it.
class Source {
public:
  virtual ~Source() = default;
  virtual bool in_order() const = 0;
  virtual bool at_once() const = 0;
  virtual void* allocate(std::size_t bytes, std::size_t alignment, CudaStream stream, bool in_order) = 0;
  virtual void deallocate(void* memory, std::size_t bytes, std::size_t alignment, CudaStream stream, bool in_order) = 0;
};

/// Held: a resource, or a pointer to one.
template <class R, class Held>
class ResourceSource final : public Source {
public:
  explicit ResourceSource(Held held) : held_(std::move(held)) {}
  bool in_order() const override { return InOrder<R>; }
  bool at_once() const override { return AtOnce<R>; }
  void* allocate(std::size_t bytes, std::size_t alignment, CudaStream stream, bool in_order) override
  {
    if constexpr (AllocatesOnStream<R>) {
      if (in_order) { return resource().allocate(stream, bytes, alignment); }
    } else if constexpr (AllocatesAsync<R>) {
      if (in_order) { return resource().allocate_async(bytes, alignment, stream); }
    }
    if constexpr (AllocatesSync<R>) {
      return resource().allocate_sync(bytes, alignment);
    } else if constexpr (AllocatesAtOnce<R>) {
      return resource().allocate(bytes, alignment);
    } else {
      return nullptr;
    }
  }
  void deallocate(void* memory, std::size_t bytes, std::size_t alignment, CudaStream stream, bool in_order) override
  {
    if constexpr (AllocatesOnStream<R>) {
      if (in_order) { return resource().deallocate(stream, memory, bytes, alignment); }
    } else if constexpr (AllocatesAsync<R>) {
      if (in_order) { return resource().deallocate_async(memory, bytes, alignment, stream); }
    }
    if constexpr (AllocatesSync<R>) {
      resource().deallocate_sync(memory, bytes, alignment);
    } else if constexpr (AllocatesAtOnce<R>) {
      resource().deallocate(memory, bytes, alignment);
    }
  }

private:
  R& resource()
  {
    if constexpr (std::is_pointer_v<Held>) {
      return *held_;
    } else {
      return held_;
    }
  }
  Held held_;
};

template <class Allocate, class Deallocate>
class PairSource final : public Source {
public:
  PairSource(Allocate allocate, Deallocate deallocate)
      : allocate_(std::move(allocate)), deallocate_(std::move(deallocate))
  {
  }
  bool in_order() const override { return is_ordered; }
  bool at_once() const override { return !is_ordered; }
  void* allocate(std::size_t bytes, std::size_t, CudaStream stream, bool) override
  {
    if constexpr (is_ordered) {
      return allocate_(bytes, stream);
    } else {
      return allocate_(bytes);
    }
  }
  void deallocate(void* memory, std::size_t bytes, std::size_t, CudaStream stream, bool) override
  {
    if constexpr (is_ordered) {
      deallocate_(memory, bytes, stream);
    } else {
      deallocate_(memory, bytes);
    }
  }

private:
  static constexpr bool is_ordered = PairInOrder<Allocate, Deallocate>;
  Allocate allocate_;
  Deallocate deallocate_;
};

}  // namespace memory

/// Where a table's arrays are allocated. The default is the backend's own memory: the heap, or CUDA's default pool. On
/// a GPU the memory must be the device's, pinned (`PinnedMemory`), or managed. Copies refer to the same memory.
class Memory {
public:
  Memory() = default;

  /// A resource, which must outlive its users: a `std::pmr::memory_resource`, or any of `cuda::mr` or RMM's.
  template <memory::Resource R>
  requires(!std::is_const_v<R>) Memory(R& resource)
      : source_(std::make_shared<memory::ResourceSource<R, R*>>(&resource))
  {
  }
  template <memory::Resource R>
  Memory(R* resource) : Memory(*resource)
  {
  }
  /// A constant resource, such as a `cuda::mr::resource_ref`, refers to another resource, and is copied.
  template <memory::Resource R>
  requires std::is_copy_constructible_v<R> Memory(R const& resource) : Memory(R(resource)) {}
  /// A temporary that refers to a resource, such as a `cuda::mr::resource_ref`, is stored.
  template <memory::Resource R>
  requires(!std::is_lvalue_reference_v<R> && !std::is_pointer_v<R>)
      // NOLINTNEXTLINE(bugprone-forwarding-reference-overload): a Memory is no resource
      Memory(R&& resource)
      : source_(std::make_shared<memory::ResourceSource<R, R>>(std::forward<R>(resource)))
  {
  }
  /// A pair of functions: allocate(bytes), which returns null if memory runs out, and deallocate(memory, bytes). On a
  /// GPU both may also take a cudaStream_t, in whose order memory is allocated and freed. The memory must be aligned
  /// like that of malloc or cudaMalloc.
  template <class Allocate, class Deallocate>
  requires memory::PairInOrder<Allocate, Deallocate> || memory::PairAtOnce<Allocate, Deallocate> Memory(
      Allocate allocate, Deallocate deallocate)
      : source_(std::make_shared<memory::PairSource<Allocate, Deallocate>>(std::move(allocate), std::move(deallocate)))
  {
  }

  bool is_default() const { return source_ == nullptr; }
  /// Whether memory may be freed while the stream still has work that uses it.
  bool in_order() const { return source_->in_order(); }
  bool at_once() const { return source_->at_once(); }
  /// Throws Error if there is not enough memory. Not for the default.
  void* allocate(std::size_t bytes, std::size_t alignment, CudaStream stream, bool in_order) const
  {
    std::string why;
    try {
      if (void* const memory = source_->allocate(bytes, alignment, stream, in_order)) { return memory; }
    } catch (std::exception const& error) {
      why = std::string(" (") + error.what() + ')';
    }
    throw Error("The memory that the table was given has no " + std::to_string(bytes) + " bytes left" + why +
                ": give it more, or choose a smaller table.");
  }
  void deallocate(void* memory, std::size_t bytes, std::size_t alignment, CudaStream stream, bool in_order) const
  {
    source_->deallocate(memory, bytes, alignment, stream, in_order);
  }

private:
  std::shared_ptr<memory::Source> source_;
};

/// One block of memory, divided among its users, such as the caller's scratch memory. It may be a device's memory if
/// all work on it is in the order of one stream, because freed parts are reused immediately. It must outlive its users.
/// Threads may share it.
class MemoryBlock {
public:
  MemoryBlock(void* begin, std::size_t bytes) : begin_(static_cast<char*>(begin))
  {
    std::size_t const skipped = (piece - reinterpret_cast<std::uintptr_t>(begin) % piece) % piece;
    if (bytes >= skipped + piece) { free_[skipped] = (bytes - skipped) / piece * piece; }
  }
  MemoryBlock(MemoryBlock const&) = delete;
  MemoryBlock& operator=(MemoryBlock const&) = delete;

  /// Null if no free part is large enough. Parts are aligned to 256 bytes.
  void* allocate(std::size_t bytes, std::size_t = piece)
  {
    std::lock_guard const lock(mutex_);
    std::size_t const size = whole(bytes);
    auto const part = std::find_if(free_.begin(), free_.end(), [&](auto const& free) { return free.second >= size; });
    if (part == free_.end()) { return nullptr; }
    auto const [at, room] = *part;
    free_.erase(part);
    if (room != size) { free_[at + size] = room - size; }
    most_used_ = std::max(most_used_, at + size);
    return begin_ + at;
  }
  void deallocate(void* memory, std::size_t bytes, std::size_t = piece)
  {
    std::lock_guard const lock(mutex_);
    auto const at = static_cast<std::size_t>(static_cast<char*>(memory) - begin_);
    auto const part = free_.emplace(at, whole(bytes)).first;
    join(part, std::next(part));
    if (part != free_.begin()) { join(std::prev(part), part); }
  }
  /// The same functions with a stream, for stream-ordered use.
  void* allocate(CudaStream, std::size_t bytes, std::size_t alignment) { return allocate(bytes, alignment); }
  void deallocate(CudaStream, void* memory, std::size_t bytes, std::size_t alignment)
  {
    deallocate(memory, bytes, alignment);
  }

  /// The size of a block that would have sufficed so far.
  std::size_t most_used() const
  {
    std::lock_guard const lock(mutex_);
    return most_used_;
  }

private:
  using Parts = std::map<std::size_t, std::size_t>;
  static constexpr std::size_t piece = 256;  ///< bytes; parts are whole pieces

  static std::size_t whole(std::size_t bytes) { return std::max<std::size_t>(1, (bytes + piece - 1) / piece) * piece; }
  /// Merges two adjacent parts.
  void join(Parts::iterator part, Parts::iterator next)
  {
    if (next == free_.end() || part->first + part->second != next->first) { return; }
    part->second += next->second;
    free_.erase(next);
  }

  char* begin_;
  mutable std::mutex mutex_;
  Parts free_;  ///< sizes of the free parts, by where they begin
  std::size_t most_used_ = 0;
};

}  // namespace slotscape

namespace slotscape::exec {

/// What memory is used for: the table itself, or calls while they run.
enum class MemoryUse : std::uint8_t { table, scratch };

/// An executor's sources of memory.
struct Memories {
  Memory table;
  Memory scratch;

  Memories() = default;
  /// Scratch memory defaults to the table's memory.
  Memories(Memory const& of_table, Memory const& of_scratch)
      : table(of_table), scratch(of_scratch.is_default() ? of_table : of_scratch)
  {
  }
  Memory const& of(MemoryUse use) const { return use == MemoryUse::table ? table : scratch; }
};

}  // namespace slotscape::exec
