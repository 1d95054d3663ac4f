#pragma once

#include "app/base/fields.hpp"
#include "app/base/option_text.hpp"

#include <algorithm>
#include <bit>
#include <concepts>
#include <functional>
#include <limits>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace slotscape {

/// Keyboard keys that change a setting, and their description in the list of keys.
struct SettingKeys {
  std::string_view keys = {};
  std::string_view what = {};
};

/// The texts of a setting that people read.
struct SettingText {
  std::string_view name;           ///< in files: "load_factor"
  std::string_view label = {};     ///< on its control: "Load α"
  std::string_view what = {};      ///< one line for the command line and the reference page, without the range
  std::string_view argument = {};  ///< the argument of its option: "N"; empty: it has no option
  /// The option without dashes; empty: the name, with '-' for '_'. Every flag on the command line sets it.
  std::string_view option = {};
  std::string_view hint = {};      ///< tooltip of its control
  std::string_view note = {};      ///< on the reference page, after the range
  std::string_view standard = {};  ///< on the reference page, instead of the default
  SettingKeys less = {};
  SettingKeys more = {};
};

/// The scale of a setting's range.
enum class Scale : std::uint8_t { linear, log };

/// Stand-ins for the ends of an open range: `above_zero` as its lower end, `unlimited` as its upper end.
inline constexpr double above_zero = std::numeric_limits<double>::min();
inline constexpr double unlimited = std::numeric_limits<double>::max();

/// The valid values of a setting.
struct SettingRange {
  enum class Kind : std::uint8_t { whole, power_of_two, number, choice, flag, other };
  Kind kind = Kind::other;
  double low = 0.0;
  double high = 0.0;
  Scale scale = Scale::linear;
  std::vector<std::string> texts = {};   ///< names of choices and flags, in files
  std::vector<std::string> labels = {};  ///< names of choices, as displayed

  bool is_whole() const { return kind == Kind::whole || kind == Kind::power_of_two; }
};

/// A row of the reference page.
struct SettingRow {
  std::string name;
  std::string what;
  std::string standard;  ///< the default, as in a file; empty: none
  bool nested = false;   ///< a field of the object that an earlier row names
};

/// One setting of a struct. Its JSON field, its option on the command line, its control, the keys that change it and
/// its row on the reference page all come from here.
template <class T>
struct Setting {
  SettingText text;
  SettingRange range;
  Field<T> field;
  /// The number, or the index of the choice. This and the next two are empty if the range is of kind `other`.
  std::function<double(T const&)> get = {};
  std::function<void(T&, double)> set = {};
  /// Parses the text typed for this option; an empty text leaves the setting unchanged. Throws Error that names the
  /// option and says what it accepts.
  std::function<void(std::string_view option, std::string const& typed, T&)> type = {};
  std::vector<SettingRow> rows = {};  ///< the rows of a nested object's fields
};

/// The settings of `T`, specialised next to each struct that has such a table.
template <class T>
std::span<Setting<T> const> settings_of();

template <class T>
Setting<T> const& setting_named(std::string_view name)
{
  for (Setting<T> const& setting : settings_of<T>()) {
    if (setting.text.name == name) { return setting; }
  }
  throw std::logic_error("no setting is called " + std::string(name));
}

/// The label of the setting's control.
template <class T>
std::string label_of(std::string_view name)
{
  return std::string(setting_named<T>(name).text.label);
}

/// "--load-factor".
std::string option_of(SettingText const& text);
/// "1 to 7", "above 0", "each, symmetric or shared"; empty for other kinds.
std::string range_text(SettingRange const& range);

/// Whether both settings are saved identically.
template <class T>
bool same_settings(T const& left, T const& right)
{
  return std::ranges::all_of(settings_of<T>(), [&](Setting<T> const& setting) {
    return setting.field.write(left, {}) == setting.field.write(right, {});
  });
}
/// The label that all differing settings share; empty if nothing differs or the labels differ.
template <class T>
std::string_view changed_setting(T const& from, T const& to)
{
  std::string_view label;
  for (Setting<T> const& setting : settings_of<T>()) {
    if (setting.field.write(from, {}) == setting.field.write(to, {})) { continue; }
    if (!label.empty() && setting.text.label != label) { return {}; }
    label = setting.text.label;
  }
  return label;
}

/// The help text on the command line: "sites between outputs: 1 to 8".
std::string help_of(SettingText const& text, SettingRange const& range);

SettingRow setting_row_of(SettingText const& text, SettingRange const& range, Json const& standard);
/// The rows of the reference page, with the defaults of `standard`.
template <class T>
std::vector<SettingRow> rows_of(T const& standard = T{}, std::span<Setting<T> const> settings = settings_of<T>())
{
  std::vector<SettingRow> rows;
  for (Setting<T> const& setting : settings) {
    rows.push_back(setting_row_of(setting.text, setting.range, setting.field.write(standard, {})));
    for (SettingRow const& row : setting.rows) {
      rows.push_back(row);
      rows.back().nested = true;
    }
  }
  return rows;
}
/// The rows as a table in Markdown.
std::string markdown_of(std::vector<SettingRow> const& rows);

template <class T>
std::vector<Field<T>> fields_of_settings(std::span<Setting<T> const> settings)
{
  std::vector<Field<T>> fields;
  for (Setting<T> const& setting : settings) { fields.push_back(setting.field); }
  return fields;
}
/// A struct with a table of settings is saved through that table.
template <class T>
std::span<Field<T> const> fields_of()
{
  static auto const fields = fields_of_settings(settings_of<T>());
  return fields;
}

/// --- declaring settings: what people read, the member, and its valid values.

template <class T, class Number>
Setting<T> whole_setting(SettingText text, Number T::*member, std::uint64_t low = 0,
                         std::uint64_t high = std::numeric_limits<Number>::max(), Scale scale = Scale::linear)
{
  return {text,
          {SettingRange::Kind::whole, static_cast<double>(low), static_cast<double>(high), scale},
          whole_number(text.name, member, low, high),
          [=](T const& from) { return static_cast<double>(from.*member); },
          [=](T& into, double value) { into.*member = static_cast<Number>(value); },
          [=](std::string_view option, std::string const& typed, T& into) {
            read_whole(option, typed, low, high, into.*member);
          }};
}
/// A power of two that the member can hold.
template <class T, class Number>
Setting<T> power_setting(SettingText text, Number T::*member, std::uint64_t low = 1,
                         std::uint64_t high = std::bit_floor(std::numeric_limits<Number>::max()))
{
  Setting<T> setting = whole_setting(text, member, low, high, Scale::log);
  setting.range.kind = SettingRange::Kind::power_of_two;
  setting.field.read = [=](JsonNode const& node, T& into) {
    into.*member = static_cast<Number>(node.power_of_two(low, high));
  };
  setting.type = [=](std::string_view option, std::string const& typed, T& into) {
    read_power_of_two(option, typed, low, high, into.*member);
  };
  return setting;
}
/// One of these numbers; `why` explains the restriction.
template <class T, class Number>
Setting<T> listed_setting(SettingText text, Number T::*member, std::span<std::uint32_t const> numbers,
                          std::string_view why = {})
{
  SettingRange range{SettingRange::Kind::choice, 0.0, static_cast<double>(numbers.size()) - 1.0};
  for (std::uint32_t const number : numbers) { range.texts.push_back(std::to_string(number)); }
  range.labels = range.texts;
  auto const place = [=](T const& from) {
    return std::ranges::find(numbers, static_cast<std::uint32_t>(from.*member)) - numbers.begin();
  };
  return {text, range,
          field(
              text.name, member, [=](JsonNode const& node) { return node.choice(numbers, why); },
              [](Number number) { return number; }),
          [=](T const& from) { return static_cast<double>(place(from)); },
          [=](T& into, double value) { into.*member = static_cast<Number>(numbers[static_cast<std::size_t>(value)]); }};
}
template <class T, class Number>
Setting<T> number_setting(SettingText text, Number T::*member, double low, double high, Scale scale = Scale::linear)
{
  Field<T> rounded = number(text.name, member, low, high);
  if constexpr (std::is_same_v<Number, float>) {  // the float nearest to a limit may lie beyond it
    rounded.write = [=](T const& from, std::filesystem::path const&) -> Json {
      return std::clamp(static_cast<double>(from.*member), low, high);
    };
  }
  return {text,
          {SettingRange::Kind::number, low, high, scale},
          rounded,
          [=](T const& from) { return static_cast<double>(from.*member); },
          [=](T& into, double value) { into.*member = static_cast<Number>(value); },
          [=](std::string_view option, std::string const& typed, T& into) {
            auto value = static_cast<double>(into.*member);
            read_number(option, typed, low, high, value);
            into.*member = static_cast<Number>(value);
          }};
}
/// A number above 0.
template <class T, class Number>
Setting<T> positive_setting(SettingText text, Number T::*member)
{
  Setting<T> setting = number_setting(text, member, above_zero, unlimited);
  setting.field = positive_number(text.name, member);
  return setting;
}
template <class T, class Enum>
Setting<T> choice_setting(SettingText text, Enum T::*member, std::string_view what)
{
  SettingRange range{SettingRange::Kind::choice};
  for (EnumName<Enum> const& name : enum_names<Enum>()) {
    range.texts.emplace_back(name.text);
    range.labels.emplace_back(name.label);
  }
  range.high = static_cast<double>(range.texts.size()) - 1.0;
  return {text,
          range,
          choice(text.name, member, what),
          [=](T const& from) { return static_cast<double>(&name_of(from.*member) - enum_names<Enum>().data()); },
          [=](T& into, double value) { into.*member = enum_names<Enum>()[static_cast<std::size_t>(value)].value; },
          [=](std::string_view option, std::string const& typed, T& into) {
            read_choice(option, typed, into.*member);
          }};
}
/// One of these names; `label_of` gives the displayed text.
template <class T>
Setting<T> name_setting(SettingText text, std::string T::*member, std::span<std::string_view const> names,
                        std::string_view what, std::string (*label_of)(std::string_view))
{
  SettingRange range{SettingRange::Kind::choice};
  for (std::string_view const name : names) {
    range.texts.emplace_back(name);
    range.labels.push_back(label_of(name));
  }
  range.high = static_cast<double>(range.texts.size()) - 1.0;
  auto const read = [=](JsonNode const& node) { return std::string(names[node.one_of(names, what)]); };
  return {text,
          range,
          field(text.name, member, read, [](std::string const& name) { return name; }),
          [=](T const& from) { return static_cast<double>(std::ranges::find(names, from.*member) - names.begin()); },
          [=](T& into, double value) { into.*member = names[static_cast<std::size_t>(value)]; },
          [=](std::string_view option, std::string const& typed, T& into) {
            read_name(option, typed, names, into.*member);
          }};
}
template <class T>
Setting<T> flag_setting(SettingText text, bool T::*member)
{
  return {text,
          {SettingRange::Kind::flag, 0.0, 1.0, Scale::linear, {"true", "false"}},
          flag(text.name, member),
          [=](T const& from) { return from.*member ? 1.0 : 0.0; },
          [=](T& into, double value) { into.*member = value != 0.0; },
          [=](std::string_view option, std::string const& typed, T& into) { read_flag(option, typed, into.*member); }};
}
/// A text; an empty one is not saved.
template <class T>
Setting<T> text_setting(SettingText text, std::string T::*member)
{
  return {text,
          {},
          field(
              text.name, member, [](JsonNode const& node) { return node.text(); },
              [](std::string const& value) { return value.empty() ? Json() : Json(value); }),
          {},
          {},
          [=](std::string_view, std::string const& typed, T& into) {
            if (!typed.empty()) { into.*member = typed; }
          }};
}
/// A setting that appears only in files. `standard`: shown on the reference page instead of the default.
template <class T>
Setting<T> other_setting(std::string_view what, Field<T> field, std::string_view standard = {})
{
  return {{.name = field.name, .what = what, .standard = standard}, {}, field};
}

/// The same setting, but saved only if `is_set` returns true.
template <class T>
Setting<T> saved_only_if(std::predicate<T const&> auto is_set, Setting<T> setting)
{
  setting.field.write = [is_set, write = setting.field.write](T const& from, std::filesystem::path const& folder) {
    return is_set(from) ? write(from, folder) : Json();
  };
  return setting;
}

/// --- settings of a struct that belong to one of its parts, which `part_of` returns.

template <class Whole, class Part>
Setting<Whole> setting_of_part(Setting<Part> const& setting, auto part_of)
{
  Field<Part> const& field = setting.field;
  return {setting.text,
          setting.range,
          {field.name, [=](JsonNode const& node, Whole& whole) { field.read(node, part_of(whole)); },
           [=](Whole const& whole, std::filesystem::path const& folder) {
             return field.write(part_of(whole), folder);
           }},
          {},
          {},
          {},
          setting.rows};
}
/// Adds the settings of the part next to those of the whole struct.
template <class Part, class Whole>
void add_settings_of_part(std::vector<Setting<Whole>>& all, auto part_of)
{
  for (Setting<Part> const& setting : settings_of<Part>()) { all.push_back(setting_of_part<Whole>(setting, part_of)); }
}
/// Saves the settings of the part as a nested object.
template <class Whole, class Part>
Setting<Whole> object_setting(SettingText text, auto part_of,
                              std::span<Setting<Part> const> settings = settings_of<Part>())
{
  auto const fields = fields_of_settings(settings);
  Whole const standard{};
  return {text,
          {},
          {text.name, [=](JsonNode const& node, Whole& whole) { read_object<Part>(node, fields, part_of(whole)); },
           [=](Whole const& whole, std::filesystem::path const& folder) {
             Json json;
             write_fields<Part>(json, folder, fields, part_of(whole));
             return json;
           }},
          {},
          {},
          {},
          rows_of<Part>(part_of(standard), settings)};
}

}  // namespace slotscape
