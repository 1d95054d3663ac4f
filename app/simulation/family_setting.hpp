#pragma once

#include "app/base/setting.hpp"
#include "gpu/tables/family.hpp"

namespace slotscape {

/// A setting for the family of an engine's table: stored by name in files, displayed by title.
template <class T>
Setting<T> family_setting(SettingText text, std::string T::*member, std::span<std::string_view const> families,
                          std::string_view what)
{
  return name_setting(text, member, families, what,
                      [](std::string_view name) { return std::string(family_info(std::string(name)).title); });
}

}  // namespace slotscape
