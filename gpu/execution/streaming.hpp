#pragma once

#include "gpu/base/types.hpp"

#include <type_traits>

namespace slotscape::exec {

#if defined(__CUDA_ARCH__)
namespace device {
template <std::size_t bytes>
struct Streamed;
template <>
struct Streamed<1> {
  using Type = unsigned char;
};
template <>
struct Streamed<4> {
  using Type = unsigned int;
};
template <>
struct Streamed<8> {
  using Type = unsigned long long;
};
template <>
struct Streamed<16> {
  using Type = uint4;
};
}  // namespace device
#endif

/// Reads or writes data that nothing else accesses soon: on the device, caches evict it first.
template <class T>
SLOTSCAPE_HOST_DEVICE inline T load_once(T const& from)
{
#if defined(__CUDA_ARCH__)
  using Word = typename device::Streamed<sizeof(T)>::Type;
  Word const word = __ldcs(reinterpret_cast<Word const*>(&from));
  return reinterpret_cast<T const&>(word);
#else
  return from;
#endif
}
template <class T>
SLOTSCAPE_HOST_DEVICE inline void store_once(T& to, T const& value)
{
#if defined(__CUDA_ARCH__)
  using Word = typename device::Streamed<sizeof(T)>::Type;
  __stcs(reinterpret_cast<Word*>(&to), reinterpret_cast<Word const&>(value));
#else
  to = value;
#endif
}

}  // namespace slotscape::exec
