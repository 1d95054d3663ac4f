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
  std::string column = {};     ///< of several: its name, or some with " + " between them, which are hashed together
  bool refuses_empty = false;  ///< empty cells are an error; else they are left out
  bool as_text = false;        ///< all keys are hashed as texts, also where they are numbers
  friend bool operator==(KeyReading const&, KeyReading const&) = default;
};

/// A text that became a key.
struct SampledText {
  Key look = 0;  ///< the key of its `look_of`
  Key key = 0;
  std::uint64_t place = 0;  ///< in the file, from 1, of its first occurrence
  std::string text = {};    ///< of several columns, with a comma between them; long ones are cut
};
/// Different texts of a file, to find those that look alike. Of many, those with the lowest looks: the same ones of
/// each file.
struct TextSample {
  std::vector<SampledText> texts = {};  ///< by their looks
  Key end = ~Key{0};                    ///< all texts whose looks are below are among them
  bool is_whole() const { return end == ~Key{0}; }
};

/// What is known of the keys of a file, besides themselves.
struct KeyFileNotes {
  KeyReading reading = {};
  bool with_sign = false;  ///< they are numbers with a sign: `key_of_signed`
  HashedFrom hashed_from = HashedFrom::nothing;
  bool are_floats = false;                ///< the bits of floating-point numbers
  std::string units = {};                 ///< of dates and times; of several columns, with a comma between them
  int key_bits = 32;                      ///< that a table needs for them
  Findings findings = {};                 ///< left out, mapped, hashed
  TextSample texts = {};                  ///< of hashed keys
  std::uint64_t left_out = 0;             ///< rows of the file without a key, or with one that tables reserve
  std::vector<std::string> columns = {};  ///< the names of the file's columns; none if it has one only
  std::shared_ptr<void> file = {};        ///< removes a temporary file with the last of its keys
};
using SharedKeys = std::shared_ptr<std::vector<Key> const>;
/// The keys of a file with what is known of them, which goes wherever they go.
SharedKeys with_notes(std::vector<Key> keys, KeyFileNotes notes);
/// Empty ones for keys of no file.
KeyFileNotes const& notes_of(KeySettings const& keys);
/// Null for keys of no file.
KeyFileNotes* editable_notes_of(KeySettings const& keys);

/// Keys from a file: text with one key per line; little-endian words, of 32 bits if the name ends in .bin or .u32, of
/// 64 bits if in .u64; a NumPy array (.npy); or a column of separated values (.csv, .tsv), which needs its name if
/// there are several. Whole numbers are keys, negative ones through `key_of_signed`; texts are hashed. Throws Error
/// that names the file and the line of what is invalid.
SharedKeys read_key_file(std::filesystem::path const& file, KeyReading const& reading = {});
/// The settings with a file's keys as their stream. Throws Error as above.
KeySettings with_key_file(KeySettings keys, std::filesystem::path const& file, KeyReading const& reading = {});
/// The same with a file of ours, which is removed when nobody has its keys any more. `with_sign` as in `KeyFileNotes`;
/// `more`: what else is to be said of the keys.
KeySettings with_temporary_key_file(std::filesystem::path const& file, bool with_sign, Findings const& more);
/// The same with a file that was chosen without a word about its columns: takes those of the present keys, if it has
/// them, else `likely_key_column`; if there are several, a finding says so. The present file itself is read as before.
KeySettings with_opened_key_file(KeySettings keys, std::filesystem::path const& file);
/// The names of a file's columns, to choose from; none if it has one only. Throws Error if it cannot be read.
std::vector<std::string> key_columns(std::filesystem::path const& file);
/// The first of them that is called a key or an id, else the first that begins with a whole number; empty if there are
/// none.
std::string likely_key_column(std::filesystem::path const& file);
/// What a file of keys may be.
FileKind key_file_kind();
/// Whether a file of this kind has keys. If not, it has coordinates: an array of them, columns named x, y and z, or
/// three or more columns without a name.
bool has_keys(std::filesystem::path const& file);

/// The width of keys that a table needs for these: 64 if a file has keys that 32-bit tables refuse.
int key_bits_for(KeySettings const& keys);
/// Throws Error that names the first key of the file that a table with keys of this width refuses, and what to do.
void check_keys_fit(KeySettings const& keys, int key_bits);

/// What messages call the keys of a file: "users.csv", "column 'user' of users.csv".
std::string name_of_keys(KeySettings const& keys);
/// What is to be said of the stream.
Findings key_findings(KeySettings const& keys);

}  // namespace slotscape
