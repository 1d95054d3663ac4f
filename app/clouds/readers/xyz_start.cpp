#include "app/clouds/readers/xyz_start.hpp"

#include "app/base/encoding.hpp"
#include "app/base/text.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <limits>
#include <tuple>
#include <utility>

namespace slotscape::clouds {

namespace {

using Names = std::vector<std::string>;
using Fields = std::vector<std::string_view>;

/// The lines before the first row, and a sample of the rows.
struct FirstLines {
  std::vector<std::string_view> comments;
  std::optional<std::string_view> heading;  ///< a line that is neither a comment nor a row
  std::optional<std::uint64_t> points;
  std::vector<std::string_view> rows;
  std::size_t offset = 0;
  std::size_t lines = 0;
};

Fields words_of(std::string_view line)
{
  Fields words;
  for (std::string_view word = next_word(line, any_separators); !word.empty(); word = next_word(line, any_separators)) {
    words.push_back(word);
  }
  return words;
}

bool is_number(std::string_view word)
{
  if (word.starts_with('"')) { word.remove_prefix(1); }
  if (word.ends_with('"')) { word.remove_suffix(1); }
  return number_in_field(word).has_value();
}

/// Whether the words are 0, 1, 2 and so on, the default column names of pandas.
bool counts_columns(Fields const& words)
{
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (count_in(words[i]) != i) { return false; }
  }
  return words.size() >= 3;
}

/// Whether the first row consists of such names, followed by rows that all have decimals.
bool begins_with_numbered_columns(std::vector<std::string_view> const& rows)
{
  return rows.size() >= 3 && counts_columns(words_of(rows.front())) &&
         std::ranges::all_of(rows.begin() + 1, rows.end(),
                             [](std::string_view row) { return row.find('.') != std::string_view::npos; });
}

/// Whether a line comes before the first row. A row begins with a number, or has three numbers.
bool is_before_rows(std::string_view text, FirstLines& start)
{
  Fields const words = words_of(text);
  if (words.size() == 1 && !start.points) {
    start.points = count_in(words[0]);
    if (start.points) { return true; }
  }
  bool const after_index =
      std::string_view(",;\t").find(text.front()) != std::string_view::npos && counts_columns(words);
  bool const is_row = words.empty() || is_number(words[0]) || std::ranges::count_if(words, is_number) >= 3;
  if ((is_row && !after_index) || start.heading) { return false; }
  start.heading = text;
  return true;
}

FirstLines first_lines(Source const& source)
{
  constexpr std::size_t enough_rows = 100;
  FirstLines start;
  std::pair<std::size_t, std::size_t> behind_first;
  Lines lines(source);
  while (start.rows.size() < enough_rows) {
    std::size_t const offset = lines.offset();
    auto const line = lines.next();
    if (!line) { break; }
    std::string_view const text = without_comment(*line);
    bool const first = start.rows.empty();
    bool const names_separator = first && lower_case(trimmed(text)).starts_with("sep=");  // a line for spreadsheets
    if (is_comment(*line) || names_separator) {
      if (first) { start.comments.push_back(*line); }
      continue;
    }
    if (trimmed(text).empty() || (first && is_before_rows(text, start))) { continue; }
    if (first) {
      start.offset = offset;
      start.lines = lines.number() - 1;
    }
    start.rows.push_back(text);
    if (first) { behind_first = {lines.offset(), lines.number()}; }
  }
  if (!start.heading && begins_with_numbered_columns(start.rows)) {
    start.heading = start.rows.front();
    start.rows.erase(start.rows.begin());
    std::tie(start.offset, start.lines) = behind_first;
  }
  return start;
}

/// Skips units in brackets that are separated from the names.
Names names_in(Fields const& fields)
{
  Names names;
  for (std::string_view const field : fields) {
    if (!field.starts_with('[') && !field.starts_with('(')) { names.push_back(given_name(field)); }
  }
  return names;
}

/// The names in a line, split by the separator of the rows or, if that does not identify x, y and z, by any separator.
Names names_in_line(std::string_view line, RowSplitter const& splitter)
{
  Fields fields;
  splitter.split(line, fields);
  Names names = names_in(fields);
  if (roles_of(names).has_place()) { return names; }
  Names loose = names_in(words_of(line));
  return roles_of(loose).has_place() ? loose : names;
}

/// Names in a comment such as "// X Y Z", "# x y z intensity", "# fields: x, y, z", if they include x, y and z and are
/// no more than the columns.
Names names_in_comment(std::string_view comment, RowSplitter const& splitter, std::size_t columns)
{
  comment.remove_prefix(std::min(comment.find_first_not_of(" \t#/%!"), comment.size()));
  std::size_t const colon = comment.find_first_of(":=");
  for (std::string_view const text : {comment, comment.substr(std::min(colon, comment.size() - 1) + 1)}) {
    Names names = names_in_line(text, splitter);
    if (names.size() <= columns && roles_of(names).has_place()) { return names; }
  }
  return {};
}

/// Whether the first column holds row names, in quotes or counting up. R writes them without naming their column.
bool have_row_names(std::vector<std::string_view> const& rows, RowSplitter const& splitter)
{
  if (std::ranges::all_of(rows, [](std::string_view row) { return trimmed(row).starts_with('"'); })) { return true; }
  Fields fields;
  std::optional<double> last;
  for (std::string_view const row : rows) {
    splitter.split(row, fields);
    auto const number = fields.empty() ? std::nullopt : number_in(fields[0]);
    if (!number || (last && *number != *last + 1.0)) { return false; }
    last = number;
  }
  return rows.size() >= 3;
}

/// "1,5,2,5,3,05": pairs of whole numbers, some of whose second numbers begin with 0, as only decimals do.
bool may_hide_decimals(Fields const& fields)
{
  bool const whole = std::ranges::all_of(fields, [](std::string_view field) {
    return !field.empty() && field.find_first_not_of("+-0123456789") == std::string_view::npos;
  });
  if (!whole || fields.size() < 6 || fields.size() % 2 != 0) { return false; }
  for (std::size_t i = 1; i < fields.size(); i += 2) {
    if (fields[i].size() > 1 && fields[i].front() == '0') { return true; }
  }
  return false;
}

class Layouts {
public:
  Layouts(Source const& source, FirstLines const& start, RowSplitter const& splitter)
      : source_(source), start_(start), splitter_(splitter)
  {
    if (!start.rows.empty()) { splitter.split(start.rows.front(), first_); }
  }

  PointColumns::Layout layout() const
  {
    PointColumns::Layout layout{.columns = first_.size(), .names = names(), .roles = {}, .counted = {}};
    if (layout.names.size() + 1 == first_.size() && have_row_names(start_.rows, splitter_)) {
      layout.names.insert(layout.names.begin(), std::string());
    }
    layout.roles = roles_of(layout.names);
    layout.counted = start_.points.has_value();
    check_commas(layout.names.size());
    return layout;
  }

  /// A comment may name only the first columns; texts may contain blanks.
  std::size_t most_fields(PointColumns::Layout const& layout) const
  {
    if (splitter_.separator() == ' ') { return std::numeric_limits<std::size_t>::max(); }
    return start_.heading && !layout.names.empty() ? layout.names.size() : first_.size();
  }

private:
  Names names() const
  {
    Names heading;
    if (start_.heading) { heading = names_in_line(*start_.heading, splitter_); }
    if (roles_of(heading).has_place()) { return heading; }
    for (auto comment = start_.comments.rbegin(); comment != start_.comments.rend(); ++comment) {
      if (Names names = names_in_comment(*comment, splitter_, first_.size()); !names.empty()) { return names; }
    }
    if (are_names(heading)) { refuse(heading); }
    return {};  // the heading is a title
  }

  bool are_names(Names const& heading) const
  {
    auto const place = roles_of(heading).place;
    auto const known = std::ranges::count_if(place, [](auto const& column) { return column.has_value(); });
    return !start_.rows.empty() && !heading.empty() && (heading.size() == first_.size() || known >= 2);
  }

  [[noreturn]] void refuse(Names const& heading) const
  {
    if (std::string const first = lower_case(heading.front()); first == "ncols" || first == "nrows") {
      source_.fail(
          "it is a raster of heights (an ESRI grid), not rows of points; convert it to x y z, for example with "
          "'gdal_translate -of XYZ'");
    }
    constexpr std::size_t shown = 8;
    Fields fields;
    splitter_.split(*start_.heading, fields);
    if (fields.size() != heading.size()) { fields = words_of(*start_.heading); }
    Names some;
    for (std::string_view const field : fields) {
      if (some.size() < shown) { some.push_back(valid_text(trimmed(field))); }
    }
    std::string names = fmt::format("{}{}", fmt::join(some, ", "), some.size() < fields.size() ? ", ..." : "");
    for (char& letter : names) { letter = static_cast<unsigned char>(letter) < 0x20 ? '?' : letter; }
    source_.fail("its columns are named {}, which do not include all of x, y and z; give three of them these names",
                 names);
  }

  void check_commas(std::size_t names) const
  {
    if (splitter_.separator() != ',') { return; }
    bool const twice = names >= 3 && 2 * names == first_.size();
    bool const hidden = std::ranges::any_of(start_.rows, [&](std::string_view row) {
      Fields fields;
      splitter_.split(row, fields);
      return names != fields.size() && may_hide_decimals(fields);
    });
    if (!twice && !hidden) { return; }
    source_.fail("line {}: commas may both separate the numbers in {} and mark their decimals; separate them with ';'",
                 start_.lines + 1, in_quotes(trimmed(start_.rows.front())));
  }

  Source const& source_;
  FirstLines const& start_;
  RowSplitter const& splitter_;
  Fields first_;
};

}  // namespace

XyzStart read_start(Source const& source)
{
  FirstLines const start = first_lines(source);
  RowSplitter const splitter(start.rows);
  Layouts const layouts(source, start, splitter);
  PointColumns::Layout layout = layouts.layout();
  std::size_t const most_fields = layouts.most_fields(layout);
  return {splitter, std::move(layout), start.points, start.offset, start.lines, most_fields};
}

}  // namespace slotscape::clouds
