#include "app/keys/file_keys.hpp"

#include "app/base/encoding.hpp"
#include "app/base/files.hpp"
#include "app/base/temporary_file.hpp"
#include "app/keys/files/columns.hpp"
#include "app/keys/files/key_file.hpp"
#include "app/simulation/small_keys.hpp"
#include "gpu/base/error.hpp"
#include "gpu/base/pair_format.hpp"
#include "gpu/base/translation.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

namespace slotscape {

namespace fs = std::filesystem;

namespace {

/// Owns the keys of a file and frees them. It holds their notes, so that these stay with the keys.
struct KeyFileOwner {
  KeyFileNotes notes;
  void operator()(std::vector<Key> const* keys) const { std::default_delete<std::vector<Key> const>()(keys); }
};

int key_bits_of(std::vector<Key> const& keys)
{
  return std::ranges::any_of(keys, [](Key key) { return is_reserved(key, 32); }) ? 64 : 32;
}

SharedKeys read_keys(fs::path const& file, KeyReading const& reading, Findings const& more)
{
  key_files::MadeKeys made = key_files::read(file, reading);
  if (made.keys.empty()) {
    std::string const why = made.notes.findings.empty() ? "" : fmt::format(" {}", fmt::join(made.notes.findings, " "));
    throw Error(tr("{}: the file is empty or has no keys; write one key per line.{}", path_text(file), why));
  }
  made.notes.reading = reading;
  made.notes.key_bits = key_bits_of(made.keys);
  add_findings(made.notes.findings, more);
  return with_notes(std::move(made.keys), std::move(made.notes));
}

/// A file name that does not depend on the working folder.
std::string name_of(fs::path const& file)
{
  return path_text(fs::absolute(file).lexically_normal());
}

KeySettings with_keys(KeySettings keys, SharedKeys file_keys, fs::path const& file, std::string const& column)
{
  keys = without_small_keys(std::move(keys));
  keys.file_keys = std::move(file_keys);
  keys.file_name = name_of(file);
  keys.file_column = column;
  keys.distribution = KeyDistribution::file;
  return keys;
}

}  // namespace

SharedKeys with_notes(std::vector<Key> keys, KeyFileNotes notes)
{
  return {new std::vector<Key>(std::move(keys)), KeyFileOwner{std::move(notes)}};
}

KeyFileNotes* editable_notes_of(KeySettings const& keys)
{
  auto* const owner = std::get_deleter<KeyFileOwner>(keys.file_keys);
  return owner == nullptr ? nullptr : &owner->notes;
}

KeyFileNotes const& notes_of(KeySettings const& keys)
{
  static KeyFileNotes const none;
  KeyFileNotes const* const notes = editable_notes_of(keys);
  return notes == nullptr ? none : *notes;
}

SharedKeys read_key_file(fs::path const& file, KeyReading const& reading)
{
  return read_keys(file, reading, {});
}

KeySettings with_opened_key_file(KeySettings keys, fs::path const& file)
{
  bool const is_known = keys.distribution == KeyDistribution::file || keys.file_keys;  // or a pattern was chosen since
  bool const as_before =
      is_known && !keys.file_column.empty() && key_files::has_columns(keys.file_column, key_columns(file));
  if (as_before && keys.file_name == name_of(file)) {
    KeyReading const reading = notes_of(keys).reading;
    return with_key_file(std::move(keys), file, reading);
  }
  std::string const column = as_before ? keys.file_column : likely_key_column(file);
  Findings findings;
  if (!column.empty() && key_columns(file).size() > 1) {
    findings.push_back(
        tr("{}: it has several columns, and the keys are taken from '{}'. Choose another one "
           "beside 'Column'.",
           path_text(file.filename()), column));
  }
  return with_keys(std::move(keys), read_keys(file, {column}, findings), file, column);
}

KeySettings with_key_file(KeySettings keys, fs::path const& file, KeyReading const& reading)
{
  return with_keys(std::move(keys), read_key_file(file, reading), file, reading.column);
}

KeySettings with_temporary_key_file(fs::path const& file, bool with_sign, Findings const& more)
{
  auto temporary = std::make_shared<TemporaryFile>(file);
  KeySettings keys = with_key_file({}, file);
  KeyFileNotes& notes = *editable_notes_of(keys);
  notes.file = std::move(temporary);
  notes.with_sign = with_sign;
  if (with_sign) { notes.findings.clear(); }  // drops findings about numbers beyond 32 bits, which these are not
  add_findings(notes.findings, more);
  return keys;
}

int key_bits_for(KeySettings const& keys)
{
  bool const is_file = keys.distribution == KeyDistribution::file && keys.file_keys;
  if (!is_file) { return 32; }
  KeyFileNotes const* const notes = editable_notes_of(keys);
  return notes == nullptr ? key_bits_of(*keys.file_keys) : notes->key_bits;
}

Findings key_findings(KeySettings const& keys)
{
  return keys.distribution == KeyDistribution::file ? notes_of(keys).findings : Findings();
}

std::string name_of_keys(KeySettings const& keys)
{
  std::string const file = path_text(path_of_text(keys.file_name).filename());
  return keys.file_column.empty() ? file : tr("column '{}' of {}", keys.file_column, file);
}

void check_keys_fit(KeySettings const& keys, int key_bits)
{
  if (keys.distribution != KeyDistribution::file || !keys.file_keys) { return; }
  auto const refused = std::ranges::find_if(*keys.file_keys, [&](Key key) { return is_reserved(key, key_bits); });
  if (refused == keys.file_keys->end()) { return; }
  KeyStyle const style = notes_of(keys).with_sign ? KeyStyle::with_sign : KeyStyle::numbers;
  throw Error(
      tr("{}: key {} is {}, and tables with {}-bit keys take keys up to {} (cells that were left out do not "
         "count). Use 64-bit keys: --key-bits 64, \"key_bits\": 64, or 64 beside 'Key bits'",
         keys.file_name, refused - keys.file_keys->begin() + 1, key_text(*refused, style), key_bits,
         largest_key(key_bits)));
}

}  // namespace slotscape
