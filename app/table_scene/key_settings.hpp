#pragma once

#include "app/base/fields.hpp"
#include "gpu/workloads/settings.hpp"

#include <filesystem>
#include <memory>
#include <vector>

namespace slotscape {

/// Keys from a file: text with one key (decimal or 0x hexadecimal) per line; little-endian words, of 32 bits if the
/// name ends in .bin or .u32, of 64 bits if in .u64; a NumPy array (.npy); or a column of separated values (.csv,
/// .tsv), which needs its name if there are several. Throws Error that names the file and the line of what is invalid:
/// a word, a number out of range, an empty file, a binary size that is not a multiple of the word size, an unknown
/// column.
std::shared_ptr<std::vector<Key> const> read_key_file(std::filesystem::path const& file,
                                                      std::string const& column = "");
/// The settings with a file's keys as their stream. Throws Error as above.
KeySettings with_key_file(KeySettings keys, std::filesystem::path const& file, std::string const& column = "");
/// The names of a file's columns, to choose from; none if it has no named ones. Throws Error if it cannot be read.
std::vector<std::string> key_columns(std::filesystem::path const& file);

/// Throws Error that names the first key of the file that a table with keys of this width refuses, and what to do.
void check_keys_fit(KeySettings const& keys, int key_bits);

/// Reads a key stream: the name of a distribution, or an object with any of `distribution`, `stride`, `zipf_exponent`,
/// `cluster_length`, `file`, `column` and `repeat`. Missing fields are as in `base`. Each key file is read once per
/// document; if a missing file may be skipped (`JsonSource::losses`), the stream gets the default distribution instead.
KeySettings read_key_settings(JsonNode const& node, KeySettings const& base);

/// All fields, for `read_key_settings` with any base. Paths in or under `folder` are written relative to it.
Json key_settings_json(KeySettings const& keys, std::filesystem::path const& folder);
/// Only the fields that differ from `base`: often just the name of the distribution.
Json key_settings_json(KeySettings const& keys, KeySettings const& base, std::filesystem::path const& folder);

/// Whether both yield the same keys for the same seed.
bool same_stream(KeySettings const& left, KeySettings const& right);

}  // namespace slotscape
