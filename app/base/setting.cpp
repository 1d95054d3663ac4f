#include "app/base/setting.hpp"

#include "app/base/text.hpp"

#include <fmt/format.h>

#include <cmath>
#include <utility>

namespace slotscape {

std::string option_of(SettingText const& text)
{
  std::string name(text.option.empty() ? text.name : text.option);
  std::ranges::replace(name, '_', '-');
  return "--" + name;
}

namespace {

/// A limit as a power where its digits would be hard to count: "10^9", "10^−9", "2^32" and "2^64 − 1".
std::string limit_text(double limit, bool is_whole)
{
  if (is_whole && limit == 0x1p64) { return "2^64 − 1"; }  // the largest 64-bit word, rounded to a double
  if (is_whole && limit == 0x1p32 - 1.0) { return "2^32 − 1"; }
  double const size = std::abs(limit);
  for (auto const& [base, power] : {std::pair("10", std::log10(size)), {"2", std::log2(size)}}) {
    bool const whole = power == std::round(power);
    if (whole && (size >= 1e9 || (size > 0.0 && size < 1e-6))) {
      return fmt::format("{}{}^{}{}", limit < 0.0 ? "−" : "", base, power < 0.0 ? "−" : "", std::abs(power));
    }
  }
  bool const is_float = limit != std::trunc(limit) && static_cast<double>(static_cast<float>(limit)) == limit;
  std::string digits = is_float ? fmt::format("{}", static_cast<float>(limit)) : fmt::format("{}", limit);
  std::size_t const exponent = digits.find("e-");
  if (exponent == std::string::npos) { return digits; }
  std::size_t const point = digits.find('.');
  std::size_t const decimals = point < exponent ? exponent - point - 1 : 0;
  return fmt::format("{:.{}f}", limit, decimals + std::stoul(digits.substr(exponent + 2)));
}

}  // namespace

std::string range_text(SettingRange const& range)
{
  auto const limit = [&](double end) { return limit_text(end, range.is_whole()); };
  switch (range.kind) {
    case SettingRange::Kind::power_of_two:
      return fmt::format("a power of two from {} to {}", limit(range.low), limit(range.high));
    case SettingRange::Kind::whole:
    case SettingRange::Kind::number:
      if (range.high < unlimited) { return fmt::format("{} to {}", limit(range.low), limit(range.high)); }
      return range.low == above_zero ? "above 0" : fmt::format("{} or more", limit(range.low));
    case SettingRange::Kind::choice:
    case SettingRange::Kind::flag: return listed(range.texts, "or");
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

namespace {

/// A default as in a file, without needless digits.
std::string text_of_default(Json const& standard)
{
  if (standard.is_string()) { return fmt::format("`{}`", standard.get<std::string>()); }
  if (standard.is_boolean()) { return fmt::format("`{}`", standard.dump()); }
  if (standard.is_number_float()) { return fmt::format("{}", standard.get<float>()); }
  if (standard.is_number()) { return standard.dump(); }
  return standard.is_object() ? "as there" : "";
}

}  // namespace

SettingRow setting_row_of(SettingText const& text, SettingRange const& range, Json const& standard)
{
  SettingRange shown = range;
  for (std::string& each : shown.texts) { each = fmt::format("`{}`", each); }
  SettingRow row{std::string(text.name), help_of(text, shown), std::string(text.standard)};
  if (!text.note.empty()) { row.what += fmt::format("; {}", text.note); }
  if (row.standard.empty()) { row.standard = text_of_default(standard); }
  return row;
}

std::string markdown_of(std::vector<SettingRow> const& rows)
{
  std::string text = "| field | values | default |\n| --- | --- | --- |\n";
  for (SettingRow const& row : rows) {
    text += fmt::format("| {}`{}` | {} | {} |\n", row.nested ? "… " : "", row.name, row.what,
                        row.standard.empty() ? "none" : row.standard);
  }
  return text;
}

}  // namespace slotscape
