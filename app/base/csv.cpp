#include "app/base/csv.hpp"

#include <algorithm>
#include <array>

namespace slotscape {

CsvReader::CsvReader(std::string_view text, char separator) : rest_(text), separator_(separator)
{
  constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";
  if (rest_.starts_with(byte_order_mark)) { rest_.remove_prefix(byte_order_mark.size()); }
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
  while (!rest_.empty() && rest_.front() != separator_ && rest_.front() != '\n') {
    if (rest_.front() == '"') {
      read_quoted(field);
      continue;
    }
    std::size_t const end = std::min(rest_.find_first_of(std::array{separator_, '\n', '"', '\0'}.data()), rest_.size());
    field.append(rest_.substr(0, end));
    rest_.remove_prefix(end);
  }
  if (field.ends_with('\r')) { field.pop_back(); }
}

void CsvReader::read_quoted(std::string& field)
{
  rest_.remove_prefix(1);
  while (!rest_.empty()) {
    std::size_t const end = std::min(rest_.find('"'), rest_.size());
    std::string_view const part = rest_.substr(0, end);
    line_ += static_cast<std::size_t>(std::ranges::count(part, '\n'));
    field.append(part);
    rest_.remove_prefix(std::min(end + 1, rest_.size()));
    if (!rest_.starts_with('"')) { return; }
    field += '"';
    rest_.remove_prefix(1);
  }
}

char separator_of(std::string_view text)
{
  std::string_view const line = text.substr(0, text.find('\n'));
  constexpr std::array separators{',', ';', '\t'};
  return *std::ranges::max_element(separators, {}, [&](char separator) { return std::ranges::count(line, separator); });
}

}  // namespace slotscape
