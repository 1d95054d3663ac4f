#include "app/keys/files/columns.hpp"

#include "app/base/alike.hpp"
#include "app/base/csv.hpp"
#include "app/base/encoding.hpp"
#include "app/base/text.hpp"
#include "app/keys/files/cells.hpp"
#include "gpu/base/error.hpp"
#include "gpu/base/translation.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <optional>

namespace slotscape::key_files {
namespace {

using Title = std::vector<std::string>::const_iterator;

/// The only title that looks exactly like this name but is encoded differently, as accents have two encodings; the end
/// if there are several, or none.
Title only_one_like(std::string_view name, std::vector<std::string> const& titles)
{
  auto const is_like = [&](std::string const& title) {
    return look_of(title) == look_of(name) && differences_of(title, name).are_invisible();
  };
  auto const found = std::ranges::find_if(titles, is_like);
  bool const is_only_one = found != titles.end() && std::find_if(found + 1, titles.end(), is_like) == titles.end();
  return is_only_one ? found : titles.end();
}

/// Finds the indices of the named columns; returns the first name that is not a title, if any.
std::optional<std::string_view> find_columns(std::string_view names, std::vector<std::string> const& titles,
                                             std::vector<std::size_t>& columns)
{
  auto const count = static_cast<std::ptrdiff_t>(titles.size());
  auto const place = [&](std::string_view name) {
    auto const same = std::ranges::find(titles, name);
    return (same != titles.end() ? same : only_one_like(name, titles)) - titles.begin();
  };
  if (place(names) < count) {
    columns.push_back(static_cast<std::size_t>(place(names)));
    return std::nullopt;
  }
  for (std::string_view rest = names; !rest.empty();) {
    std::size_t const plus = std::min(rest.find('+'), rest.size());
    std::string_view const name = trimmed(rest.substr(0, plus));
    rest.remove_prefix(std::min(plus + 1, rest.size()));
    if (place(name) >= count) { return name; }
    columns.push_back(static_cast<std::size_t>(place(name)));
  }
  return std::nullopt;
}

/// The pattern of a text: "xxxx-xx-xx" for a date.
std::string shape_of(std::string_view text)
{
  std::string shape(text);
  auto const is_letter = [](unsigned char byte) { return std::isalnum(byte) != 0 || byte >= 0x80; };
  std::ranges::replace_if(shape, is_letter, 'x');
  return shape;
}

}  // namespace

std::vector<std::size_t> columns_named(std::string const& names, std::vector<std::string> const& titles,
                                       std::string const& file)
{
  std::vector<std::size_t> columns;
  if (auto const missing = find_columns(names, titles, columns)) {
    std::vector<std::string_view> const candidates(titles.begin(), titles.end());
    throw Error(printable(tr("{}: there is no column '{}'; {}", file, *missing, suggest(*missing, candidates))));
  }
  return columns;
}

bool has_columns(std::string const& names, std::vector<std::string> const& titles)
{
  std::vector<std::size_t> columns;
  return !find_columns(names, titles, columns);
}

void refuse_column(std::string const& file, std::string const& name)
{
  if (name.empty()) { return; }
  throw Error(
      printable(tr("{}: there is no column '{}': the file has a single column, without a name. Leave the column out",
                   file, name)));
}

void refuse_several_columns(std::string const& file, std::vector<std::string> const& titles)
{
  std::string const listed_titles = fmt::format("{}", fmt::join(titles, ", "));
  throw Error(printable(tr("{}: there are {} columns; name the one that holds the keys: {}; or several: {} + {}", file,
                           titles.size(), listed_titles, titles[0], titles[1])));
}

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

/// Whether the first of several single-field lines is a key like the others: with digits and of the same pattern, as
/// UUIDs and dates are.
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
      throw Error(tr_plural("{}: line {}: there is only {} field, but the key should be in field {}",
                            "{}: line {}: there are only {} fields, but the key should be in field {}", fields.size(),
                            name_, reader.line(), fields.size(), last_column + 1));
    }
    // Empty fields at the end are harmless, except with commas, where they may be halves of numbers.
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
        tr("{}: line {}: a quotation mark opens here and is never closed. Close it, or double quotation marks that are "
           "part of a text",
           name_, reader.open_quote()));
  }
}

namespace {

/// For each column, whether most of its values are numbers; then a word such as NA means a missing value.
std::vector<bool> numeric_ones(Columns const& table, std::vector<std::size_t> const& columns)
{
  std::vector<std::int64_t> more_numbers(columns.size());
  table.each(*std::ranges::max_element(columns), [&](std::vector<std::string> const& fields, std::uint64_t) {
    for (std::size_t i = 0; i < columns.size(); ++i) {
      std::string const& cell = fields[columns[i]];
      CellKind const kind = read_cell(cell).kind;
      if (kind != CellKind::empty && kind != CellKind::missing) { more_numbers[i] += kind == CellKind::text ? -1 : 1; }
    }
  });
  std::vector<bool> numeric(more_numbers.size());
  for (std::size_t i = 0; i < numeric.size(); ++i) { numeric[i] = more_numbers[i] >= 0; }
  return numeric;
}

MadeKeys keys_of_columns(Columns const& table, std::vector<std::size_t> const& columns, Origin const& origin,
                         KeyReading const& reading)
{
  HashedKeys keys(origin);
  Occurrences empty;
  std::vector<bool> const numeric =
      reading.as_text ? std::vector<bool>(columns.size(), false) : numeric_ones(table, columns);
  table.each(*std::ranges::max_element(columns), [&](std::vector<std::string> const& fields, std::uint64_t line) {
    for (std::size_t i = 0; i < columns.size(); ++i) {
      std::string const& cell = fields[columns[i]];
      bool const stands_for_nothing = numeric[i] && read_cell(cell).kind == CellKind::missing;
      if (cell.empty() || stands_for_nothing) { return empty.add(line, cell); }
    }
    for (std::size_t i = 0; i < columns.size(); ++i) {
      std::string const& cell = fields[columns[i]];
      keys.add_part(numeric[i] ? text_of_number(cell) : cell);
    }
    keys.end_key(line);
  });
  MadeKeys made = keys.take(HashedFrom::rows, tr("the keys are the columns {} together", origin.column));
  note_empty(empty, origin, reading, made);
  return made;
}

MadeKeys keys_of_column(Columns const& table, std::size_t column, Origin const& origin, KeyReading const& reading)
{
  auto const each = [&](auto const& take) {
    table.each(column, [&](std::vector<std::string> const& fields, std::uint64_t line) { take(fields[column], line); });
  };
  return keys_of_cells(each, origin, reading);
}

}  // namespace

MadeKeys keys_of_table(std::string_view text, std::string const& name, KeyReading const& reading)
{
  Columns const table(text, name, reading.column);
  std::vector<std::string> const& titles = table.titles();
  if (titles.empty()) { return {}; }
  if (reading.column.empty() && titles.size() > 1) { refuse_several_columns(name, titles); }
  std::vector<std::size_t> const columns =
      reading.column.empty() ? std::vector<std::size_t>{0} : columns_named(reading.column, titles, name);
  bool const is_alone = titles.size() == 1 && !table.has_titles();
  Origin const origin{name, is_alone ? "" : reading.column.empty() ? titles[0] : reading.column};
  MadeKeys made = columns.size() > 1 ? keys_of_columns(table, columns, origin, reading)
                                     : keys_of_column(table, columns[0], origin, reading);
  if (made.notes.hashed_from != HashedFrom::nothing) { note_blanks(table.blanks(columns), origin, made); }
  for (std::size_t const column : columns) {
    auto const same = std::ranges::count(titles, titles[column]);
    if (same < 2) { continue; }
    made.notes.findings.push_back(
        tr("{}: {} columns are called {}, and the first of them is read. If you mean "
           "another one, rename it.",
           origin.short_name(), same, in_quotes(titles[column])));
  }
  bool const may_be_a_key = titles.size() == 1 && table.has_titles() && reading.column.empty() &&
                            made.notes.hashed_from != HashedFrom::nothing;
  if (may_be_a_key) {
    made.notes.findings.push_back(tr(
        "{}: the first line, {}, was read as the name of the column. If it is a key, put a line with a name above it.",
        origin.short_name(), in_quotes(titles[0])));
  }
  if (titles.size() > 1 && table.has_titles() && std::ranges::any_of(titles, is_number)) {
    made.notes.findings.push_back(
        tr("{}: the first line, which has the number {}, was read as the names of the columns. If it is a row, put a "
           "line with names above it.",
           origin.short_name(), in_quotes(*std::ranges::find_if(titles, is_number))));
  }
  if (titles.size() > 1) { made.notes.columns = titles; }
  return made;
}

void note_blanks(Occurrences const& blanks, Origin const& origin, MadeKeys& made)
{
  if (blanks.count == 0) { return; }
  made.notes.findings.push_back(
      tr_plural("{}: {} text has blanks around it, such as {} in {}, which are ignored. In a file of separated values, "
                "quotation marks keep them.",
                "{}: {} texts have blanks around them, such as {} in {}, which are ignored. In a file of separated "
                "values, quotation marks keep them.",
                blanks.count, origin.short_name(), grouped(blanks.count), in_quotes(blanks.text),
                origin.row(blanks.first)));
}

}  // namespace slotscape::key_files
