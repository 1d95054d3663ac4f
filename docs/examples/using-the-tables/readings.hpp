#pragma once

#include <cstdint>
#include <cstdio>
#include <vector>

// Made-up data: a million readings, each with the number of the sensor that took it. Sensors are the squares modulo a
// prime, so most of them occur many times, and we know without a hash table how many different ones there are.

inline constexpr std::uint32_t prime = 65537;
inline constexpr std::uint32_t squares = (prime + 1) / 2;

/// Arrays of equal length: the i-th pair is keys[i], values[i].
struct Pairs {
  std::vector<std::uint32_t> keys;
  std::vector<std::uint32_t> values;
};

/// Sensor and temperature of each reading.
inline Pairs take_readings()
{
  Pairs readings;
  for (std::uint64_t i = 0; i < 1'000'000; ++i) {
    readings.keys.push_back(static_cast<std::uint32_t>(i * i % prime));
    readings.values.push_back(static_cast<std::uint32_t>(200 + i % 50));
  }
  return readings;
}

/// Sensor and room of each sensor that is known: those with even numbers.
inline Pairs list_rooms()
{
  Pairs rooms;
  for (std::uint32_t sensor = 0; sensor < prime; sensor += 2) {
    rooms.keys.push_back(sensor);
    rooms.values.push_back(sensor % 100);
  }
  return rooms;
}

/// What was found by looking at every reading on its own, and what the tables found. sensors: how many there are;
/// first: how many readings are the first of their sensor. Returns whether they agree.
inline bool report(Pairs const& readings, std::uint64_t sensors, std::uint64_t first, std::uint64_t counted,
                   std::uint64_t joined)
{
  std::uint64_t known = 0;
  for (std::uint32_t const sensor : readings.keys) { known += sensor % 2 == 0 ? 1 : 0; }
  std::printf("%zu readings come from %llu different sensors\n", readings.keys.size(),
              static_cast<unsigned long long>(sensors));
  std::printf("%llu readings are the first of their sensor\n", static_cast<unsigned long long>(first));
  std::printf("%llu readings are counted by sensor\n", static_cast<unsigned long long>(counted));
  std::printf("%llu readings were taken in a room that is known\n", static_cast<unsigned long long>(joined));
  return sensors == squares && first == squares && counted == readings.keys.size() && joined == known;
}
