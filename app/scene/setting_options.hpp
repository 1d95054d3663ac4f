#pragma once

#include "app/base/setting.hpp"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <map>
#include <string>
#include <string_view>

namespace slotscape {

/// The options of a struct's settings. One that was not typed leaves its setting as it is.
template <class T>
class SettingOptions {
public:
  void add_to(CLI::App& command)
  {
    for (Setting<T> const& setting : settings_of<T>()) {
      std::string const option = option_of(setting.text);
      bool const is_flag = setting.range.kind == SettingRange::Kind::flag && !setting.text.option.empty();
      if (is_flag) {
        command.add_flag(option, typed_[setting.text.name], std::string(setting.text.what));
      } else if (!setting.text.argument.empty()) {
        command.add_option(option, typed_[setting.text.name], help_of(setting.text, setting.range))
            ->type_name(std::string(setting.text.argument));
      }
    }
  }

  /// Throws Error that names the option and says what it can be.
  void read(T& into) const
  {
    for (auto const& [name, typed] : typed_) {
      Setting<T> const& setting = setting_named<T>(name);
      setting.type(option_of(setting.text), typed, into);
    }
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
