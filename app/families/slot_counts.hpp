#pragma once

#include "gpu/tables/family.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace slotscape {

/// What would do, for the end of an error message: "a power of two from 16 to 2147483648: 512 or 1024".
std::string what_suits(SlotCounts counts, std::uint64_t wanted);

/// `wanted` where it suits, else the next number above that does, or the last below; `wanted` itself out of the limits.
std::uint64_t suitable_slots(SlotCounts counts, std::uint64_t wanted);

/// "a power of two", for people.
std::string_view kind_of(SlotCounts counts);

/// The number in "65536", "65,536", "2^16" or "2^16 = 65,536"; nothing where there is none.
std::optional<std::uint64_t> parse_slots(std::string_view text);

/// "2^16 = 65,536" or "1,000,003".
std::string slots_text(std::uint64_t slots);

/// Bytes of the pairs in so many slots.
std::uint64_t bytes_of_pairs(TableSettings const& table, std::uint64_t slots);

}  // namespace slotscape
