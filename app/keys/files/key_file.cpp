#include "app/keys/files/key_file.hpp"

#include "app/base/encoding.hpp"
#include "app/base/files.hpp"
#include "app/base/text.hpp"
#include "app/clouds/load_cloud.hpp"
#include "app/keys/files/cells.hpp"
#include "app/keys/files/columns.hpp"
#include "gpu/base/error.hpp"
#include "gpu/base/translation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <fstream>

namespace slotscape::key_files {

namespace fs = std::filesystem;

namespace {

/// --- text with one key per line.

/// Removes a comment, which begins with '#' at the start of the line, or after a blank or a number. If whole lines are
/// texts, comments begin only at the start.
std::string_view without_comment(std::string_view line, bool as_text)
{
  if (as_text) { return trimmed(line).starts_with('#') ? std::string_view() : line; }
  for (std::size_t at = line.find('#'); at != std::string_view::npos; at = line.find('#', at + 1)) {
    bool const begins =
        at == 0 || line[at - 1] == ' ' || line[at - 1] == '\t' || is_number(trimmed(line.substr(0, at)));
    if (begins) { return line.substr(0, at); }
  }
  return line;
}

bool has_several_numbers(std::string_view word)
{
  constexpr std::string_view separators = " \t,;|";
  if (word.find_first_of(separators) == std::string_view::npos) { return false; }
  while (!word.empty()) {
    std::size_t const end = std::min(word.find_first_of(separators), word.size());
    if (end != 0 && !is_number(word.substr(0, end))) { return false; }
    word.remove_prefix(std::min(end + 1, word.size()));
  }
  return true;
}

/// Rejects a line of prose or of a table, unless the user has declared it a key.
void check_is_one(std::string_view word, std::uint64_t line, std::string const& name)
{
  if (has_several_numbers(word)) {
    throw Error(
        tr("{}: line {}: {} is several whole numbers: a key file has one key per line. If these are columns, name the "
           "one that holds the keys",
           name, line, in_quotes(word)));
  }
  if (word.find_first_of(" \t") != std::string_view::npos) {
    throw Error(
        tr("{}: line {}: {} has several words: a key file has one key per line. If the whole line is a key, read lines "
           "as texts: --as-text, or \"as_text\": true in a scenario",
           name, line, in_quotes(word)));
  }
}

/// Calls take(key, comment, line) for each line with a key.
template <class Take>
void each_line(std::string_view text, bool as_text, Take const& take)
{
  std::uint64_t number = 0;
  for (std::string_view rest = text; !rest.empty();) {
    std::size_t const newline = std::min(rest.find('\n'), rest.size());
    std::string_view const line = rest.substr(0, newline);
    std::string_view const key = without_comment(line, as_text);
    rest.remove_prefix(std::min(newline + 1, rest.size()));
    ++number;
    if (!trimmed(key).empty()) { take(key, line.substr(key.size()), number); }
  }
}

MadeKeys keys_of_lines(std::string_view text, std::string const& name, KeyReading const& reading)
{
  auto const each = [&](auto const& take) {
    each_line(text, reading.as_text, [&](std::string_view key, std::string_view, std::uint64_t line) {
      std::string_view const word = trimmed(key);
      if (!reading.as_text) { check_is_one(word, line, name); }
      take(word, line);
    });
  };
  Origin const origin{name};
  MadeKeys made = keys_of_cells(each, origin, reading);
  if (made.notes.hashed_from == HashedFrom::nothing) { return made; }
  Occurrences comments;
  Occurrences blanks;
  each_line(text, reading.as_text, [&](std::string_view key, std::string_view comment, std::uint64_t line) {
    if (!comment.empty()) { comments.add(line, trimmed(comment)); }
    if (reading.as_text && has_blanks_around(key)) { blanks.add(line, key); }
  });
  note_blanks(blanks, origin, made);
  if (comments.count == 0) { return made; }
  made.notes.findings.push_back(
      tr_plural("{}: {} line has a comment after its key (the first is {} in {}), which is not part of the key. If "
                "whole lines are keys, read them as texts: --as-text, or \"as_text\": true in a scenario.",
                "{}: {} lines have a comment after their key (the first is {} in {}), which is not part of the key. If "
                "whole lines are keys, read them as texts: --as-text, or \"as_text\": true in a scenario.",
                comments.count, origin.short_name(), grouped(comments.count), in_quotes(comments.text),
                origin.row(comments.first)));
  return made;
}

/// --- words.

template <class Word>
MadeKeys keys_of_words(std::string_view bytes, std::string const& name, KeyReading const& reading)
{
  static_assert(std::endian::native == std::endian::little, "the words of a key file are little-endian");
  if (bytes.size() % sizeof(Word) != 0) {
    throw Error(tr("{}: {} bytes is not a multiple of {}; a key file of this type contains little-endian {}-bit words",
                   name, bytes.size(), sizeof(Word), 8 * sizeof(Word)));
  }
  refuse_column(name, reading.column);
  Origin const origin{name, {}, Origin::Unit::word};
  auto const each = [&](auto const& take) {
    for (std::uint64_t i = 0; i < bytes.size() / sizeof(Word); ++i) {
      Word word = 0;
      std::memcpy(&word, bytes.data() + i * sizeof(Word), sizeof(Word));
      take(word, i + 1);
    }
  };
  if (reading.as_text) {
    HashedKeys keys(origin);
    each([&](Word word, std::uint64_t place) {
      keys.add_part(std::to_string(word));
      keys.end_key(place);
    });
    return keys.take(HashedFrom::texts, tr("the keys are read as texts"));
  }
  NumberKeys keys(origin);
  keys.reserve(bytes.size() / sizeof(Word));
  each([&](Word word, std::uint64_t place) { keys.add(word, place); });
  return keys.take();
}

/// Reads words whose width the file's name does not specify.
MadeKeys keys_of_bin(std::string_view bytes, std::string const& short_name, std::string const& name,
                     KeyReading const& reading)
{
  MadeKeys made = keys_of_words<std::uint32_t>(bytes, name, reading);
  bool const may_be_wider = !bytes.empty() && bytes.size() % sizeof(std::uint64_t) == 0;
  if (may_be_wider) {
    made.notes.findings.push_back(
        tr("{}: it was read as {} 32-bit keys. If the keys have 64 bits, such as NumPy's int64, rename the file to "
           ".u64; files named .u32 are read without this note.",
           short_name, grouped(bytes.size() / sizeof(std::uint32_t))));
  }
  return made;
}

/// What to do with a binary file of a known foreign format, such as Parquet or gzip; empty if it is not one.
std::string advice_on_format(std::string_view bytes)
{
  using namespace std::string_view_literals;
  struct Format {
    std::string_view start;
    char const* advice;
  };
  constexpr char const* packed = translatable("it is compressed; unpack it, and open the unpacked file");
  constexpr char const* table = translatable("save the column with the keys as CSV or, from NumPy, as .npy");
  constexpr std::array formats{
      Format{"\x1f\x8b"sv, packed},
      Format{"BZh"sv, packed},
      Format{"\xfd"
             "7zXZ"sv,
             packed},
      Format{"\x28\xb5\x2f\xfd"sv, packed},
      Format{"7z\xbc\xaf"sv, packed},
      Format{"PK\x03\x04"sv,
             translatable("it is an archive, as .zip, .npz and .xlsx are; save one array as .npy, or one "
                          "sheet as CSV")},
      Format{"PAR1"sv, table},
      Format{"ARROW1"sv, table},
      Format{"FEA1"sv, table},
      Format{"ORC"sv, table},
      Format{"\x89HDF"sv, table},
      Format{"SQLite format 3"sv, table},
      Format{"\xd0\xcf\x11\xe0"sv, table},
  };
  auto const found =
      std::ranges::find_if(formats, [&](Format const& format) { return bytes.starts_with(format.start); });
  return found == formats.end() ? std::string() : std::string(tr(found->advice));
}

std::string text_in(fs::path const& file)
{
  std::string const bytes = read_input_file(file);
  std::string text = decoded(bytes);
  bool const is_binary = std::ranges::any_of(text, [](char letter) { return letter >= 0 && letter < 8; });
  if (!is_binary) { return text; }
  if (std::string const advice = advice_on_format(bytes); !advice.empty()) {
    throw Error(tr("{}: it is not a key file: {}", path_text(file), advice));
  }
  throw Error(
      tr("{}: this looks like a binary file; rename it to .bin or .u32 if it contains little-endian 32-bit "
         "words, to .u64 for 64-bit words, or use a text file with one key per line",
         path_text(file)));
}

/// The first lines of a file.
std::string head_of(fs::path const& file)
{
  std::string head(std::size_t{1} << 16, ' ');
  note_input(file);
  std::ifstream stream(file, std::ios::binary);
  stream.read(head.data(), static_cast<std::streamsize>(head.size()));
  head.resize(static_cast<std::size_t>(stream.gcount()));
  return decoded(std::move(head));
}

}  // namespace

bool has_columns(fs::path const& file, std::string const& column)
{
  constexpr std::array<std::string_view, 4> tables{".csv", ".tsv", ".tab", ".psv"};
  constexpr std::array<std::string_view, 4> others{".npy", ".bin", ".u32", ".u64"};
  std::string const extension = extension_of(file);
  bool const is_text = std::ranges::find(others, extension) == others.end();
  return std::ranges::find(tables, extension) != tables.end() || (is_text && !column.empty());
}

MadeKeys read(fs::path const& file, KeyReading const& reading)
{
  std::string const name = path_text(file);
  std::string const extension = extension_of(file);
  if (extension == ".npy") { return keys_of_array(file, reading); }
  if (extension == ".bin") { return keys_of_bin(read_input_file(file), path_text(file.filename()), name, reading); }
  if (extension == ".u32") { return keys_of_words<std::uint32_t>(read_input_file(file), name, reading); }
  if (extension == ".u64") { return keys_of_words<std::uint64_t>(read_input_file(file), name, reading); }
  std::string const text = text_in(file);
  return has_columns(file, reading.column) ? keys_of_table(text, name, reading) : keys_of_lines(text, name, reading);
}

}  // namespace slotscape::key_files

namespace slotscape {
namespace {

/// Whether a title names a key: "id", "Key", "customer_id", "user id".
bool is_called_key(std::string const& title)
{
  std::string const name = lower_case(title);
  return std::ranges::any_of(std::array<std::string_view, 4>{"id", "key", "uuid", "guid"}, [&](std::string_view word) {
    if (!name.ends_with(word)) { return false; }
    std::size_t const before = name.size() - word.size();
    return before == 0 || std::string_view("_- .").find(name[before - 1]) != std::string_view::npos;
  });
}

/// The title that names a key; otherwise the one at this index, or the first if the index is out of range.
std::string likely(std::vector<std::string> const& titles, std::size_t otherwise)
{
  if (titles.empty()) { return ""; }
  auto const named = std::ranges::find_if(titles, is_called_key);
  return named != titles.end() ? *named : titles[otherwise < titles.size() ? otherwise : 0];
}

/// The table's column names to choose from; empty if it has a single unnamed column.
std::vector<std::string> to_choose_from(key_files::Columns const& table)
{
  bool const is_alone = table.titles().size() == 1 && !table.has_titles();
  return is_alone ? std::vector<std::string>() : table.titles();
}

}  // namespace

std::vector<std::string> key_columns(std::filesystem::path const& file)
{
  if (extension_of(file) == ".npy") { return key_files::columns_of_array(file); }
  if (!key_files::has_columns(file, "")) { return {}; }
  std::string const text = key_files::text_in(file);
  return to_choose_from(key_files::Columns(text, path_text(file), ""));
}

std::string likely_key_column(std::filesystem::path const& file)
{
  if (extension_of(file) == ".npy") { return likely(key_files::columns_of_array(file), 0); }
  if (!key_files::has_columns(file, "")) { return ""; }
  std::string const text = key_files::text_in(file);
  key_files::Columns const table(text, path_text(file), "");
  std::size_t first_whole = 0;
  bool first = true;
  table.each(0, [&](std::vector<std::string> const& fields, std::uint64_t) {
    if (!std::exchange(first, false)) { return; }
    auto const number = std::ranges::find_if(fields, [](std::string const& field) {
      key_files::CellKind const kind = key_files::read_cell(field).kind;
      return kind == key_files::CellKind::whole || kind == key_files::CellKind::negative;
    });
    first_whole = static_cast<std::size_t>(number - fields.begin());
  });
  return likely(to_choose_from(table), first_whole);
}

FileKind key_file_kind()
{
  return {translatable("key file"), {".txt", ".csv", ".tsv", ".npy", ".bin", ".u32", ".u64"}};
}

bool has_keys(std::filesystem::path const& file)
{
  try {
    if (extension_of(file) == ".npy") { return !clouds::is_array_of_coordinates(file); }
    if (!key_files::has_columns(file, "")) { return true; }
    std::string const head = key_files::head_of(file);
    key_files::Columns const table(head, path_text(file), "");
    std::vector<std::string> const& titles = table.titles();
    if (!table.has_titles()) { return titles.size() < 3; }
    auto const has = [&](std::string_view axis) {
      return std::ranges::any_of(titles, [&](std::string const& title) { return lower_case(title) == axis; });
    };
    return !(has("x") && has("y") && has("z"));
  } catch (Error const&) {
    return true;  // opening the file reports the error
  }
}

}  // namespace slotscape
