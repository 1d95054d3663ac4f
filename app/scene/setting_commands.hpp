#pragma once

#include "app/base/setting.hpp"
#include "app/scene/commands.hpp"

#include <functional>

namespace slotscape {

/// The value after a key press: one more or less, 0.05 for numbers that are not whole, twice or half as much on a
/// logarithmic scale, the next choice, or the other state of a flag.
double next_value_of(SettingRange const& range, double value, bool more);

/// The commands for a struct's settings that have keys. `after` is called after each command.
template <class T>
std::vector<Command> setting_commands(T& settings, std::string_view group, std::function<void()> const& after = {})
{
  std::vector<Command> commands;
  for (Setting<T> const& setting : settings_of<T>()) {
    auto const add = [&](SettingKeys const& keys, bool more) {
      if (keys.keys.empty()) { return; }
      auto const run = [&settings, &setting, after, more] {
        setting.set(settings, next_value_of(setting.range, setting.get(settings), more));
        if (after) { after(); }
      };
      commands.push_back({.keys = keys.keys, .group = group, .what = keys.what, .run = run});
    };
    add(setting.text.less, false);
    add(setting.text.more, true);
  }
  return commands;
}

}  // namespace slotscape
