#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace slotscape {

/// The names of one value of an enum: in files and on the command line, and as displayed in the window.
template <class Enum>
struct EnumName {
  Enum value;
  std::string_view text;
  std::string_view label;
};

/// Every value of an enum, in display order. Specialised next to each enum that has names.
template <class Enum>
std::span<EnumName<Enum> const> enum_names();

template <class Enum>
EnumName<Enum> const& name_of(Enum value)
{
  for (EnumName<Enum> const& name : enum_names<Enum>()) {
    if (name.value == value) { return name; }
  }
  return enum_names<Enum>().front();
}

/// The name in files and on the command line: "murmur3".
template <class Enum>
std::string_view to_text(Enum value)
{
  return name_of(value).text;
}

/// The name displayed in the window: "Murmur3 finaliser".
template <class Enum>
std::string_view to_label(Enum value)
{
  return name_of(value).label;
}

template <class Enum>
std::optional<Enum> from_text(std::string_view text)
{
  for (EnumName<Enum> const& name : enum_names<Enum>()) {
    if (name.text == text) { return name.value; }
  }
  return std::nullopt;
}

template <class Enum>
std::vector<std::string_view> enum_texts()
{
  std::vector<std::string_view> texts;
  for (EnumName<Enum> const& name : enum_names<Enum>()) { texts.push_back(name.text); }
  return texts;
}

}  // namespace slotscape
