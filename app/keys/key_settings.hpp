#pragma once

#include "app/base/setting.hpp"
#include "app/keys/key_notes.hpp"
#include "app/scene/file_question.hpp"
#include "gpu/workloads/settings.hpp"

#include <filesystem>
#include <memory>
#include <vector>

namespace slotscape {

/// What is to be said of the stream.
Findings key_findings(KeySettings const& keys);

/// Keys from a file: text with one key per line; little-endian words, of 32 bits if the name ends in .bin or .u32, of
/// 64 bits if in .u64; a NumPy array (.npy); or a column of separated values (.csv, .tsv), which needs its name if
/// there are several. Whole numbers are keys, negative ones through `key_of_signed`; texts are hashed. Throws Error
/// that names the file and the line of what is invalid.
std::shared_ptr<std::vector<Key> const> read_key_file(std::filesystem::path const& file,
                                                      KeyReading const& reading = {});
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
/// Why keys of two files are equal by chance only, or though their numbers differ, and what to do: texts and numbers,
/// texts and several columns, negative numbers and those above the signed ones, whole numbers and the bits of others,
/// and times in two units. Else empty.
std::string why_not_comparable(KeySettings const& left, KeySettings const& right);
/// Throws Error that says so.
void check_comparable(KeySettings const& left, KeySettings const& right);

/// Reads a key stream: the name of a distribution, or an object with any of `distribution`, `stride`, `zipf_exponent`,
/// `cluster_length`, `file`, `column`, `empty`, `as_text` and `repeat`. Missing fields are as in `base`. Each key file
/// is read once per document; if a missing file may be skipped (`JsonSource::losses`), the stream gets the default
/// distribution instead.
KeySettings read_key_settings(JsonNode const& node, KeySettings const& base);

/// All fields, for `read_key_settings` with any base. Paths in or under `folder` are written relative to it.
Json key_settings_json(KeySettings const& keys, std::filesystem::path const& folder);
/// Only the fields that differ from `base`: often just the name of the distribution.
Json key_settings_json(KeySettings const& keys, KeySettings const& base, std::filesystem::path const& folder);

template <>
std::span<Setting<KeySettings> const> settings_of();

}  // namespace slotscape
