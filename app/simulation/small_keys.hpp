#pragma once

#include "gpu/workloads/settings.hpp"

#include <string_view>

namespace slotscape {

/// A stream of readable keys: the numbers from 1 to 99 in a random order that depends on the seed, repeated. The engine
/// treats them as keys from a file.
inline constexpr Key max_small_key = 99;
/// The stream's name in files, in place of a distribution.
inline constexpr std::string_view small_keys_name = "small";

/// The settings with this stream.
KeySettings small_keys(KeySettings keys);
bool are_small(KeySettings const& keys);
/// The settings with uniform keys instead of small ones. Other streams are not changed.
KeySettings without_small_keys(KeySettings keys);

/// Whether there are enough small keys to fill such a table.
bool holds_small_keys(TableSettings const& table);

/// The settings for the engine: small keys in the order given by the seed; other streams unchanged.
KeySettings in_order_of_seed(KeySettings keys, std::uint64_t seed);

}  // namespace slotscape
