#pragma once

#include "app/base/setting.hpp"
#include "app/keys/file_keys.hpp"
#include "app/simulation/action.hpp"

#include <filesystem>
#include <optional>
#include <string_view>
#include <vector>

namespace slotscape {

/// Reads a key stream: the name of a distribution, or an object with any of `distribution`, `stride`, `zipf_exponent`,
/// `cluster_length`, `file`, `column`, `empty`, `as_text` and `repeat`. Missing fields are taken from `base`. Each key
/// file is read once per document; if missing files may be skipped (`JsonSource::losses`), the stream gets the default
/// distribution instead.
KeySettings read_key_settings(JsonNode const& node, KeySettings const& base);

/// All fields, for `read_key_settings` with any base. Paths in or under `folder` are written relative to it.
Json key_settings_json(KeySettings const& keys, std::filesystem::path const& folder);
/// Only the fields that differ from `base`: often just the name of the distribution.
Json key_settings_json(KeySettings const& keys, KeySettings const& base, std::filesystem::path const& folder);

template <>
std::span<Setting<KeySettings> const> settings_of();

/// A step on several keys: { "op": "insert", "keys": [17, 42, [33, 5]] }, where 33 gets the value 5, or { "op":
/// "insert", "pairs": "table.pairs" }. Nullopt for other kinds of steps. Throws Error if a key is invalid or does not
/// fit `key_bits`.
std::optional<OnKeys> read_on_keys(JsonNode const& step, Operation operation, int key_bits);
Json on_keys_json(OnKeys const& on_keys, std::filesystem::path const& folder);

/// Reads pairs from a file: little-endian 64-bit words, alternating keys and values. Throws Error that names the file.
SharedPairs read_pairs_file(std::filesystem::path const& file);
/// Writes the pairs of steps with too many for a scenario to files beside it, and stores the file names in the steps.
/// Returns these files.
Paths write_pairs_beside(std::vector<Action>& steps, std::filesystem::path const& scenario);

/// The key that a number stands for; negative numbers through `key_of_signed`. Throws Error if the node is not a valid
/// key, or if it is negative and keys have 32 bits.
Key read_key(JsonNode const& node, int key_bits);

/// A step on one key: { "op": "insert", "key": 77, "value": 5 }. Throws Error if a number is invalid or does not fit
/// `key_bits`. `others`: further fields that are allowed.
OnKey read_on_key(JsonNode const& step, Operation operation, int key_bits,
                  std::vector<std::string_view> others = {"op"});
Json on_key_json(OnKey const& on_key);

}  // namespace slotscape
