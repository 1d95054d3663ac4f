#include "app/base/csv.hpp"
#include "gpu/base/translation.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <optional>

namespace slotscape {
namespace {

/// The separator that the first line declares, as in files from spreadsheets.
std::optional<char> named_separator(std::string_view text)
{
  bool const named = text.size() >= 5 && (text.starts_with("sep=") || text.starts_with("Sep=")) && text[4] >= ' ';
  std::string_view const rest = named ? text.substr(5) : std::string_view();
  bool const alone = named && (rest.empty() || rest.starts_with('\n') || rest.starts_with("\r\n"));
  return alone ? std::optional(text[4]) : std::nullopt;
}

/// The number of fields in the first records if all have the same number; otherwise 0.
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

bool is_whole(std::string_view text)
{
  return is_digits(text.substr(text.starts_with('-') ? 1 : 0));
}

bool is_group_of_thousands(std::string_view text)
{
  return text.size() == 3 && is_digits(text);
}

/// Neighbouring fields that may be halves of numbers with a decimal comma: "'7,170' or '170,63'"; empty if there are
/// none.
std::string halves_of_numbers(std::span<std::string_view const> fields)
{
  constexpr std::size_t most = 3;
  std::vector<std::string> numbers;
  for (std::size_t i = 0; i + 1 < fields.size() && numbers.size() < most; ++i) {
    if (is_whole(fields[i]) && is_digits(fields[i + 1])) {
      numbers.push_back(fmt::format("'{},{}'", fields[i], fields[i + 1]));
    }
  }
  return fmt::format("{}", fmt::join(numbers, " or "));
}

/// "'1,234,567'" if `parts` neighbouring fields may be one number with thousands separators; otherwise empty.
std::string number_with_thousands(std::span<std::string_view const> fields, std::size_t parts)
{
  for (std::size_t i = 0; i + parts <= fields.size(); ++i) {
    auto const number = fields.subspan(i, parts);
    bool const begins = is_whole(number.front()) && number.front().size() <= (number.front().starts_with('-') ? 4 : 3);
    if (begins && std::ranges::all_of(number.subspan(1), is_group_of_thousands)) {
      return fmt::format("'{}'", fmt::join(number, ","));
    }
  }
  return {};
}

/// Advice on a record whose surplus fields are empty because the line ends in separators, which are called `name`.
std::string advice_on_end(std::span<std::string_view const> fields, std::size_t columns, std::string const& name,
                          std::string const& in_quotes)
{
  if (columns == 1) { return tr("The line ends in {}: remove it", name); }
  std::string const numbers = name == "','" ? halves_of_numbers(fields) : "";
  return numbers.empty()
             ? tr("If the line ends in {} that does not belong there, remove it; otherwise, put {}", name, in_quotes)
             : tr("If the line ends in {} that does not belong there, remove it; if {} is one number with a decimal "
                  "comma, put {}",
                  name, numbers, in_quotes);
}

std::string advice_on_too_many(std::span<std::string_view const> fields, std::size_t columns, char separator,
                               std::string const& name, std::string const& in_quotes)
{
  bool const ends_empty = std::ranges::all_of(fields.subspan(columns), &std::string_view::empty);
  if (ends_empty) { return advice_on_end(fields, columns, name, in_quotes); }
  if (separator != ',') { return tr("Put {}", in_quotes); }
  std::size_t const parts = fields.size() - columns + 1;
  std::string const thousands = number_with_thousands(fields, parts);
  if (parts > 2 && !thousands.empty()) {
    return tr("If {} is one number, write it without thousands separators; otherwise, put {}", thousands, in_quotes);
  }
  std::string const numbers = halves_of_numbers(fields);
  if (numbers.empty()) { return tr("Put {}", in_quotes); }
  return thousands.empty()
             ? tr("If {} is one number with a decimal comma, put {}", numbers, in_quotes)
             : tr("If {} is one number, leave out its thousands separators; if it has a decimal comma, put {}", numbers,
                  in_quotes);
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
  in_quotes_.clear();
  for (std::size_t count = 1;; ++count) {
    if (fields.size() < count) { fields.emplace_back(); }
    in_quotes_.push_back(read_field(fields[count - 1]));
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

/// Reads up to the separator or the end of the line, but does not consume it.
bool CsvReader::read_field(std::string& field)
{
  field.clear();
  std::size_t const start = std::min(rest_.find_first_not_of(' '), rest_.size());
  bool const in_quotes = rest_.substr(start).starts_with('"');
  if (in_quotes) {
    rest_.remove_prefix(start);
    read_quoted(field);
  }
  std::size_t const end = std::min(rest_.find_first_of(std::array{separator_, '\n', '\0'}.data()), rest_.size());
  std::string_view after = rest_.substr(0, end);
  if (after.ends_with('\r')) { after.remove_suffix(1); }
  bool const is_blank = after.find_first_not_of(" \t") == std::string_view::npos;
  if (!in_quotes || !is_blank) { field.append(after); }
  rest_.remove_prefix(end);
  return in_quotes;
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
  std::string const name = separator == '\t' ? std::string(tr("a tab")) : fmt::format("'{}'", separator);
  std::string const in_quotes =
      separator == ';' ? tr("values that contain {} in double quotes, or separate the columns by tabs", name)
                       : tr("values that contain {} in double quotes, or separate the columns by ';'", name);
  std::string const start = tr_plural("there are {} fields for {} column, so values may be in the wrong column.",
                                      "there are {} fields for {} columns, so values may be in the wrong column.",
                                      columns, fields.size(), columns);
  return fmt::format("{} {}", start, advice_on_too_many(fields, columns, separator, name, in_quotes));
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
