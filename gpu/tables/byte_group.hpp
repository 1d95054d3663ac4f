#pragma once

#include "gpu/base/types.hpp"

#include <array>
#include <bit>

#if defined(__SSE2__) && !defined(__CUDA_ARCH__)
#include <emmintrin.h>
#endif

namespace slotscape {

/// The index of the lowest set bit of a non-zero number.
SLOTSCAPE_HOST_DEVICE inline int first_bit(std::uint64_t bits)
{
#if defined(__CUDA_ARCH__)
  return __ffsll(static_cast<long long>(bits)) - 1;
#else
  return std::countr_zero(bits);
#endif
}

SLOTSCAPE_HOST_DEVICE inline int count_bits(std::uint64_t bits)
{
#if defined(__CUDA_ARCH__)
  return __popcll(bits);
#else
  return std::popcount(bits);
#endif
}

namespace bytes {

/// Packs eight bytes of 0x80 or 0 into eight bits, the lowest byte first: each partial product adds one bit to the top
/// byte.
SLOTSCAPE_HOST_DEVICE constexpr std::uint32_t gathered(std::uint64_t high_bits)
{
  return static_cast<std::uint32_t>(((high_bits >> 7) * 0x0102040810204080u) >> 56);
}

/// One bit for each of the 8 bytes, set if the byte equals `byte`. Compares a whole word at once, exactly (Warren,
/// Hacker's Delight, 6-1: adding 0x7f to the low bits of a byte sets its high bit unless they are 0).
SLOTSCAPE_HOST_DEVICE constexpr std::uint32_t equal_in_word(std::uint64_t word, std::uint8_t byte)
{
  constexpr std::uint64_t low = 0x7f7f7f7f7f7f7f7fu;
  std::uint64_t const other = word ^ (byte * std::uint64_t{0x0101010101010101u});
  return gathered(~(((other & low) + low) | other | low));
}

/// Like `equal_in_word`, but for two words, with vector instructions: SSE2 compares all 16 bytes at once, a GPU 4.
SLOTSCAPE_HOST_DEVICE inline std::uint32_t equal_in_two(std::uint64_t first, std::uint64_t second, std::uint8_t byte)
{
#if defined(__CUDA_ARCH__)
  auto const four = [byte](std::uint64_t part) {
    unsigned const same = __vcmpeq4(static_cast<unsigned>(part), byte * 0x01010101u);
    return ((same & 0x08040201u) * 0x01010101u) >> 24;
  };
  return four(first) | (four(first >> 32) << 4) | (four(second) << 8) | (four(second >> 32) << 12);
#elif defined(__SSE2__)
  __m128i const all = _mm_set_epi64x(static_cast<long long>(second), static_cast<long long>(first));
  __m128i const same = _mm_cmpeq_epi8(all, _mm_set1_epi8(static_cast<char>(byte)));
  return static_cast<std::uint32_t>(_mm_movemask_epi8(same));
#else
  return equal_in_word(first, byte) | (equal_in_word(second, byte) << 8);
#endif
}

}  // namespace bytes

/// A group of metadata bytes, 8 per word, that are compared at once.
template <int numbers>
struct ByteGroup {
  static_assert(numbers <= 8);
  std::array<std::uint64_t, numbers> words;

  /// One bit for each byte, set if the byte equals this one.
  SLOTSCAPE_HOST_DEVICE std::uint64_t equal(std::uint8_t byte) const
  {
    std::uint64_t bits = 0;
    if constexpr (numbers == 1) {
      bits = bytes::equal_in_word(words[0], byte);
    } else {
      for (int i = 0; i < numbers; i += 2) {
        bits |= std::uint64_t{bytes::equal_in_two(words[i], words[i + 1], byte)} << (8 * i);
      }
    }
    return bits;
  }
  SLOTSCAPE_HOST_DEVICE std::uint8_t at(int lane) const
  {
    return static_cast<std::uint8_t>(words[lane / 8] >> (lane % 8 * 8));
  }
};

/// The lane's byte of a word, and the word with that byte replaced.
SLOTSCAPE_HOST_DEVICE constexpr std::uint8_t byte_in(std::uint64_t word, int lane)
{
  return static_cast<std::uint8_t>(word >> (lane % 8 * 8));
}
SLOTSCAPE_HOST_DEVICE constexpr std::uint64_t with_byte(std::uint64_t word, int lane, std::uint8_t byte)
{
  int const shift = lane % 8 * 8;
  return (word & ~(std::uint64_t{0xff} << shift)) | (std::uint64_t{byte} << shift);
}

}  // namespace slotscape
