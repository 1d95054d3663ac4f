#include "app/base/npy.hpp"

#include "app/base/encoding.hpp"
#include "app/base/files.hpp"
#include "app/base/replaced_file.hpp"
#include "app/base/text.hpp"
#include "gpu/base/error.hpp"
#include "gpu/base/translation.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstring>
#include <limits>
#include <memory>
#include <stdexcept>

namespace slotscape {

namespace fs = std::filesystem;

namespace {

static_assert(std::endian::native == std::endian::little);

constexpr std::string_view magic = "\x93NUMPY";
constexpr std::uint64_t max_columns = 1024;

[[noreturn]] void fail(fs::path const& file, std::string_view why)
{
  throw Error(fmt::format("{}: {}", path_text(file.filename()), printable(valid_text(why))));
}

[[noreturn]] void fail_with_columns(fs::path const& file)
{
  fail(file, tr("it has more than {} columns; save only those you need", max_columns));
}

/// The text after a key in the header, a Python dictionary: "'shape': (3, 4)".
std::string_view after_key(fs::path const& file, std::string_view header, std::string_view key)
{
  std::size_t at = header.find(fmt::format("'{}':", key));
  if (at == std::string_view::npos) { fail(file, tr("its header has no '{}'", key)); }
  at = header.find_first_not_of(' ', at + key.size() + 3);
  return at == std::string_view::npos ? std::string_view() : header.substr(at);
}

std::vector<std::uint64_t> shape_in(fs::path const& file, std::string_view text)
{
  std::vector<std::uint64_t> shape;
  std::size_t const end = text.find(')');
  if (!text.starts_with('(') || end == std::string_view::npos) { fail(file, tr("its shape cannot be read")); }
  for (char const* at = text.data() + 1; at != text.data() + end;) {
    if (*at == ' ' || *at == ',') {
      ++at;
      continue;
    }
    std::uint64_t size = 0;
    auto const [next, error] = std::from_chars(at, text.data() + end, size);
    if (error != std::errc{}) { fail(file, tr("its shape cannot be read")); }
    shape.push_back(size);
    at = next;
  }
  return shape;
}

/// Reads the description of the element type: '<i8', or [('id', '<i8'), ('place', '<f4', (3,))].
class TypeReader {
public:
  TypeReader(fs::path const& file, std::string_view text) : file_(file), rest_(text) {}

  /// Returns the columns of an element, in order, and its size in bytes.
  std::pair<std::vector<NpyColumn>, std::uint64_t> read()
  {
    std::vector<NpyColumn> columns;
    if (!take('[')) {
      columns.push_back(type(quoted()));
      return {columns, columns.back().bytes};
    }
    std::uint64_t bytes = 0;
    while (!take(']')) { read_field(columns, bytes); }
    return {columns, bytes};
  }

private:
  void read_field(std::vector<NpyColumn>& columns, std::uint64_t& bytes)
  {
    expect('(');
    std::string const name = read_name();
    expect(',');
    if (take('[')) { fail(file_, tr("its field '{}' has fields of its own; save that field alone", name)); }
    NpyColumn column = type(quoted());
    std::uint64_t count = 1;
    if (take(',') && !take(')')) {
      for (std::uint64_t const side : sides()) {
        if (count != 0 && side > max_columns / count) { fail_with_columns(file_); }
        count *= side;
      }
      expect(')');
    } else {
      take(')');
    }
    take(',');
    if (columns.size() + count > max_columns) { fail_with_columns(file_); }
    if (name.empty() && column.kind == 'V') {  // padding between fields
      bytes += count * column.bytes;
      return;
    }
    for (std::uint64_t i = 0; i < count; ++i) {
      column.name = count == 1 ? name : fmt::format("{}[{}]", name, i);
      column.offset = bytes;
      columns.push_back(column);
      bytes += column.bytes;
    }
  }

  /// Reads a field's name, or its title and name.
  std::string read_name()
  {
    if (!take('(')) { return valid_text(quoted()); }
    quoted();
    expect(',');
    std::string name = valid_text(quoted());
    expect(')');
    return name;
  }

  std::vector<std::uint64_t> sides()
  {
    std::size_t const end = rest_.starts_with('(') ? rest_.find(')') : std::string_view::npos;
    if (end == std::string_view::npos) { fail_to_read(); }
    std::vector<std::uint64_t> shape = shape_in(file_, rest_);
    rest_.remove_prefix(end + 1);
    return shape;
  }

  NpyColumn type(std::string_view text) const
  {
    std::string const shown = valid_text(text);
    bool const ordered = !text.empty() && std::string_view("<>|=").find(text.front()) != std::string_view::npos;
    NpyColumn column;
    column.big_endian = text.starts_with('>');
    if (ordered) { text.remove_prefix(1); }
    column.kind = text.empty() ? '?' : text.front();
    if (column.kind == 'O') {
      fail(file_, tr("it holds Python objects, which only Python can read; save them as strings: array.astype('U')"));
    }
    std::size_t const unit = std::min(text.find('['), text.size());
    auto const size =
        parse_number<std::uint64_t>(text.substr(std::min<std::size_t>(1, unit), unit - std::min<std::size_t>(1, unit)));
    constexpr std::uint64_t max_bytes = 1u << 20;
    if (std::string_view("biufcMmSUV").find(column.kind) == std::string_view::npos || !size || *size > max_bytes) {
      fail(file_, tr("its type '{}' is not supported; save numbers or strings", shown));
    }
    column.bytes = *size * (column.kind == 'U' ? 4 : 1);
    if (unit + 2 < text.size()) { column.unit = valid_text(text.substr(unit + 1, text.size() - unit - 2)); }
    bool const too_large = (column.kind == 'f' || column.kind == 'i' || column.kind == 'u') && column.bytes > 8;
    if (too_large) {
      fail(file_, tr("its numbers, '{}', have more than 64 bits; save them as strings: array.astype('U')", shown));
    }
    return column;
  }

  std::string_view quoted()
  {
    skip_blanks();
    char const quote = rest_.empty() ? '\0' : rest_.front();
    if (quote != '\'' && quote != '"') { fail_to_read(); }
    std::size_t const end = rest_.find(quote, 1);
    if (end == std::string_view::npos) { fail_to_read(); }
    std::string_view const text = rest_.substr(1, end - 1);
    rest_.remove_prefix(end + 1);
    return text;
  }
  bool take(char letter)
  {
    skip_blanks();
    if (!rest_.starts_with(letter)) { return false; }
    rest_.remove_prefix(1);
    skip_blanks();
    return true;
  }
  void expect(char letter)
  {
    if (!take(letter)) { fail_to_read(); }
  }
  void skip_blanks() { rest_.remove_prefix(std::min(rest_.find_first_not_of(' '), rest_.size())); }
  [[noreturn]] void fail_to_read() const { fail(file_, tr("the type of its elements cannot be read")); }

  fs::path const& file_;
  std::string_view rest_;
};

/// The header, and the data after it.
std::pair<std::string_view, std::string_view> parts_of(fs::path const& file, std::string_view content)
{
  constexpr std::size_t before_length = 8;
  if (!content.starts_with(magic) || content.size() < before_length + 4) {
    fail(file, tr("it is not a NumPy array: save one with numpy.save"));
  }
  std::size_t const length_bytes = content[6] == 1 ? 2 : 4;
  std::uint32_t length = 0;
  std::memcpy(&length, content.data() + before_length, length_bytes);
  std::size_t const begin = before_length + length_bytes;
  if (content.size() - begin < length) { fail(file, tr("the file is damaged: it ends within its header")); }
  return {content.substr(begin, length), content.substr(begin + length)};
}

/// The columns of an array of rows; several columns are numbered by their positions in a row.
std::vector<NpyColumn> columns_of_array(NpyColumn const& element, std::uint64_t rows, std::uint64_t columns,
                                        bool columns_first)
{
  std::vector<NpyColumn> all(columns, element);
  for (std::uint64_t i = 0; i < columns; ++i) {
    if (columns > 1) { all[i].name = fmt::format("column {}", i + 1); }
    all[i].offset = element.bytes * (columns_first ? i * rows : i);
    all[i].stride = element.bytes * (columns_first ? 1 : columns);
  }
  return all;
}

template <class Number>
std::string content_of(std::span<Number const> numbers, std::vector<std::uint64_t> const& shape, std::string_view type)
{
  std::uint64_t size = 1;
  for (std::uint64_t const side : shape) { size *= side; }
  if (size != numbers.size()) { throw std::invalid_argument("the shape does not fit the numbers"); }
  std::string header = fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': ({}{}), }}", type,
                                   fmt::join(shape, ", "), shape.size() == 1 ? "," : "");
  constexpr std::size_t before_header = 10;
  constexpr std::size_t alignment = 64;
  header.append(alignment - 1 - (before_header + header.size()) % alignment, ' ');
  header += '\n';
  std::string content(magic);
  content += {'\x01', '\x00'};
  auto const length = static_cast<std::uint16_t>(header.size());
  content.append(reinterpret_cast<char const*>(&length), sizeof(length));
  content += header;
  content.append(reinterpret_cast<char const*>(numbers.data()), numbers.size_bytes());
  return content;
}

}  // namespace

NpyLayout npy_layout(fs::path const& file, std::string_view head, std::uint64_t bytes_of_file)
{
  auto const [header, rest] = parts_of(file, head);
  auto const begin = static_cast<std::uint64_t>(rest.data() - head.data());
  std::uint64_t const data = bytes_of_file - begin;
  auto [elements, bytes] = TypeReader(file, after_key(file, header, "descr")).read();
  std::vector<std::uint64_t> const shape = shape_in(file, after_key(file, header, "shape"));
  if (shape.empty() || shape.size() > 2) {
    fail(file, tr("it has {} dimensions; save an array with one or two", shape.size()));
  }
  std::uint64_t const columns = shape.size() == 2 ? shape[1] : 1;
  if (bytes == 0 || elements.empty()) { fail(file, tr("its elements are 0 bytes long")); }
  if (columns > max_columns) { fail_with_columns(file); }
  if (columns == 0) { fail(file, tr("its rows are empty; save an array that has columns")); }
  if (shape[0] > data / bytes / columns) {
    fail(file, tr("it ends early: it should have {} rows of {} numbers", shape[0], columns));
  }
  NpyLayout result{begin, shape[0], std::move(elements)};
  bool const structured = result.columns.size() > 1 || !result.columns.front().name.empty();
  if (structured && columns != 1) {
    fail(file, tr("it has two dimensions of elements with fields; save one of the fields"));
  }
  for (NpyColumn& column : result.columns) { column.stride = bytes; }
  if (structured) { return result; }
  bool const columns_first = after_key(file, header, "fortran_order").starts_with("True");
  NpyColumn const element = result.columns.front();
  result.columns = columns_of_array(element, shape[0], columns, columns_first);
  return result;
}

NpyColumns read_npy_columns(fs::path const& file)
{
  std::string content = read_input_file(file);
  NpyLayout layout = npy_layout(file, content, content.size());
  content.erase(0, layout.data);
  return {std::move(content), layout.rows, std::move(layout.columns)};
}

std::string NpyColumns::value(NpyColumn const& column, std::uint64_t row) const
{
  std::string bytes = content.substr(column.offset + row * column.stride, column.bytes);
  if (!column.big_endian) { return bytes; }
  std::uint64_t const part = column.kind == 'U' ? 4 : column.kind == 'c' ? column.bytes / 2 : column.bytes;
  bool const in_order = column.kind == 'S' || column.kind == 'V' || part == 0;
  for (std::uint64_t at = 0; !in_order && at < bytes.size(); at += part) {
    std::reverse(bytes.begin() + static_cast<std::ptrdiff_t>(at),
                 bytes.begin() + static_cast<std::ptrdiff_t>(std::min<std::uint64_t>(at + part, bytes.size())));
  }
  return bytes;
}

std::uint64_t whole_of(NpyColumn const& column, std::string_view value)
{
  std::uint64_t bits = 0;
  std::size_t const bytes = std::min(value.size(), sizeof(bits));
  std::memcpy(&bits, value.data(), bytes);
  bool const is_signed = column.kind == 'i' || column.kind == 'M' || column.kind == 'm';
  int const shift = static_cast<int>(8 * (sizeof(bits) - bytes));
  if (!is_signed || shift == 0 || bytes == 0) { return bits; }
  return static_cast<std::uint64_t>(static_cast<std::int64_t>(bits << shift) >> shift);
}

double number_of(std::string_view value)
{
  if (value.size() == sizeof(double)) {
    double number = 0.0;
    std::memcpy(&number, value.data(), sizeof(number));
    return number;
  }
  if (value.size() == sizeof(float)) {
    float number = 0.0f;
    std::memcpy(&number, value.data(), sizeof(number));
    return static_cast<double>(number);
  }
  std::uint16_t half = 0;
  std::memcpy(&half, value.data(), std::min(value.size(), sizeof(half)));
  int const exponent = (half >> 10) & 0x1f;
  double const fraction = (half & 0x3ff) / 1024.0;
  double const size = exponent == 0    ? std::ldexp(fraction, -14)
                      : exponent == 31 ? (fraction == 0.0 ? HUGE_VAL : std::nan(""))
                                       : std::ldexp(1.0 + fraction, exponent - 15);
  return (half & 0x8000) != 0 ? -size : size;
}

namespace {

/// Reads a whole number from a table of sites.
std::int64_t whole_number(fs::path const& file, NpyColumn const& column, std::string const& value, std::uint64_t row)
{
  constexpr std::uint64_t most = std::numeric_limits<std::int64_t>::max();
  bool const whole = column.kind == 'b' || column.kind == 'i' || column.kind == 'u';
  if (whole) {
    std::uint64_t const bits = whole_of(column, value);
    if (column.kind == 'u' && bits > most) { fail(file, tr("{} in row {} is too large", bits, row + 1)); }
    return static_cast<std::int64_t>(bits);
  }
  if (column.kind != 'f') { fail(file, tr("its elements are not numbers; save an array of whole numbers")); }
  double const number = number_of(value);
  if (!(std::floor(number) == number && std::abs(number) < 0x1p63)) {
    fail(file, tr("{} in row {} is not a whole number; divide coordinates by the size of a voxel, and save "
                  "np.floor(array).astype('int64')",
                  number, row + 1));
  }
  return static_cast<std::int64_t>(number);
}

}  // namespace

NpyRows read_npy(fs::path const& file)
{
  NpyColumns const read = read_npy_columns(file);
  std::uint64_t const columns = read.columns.size();
  NpyRows table{read.rows, columns, std::vector<std::int64_t>(read.rows * columns)};
  for (std::uint64_t row = 0; row < read.rows; ++row) {
    for (std::uint64_t i = 0; i < columns; ++i) {
      NpyColumn const& column = read.columns[i];
      table.numbers[row * columns + i] = whole_number(file, column, read.value(column, row), row);
    }
  }
  return table;
}

std::string npy_of(std::span<std::int32_t const> numbers, std::vector<std::uint64_t> const& shape)
{
  return content_of(numbers, shape, "<i4");
}

std::string npy_of(std::span<std::int64_t const> numbers, std::vector<std::uint64_t> const& shape)
{
  return content_of(numbers, shape, "<i8");
}

std::string npy_of(std::span<float const> numbers, std::vector<std::uint64_t> const& shape)
{
  return content_of(numbers, shape, "<f4");
}

std::string npy_of(std::span<double const> numbers, std::vector<std::uint64_t> const& shape)
{
  return content_of(numbers, shape, "<f8");
}

}  // namespace slotscape
