#pragma once

#include "app/base/setting.hpp"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <map>
#include <string>
#include <string_view>

namespace slotscape {

template <class T>
bool has_option(Setting<T> const& setting)
{
  bool const is_flag = setting.range.kind == SettingRange::Kind::flag && !setting.text.option.empty();
  return is_flag || !setting.text.argument.empty();
}
/// Adds the option of a setting, if it has one. The typed value is stored in `typed`, for `read_option`.
template <class T>
void add_option(CLI::App& command, Setting<T> const& setting, std::string& typed)
{
  std::string const option = option_of(setting.text);
  if (setting.text.argument.empty()) {
    command.add_flag(option, typed, std::string(setting.text.what));
  } else {
    command.add_option(option, typed, help_of(setting.text, setting.range))
        ->type_name(std::string(setting.text.argument));
  }
}
/// Throws Error that names the option and says what it accepts.
template <class T>
void read_option(Setting<T> const& setting, std::string const& typed, T& into)
{
  setting.type(option_of(setting.text), typed, into);
}

/// The options of a struct's settings. Options that are not typed leave their settings unchanged.
template <class T>
class SettingOptions {
public:
  void add_to(CLI::App& command)
  {
    for (Setting<T> const& setting : settings_of<T>()) {
      if (has_option(setting)) { add_option(command, setting, typed_[setting.text.name]); }
    }
  }

  /// Throws Error that names the option and says what it accepts.
  void read(T& into) const
  {
    for (auto const& [name, typed] : typed_) { read_option(setting_named<T>(name), typed, into); }
  }
  bool any() const
  {
    return std::ranges::any_of(typed_, [](auto const& option) { return !option.second.empty(); });
  }
  bool has(std::string_view name) const
  {
    auto const found = typed_.find(name);
    return found != typed_.end() && !found->second.empty();
  }

private:
  std::map<std::string_view, std::string> typed_;
};

}  // namespace slotscape
