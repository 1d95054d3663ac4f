#include "app/base/json_edit.hpp"

#include "app/base/text.hpp"

#include <algorithm>
#include <cmath>

namespace slotscape {
namespace {

/// The longest field name that a path begins with; names may contain dots.
std::string first_field(Json const& object, std::string_view path)
{
  std::string longest;
  for (auto const& [name, value] : object.items()) {
    bool const begins =
        path.starts_with(name) && (path.size() == name.size() || path[name.size()] == '.' || path[name.size()] == '[');
    if (begins && name.size() >= longest.size()) { longest = name; }
  }
  return longest;
}

bool erase_element(Json& list, std::string_view path);

bool erase_field(Json& object, std::string_view path)
{
  std::string const name = first_field(object, path);
  auto const found = object.find(name);
  if (found == object.end()) { return false; }
  path.remove_prefix(name.size());
  bool const gone = path.empty() || (path.starts_with('.') ? erase_at(*found, path.substr(1)) : false);
  if (path.empty()) { object.erase(name); }
  if (!path.starts_with('[')) { return gone; }
  bool const are_numbers =
      found->is_array() && std::ranges::all_of(*found, [](Json const& each) { return each.is_number(); });
  if (!are_numbers) { return erase_element(*found, path); }
  object.erase(name);
  return true;
}

/// Erases an element by a path that begins with its index: "[2]".
bool erase_element(Json& list, std::string_view path)
{
  std::size_t const end = path.find(']');
  if (!list.is_array() || end == std::string_view::npos) { return false; }
  auto const index = parse_number<std::size_t>(path.substr(1, end - 1));
  if (!index || *index >= list.size()) { return false; }
  path.remove_prefix(end + 1);
  if (path.starts_with('.')) { return erase_at(list[*index], path.substr(1)); }
  if (path.starts_with('[')) { return erase_element(list[*index], path); }
  list.erase(*index);
  return true;
}

bool holds_not_finite(Json const& value)
{
  if (value.is_number_float()) { return !std::isfinite(value.get<double>()); }
  return value.is_array() && std::ranges::any_of(value, holds_not_finite);
}

}  // namespace

bool erase_at(Json& document, std::string_view path)
{
  return document.is_object() && erase_field(document, path);
}

void erase_not_finite(Json& document)
{
  if (document.is_array()) {
    for (Json& element : document) { erase_not_finite(element); }
  }
  if (!document.is_object()) { return; }
  std::vector<std::string> names;
  for (auto const& [name, value] : document.items()) {
    if (holds_not_finite(value)) { names.push_back(name); }
  }
  for (std::string const& name : names) { document.erase(name); }
  for (auto const& entry : document.items()) { erase_not_finite(entry.value()); }
}

}  // namespace slotscape
