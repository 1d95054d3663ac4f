#include "app/base/npy.hpp"

#include "app/base/files.hpp"
#include "gpu/base/error.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <zip.h>

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cstring>
#include <limits>
#include <memory>
#include <optional>
#include <stdexcept>
#include <type_traits>

namespace slotscape {
namespace {

static_assert(std::endian::native == std::endian::little);

constexpr std::string_view magic = "\x93NUMPY";

[[noreturn]] void fail(std::filesystem::path const& file, std::string_view why)
{
  throw Error(fmt::format("{}: {}", file.filename().string(), why));
}

/// What follows a key in the header, a Python dictionary: "'shape': (3, 4)".
std::string_view after_key(std::filesystem::path const& file, std::string_view header, std::string_view key)
{
  std::size_t at = header.find(fmt::format("'{}':", key));
  if (at == std::string_view::npos) { fail(file, fmt::format("its header has no '{}'", key)); }
  at = header.find_first_not_of(' ', at + key.size() + 3);
  return at == std::string_view::npos ? std::string_view() : header.substr(at);
}

std::vector<std::uint64_t> shape_in(std::filesystem::path const& file, std::string_view text)
{
  std::vector<std::uint64_t> shape;
  std::size_t const end = text.find(')');
  if (!text.starts_with('(') || end == std::string_view::npos) { fail(file, "its shape cannot be read"); }
  for (char const* at = text.data() + 1; at != text.data() + end;) {
    if (*at == ' ' || *at == ',') {
      ++at;
      continue;
    }
    std::uint64_t size = 0;
    auto const [next, error] = std::from_chars(at, text.data() + end, size);
    if (error != std::errc{}) { fail(file, "its shape cannot be read"); }
    shape.push_back(size);
    at = next;
  }
  return shape;
}

template <class Number>
void read_numbers(std::string_view data, std::vector<std::int64_t>& numbers)
{
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    Number number{};
    std::memcpy(&number, data.data() + i * sizeof(Number), sizeof(Number));
    numbers[i] = static_cast<std::int64_t>(number);  // NOLINT(bugprone-signed-char-misuse): a number of 8 bits
  }
}

using ReadNumbers = void (*)(std::string_view, std::vector<std::int64_t>&);
struct NumberType {
  std::string_view name;
  std::size_t bytes;
  ReadNumbers read;
};
constexpr std::array<NumberType, 8> types{{{"|i1", 1, read_numbers<std::int8_t>},
                                           {"|u1", 1, read_numbers<std::uint8_t>},
                                           {"<i2", 2, read_numbers<std::int16_t>},
                                           {"<u2", 2, read_numbers<std::uint16_t>},
                                           {"<i4", 4, read_numbers<std::int32_t>},
                                           {"<u4", 4, read_numbers<std::uint32_t>},
                                           {"<i8", 8, read_numbers<std::int64_t>},
                                           {"<u8", 8, read_numbers<std::uint64_t>}}};
/// Those whose numbers all fit in 64 bits with a sign.
constexpr std::span<NumberType const> signed_types(types.data(), types.size() - 1);

NumberType const& type_in(std::filesystem::path const& file, std::string_view header,
                          std::span<NumberType const> allowed)
{
  std::string_view const text = after_key(file, header, "descr");
  std::string_view const name = text.size() > 4 ? text.substr(1, 3) : std::string_view();
  auto const found = std::ranges::find(allowed, name, &NumberType::name);
  if (found == allowed.end()) {
    fail(file, fmt::format("its numbers are of type '{}'; save whole numbers: array.astype('int32')", name));
  }
  return *found;
}

/// The header, and what follows it.
std::pair<std::string_view, std::string_view> parts_of(std::filesystem::path const& file, std::string_view content)
{
  constexpr std::size_t before_length = 8;
  if (!content.starts_with(magic) || content.size() < before_length + 4) {
    fail(file, "it is not a NumPy array: save one with numpy.save");
  }
  std::size_t const length_bytes = content[6] == 1 ? 2 : 4;
  std::uint32_t length = 0;
  std::memcpy(&length, content.data() + before_length, length_bytes);
  std::size_t const begin = before_length + length_bytes;
  if (content.size() - begin < length) { fail(file, "it ends within its header: it is damaged"); }
  return {content.substr(begin, length), content.substr(begin + length)};
}

/// Rows and columns, of which `room` numbers are there.
std::pair<std::uint64_t, std::uint64_t> sides_of(std::filesystem::path const& file, std::string_view header,
                                                 std::uint64_t room, std::string_view rows_are)
{
  std::vector<std::uint64_t> const shape = shape_in(file, after_key(file, header, "shape"));
  if (shape.empty() || shape.size() > 2) {
    fail(file, fmt::format("it has {} dimensions; save an array with two: {}", shape.size(), rows_are));
  }
  std::uint64_t const columns = shape.size() == 2 ? shape[1] : 1;
  if (columns != 0 && shape[0] > room / columns) {
    fail(file, fmt::format("it ends early: {} rows of {} numbers are not there", shape[0], columns));
  }
  return {shape[0], columns};
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

NpyTable read_npy(std::filesystem::path const& file)
{
  std::string const content = read_text_file(file);
  auto const [header, data] = parts_of(file, content);
  NumberType const& type = type_in(file, header, signed_types);
  auto const [rows, columns] = sides_of(file, header, data.size() / type.bytes, "a row for each site");
  NpyTable table{rows, columns, std::vector<std::int64_t>(rows * columns)};
  type.read(data, table.numbers);
  if (after_key(file, header, "fortran_order").starts_with("True")) {  // column after column
    std::vector<std::int64_t> const numbers = table.numbers;
    for (std::uint64_t i = 0; i < numbers.size(); ++i) {
      table.numbers[i % table.rows * table.columns + i / table.rows] = numbers[i];
    }
  }
  return table;
}

std::vector<std::uint64_t> read_npy_column(std::filesystem::path const& file)
{
  std::string const content = read_text_file(file);
  auto const [header, data] = parts_of(file, content);
  NumberType const& type = type_in(file, header, types);
  auto const [rows, columns] = sides_of(file, header, data.size() / type.bytes, "a key for each row");
  if (columns != 1) { fail(file, fmt::format("it has {} columns; save the one with the keys", columns)); }
  std::vector<std::int64_t> numbers(rows);
  type.read(data, numbers);
  bool const is_signed = type.name != types.back().name;
  auto const negative = std::ranges::find_if(numbers, [](std::int64_t number) { return number < 0; });
  if (is_signed && negative != numbers.end()) {
    fail(file, fmt::format("number {} is {}; keys are not negative", negative - numbers.begin() + 1, *negative));
  }
  return {numbers.begin(), numbers.end()};
}

std::string npy_of(std::span<std::int32_t const> numbers, std::vector<std::uint64_t> const& shape)
{
  return content_of(numbers, shape, "<i4");
}

std::string npy_of(std::span<std::int64_t const> numbers, std::vector<std::uint64_t> const& shape)
{
  return content_of(numbers, shape, "<i8");
}

std::string npy_of(std::span<double const> numbers, std::vector<std::uint64_t> const& shape)
{
  return content_of(numbers, shape, "<f8");
}

void write_npz(std::filesystem::path const& file, std::vector<std::pair<std::string, std::string>> const& arrays)
{
  check_writable(file);
  struct Discard {
    void operator()(zip_t* archive) const { zip_discard(archive); }
  };
  auto const cannot = [&](char const* why) { return Error(fmt::format("Cannot write {}: {}", file.string(), why)); };
  int code = 0;
  std::unique_ptr<zip_t, Discard> archive(zip_open(file.c_str(), ZIP_CREATE | ZIP_TRUNCATE, &code));
  if (!archive) {
    zip_error_t error;
    zip_error_init_with_code(&error, code);
    Error const failure = cannot(zip_error_strerror(&error));
    zip_error_fini(&error);
    throw failure;
  }
  for (auto const& [name, content] : arrays) {
    zip_source_t* const source = zip_source_buffer(archive.get(), content.data(), content.size(), 0);
    if (source == nullptr) { throw cannot(zip_strerror(archive.get())); }
    zip_int64_t const index = zip_file_add(archive.get(), (name + ".npy").c_str(), source, ZIP_FL_ENC_UTF_8);
    if (index < 0) {
      zip_source_free(source);
      throw cannot(zip_strerror(archive.get()));
    }
    zip_set_file_compression(archive.get(), static_cast<zip_uint64_t>(index), ZIP_CM_STORE, 0);
  }
  if (zip_close(archive.get()) != 0) { throw cannot(zip_strerror(archive.get())); }
  static_cast<void>(archive.release());  // closed
}

}  // namespace slotscape
