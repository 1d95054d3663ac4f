#include "app/keys/files/text_columns.hpp"

#include "app/base/csv.hpp"
#include "app/base/text.hpp"
#include "app/keys/files/cells.hpp"
#include "gpu/base/error.hpp"
#include "gpu/base/translation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

namespace slotscape::key_files {
namespace {

/// "xxxx-xx-xx" of a date.
std::string shape_of(std::string_view text)
{
  std::string shape(text);
  auto const is_letter = [](unsigned char byte) { return std::isalnum(byte) != 0 || byte >= 0x80; };
  std::ranges::replace_if(shape, is_letter, 'x');
  return shape;
}

}  // namespace

bool is_number(std::string_view text)
{
  CellKind const kind = read_cell(text).kind;
  return kind != CellKind::text && kind != CellKind::empty && kind != CellKind::missing;
}

bool has_blanks_around(std::string_view text)
{
  if (text.ends_with('\r')) { text.remove_suffix(1); }
  return trimmed(text).size() != text.size();
}

Columns::Columns(std::string_view text, std::string name, std::string const& wanted)
    : text_(text), name_(std::move(name)), separator_(separator_of(text))
{
  CsvReader reader(text_, separator_);
  if (!reader.next(titles_)) { return; }
  for (std::string& title : titles_) { title = std::string(trimmed(title)); }
  bool const are_wanted = std::ranges::find(titles_, wanted) != titles_.end();
  has_titles_ = are_wanted || !(std::ranges::all_of(titles_, is_number) || is_like_the_rest());
  for (std::size_t i = 0; !has_titles_ && i < titles_.size(); ++i) { titles_[i] = fmt::format("column {}", i + 1); }
}

void Columns::each(std::size_t last_column, Take const& take) const
{
  each_raw(last_column, [&](Fields& fields, std::vector<bool> const& in_quotes, std::uint64_t line) {
    for (std::size_t i = 0; i < fields.size(); ++i) {
      std::string_view const cell = trimmed(fields[i]);
      if (!in_quotes[i] && cell.size() != fields[i].size()) { fields[i] = std::string(cell); }
    }
    take(fields, line);
  });
}

Occurrences Columns::blanks(std::vector<std::size_t> const& columns) const
{
  Occurrences found;
  each_raw(*std::ranges::max_element(columns),
           [&](Fields const& fields, std::vector<bool> const& in_quotes, std::uint64_t line) {
             for (std::size_t const column : columns) {
               if (!in_quotes[column] && has_blanks_around(fields[column]) && !trimmed(fields[column]).empty()) {
                 found.add(line, fields[column]);
               }
             }
           });
  return found;
}

/// Whether the first of the lines with one field is a key like all others: of the same shape, with digits, as UUIDs and
/// dates are.
bool Columns::is_like_the_rest() const
{
  constexpr int max_records = 1000;
  if (titles_.size() != 1 || titles_[0].find_first_of("0123456789") == std::string::npos) { return false; }
  std::string const shape = shape_of(titles_[0]);
  CsvReader reader(text_, separator_);
  Fields fields;
  reader.next(fields);
  int records = 0;
  while (records < max_records && reader.next(fields)) {
    if (fields.size() != 1 || shape_of(trimmed(fields[0])) != shape) { return false; }
    ++records;
  }
  return records != 0;
}

void Columns::each_raw(std::size_t last_column, TakeRaw const& take) const
{
  CsvReader reader(text_, separator_);
  Fields fields;
  if (has_titles_) { reader.next(fields); }
  while (reader.next(fields)) {
    if (last_column >= fields.size()) {
      throw Error(tr_plural("{}: line {}: there is only {} field, and the key should be in field {}",
                            "{}: line {}: there are only {} fields, and the key should be in field {}", fields.size(),
                            name_, reader.line(), fields.size(), last_column + 1));
    }
    // Empty ones at the end shift nothing. With commas they may be halves of numbers.
    while (separator_ != ',' && fields.size() > titles_.size() && fields.back().empty()) { fields.pop_back(); }
    if (fields.size() > titles_.size() && reader.open_quote() == 0) {
      std::vector<std::string_view> const views(fields.begin(), fields.end());
      throw Error(
          fmt::format("{}: line {}: {}", name_, reader.line(), why_too_many(views, titles_.size(), separator_)));
    }
    take(fields, reader.in_quotes(), reader.line());
  }
  if (reader.open_quote() != 0) {
    throw Error(
        tr("{}: line {}: a quotation mark opens here and is never closed. Close it, or double those "
           "that are part of a text",
           name_, reader.open_quote()));
  }
}

}  // namespace slotscape::key_files
