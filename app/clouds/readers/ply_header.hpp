#pragma once

#include "app/clouds/readers/readers.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace slotscape::clouds::ply {

enum class Type : std::uint8_t { int8, uint8, int16, uint16, int32, uint32, float32, float64 };
std::size_t bytes_of(Type type);

struct Property {
  std::string name;
  Type type;
  std::optional<Type> list_count;  ///< for lists, the type of the item count in front
};

struct Element {
  std::string name;
  std::uint64_t count;
  std::vector<Property> properties;
};

enum class Format : std::uint8_t { ascii, little_endian, big_endian };

struct Header {
  Format format;
  std::vector<Element> elements;
  std::size_t bytes;  ///< offset of the body
  std::size_t lines;
};

/// Throws Error if the header is invalid. Its counts are not checked against the body.
Header read_header(Source const& source);

}  // namespace slotscape::clouds::ply
