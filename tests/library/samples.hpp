#pragma once

#include "gpu/library/codes.hpp"

#include <array>
#include <cstring>
#include <type_traits>
#include <utility>

namespace slotscape {

/// --- keys and values of users.

enum class Colour : std::int16_t {};
struct Point {  // 16 bytes
  std::int64_t x;
  std::int64_t y;
  friend bool operator==(Point const&, Point const&) = default;
};
struct Voxel {  // 12 bytes, in pieces of 8
  std::int32_t x;
  std::int32_t y;
  std::int32_t z;
  friend bool operator==(Voxel const&, Voxel const&) = default;
};
struct Particle {  // 48 bytes
  double position[3];
  double velocity[3];
  friend bool operator==(Particle const&, Particle const&) = default;
};
struct Nothing {
  friend bool operator==(Nothing, Nothing) { return true; }
};
struct Reading {  // padded, and with a floating-point number: two zeros are equal
  float level;
  std::uint8_t sensor;
  SLOTSCAPE_HOST_DEVICE friend bool operator==(Reading const& a, Reading const& b)
  {
    return a.level == b.level && a.sensor == b.sensor;
  }
};
/// Collides on purpose: there are 64 different hashes, among them reserved words.
struct BadHash {
  SLOTSCAPE_HOST_DEVICE std::uint64_t operator()(Reading const& reading) const
  {
    return ~static_cast<std::uint64_t>(static_cast<std::uint32_t>(reading.level) % 64);
  }
};
struct IsEqual {
  template <class T>
  SLOTSCAPE_HOST_DEVICE bool operator()(T const& a, T const& b) const
  {
    return a == b;
  }
};

/// The number-th key or value of a type, and bits that tell two of them apart.
template <class T>
struct Sample {
  /// First those whose bits are at the ends, which is where a table's own are.
  static T of(std::uint64_t number)
  {
    using Bits = library::BitsOf<sizeof(T)>;
    constexpr Bits all = static_cast<Bits>(~Bits{0});
    constexpr int up = sizeof(T) > 2 ? 8 * sizeof(T) - 20 : 0;
    std::uint64_t const spread = up == 0 ? number : (number << up) ^ number;
    return static_cast<T>(number < 4   ? static_cast<Bits>(all - number)
                          : number < 8 ? static_cast<Bits>((all >> 1) + 4 - number)
                                       : static_cast<Bits>(spread));
  }
  static std::array<std::uint64_t, 2> bits(T key) { return {static_cast<std::uint64_t>(key), 0}; }
};
template <>
struct Sample<std::pair<std::int32_t, std::int32_t>> {
  using Pair = std::pair<std::int32_t, std::int32_t>;
  static Pair of(std::uint64_t number)
  {
    return {Sample<std::int32_t>::of(number % 8), Sample<std::int32_t>::of(number / 8)};
  }
  static std::array<std::uint64_t, 2> bits(Pair const& key)
  {
    return {static_cast<std::uint64_t>(key.first), static_cast<std::uint64_t>(key.second)};
  }
};
template <>
struct Sample<Point> {
  static Point of(std::uint64_t number)
  {
    return {Sample<std::int64_t>::of(number % 100), Sample<std::int64_t>::of(number / 100)};
  }
  static std::array<std::uint64_t, 2> bits(Point const& key)
  {
    return {static_cast<std::uint64_t>(key.x), static_cast<std::uint64_t>(key.y)};
  }
};
template <>
struct Sample<Voxel> {
  static Voxel of(std::uint64_t number)
  {
    return {-1, static_cast<std::int32_t>(number / 10), static_cast<std::int32_t>(number % 10) - 5};
  }
  static std::array<std::uint64_t, 2> bits(Voxel const& key)
  {
    return {static_cast<std::uint64_t>(key.y), static_cast<std::uint64_t>(key.z)};
  }
};
template <>
struct Sample<Reading> {
  static Reading of(std::uint64_t number)
  {
    Reading reading;
    std::memset(static_cast<void*>(&reading), static_cast<int>(number), sizeof(reading));  // padding, too
    std::uint64_t const level = number / 2;
    reading.level = static_cast<float>(level);
    reading.sensor = static_cast<std::uint8_t>(number % 2);
    return reading;
  }
  static std::array<std::uint64_t, 2> bits(Reading const& key)
  {
    return {static_cast<std::uint64_t>(key.level), key.sensor};
  }
};
template <>
struct Sample<Particle> {
  static Particle of(std::uint64_t number)
  {
    auto const x = static_cast<double>(number);
    return {{x, x + 1, x + 2}, {-x, -x - 1, -x - 2}};
  }
};
template <>
struct Sample<Nothing> {
  static Nothing of(std::uint64_t) { return {}; }
};

/// Values that may be summed up a few times.
template <class Value>
Value value_of_number(std::uint64_t number)
{
  if constexpr (std::is_arithmetic_v<Value>) {
    auto const small = static_cast<Value>(number % 10);
    return std::is_signed_v<Value> && number % 3 == 0 ? static_cast<Value>(-small) : small;
  } else {
    return Sample<Value>::of(number);
  }
}

}  // namespace slotscape
