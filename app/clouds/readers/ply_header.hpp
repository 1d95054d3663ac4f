#pragma once

#include "app/clouds/readers/readers.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace slotscape::clouds::ply {

using Type = NumberType;

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
