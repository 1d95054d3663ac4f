#pragma once

#include "gpu/base/types.hpp"

#include <cmath>
#include <cstdint>
#include <cstring>

/// Neighbour search: points in the cells of a grid, and the points within a radius of others.
namespace slotscape::neighbours {

struct Point {
  float x = 0.0f;
  float y = 0.0f;
  float z = 0.0f;

  friend bool operator==(Point const&, Point const&) = default;
};

/// A point stored with the others of its cell, and its original number: one read of 16 bytes.
struct alignas(16) Placed {
  Point at;
  std::uint32_t number = 0;
};

/// A product that every compiler rounds before adding anything to it: with fused multiply-add, distances would differ
/// between devices.
template <class Real>
SLOTSCAPE_HOST_DEVICE inline Real rounded_product(Real a, Real b)
{
#if defined(__CUDA_ARCH__)
  if constexpr (sizeof(Real) == sizeof(float)) {
    return __fmul_rn(a, b);
  } else {
    return __dmul_rn(a, b);
  }
#elif defined(__GNUC__) && !defined(__clang__) && __GNUC__ >= 12
  return __builtin_assoc_barrier(a * b);
#else
  Real const product = a * b;
  return product;
#endif
}

/// In single precision: differences, squares, and their sum in the order of the axes, each rounded.
SLOTSCAPE_HOST_DEVICE inline float squared_distance(Point a, Point b)
{
  float const x = a.x - b.x;
  float const y = a.y - b.y;
  float const z = a.z - b.z;
  return rounded_product(x, x) + rounded_product(y, y) + rounded_product(z, z);
}

SLOTSCAPE_HOST_DEVICE inline std::uint32_t bits_of(float number)
{
  std::uint32_t bits = 0;
  memcpy(&bits, &number, sizeof bits);
  return bits;
}
SLOTSCAPE_HOST_DEVICE inline float number_of_bits(std::uint32_t bits)
{
  float number = 0.0f;
  memcpy(&number, &bits, sizeof number);
  return number;
}
/// Neither infinite nor NaN; works even if the compiler assumes that there are no such numbers.
SLOTSCAPE_HOST_DEVICE inline bool is_finite(float number)
{
  constexpr std::uint32_t exponent = 0x7f800000u;
  return (bits_of(number) & exponent) != exponent;
}
SLOTSCAPE_HOST_DEVICE inline bool is_finite(Point point)
{
  return is_finite(point.x) && is_finite(point.y) && is_finite(point.z);
}

/// A neighbour packed into one word that orders by distance, and at equal distance by number: squared distances are not
/// negative, so their bits have the same order.
SLOTSCAPE_HOST_DEVICE inline std::uint64_t word_of(float squared, std::uint32_t number)
{
  return std::uint64_t{bits_of(squared)} << 32 | number;
}
SLOTSCAPE_HOST_DEVICE inline float squared_of(std::uint64_t word)
{
  return number_of_bits(static_cast<std::uint32_t>(word >> 32));
}
SLOTSCAPE_HOST_DEVICE inline std::uint32_t number_of(std::uint64_t word)
{
  return static_cast<std::uint32_t>(word);
}

}  // namespace slotscape::neighbours
