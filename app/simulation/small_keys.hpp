#pragma once

#include "gpu/workloads/settings.hpp"

#include <string_view>

namespace slotscape {

/// A stream whose keys people can read: the numbers from 1 to 99 in a random order of the seed, over and over. To the
/// engine they are keys from a file.
inline constexpr Key max_small_key = 99;
/// How the stream is called in files, where a distribution is named.
inline constexpr std::string_view small_keys_name = "small";

/// The settings with this stream.
KeySettings small_keys(KeySettings keys);
bool are_small(KeySettings const& keys);
/// The settings with uniform keys instead of small ones; other streams stay.
KeySettings without_small_keys(KeySettings keys);

/// Whether there are enough of them to fill such a table.
bool holds_small_keys(TableSettings const& table);

/// What the engine gets: small keys in the order of the seed, other streams as they are.
KeySettings in_order_of_seed(KeySettings keys, std::uint64_t seed);

}  // namespace slotscape
