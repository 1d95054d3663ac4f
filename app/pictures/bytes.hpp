#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace slotscape::pictures {

/// --- numbers in the bytes of a file; bytes beyond its end read as 0.

inline std::uint64_t byte_at(std::string_view bytes, std::size_t at)
{
  return at < bytes.size() ? static_cast<unsigned char>(bytes[at]) : 0;
}

inline std::uint64_t big_endian(std::string_view bytes, std::size_t at, std::size_t count)
{
  std::uint64_t number = 0;
  for (std::size_t i = 0; i < count; ++i) { number = number << 8 | byte_at(bytes, at + i); }
  return number;
}

inline std::uint64_t little_endian(std::string_view bytes, std::size_t at, std::size_t count)
{
  std::uint64_t number = 0;
  for (std::size_t i = count; i-- > 0;) { number = number << 8 | byte_at(bytes, at + i); }
  return number;
}

}  // namespace slotscape::pictures
