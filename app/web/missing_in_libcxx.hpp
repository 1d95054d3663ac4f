#pragma once

// Included first when lesson pages are compiled: supplies what libc++ before version 20 lacks, such as that of Debian
// 13's Emscripten.

#include <algorithm>
#include <atomic>
#include <charconv>
#include <cstdlib>
#include <string>

#if !defined(__cpp_lib_atomic_ref)
namespace std {

/// The part of C++20's atomic_ref that the program uses.
template <class T>
class atomic_ref {
public:
  explicit atomic_ref(T& number) : number_(&number) {}
  T load(memory_order = memory_order_seq_cst) const { return __atomic_load_n(number_, __ATOMIC_SEQ_CST); }
  void store(T value, memory_order = memory_order_seq_cst) const { __atomic_store_n(number_, value, __ATOMIC_SEQ_CST); }
  T fetch_add(T more, memory_order = memory_order_seq_cst) const
  {
    return __atomic_fetch_add(number_, more, __ATOMIC_SEQ_CST);
  }
  T fetch_or(T bits, memory_order = memory_order_seq_cst) const
  {
    return __atomic_fetch_or(number_, bits, __ATOMIC_SEQ_CST);
  }
  bool compare_exchange_strong(T& expected, T desired, memory_order = memory_order_seq_cst) const
  {
    return __atomic_compare_exchange_n(number_, &expected, desired, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
  }
  bool compare_exchange_weak(T& expected, T desired, memory_order = memory_order_seq_cst) const
  {
    return __atomic_compare_exchange_n(number_, &expected, desired, true, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
  }

private:
  T* number_;
};

}  // namespace std
#endif

#if defined(_LIBCPP_VERSION) && _LIBCPP_VERSION < 200000
namespace std {

/// Parses the decimal numbers that the program reads.
inline from_chars_result from_chars(char const* first, char const* last, double& value)
{
  string text(first, last);
  text.resize(min(text.find_first_not_of("0123456789.eE+-"), text.size()));
  char* end = nullptr;
  double const read = strtod(text.c_str(), &end);
  if (text.starts_with('+') || end == text.c_str()) { return {first, errc::invalid_argument}; }
  value = read;
  return {first + (end - text.c_str()), errc()};
}

}  // namespace std
#endif
