#pragma once
#include_next <sched.h>

#include <cstddef>
#include <cstdint>

/// The processors of a Windows processor group.
struct cpu_set_t {
  std::uint64_t bits;
};
inline constexpr int CPU_SETSIZE = 64;
inline void CPU_ZERO(cpu_set_t* set)
{
  set->bits = 0;
}
inline void CPU_SET(int processor, cpu_set_t* set)
{
  set->bits |= std::uint64_t{1} << processor;
}
inline bool CPU_ISSET(int processor, cpu_set_t const* set)
{
  return (set->bits >> processor & 1) != 0;
}
/// For the process.
int sched_getaffinity(int process, std::size_t bytes, cpu_set_t* set);
/// For the calling thread.
int sched_setaffinity(int process, std::size_t bytes, cpu_set_t const* set);
