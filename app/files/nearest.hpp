#pragma once

#include <span>
#include <string>
#include <string_view>

namespace slotscape {

/// The candidate with the fewest edits from `word` (Levenshtein 1966, letter case ignored), or nothing where all of
/// them are far from it.
std::string_view nearest(std::string_view word, std::span<std::string_view const> candidates);

/// "did you mean 'murmur3'? It can be: murmur3, xxhash, ..." for the end of an error message.
std::string suggest(std::string_view word, std::span<std::string_view const> candidates);

}  // namespace slotscape
