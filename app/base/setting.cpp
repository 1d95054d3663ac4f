#include "app/base/setting.hpp"

#include "app/base/text.hpp"

#include <fmt/format.h>

namespace slotscape {

std::string option_of(SettingText const& text)
{
  std::string name(text.option.empty() ? text.name : text.option);
  std::ranges::replace(name, '_', '-');
  return "--" + name;
}

std::string range_text(SettingRange const& range)
{
  switch (range.kind) {
    case SettingRange::Kind::whole:
    case SettingRange::Kind::number: return fmt::format("{} to {}", range.low, range.high);
    case SettingRange::Kind::choice: return listed(range.texts, "or");
    case SettingRange::Kind::other: break;
  }
  return "";
}

std::string help_of(SettingText const& text, SettingRange const& range)
{
  std::string const values = range_text(range);
  if (values.empty()) { return std::string(text.what); }
  return text.what.empty() ? values : fmt::format("{}: {}", text.what, values);
}

SettingRow setting_row_of(SettingText const& text, SettingRange const& range, Json const& standard)
{
  SettingRow row{std::string(text.name), help_of(text, range), ""};
  if (range.kind == SettingRange::Kind::choice) {
    std::vector<std::string> quoted;
    for (std::string const& each : range.texts) { quoted.push_back(fmt::format("`{}`", each)); }
    row.what = fmt::format("{}: {}", text.what, listed(quoted, "or"));
  }
  if (!text.note.empty()) { row.what += fmt::format("; {}", text.note); }
  if (standard.is_string()) { row.standard = fmt::format("`{}`", standard.get<std::string>()); }
  if (standard.is_boolean()) { row.standard = fmt::format("`{}`", standard.dump()); }
  if (standard.is_number()) { row.standard = fmt::format("{}", standard.get<double>()); }
  if (standard.is_object()) { row.standard = "as there"; }
  return row;
}

std::string markdown_of(std::vector<SettingRow> const& rows)
{
  std::string text = "| field | values | default |\n| --- | --- | --- |\n";
  for (SettingRow const& row : rows) {
    text += fmt::format("| `{}` | {} | {} |\n", row.name, row.what, row.standard.empty() ? "none" : row.standard);
  }
  return text;
}

}  // namespace slotscape
