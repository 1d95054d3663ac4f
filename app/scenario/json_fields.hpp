#pragma once

#include "app/scenario/json_node.hpp"

namespace slotscape {

/// Reads `field` of `node` by `read`, where it is there.
template <class T, class Read>
void read_field(JsonNode const& node, std::string_view field, T& into, Read read)
{
  if (auto const found = node.find(field)) { into = static_cast<T>(read(*found)); }
}

/// What `read_field` reads a field by.
inline auto number_in(double low, double high)
{
  return [=](JsonNode const& node) { return node.number(low, high); };
}
inline auto whole_number_in(std::uint64_t low, std::uint64_t high)
{
  return [=](JsonNode const& node) { return node.whole_number(low, high); };
}
inline auto flag()
{
  return [](JsonNode const& node) { return node.flag(); };
}
template <class Enum>
auto name_of_a(std::string_view what)
{
  return [=](JsonNode const& node) { return node.one_of<Enum>(what); };
}

}  // namespace slotscape
