#include "app/keys/files/cells.hpp"

#include "app/base/text.hpp"
#include "gpu/base/error.hpp"
#include "gpu/base/translation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>

namespace slotscape::key_files {
namespace {

constexpr std::uint64_t lowest_size = std::uint64_t{1} << 63;  ///< magnitude of the lowest negative number

bool says_missing(std::string_view text)
{
  constexpr std::array<std::string_view, 9> words{"na", "n/a", "nan", "null", "none", "<na>", "#n/a", "nat", "\\n"};
  return text.size() <= 4 && std::ranges::find(words, lower_case(text)) != words.end();
}

Cell whole(std::uint64_t size, bool negative)
{
  if (!negative || size == 0) { return {CellKind::whole, size}; }
  return size > lowest_size ? Cell{CellKind::too_large} : Cell{CellKind::negative, ~size + 1};
}

Cell read_hexadecimal(std::string_view digits, bool negative)
{
  std::uint64_t size = 0;
  auto const [end, failure] = std::from_chars(digits.data(), digits.data() + digits.size(), size, 16);
  if (end != digits.data() + digits.size() || digits.empty()) { return {CellKind::text}; }
  return failure == std::errc::result_out_of_range ? Cell{CellKind::too_large} : whole(size, negative);
}

/// The parts of a decimal number: 12.50e3 has the digits 1250 and the exponent 1.
struct Decimal {
  std::string digits;
  std::int64_t exponent = 0;
  bool has_exponent = false;
};
std::optional<Decimal> read_decimal(std::string_view text)
{
  Decimal decimal;
  bool after_point = false;
  bool any = false;
  while (!text.empty()) {
    char const letter = text.front();
    if (letter >= '0' && letter <= '9') {
      any = true;
      decimal.exponent -= after_point ? 1 : 0;
      if (letter != '0' || !decimal.digits.empty()) { decimal.digits += letter; }
    } else if (letter == '.' && !after_point) {
      after_point = true;
    } else {
      break;
    }
    text.remove_prefix(1);
  }
  if (!any) { return std::nullopt; }
  if (text.empty()) { return decimal; }
  decimal.has_exponent = text.size() > 1 && (text.front() == 'e' || text.front() == 'E');
  if (!decimal.has_exponent) { return std::nullopt; }
  text.remove_prefix(text[1] == '+' ? 2 : 1);
  auto const exponent = parse_number<std::int16_t>(text);
  if (!exponent) { return std::nullopt; }
  decimal.exponent += *exponent;
  return decimal;
}

void drop_last_zeros(Decimal& decimal)
{
  while (decimal.digits.ends_with('0')) {
    decimal.digits.pop_back();
    ++decimal.exponent;
  }
}

Cell value_of(Decimal decimal, bool negative)
{
  drop_last_zeros(decimal);
  if (decimal.digits.empty()) { return {CellKind::whole, 0}; }
  if (decimal.exponent < 0) { return {CellKind::fraction}; }
  constexpr std::size_t max_digits = 20;
  if (decimal.digits.size() + static_cast<std::size_t>(decimal.exponent) > max_digits) { return {CellKind::too_large}; }
  decimal.digits.append(static_cast<std::size_t>(decimal.exponent), '0');
  auto const size = parse_number<std::uint64_t>(decimal.digits);
  return size ? whole(*size, negative) : Cell{CellKind::too_large};
}

/// Statistics of a column's cells.
struct Census {
  Occurrences empty;
  Occurrences missing;
  Occurrences rounded;
  Occurrences padded;
  Occurrences pointed;
  Occurrences odd;  ///< cells that are not 64-bit integers
  std::string why_odd;
  std::uint64_t numbers = 0;
  std::uint64_t texts = 0;
  std::string a_text;

  void add(std::string_view text, std::uint64_t place)
  {
    Cell const cell = read_cell(text);
    if (cell.kind == CellKind::empty) { return empty.add(place, text); }
    if (cell.kind == CellKind::missing) { return missing.add(place, text); }
    if (cell.kind == CellKind::text && texts++ == 0) { a_text = text; }
    if (cell.kind != CellKind::text) { ++numbers; }
    if (cell.is_rounded) { rounded.add(place, text); }
    if (cell.is_padded) { padded.add(place, text); }
    if (cell.is_pointed) { pointed.add(place, text); }
    if (cell.kind == CellKind::whole || cell.kind == CellKind::negative) { return; }
    if (odd.count == 0) {
      why_odd = cell.kind == CellKind::too_large ? tr("does not fit in 64 bits") : tr("is not a whole number");
    }
    odd.add(place, text);
  }
};

MadeKeys hashed(EachCell const& each, Origin const& origin, KeyReading const& reading, Census const& census)
{
  HashedKeys keys(origin);
  each([&](std::string_view text, std::uint64_t place) {
    if (text.empty()) { return; }
    keys.add_part(text);
    keys.end_key(place);
  });
  bool const is_alone = origin.column.empty();
  std::string const example = in_quotes(census.a_text);
  std::string const what =
      census.texts == 0 ? (is_alone ? std::string(tr("the keys are read as texts"))
                                    : tr("the keys of column '{}' are read as texts", origin.column))
                        : (is_alone ? tr("the keys are texts, such as {}", example)
                                    : tr("the keys of column '{}' are texts, such as {}", origin.column, example));
  MadeKeys made = keys.take(HashedFrom::texts, what);
  note_empty(census.empty, origin, reading, made);
  return made;
}

MadeKeys as_numbers(EachCell const& each, Origin const& origin, KeyReading const& reading, Census const& census)
{
  if (census.odd.count != 0) {
    throw Error(
        tr("{}: {}: {} {}. Correct it, or have all keys read as texts, each hashed to 64 bits: --as-text, "
           "or \"as_text\": true in a scenario",
           origin.file, origin.place(census.odd.first), in_quotes(census.odd.text), census.why_odd));
  }
  NumberKeys keys(origin);
  keys.reserve(census.numbers);
  each([&](std::string_view text, std::uint64_t place) {
    Cell const cell = read_cell(text);
    if (cell.kind == CellKind::whole) { keys.add(cell.number, place); }
    if (cell.kind == CellKind::negative) { keys.add_negative(static_cast<std::int64_t>(cell.number), place); }
  });
  MadeKeys made = keys.take();
  Occurrences empty = census.empty;
  bool const word_is_first = empty.count == 0 || (census.missing.count != 0 && census.missing.first < empty.first);
  if (word_is_first) { empty = census.missing; }
  empty.count = census.empty.count + census.missing.count;
  empty.with_text = census.missing.count;
  empty.a_text = census.missing.text;
  note_empty(empty, origin, reading, made);
  if (census.padded.count != 0) {
    made.notes.findings.push_back(
        tr_plural("{}: {} key has leading zeros, such as {} in {}, which are ignored. If they make it a different key, "
                  "read the keys as texts: --as-text, or \"as_text\": true in a scenario.",
                  "{}: {} keys have leading zeros, such as {} in {}, which are ignored. If they make different keys, "
                  "read the keys as texts: --as-text, or \"as_text\": true in a scenario.",
                  census.padded.count, origin.short_name(), grouped(census.padded.count), in_quotes(census.padded.text),
                  origin.row(census.padded.first)));
  }
  if (census.pointed.count != 0) {
    made.notes.findings.push_back(
        tr_plural("{}: {} key ends in .000, such as {} in {}, and counts as the whole number before the point. If the "
                  "point separates thousands, remove it.",
                  "{}: {} keys end in .000, such as {} in {}, and count as the whole number before the point. If the "
                  "points separate thousands, remove them.",
                  census.pointed.count, origin.short_name(), grouped(census.pointed.count),
                  in_quotes(census.pointed.text), origin.row(census.pointed.first)));
  }
  if (census.rounded.count != 0) {
    made.notes.findings.push_back(tr_plural(
        "{}: {} key has an exponent, such as {} in {}. Spreadsheets round long numbers that way, and different keys "
        "become "
        "equal: export the column as text or as whole numbers.",
        "{}: {} keys have an exponent, such as {} in {}. Spreadsheets round long numbers that way, and different keys "
        "become equal: export the column as text or as whole numbers.",
        census.rounded.count, origin.short_name(), grouped(census.rounded.count), in_quotes(census.rounded.text),
        origin.row(census.rounded.first)));
  }
  return made;
}

}  // namespace

Cell read_cell(std::string_view text)
{
  if (text.empty()) { return {CellKind::empty}; }
  text = trimmed(text);
  bool const is_padded = text.size() > 1 && text[0] == '0' && text[1] >= '0' && text[1] <= '9';
  if (auto const plain = parse_number<std::uint64_t>(text)) { return {CellKind::whole, *plain, false, is_padded}; }
  std::string_view digits = text;
  bool const negative = digits.starts_with('-');
  if (negative || digits.starts_with('+')) { digits.remove_prefix(1); }
  bool const hexadecimal = digits.starts_with("0x") || digits.starts_with("0X");
  if (hexadecimal) { return read_hexadecimal(digits.substr(2), negative); }
  auto const decimal = read_decimal(digits);
  if (!decimal) { return {says_missing(text) ? CellKind::missing : CellKind::text}; }
  Cell cell = value_of(*decimal, negative);
  cell.is_rounded = decimal->has_exponent;
  cell.is_pointed = text.ends_with(".000");
  return cell;
}

std::string text_of_number(std::string_view text)
{
  Cell const cell = read_cell(text);
  if (cell.kind == CellKind::whole) { return std::to_string(cell.number); }
  if (cell.kind == CellKind::negative) { return std::to_string(static_cast<std::int64_t>(cell.number)); }
  std::string_view const number = trimmed(text);
  bool const is_negative = number.starts_with('-');
  auto decimal = read_decimal(number.substr(is_negative || number.starts_with('+') ? 1 : 0));
  if (!decimal) { return std::string(text); }
  drop_last_zeros(*decimal);
  return fmt::format("{}{}e{}", is_negative ? "-" : "", decimal->digits, decimal->exponent);
}

void note_empty(Occurrences const& empty, Origin const& origin, KeyReading const& reading, MadeKeys& made)
{
  if (empty.count == 0) { return; }
  if (reading.refuses_empty) {
    throw Error(
        tr("{}: {}: {}. Fill it in, or have empty cells left out: --empty skip, or \"empty\": \"skip\" in "
           "a scenario",
           origin.file, origin.place(empty.first),
           empty.text.empty() ? tr("it is empty") : tr("{} counts as empty", in_quotes(empty.text))));
  }
  std::string const word = empty.text.empty() ? "" : fmt::format(", {}", in_quotes(empty.text));
  bool const are_mixed = empty.with_text != 0 && empty.with_text != empty.count;
  std::string const words = !are_mixed ? ""
                                       : tr(": {} blank, and {} such as {}", grouped(empty.count - empty.with_text),
                                            grouped(empty.with_text), in_quotes(empty.a_text));
  made.notes.left_out += empty.count;
  std::string const file = origin.short_name();
  std::string const count = grouped(empty.count);
  std::string const first = origin.row(empty.first) + word;
  made.notes.findings.push_back(origin.column.empty()
                                    ? tr_plural("{}: {} empty cell was left out (the first in {}){}.",
                                                "{}: {} empty cells were left out (the first in {}){}.", empty.count,
                                                file, count, first, words)
                                    : tr_plural("{}: {} empty cell of column '{}' was left out (the first in {}){}.",
                                                "{}: {} empty cells of column '{}' were left out (the first in {}){}.",
                                                empty.count, file, count, origin.column, first, words));
}

MadeKeys keys_of_cells(EachCell const& each, Origin const& origin, KeyReading const& reading)
{
  Census census;
  each([&](std::string_view text, std::uint64_t place) { census.add(text, place); });
  bool const are_texts = reading.as_text || census.texts > census.numbers;
  return are_texts ? hashed(each, origin, reading, census) : as_numbers(each, origin, reading, census);
}

}  // namespace slotscape::key_files
