#pragma once

#include "app/scenes/kind.hpp"
#include "app/scenes/slots/settings.hpp"
#include "gpu/exec/backend.hpp"
#include "gpu/interop/presenter.hpp"

#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace slotscape {

/// How one value of an enum is written in files and on the command line, and what people read in the window.
template <class Enum>
struct EnumName {
  Enum value;
  std::string_view text;
  std::string_view label;
};

/// Every value of an enum, in the order in which a list shows them. There is one for each of the enums below.
template <class Enum>
std::span<EnumName<Enum> const> enum_names();

template <>
std::span<EnumName<Deletion> const> enum_names();
template <>
std::span<EnumName<HashKind> const> enum_names();
template <>
std::span<EnumName<KeyDistribution> const> enum_names();
template <>
std::span<EnumName<KeyChoice> const> enum_names();
template <>
std::span<EnumName<Operation> const> enum_names();
template <>
std::span<EnumName<SlotState> const> enum_names();
template <>
std::span<EnumName<Layout> const> enum_names();
template <>
std::span<EnumName<ColorBy> const> enum_names();
template <>
std::span<EnumName<Reduce> const> enum_names();
template <>
std::span<EnumName<Palette> const> enum_names();
template <>
std::span<EnumName<Backend> const> enum_names();
template <>
std::span<EnumName<BackendChoice> const> enum_names();
template <>
std::span<EnumName<PresentPath> const> enum_names();
template <>
std::span<EnumName<PresentChoice> const> enum_names();
template <>
std::span<EnumName<SceneKind> const> enum_names();

template <class Enum>
EnumName<Enum> const& name_of(Enum value)
{
  for (EnumName<Enum> const& name : enum_names<Enum>()) {
    if (name.value == value) { return name; }
  }
  return enum_names<Enum>().front();
}

/// As files and the command line write it: "murmur3".
template <class Enum>
std::string_view to_text(Enum value)
{
  return name_of(value).text;
}

/// As people read it in the window: "Murmur3 finaliser".
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
