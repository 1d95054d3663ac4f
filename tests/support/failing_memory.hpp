#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <new>

namespace slotscape::test {

/// A table's memory, of which one piece is refused. In a program whose `operator new` asks as well
/// (tests/histories/main.cpp), those of the standard library count, too.
class FailingMemory {
public:
  /// The piece that is asked for next, after so many others, is refused; once.
  static void refuse_after(std::int64_t pieces) { left_ = pieces; }
  /// None is; returns whether one was.
  static bool stop() { return left_.exchange(off) == refused; }
  /// Whether the piece that is asked for now is the one.
  static bool refuses()
  {
    std::int64_t seen = left_.load(std::memory_order_relaxed);
    while (seen >= 0 && !left_.compare_exchange_weak(seen, seen - 1, std::memory_order_relaxed)) {}
    return seen == 0;
  }

  void* allocate(std::size_t bytes, std::size_t) const
  {
    if (refuses()) { throw std::bad_alloc(); }
    return std::malloc(bytes);
  }
  void deallocate(void* memory, std::size_t, std::size_t) const { std::free(memory); }

private:
  static constexpr std::int64_t refused = -1;
  static constexpr std::int64_t off = -2;
  static inline std::atomic<std::int64_t> left_{off};
};

}  // namespace slotscape::test
