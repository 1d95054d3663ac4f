#pragma once

#include "app/base/findings.hpp"
#include "app/keys/key_text.hpp"
#include "app/scene/file_question.hpp"
#include "gpu/workloads/settings.hpp"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace slotscape {

/// How the keys of a file are read.
struct KeyReading {
  std::string column = {};  ///< column name if there are several, or names joined by " + ", which are hashed together
  bool refuses_empty = false;  ///< empty cells are an error; otherwise they are left out
  bool as_text = false;        ///< all keys are hashed as texts, even numbers
  friend bool operator==(KeyReading const&, KeyReading const&) = default;
};

/// A text that became a key.
struct SampledText {
  Key look = 0;  ///< key of the text's look, as computed by `look_of`
  Key key = 0;
  std::uint64_t place = 0;  ///< position of its first occurrence in the file, from 1
  std::string text = {};    ///< several columns are joined by commas; long texts are truncated
};
/// A sample of a file's distinct texts, for finding those that look alike. If there are many, the sample keeps those
/// with the lowest looks, so that all files sample the same ones.
struct TextSample {
  std::vector<SampledText> texts = {};  ///< sorted by look
  Key end = ~Key{0};                    ///< all texts whose looks are below this key are in the sample
  bool is_whole() const { return end == ~Key{0}; }
};

/// Metadata of the keys of a file.
struct KeyFileNotes {
  KeyReading reading = {};
  bool with_sign = false;  ///< signed numbers: `key_of_signed`
  HashedFrom hashed_from = HashedFrom::nothing;
  bool are_floats = false;                ///< the keys are the bits of floating-point numbers
  std::string units = {};                 ///< units of dates and times; several columns are joined by commas
  int key_bits = 32;                      ///< key width that a table needs
  Findings findings = {};                 ///< keys left out, mapped or hashed
  TextSample texts = {};                  ///< of hashed keys
  std::uint64_t left_out = 0;             ///< rows without a key, or with a reserved key
  std::vector<std::string> columns = {};  ///< column names of the file; empty if it has only one column
  std::shared_ptr<void> file = {};        ///< removes a temporary file together with the last reference to its keys
};
using SharedKeys = std::shared_ptr<std::vector<Key> const>;
/// The keys of a file together with their notes.
SharedKeys with_notes(std::vector<Key> keys, KeyFileNotes notes);
/// The notes of a file's keys; empty notes for other keys.
KeyFileNotes const& notes_of(KeySettings const& keys);
/// The notes of a file's keys, to be changed; null for keys that are not from a file.
KeyFileNotes* editable_notes_of(KeySettings const& keys);

/// Keys from a file: text with one key per line; little-endian words, of 32 bits if the name ends in .bin or .u32, of
/// 64 bits if in .u64; a NumPy array (.npy); or a column of separated values (.csv, .tsv), which must be named if there
/// are several. Whole numbers are keys, negative ones through `key_of_signed`; texts are hashed. Throws Error that
/// names the file and the invalid line.
SharedKeys read_key_file(std::filesystem::path const& file, KeyReading const& reading = {});
/// The settings with a file's keys as their stream. Throws Error as `read_key_file` does.
KeySettings with_key_file(KeySettings keys, std::filesystem::path const& file, KeyReading const& reading = {});
/// Settings with the keys of a temporary file, which is removed when its keys are no longer referenced. `with_sign` as
/// in `KeyFileNotes`; `more`: further findings about the keys.
KeySettings with_temporary_key_file(std::filesystem::path const& file, bool with_sign, Findings const& more);
/// Settings with the keys of a file that was opened without naming columns: uses the columns of the current keys if the
/// file has them, otherwise `likely_key_column`; if there are several columns, adds a finding. The current file itself
/// is read as before.
KeySettings with_opened_key_file(KeySettings keys, std::filesystem::path const& file);
/// The names of a file's columns, to choose from; empty if it has only one. Throws Error if it cannot be read.
std::vector<std::string> key_columns(std::filesystem::path const& file);
/// The first column that is called a key or an id, otherwise the first that begins with a whole number; empty if there
/// are none.
std::string likely_key_column(std::filesystem::path const& file);
/// The file formats of key files.
FileKind key_file_kind();
/// Whether a file of this kind has keys. Otherwise it has coordinates: an array of them, columns named x, y and z, or
/// three or more unnamed columns.
bool has_keys(std::filesystem::path const& file);

/// The key width that a table needs for these keys: 64 if a file has keys that 32-bit tables reject.
int key_bits_for(KeySettings const& keys);
/// Throws Error that names the first key of the file that a table with keys of this width rejects, and what to do.
void check_keys_fit(KeySettings const& keys, int key_bits);

/// The name of a file's keys in messages: "users.csv", "column 'user' of users.csv".
std::string name_of_keys(KeySettings const& keys);
/// Findings about the stream.
Findings key_findings(KeySettings const& keys);

}  // namespace slotscape
