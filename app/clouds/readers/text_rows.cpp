#include "app/clouds/readers/text_rows.hpp"

#include "app/base/text.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <limits>

namespace slotscape::clouds {

namespace {

bool is_digit(char letter)
{
  return std::isdigit(static_cast<unsigned char>(letter)) != 0;
}

/// Whether tabs can be the separator: none are adjacent or at the start, which would make empty fields.
bool is_divided_by_tabs(std::string_view line)
{
  return line.find('\t') != std::string_view::npos && line.find("\t\t") == std::string_view::npos &&
         !line.starts_with('\t');
}

/// "1,5 2,5 3": three words or more, each with at most one comma, which is between digits.
bool may_have_decimal_commas(std::string_view line)
{
  for (std::size_t at = line.find(','); at != std::string_view::npos; at = line.find(',', at + 1)) {
    bool const within = at > 0 && at + 1 < line.size() && is_digit(line[at - 1]) && is_digit(line[at + 1]);
    if (!within) { return false; }
  }
  std::size_t words = 0;
  for (std::string_view word = next_word(line); !word.empty(); word = next_word(line)) {
    if (std::ranges::count(word, ',') > 1) { return false; }
    ++words;
  }
  return words >= 3;
}

char separator_in(std::span<std::string_view const> lines)
{
  auto const any_has = [&](char letter) {
    return std::ranges::any_of(lines, [&](auto line) { return line.find(letter) != std::string_view::npos; });
  };
  if (any_has(';')) { return ';'; }
  if (any_has('|')) { return '|'; }
  if (any_has(',') && !std::ranges::all_of(lines, may_have_decimal_commas)) { return ','; }
  return std::ranges::any_of(lines, is_divided_by_tabs) ? '\t' : ' ';
}

/// Removes and returns a field at the front of the line, up to the separator; separators in quotes do not count.
std::string_view next_field(std::string_view& line, std::string_view separators)
{
  std::size_t const start = line.find_first_not_of(blanks);
  std::size_t end = 0;
  if (start != std::string_view::npos && line[start] == '"') {
    end = line.find('"', start + 1);
    end = end == std::string_view::npos ? 0 : end + 1;
  }
  end = std::min(line.find_first_of(separators, end), line.size());
  std::string_view const field = trimmed(line.substr(0, end));
  line.remove_prefix(end);
  return field;
}

std::string_view without_quotes(std::string_view field)
{
  bool const quoted = field.size() >= 2 && field.starts_with('"') && field.ends_with('"');
  return quoted ? trimmed(field.substr(1, field.size() - 2)) : field;
}

bool are_numbers(std::string_view words)
{
  for (std::string_view word = next_word(words); !word.empty(); word = next_word(words)) {
    if (!number_in(word)) { return false; }
  }
  return true;
}

}  // namespace

std::string_view without_comment(std::string_view line)
{
  std::size_t end = std::min(line.find("//"), line.size());
  for (std::size_t at = line.find('#'); at < end; at = line.find('#', at + 1)) {
    if (at == 0 || line[at - 1] != '.') { end = at; }
  }
  return line.substr(0, end);
}

bool is_comment(std::string_view line)
{
  std::string_view const text = trimmed(line);
  return text.starts_with("//") || (!text.empty() && std::string_view("#%!").find(text.front()) != std::string::npos);
}

RowSplitter::RowSplitter(std::span<std::string_view const> lines) : separator_(separator_in(lines)) {}

void RowSplitter::split(std::string_view line, std::vector<std::string_view>& fields) const
{
  fields.clear();
  if (separator_ == ' ') {
    split_at_blanks(line, fields);
  } else {
    split_at_separator(line, fields);
  }
}

void RowSplitter::split_at_blanks(std::string_view line, std::vector<std::string_view>& fields) const
{
  for (line = trimmed(line); !line.empty(); line = trimmed(line)) {
    fields.push_back(without_quotes(next_field(line, blanks)));
  }
}

void RowSplitter::split_at_separator(std::string_view line, std::vector<std::string_view>& fields) const
{
  while (true) {
    std::string_view const field = without_quotes(next_field(line, {&separator_, 1}));
    bool const several = field.find_first_of(blanks) != std::string_view::npos && are_numbers(field);
    if (several) {
      std::string_view words = field;
      for (std::string_view word = next_word(words); !word.empty(); word = next_word(words)) { fields.push_back(word); }
    } else {
      fields.push_back(field);
    }
    if (line.empty()) { return; }
    line.remove_prefix(1);
  }
}

std::optional<double> number_in_field(std::string_view field)
{
  if (auto const number = number_in(field)) { return number; }
  constexpr std::array<std::string_view, 9> nothing{"", "na", "n/a", "null", "none", "-", "--", "?", "missing"};
  if (field.size() <= 7 && std::ranges::find(nothing, lower_case(field)) != nothing.end()) {
    return std::numeric_limits<double>::quiet_NaN();
  }
  return has_decimal_comma(field) ? number_in(with_point(field)) : std::nullopt;
}

std::string with_point(std::string_view field)
{
  std::string text(field);
  std::ranges::replace(text, ',', '.');
  return text;
}

bool has_decimal_comma(std::string_view field)
{
  return std::ranges::count(field, ',') == 1 && field.find('.') == std::string_view::npos &&
         number_in(with_point(field)).has_value();
}

bool has_thousands(std::string_view field)
{
  bool const of_number = field.find(',') != std::string_view::npos &&
                         field.find_first_not_of("+-0123456789.,eE") == std::string_view::npos;
  return of_number && !has_decimal_comma(field);
}

}  // namespace slotscape::clouds
