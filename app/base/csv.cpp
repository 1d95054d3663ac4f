#include "app/base/csv.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>

namespace slotscape {
namespace {

/// The separator that the first line names, as spreadsheets do.
std::optional<char> named_separator(std::string_view text)
{
  bool const named = text.size() >= 5 && (text.starts_with("sep=") || text.starts_with("Sep=")) && text[4] >= ' ';
  std::string_view const rest = named ? text.substr(5) : std::string_view();
  bool const alone = named && (rest.empty() || rest.starts_with('\n') || rest.starts_with("\r\n"));
  return alone ? std::optional(text[4]) : std::nullopt;
}

/// The number of fields of the first records, if all have the same; else 0.
std::size_t fields_with(std::string_view text, char separator)
{
  constexpr std::size_t at_once = std::size_t{1} << 16;
  constexpr int max_records = 20;
  std::string_view start = text.substr(0, at_once);
  if (start.size() < text.size()) { start = start.substr(0, start.rfind('\n')); }
  CsvReader reader(start, separator);
  std::vector<std::string> fields;
  std::size_t same = 0;
  for (int record = 0; record < max_records && reader.next(fields); ++record) {
    if (record > 0 && fields.size() != same) { return 0; }
    same = fields.size();
  }
  return same;
}

bool is_digits(std::string_view text)
{
  return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

/// "170,63", if two neighbours may be the halves of such a number.
std::optional<std::string> halves_of_number(std::span<std::string_view const> fields)
{
  for (std::size_t i = 0; i + 1 < fields.size(); ++i) {
    std::string_view const whole = fields[i].substr(fields[i].starts_with('-') ? 1 : 0);
    if (is_digits(whole) && is_digits(fields[i + 1])) { return fmt::format("{},{}", fields[i], fields[i + 1]); }
  }
  return std::nullopt;
}

}  // namespace

CsvReader::CsvReader(std::string_view text, char separator) : rest_(text), separator_(separator)
{
  constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";
  if (rest_.starts_with(byte_order_mark)) { rest_.remove_prefix(byte_order_mark.size()); }
  if (named_separator(rest_)) { rest_.remove_prefix(5); }
}

bool CsvReader::next(std::vector<std::string>& fields)
{
  while (!rest_.empty() && (rest_.front() == '\n' || rest_.front() == '\r')) {
    if (rest_.front() == '\n') { ++line_; }
    rest_.remove_prefix(1);
  }
  if (rest_.empty()) { return false; }
  record_line_ = line_;
  for (std::size_t count = 1;; ++count) {
    if (fields.size() < count) { fields.emplace_back(); }
    read_field(fields[count - 1]);
    bool const more = !rest_.empty() && rest_.front() == separator_;
    if (!rest_.empty()) {
      if (rest_.front() == '\n') { ++line_; }
      rest_.remove_prefix(1);
    }
    if (!more) {
      fields.resize(count);
      return true;
    }
  }
}

/// Up to the separator, or the end of the line, which stays.
void CsvReader::read_field(std::string& field)
{
  field.clear();
  std::size_t const start = std::min(rest_.find_first_not_of(' '), rest_.size());
  if (rest_.substr(start).starts_with('"')) {
    rest_.remove_prefix(start);
    read_quoted(field);
  }
  std::size_t const end = std::min(rest_.find_first_of(std::array{separator_, '\n', '\0'}.data()), rest_.size());
  field.append(rest_.substr(0, end));
  rest_.remove_prefix(end);
  if (field.ends_with('\r')) { field.pop_back(); }
}

void CsvReader::read_quoted(std::string& field)
{
  std::size_t const opened = line_;
  rest_.remove_prefix(1);
  while (!rest_.empty()) {
    std::size_t const end = rest_.find('"');
    std::string_view const part = rest_.substr(0, end);
    line_ += static_cast<std::size_t>(std::ranges::count(part, '\n'));
    field.append(part);
    rest_.remove_prefix(std::min(part.size() + 1, rest_.size()));
    if (end == std::string_view::npos) { break; }
    if (!rest_.starts_with('"')) { return; }
    field += '"';
    rest_.remove_prefix(1);
  }
  open_quote_ = opened;
}

std::string why_too_many(std::span<std::string_view const> fields, std::size_t columns, char separator)
{
  std::string const name = separator == '\t' ? "a tab" : fmt::format("'{}'", separator);
  std::string text = fmt::format("there are {} fields for {} column{}, so values may stand in the wrong one. ",
                                 fields.size(), columns, columns == 1 ? "" : "s");
  bool const ends_empty =
      std::ranges::all_of(fields.subspan(columns), [](std::string_view field) { return field.empty(); });
  auto const number = separator == ',' ? halves_of_number(fields) : std::nullopt;
  if (number) { text += fmt::format("Is '{}' one number with a decimal comma? ", *number); }
  bool const is_last = ends_empty && !number;
  if (is_last) { text += fmt::format("If the line ends in {} too many, remove it; otherwise, put", name); }
  return fmt::format("{}{} values that contain {} in double quotes, or separate the columns by {}", text,
                     is_last ? "" : "Put", name, separator == ';' ? "tabs" : "';'");
}

char separator_of(std::string_view text)
{
  if (auto const named = named_separator(text)) { return *named; }
  constexpr std::array separators{',', ';', '\t', '|'};
  std::array<std::size_t, separators.size()> fields{};
  std::ranges::transform(separators, fields.begin(), [&](char separator) { return fields_with(text, separator); });
  auto const most = std::ranges::max_element(fields);
  if (*most > 1) { return separators[static_cast<std::size_t>(most - fields.begin())]; }
  std::string_view const line = text.substr(0, text.find('\n'));
  return *std::ranges::max_element(separators, {}, [&](char separator) { return std::ranges::count(line, separator); });
}

}  // namespace slotscape
