#pragma once

#include "gpu/workloads/settings.hpp"

#include <filesystem>
#include <memory>
#include <vector>

namespace slotscape {

/// Keys from a file: text with one key (decimal or 0x hexadecimal) per line, or little-endian words, of 32 bits where
/// the name ends in .bin or .u32, of 64 where in .u64. Throws Error that names the file and the line of what is wrong:
/// a word, a number too large, an empty file, a binary length that is no multiple of 4.
std::shared_ptr<std::vector<Key> const> read_key_file(std::filesystem::path const& file);

/// The settings with the keys of a file as their stream. Throws Error as above.
KeySettings with_key_file(KeySettings keys, std::filesystem::path const& file);

}  // namespace slotscape
