#pragma once

#include "app/base/json.hpp"

#include <filesystem>
#include <functional>
#include <limits>
#include <span>
#include <string_view>
#include <type_traits>
#include <vector>

namespace slotscape {

/// One field of a struct that is saved as a JSON object. The table of fields is the only place that defines their
/// names, how they are read, checked and written, and which names are unknown.
template <class T>
struct Field {
  std::string_view name;
  std::function<void(JsonNode const&, T&)> read;  ///< throws Error if the value is invalid
  /// Paths in or under `folder` are written relative to it. A null is omitted.
  std::function<Json(T const&, std::filesystem::path const& folder)> write;
};

/// The fields of `T`, specialised next to each struct that is saved.
template <class T>
std::span<Field<T> const> fields_of();

/// Reads the fields that are present. Ignores unknown names.
template <class T>
void read_known_fields(JsonNode const& node, std::span<Field<T> const> fields, T& into)
{
  for (Field<T> const& field : fields) {
    if (auto const found = node.find(field.name)) { field.read(*found, into); }
  }
}
template <class T>
void write_fields(Json& json, std::filesystem::path const& folder, std::span<Field<T> const> fields, T const& from)
{
  for (Field<T> const& field : fields) {
    Json value = field.write(from, folder);
    if (!value.is_null()) { json[std::string(field.name)] = std::move(value); }
  }
}
template <class T>
void add_names(std::span<Field<T> const> fields, std::vector<std::string_view>& names)
{
  for (Field<T> const& field : fields) { names.push_back(field.name); }
}

/// Reads the fields that are present. Throws Error if a name is unknown.
template <class T>
void read_object(JsonNode const& node, std::span<Field<T> const> fields, T& into)
{
  std::vector<std::string_view> names;
  add_names(fields, names);
  node.expect_fields(names);
  read_known_fields(node, fields, into);
}

/// Reads several structs from the fields of one object. Throws Error if a name is unknown.
template <class... T>
void read_fields(JsonNode const& node, T&... into)
{
  std::vector<std::string_view> names;
  (add_names(fields_of<T>(), names), ...);
  node.expect_fields(names);
  (read_known_fields(node, fields_of<T>(), into), ...);
}

/// Writes the object that `read_fields` reads.
template <class... T>
Json object_of_fields(std::filesystem::path const& folder, T const&... from)
{
  Json json = Json::object();
  (write_fields(json, folder, fields_of<T>(), from), ...);
  return json;
}

/// --- declaring fields: the name in the file, the member, and its valid values.

template <class T, class Member, class Read, class Write>
Field<T> field(std::string_view name, Member T::*member, Read read, Write write)
{
  return {name, [=](JsonNode const& node, T& into) { into.*member = static_cast<Member>(read(node)); },
          [=](T const& from, std::filesystem::path const&) -> Json { return write(from.*member); }};
}
template <class T>
Field<T> flag(std::string_view name, bool T::*member)
{
  return field(
      name, member, [](JsonNode const& node) { return node.flag(); }, [](bool value) { return value; });
}
template <class T, class Number>
Field<T> number(std::string_view name, Number T::*member, double low, double high)
{
  return field(
      name, member, [=](JsonNode const& node) { return node.number(low, high); }, [](Number value) { return value; });
}
template <class T, class Number>
Field<T> positive_number(std::string_view name, Number T::*member)
{
  return field(
      name, member, [](JsonNode const& node) { return node.positive_number(); }, [](Number value) { return value; });
}
template <class T, class Number>
Field<T> whole_number(std::string_view name, Number T::*member, std::uint64_t low = 0,
                      std::uint64_t high = std::numeric_limits<Number>::max())
{
  return field(
      name, member, [=](JsonNode const& node) { return node.whole_number(low, high); },
      [](Number value) { return value; });
}
/// One of the enum's names; `what` says what the names stand for: "hash".
template <class T, class Enum>
Field<T> choice(std::string_view name, Enum T::*member, std::string_view what)
{
  return field(
      name, member, [=](JsonNode const& node) { return node.one_of<Enum>(what); },
      [](Enum value) { return to_text(value); });
}
/// A nested struct with its own table of fields. `check` reports errors with `JsonNode::fail`.
template <class T, class Member>
Field<T> object(std::string_view name, Member T::*member,
                std::type_identity_t<std::function<void(JsonNode const&, Member const&)>> check = {})
{
  return {name,
          [=](JsonNode const& node, T& into) {
            read_fields(node, into.*member);
            if (check) { check(node, into.*member); }
          },
          [=](T const& from, std::filesystem::path const& folder) { return object_of_fields(folder, from.*member); }};
}

}  // namespace slotscape
