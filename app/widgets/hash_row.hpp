#pragma once

#include "app/base/setting.hpp"
#include "app/simulation/hash_choice.hpp"
#include "app/widgets/setting_row.hpp"

namespace slotscape {

/// The control of a hash: the list of functions and, if a formula is chosen, its field with the named formulas, and its
/// reduction. Returns whether the hash was changed.
bool hash_control(Look const& look, SettingText const& text, HashChoice& hash, HashField& field,
                  SettingControl const& control = {});

/// The control of a hash, for a setting of a struct that has a table.
template <class T>
bool hash_setting_row(Look const& look, HashChoice T::*member, T& settings, HashField& field,
                      SettingControl const& control = {})
{
  return hash_control(look, setting_named<T>("hash").text, settings.*member, field, control);
}

}  // namespace slotscape
