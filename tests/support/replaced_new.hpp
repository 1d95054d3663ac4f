#pragma once

// Replaces `operator new` of the program that one source of includes this: memory can be refused.

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <new>

namespace slotscape::test {

/// Called before each allocation. Throws std::bad_alloc to refuse it.
void before_new();

inline void* allocate(std::size_t bytes, std::size_t alignment)
{
  before_new();
  std::size_t const whole = (std::max<std::size_t>(bytes, 1) + alignment - 1) / alignment * alignment;
  void* const memory =
      alignment <= alignof(std::max_align_t) ? std::malloc(whole) : std::aligned_alloc(alignment, whole);
  if (memory == nullptr) { throw std::bad_alloc(); }
  return memory;
}

}  // namespace slotscape::test

// Not inlined: the compiler would complain that `free` gives back what `new` has made.
[[gnu::noinline]] void* operator new(std::size_t bytes)
{
  return slotscape::test::allocate(bytes, alignof(std::max_align_t));
}
/// LLVM asks for it, of which OpenGL's drivers are made; `delete` is the same for both.
[[gnu::noinline]] void* operator new(std::size_t bytes, std::nothrow_t const&) noexcept
{
  try {
    return slotscape::test::allocate(bytes, alignof(std::max_align_t));
  } catch (std::bad_alloc const&) {
    return nullptr;
  }
}
[[gnu::noinline]] void* operator new(std::size_t bytes, std::align_val_t alignment)
{
  return slotscape::test::allocate(bytes, static_cast<std::size_t>(alignment));
}
[[gnu::noinline]] void operator delete(void* memory) noexcept
{
  std::free(memory);
}
[[gnu::noinline]] void operator delete(void* memory, std::size_t) noexcept
{
  std::free(memory);
}
[[gnu::noinline]] void operator delete(void* memory, std::align_val_t) noexcept
{
  std::free(memory);
}
[[gnu::noinline]] void operator delete(void* memory, std::size_t, std::align_val_t) noexcept
{
  std::free(memory);
}
