#pragma once

#include <malloc.h>

#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <new>

namespace slotscape::bench {

/// The memory of a rival's table, as allocated by `malloc`. All nodes have the same size, so that threads need not
/// count them.
struct RivalMemory {
  std::atomic<std::uint64_t> arrays{0};  ///< bytes
  std::atomic<std::uint64_t> node{0};    ///< bytes per node

  std::uint64_t bytes(std::uint64_t nodes) const { return arrays + node * nodes; }
};

/// An allocator that counts bytes. Touches arrays at once, so that page faults occur when a table is made.
template <class T>
class RivalAllocator {
public:
  using value_type = T;

  explicit RivalAllocator(RivalMemory& memory) : memory_(&memory) {}
  template <class U>
  RivalAllocator(RivalAllocator<U> const& other) : memory_(other.memory())  // implicit, as required of allocators
  {
  }

  T* allocate(std::size_t count)
  {
    std::size_t const bytes = count * sizeof(T);  // NOLINT(bugprone-sizeof-expression): T may be a pointer
    void* const block = std::malloc(bytes);
    if (block == nullptr) { throw std::bad_alloc(); }
    if (count > 1) {
      std::memset(block, 0, bytes);
      memory_->arrays += given(block);
    } else if (memory_->node.load(std::memory_order_relaxed) == 0) {
      memory_->node = given(block);
    }
    return static_cast<T*>(block);
  }
  void deallocate(T* block, std::size_t count)
  {
    if (count > 1) { memory_->arrays -= given(block); }
    std::free(block);
  }

  RivalMemory* memory() const { return memory_; }
  template <class U>
  bool operator==(RivalAllocator<U> const& other) const
  {
    return memory_ == other.memory();
  }

private:
  static std::uint64_t given(void* block) { return malloc_usable_size(block) + sizeof(std::size_t); }

  RivalMemory* memory_;
};

}  // namespace slotscape::bench
