#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace slotscape::clouds {

/// The content of bytes packed by LZF (Lehmann's liblzf), as PCD has it; nothing unless they unpack to exactly `size`
/// bytes.
std::optional<std::string> unpacked_lzf(std::string_view packed, std::size_t size);

}  // namespace slotscape::clouds
